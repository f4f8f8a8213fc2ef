"""The features: the only list of them, a line each, in the order in which menus offer what they bring."""

from app.feature import Feature, Features
from editor.clips.feature import CLIPS
from editor.contacts.feature import CONTACTS
from editor.curves.feature import CURVES
from editor.exaggerate.feature import EXAGGERATE
from editor.extrema.feature import EXTREMA
from editor.gait.feature import GAIT
from editor.ground.feature import GROUND
from editor.placing.feature import PLACING
from editor.posing.feature import POSING
from editor.repair.feature import REPAIR
from editor.retarget.feature import RETARGET
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
        Feature(None, QUALITY_SHOWN),
    )
)
FEATURES = ALL.core
