"""A label that never asks for width: what does not fit is left out in the middle, and the tip has all of it."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

from widgets.common.plain_label import PlainLabel, plain_tip


class ElidedLabel(PlainLabel):
    """One line of plain text. Its menu copies the whole of it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        copy = QAction("Copy", self)
        copy.triggered.connect(self._copy)
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.setText(text)

    def setText(self, text: str) -> None:
        self._whole = text
        super().setText(" ".join(text.split("\n")))
        self.setToolTip(plain_tip(text))

    def text(self) -> str:
        return self._whole

    @property
    def shown_text(self) -> str:
        """What there is room for."""
        return self.fontMetrics().elidedText(super().text(), Qt.TextElideMode.ElideMiddle, self.contentsRect().width())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        area: QRect = self.contentsRect()
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), self.shown_text)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())
