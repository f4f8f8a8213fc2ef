"""The features: the only list of them, a line each, in the order in which menus offer what they bring.

Other packages may bring more: see `plug_ins`.
"""

from app.plug_ins import with_plug_ins
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

FEATURES = CoreFeatures(
    (
        STACK,
        CLIPS,
        GAIT,
        TIMING,
        PLACING,
        REPAIR,
        CONTACTS,
        GROUND,
        EXTREMA,
        POSING,
        CURVES,
        EXAGGERATE,
        STAGGER,
        RETARGET,
        WALKING,
        QUALITY,
        APP,
    )
)

_all: CoreFeatures | None = None


def core_features() -> CoreFeatures:
    """The features above and those of other packages, which are looked for once, when somebody asks."""
    global _all
    if _all is None:
        _all = FEATURES  # for packages that ask while they are being loaded
        _all = with_plug_ins(FEATURES)
    return _all
