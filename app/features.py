"""The features: the only list of them, a line each, in the order in which menus offer what they bring.

Other packages may bring more: see `plug_ins`.
"""

from app.feature import Feature, Features
from app.plug_ins import visible_plug_ins, with_plug_ins
from app.verbs.feature import APP
from editor.clips.feature import CLIPS
from editor.contacts.feature import CONTACTS
from editor.curves.feature import CURVES
from editor.exaggerate.feature import EXAGGERATE
from editor.extrema.feature import EXTREMA
from editor.gait.feature import GAIT
from editor.ground.feature import GROUND
from editor.placing.feature import PLACING
from editor.posing.feature import POSING
from editor.quality.feature import QUALITY
from editor.repair.feature import REPAIR
from editor.retarget.feature import RETARGET
from editor.stack.contributions import CoreFeatures
from editor.stack.feature import STACK
from editor.stagger.feature import STAGGER
from editor.timing.feature import TIMING
from editor.walking.feature import WALKING
from widgets.clips.feature import CLIPS as CLIPS_SHOWN
from widgets.contacts.feature import CONTACTS as CONTACTS_SHOWN
from widgets.curves.feature import CURVES as CURVES_SHOWN
from widgets.exaggerate.feature import EXAGGERATE as EXAGGERATE_SHOWN
from widgets.extrema.feature import EXTREMA as EXTREMA_SHOWN
from widgets.gait.feature import GAIT as GAIT_SHOWN
from widgets.ground.feature import GROUND as GROUND_SHOWN
from widgets.posing.feature import POSING as POSING_SHOWN
from widgets.quality.feature import QUALITY as QUALITY_SHOWN
from widgets.retarget.feature import RETARGET as RETARGET_SHOWN
from widgets.stagger.feature import STAGGER as STAGGER_SHOWN
from widgets.walking.feature import WALKING as WALKING_SHOWN

ALL = Features(
    (
        Feature(STACK),
        Feature(CLIPS, CLIPS_SHOWN),
        Feature(GAIT, GAIT_SHOWN),
        Feature(TIMING),
        Feature(PLACING),
        Feature(REPAIR),
        Feature(CONTACTS, CONTACTS_SHOWN),
        Feature(GROUND, GROUND_SHOWN),
        Feature(EXTREMA, EXTREMA_SHOWN),
        Feature(POSING, POSING_SHOWN),
        Feature(CURVES, CURVES_SHOWN),
        Feature(EXAGGERATE, EXAGGERATE_SHOWN),
        Feature(STAGGER, STAGGER_SHOWN),
        Feature(RETARGET, RETARGET_SHOWN),
        Feature(WALKING, WALKING_SHOWN),
        Feature(QUALITY, QUALITY_SHOWN),
        Feature(APP),
    )
)
FEATURES = ALL.core

_core: CoreFeatures | None = None


def core_features() -> CoreFeatures:
    """The core of the features above and of other packages, which are looked for once, when somebody asks."""
    global _core
    if _core is None:
        _core = FEATURES  # for packages that ask while they are being loaded
        _core = with_plug_ins(FEATURES)
    return _core


def all_features() -> Features:
    """Both halves of the features above and of those of other packages."""
    shown = (Feature(visible=visible, package=package) for package, visible in visible_plug_ins())
    return Features((*ALL, *shown), core_features())
