"""The features: the only list of them, a line each, in the order in which menus offer what they bring."""

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
