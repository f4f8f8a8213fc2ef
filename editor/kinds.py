"""Every kind of source and edit, by the name that project files use, in the order in which a menu offers them."""

from collections.abc import Callable, Mapping
from typing import Any

from editor.contacts.correct import Correction
from editor.curves.channels import Channel
from editor.curves.keys import Key, Keys
from editor.edits.curve_keys import Curve, CurveKeys
from editor.edits.exaggerate import Exaggerate
from editor.edits.extremes import ExtremePoses
from editor.edits.ground import AdaptToGround, ContactCorrections, FootCleanUp, LevelFloor
from editor.edits.placing import InPlace, Mirror, Place
from editor.edits.repairing import RepairFrames
from editor.edits.retarget import Retarget
from editor.edits.smoothing import Smooth
from editor.edits.stagger import Stagger
from editor.edits.target_poses import TargetPose, TargetPoses
from editor.edits.timing import Resample, Retime, Trim
from editor.extrema.correct import ExtremeCorrection, What
from editor.gait.parameters import Gait, Wave
from editor.retarget.character import built_in
from editor.retarget.mapping import Pair
from editor.sources.gait import ProceduralGait
from editor.sources.imported import ImportedFile, import_file, with_roles
from editor.sources.sequence import Part, Sequence
from editor.sources.staggered_poses import StaggeredPose, StaggeredPosesSource
from editor.sources.walk import StyleBand, WalkAlongPath
from editor.stagger.by_hand import Round, StaggerChange
from model.character import Character, CharacterJoint
from model.clip import Edit, Source
from model.files.problems import ReadOptions
from model.ground import Box, Grid, Ground, Mesh, Ramp
from model.path import Path, PathPoint
from model.roles import Role
from model.scope import Scope
from model.skeleton import JointRef
from model.units import Unit

SOURCES: Mapping[str, type[Source]] = {
    one.kind: one for one in (ImportedFile, ProceduralGait, Sequence, StaggeredPosesSource, WalkAlongPath)
}

EDITS: Mapping[str, type[Edit]] = {
    one.kind: one
    for one in (
        Trim, Retime, Resample,
        Place, Mirror, InPlace,
        RepairFrames, Smooth, LevelFloor,
        ContactCorrections, FootCleanUp, ExtremePoses,
        TargetPoses, AdaptToGround, CurveKeys, Exaggerate,
        Stagger,
        Retarget,
    )
}  # fmt: skip

_VALUES: tuple[Callable[..., Any], ...] = (
    *EDITS.values(), ProceduralGait, Sequence, StaggeredPosesSource, WalkAlongPath, import_file, with_roles, built_in,
    Box, Channel, Character, CharacterJoint, Correction, Curve, ExtremeCorrection, Gait, Grid, Ground, JointRef, Key,
    Keys, Mesh, Pair, Part, Path, PathPoint, Ramp, ReadOptions, Role, Round, Scope, StaggerChange,
    StaggeredPose, StyleBand, TargetPose, Unit, Wave, What,
)  # fmt: skip

# What scripts may call to make the values that commands take.
SCRIPT_NAMES: Mapping[str, Callable[..., Any]] = {one.__name__: one for one in _VALUES}
