"""From takes and a moment to the scene that shows them: figures, ghosts, marks. Done for every frame shown.

What stays the same while time goes on (bodies, prints of contacts) is worked out once a take and kept.
"""

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from editor.document.showing import Shown
from model.arrays import Array
from model.clip import Take
from model.ground import FLAT, Ground, ObjectName
from model.kinematics import WorldPose
from model.motion import Motion
from model.recent import Recent
from model.skeleton import JointRef, Skeleton
from widgets.common.theme import Theme
from widgets.viewport import marks
from widgets.viewport.body import Body, make_body
from widgets.viewport.figure import Solids, posed, together
from widgets.viewport.poses import frames_at, world_at
from widgets.viewport.scene import Dots, Label, Lines, Prints, Scene, backdrop_of, rgb, rgba
from widgets.viewport.shadow import cast
from widgets.viewport.terrain import Terrain, terrain_of

_AROUND_S = (-0.3, -0.2, -0.1, 0.1, 0.2, 0.3)
_MOST_KEY_GHOSTS = 8
_OVER_M = 0.2  # names stand this far over heads
_OTHER_GROUND_M = 0.05  # grounds that are less apart are one, found a little differently
_KEPT, _KEPT_TERRAINS = 32, 3


@dataclass(frozen=True)
class ViewOptions:
    """What is shown, and how the mouse is used.

    ghost_source, ghost_final : the clip before and after all edits; ghost_around : some moments before and after;
    ghost_keys : the moments that `Viewport.key_times_s` names; ghost_stagger : those of `stagger_times_s`, in which the
    body passes through one pose; follow : the camera goes with the figure; painter : draw without OpenGL; mouse :
    "blender" or "maya".
    """

    ghost_source: bool = False
    ghost_final: bool = True
    ghost_around: bool = False
    ghost_keys: bool = False
    ghost_stagger: bool = False
    trails: bool = False
    contacts: bool = True
    centre_of_mass: bool = False
    shadow: bool = True
    grid: bool = True
    names: bool = False
    follow: bool = True
    painter: bool = False
    mouse: str = "blender"


@dataclass(frozen=True, eq=False)
class Moment:
    """A take at a time of its own, and the name of its clip where it is to be written."""

    take: Take
    time_s: float
    name: str = ""


@dataclass(frozen=True, eq=False)
class Wanted:
    """What a scene is made of: the take that is edited, what it was made of and becomes, and takes beside it.

    joints : selected; hovered : a joint under the mouse; key_times_s : where ghosts at keys stand; pose : how the
    edited figure stands while a tool holds it, instead of as in its take; pose_before : how it stood before; ground :
    what stands on the floor, whose height is that of the edited take; chosen : what of it is selected.
    """

    edited: Moment | None
    source: Moment | None = None
    final: Moment | None = None
    beside: tuple[Moment, ...] = ()
    joints: tuple[JointRef, ...] = ()
    hovered: int | None = None
    key_times_s: tuple[float, ...] = ()
    stagger_times_s: tuple[float, ...] = ()
    pose: WorldPose | None = None
    pose_before: WorldPose | None = None
    ground: Ground = FLAT
    chosen: ObjectName | None = None

    def as_source(self) -> "Wanted":
        """The source in the place of what is edited, and no ghosts about it."""
        return replace(
            self,
            edited=self.source,
            final=None,
            hovered=None,
            key_times_s=(),
            stagger_times_s=(),
            pose=None,
            pose_before=None,
        )


def wanted_of(shown: Shown | None, compared: tuple[Shown, ...], time_s: float) -> Wanted:
    """What there is to be seen of a clip at a time of the stage that is shown."""
    beside = tuple(Moment(one.take, time_s, one.clip.name) for one in compared)
    if shown is None:
        return Wanted(None)
    name = shown.clip.name if beside else ""
    source_s = float(shown.stage.time_map.inverse()(time_s))
    final_s = float(shown.stages[-1].time_map(source_s))
    return Wanted(
        Moment(shown.take, time_s, name),
        Moment(shown.source, shown.source_take_s(source_s), name),
        Moment(shown.final, final_s),
        beside,
    )


class Composer:
    """Makes scenes. It keeps what it worked out for the last few bodies and takes."""

    def __init__(self) -> None:
        self._bodies: Recent[Skeleton, Body] = Recent(_KEPT)
        self._prints: WeakKeyDictionary[Take, tuple[Prints, Array]] = WeakKeyDictionary()  # which holds no take
        self._terrains: Recent[Ground, Terrain] = Recent(_KEPT_TERRAINS)

    def scene(self, wanted: Wanted, options: ViewOptions, theme: Theme) -> Scene:
        """The scene of a moment."""
        edited = wanted.edited
        ground = 0.0 if edited is None else edited.take.contacts.ground_m
        stage = wanted.ground.at_height(ground)
        names = [name for name, _ in wanted.ground.objects]
        empty = Scene(
            backdrop_of(theme), ground, options.grid, self._terrains.get(stage, lambda: terrain_of(stage)),
            names.index(wanted.chosen) if wanted.chosen in names else -1,
        )  # fmt: skip
        if edited is None or not edited.take.motion.frames:
            return empty
        take = edited.take
        pose = _pose(edited) if wanted.pose is None else wanted.pose
        body = self.body(take.motion)
        figure = posed(body, pose, figure_paints(theme))
        selected = tuple(j for ref in wanted.joints if (j := take.motion.skeleton.resolve(ref)) is not None)
        others = [one for one in wanted.beside if one.take.motion.frames]
        beside = [self._beside(one, ground, theme) for one in others]
        casts = [cast(one, stage) for one in (figure, *beside)] if options.shadow else []
        scene = replace(
            empty,
            solids=together([_lit(figure, selected, theme), *beside]),
            ghosts=together(self._ghosts(wanted, edited, options, theme)),
            shadows=tuple(one for one in casts if one is not None),
            joints=np.nan_to_num(pose.positions),
            labels=tuple(
                _name_over(one, moment.name)
                for one, moment in zip([figure, *beside], [edited, *others], strict=True)
                if moment.name
            ),
        )
        return self._with_marks(scene, edited, wanted, options, theme, selected)

    def body(self, motion: Motion) -> Body:
        """The shape of a motion's skeleton."""
        return self._bodies.get(motion.skeleton, lambda: make_body(motion))

    def _beside(self, moment: Moment, ground_m: float, theme: Theme) -> Solids:
        """A clip shown beside: the same colours, calmer, on the same ground, wherever its recording had it."""
        paints = figure_paints(theme)
        paints[:, :3] = 0.55 * paints[:, :3] + 0.45 * rgb(theme.source)
        pose, lift_m = _pose(moment), ground_m - moment.take.contacts.ground_m
        if abs(lift_m) > _OTHER_GROUND_M:
            pose = WorldPose(pose.positions + np.array([0.0, lift_m, 0.0]), pose.rotations)
        return posed(self.body(moment.take.motion), pose, paints, pickable=False)

    def _ghosts(self, wanted: Wanted, edited: Moment, options: ViewOptions, theme: Theme) -> list[Solids]:
        ghosts: list[tuple[Moment, Array]] = []
        source, final, take, now_s = wanted.source, wanted.final, edited.take, edited.time_s
        held = wanted.pose is not None
        if options.ghost_source and source is not None and source.take is not take:
            ghosts.append((source, rgba(theme.source, 0.55)))
        if options.ghost_final and final is not None and final.take is not take and not held:
            ghosts.append((final, rgba(theme.centre, 0.30)))
        if options.ghost_around:
            for away in _AROUND_S:
                if -1e-9 <= now_s + away <= take.motion.duration_s + 1e-9:
                    ghosts.append((Moment(take, now_s + away), rgba(theme.source, 0.50 - 1.1 * abs(away))))
        if options.ghost_keys:
            ghosts += [(Moment(take, at), paints) for at, paints in _key_ghosts(wanted.key_times_s, now_s, theme)]
        if options.ghost_stagger:
            ghosts += [(Moment(take, at), paints) for at, paints in _stagger_ghosts(wanted.stagger_times_s, theme)]
        made = [
            posed(self.body(moment.take.motion), _pose(moment), np.broadcast_to(colour, (3, 4)), pickable=False)
            for moment, colour in ghosts
            if moment.take.motion.frames
        ]
        if wanted.pose_before is not None:
            colour = np.tile(rgba(theme.source, 0.35), (3, 1))
            made.append(posed(self.body(take.motion), wanted.pose_before, colour, pickable=False))
        return made

    def _with_marks(
        self,
        scene: Scene,
        edited: Moment,
        wanted: Wanted,
        options: ViewOptions,
        theme: Theme,
        selected: tuple[int, ...],
    ) -> Scene:
        take, time_s, joints = edited.take, edited.time_s, scene.joints
        motion = take.motion
        lines, dots, prints = Lines(), Dots(), Prints()
        front_lines, front_dots = Lines(), Dots()
        if options.contacts:
            if take not in self._prints:
                self._prints[take] = marks.contact_prints(take)
            known, spans = self._prints[take]
            frame = float(frames_at(motion, time_s)[0])
            prints = marks.contacts_now(known, spans, frame, motion.frame_time_s, theme)
        if options.trails:
            followed = selected or marks.default_trails(motion.skeleton)
            lines, dots = marks.trails(motion, time_s, followed, self.body(motion), theme)
        if options.centre_of_mass:
            stage = wanted.ground.at_height(scene.ground_m)
            front_lines, front_dots, foot = marks.mass_marks(motion.skeleton, joints, stage, theme)
            prints = prints + foot
        if wanted.hovered is not None and wanted.hovered < len(joints):
            front_dots = front_dots + marks.joint_dots(joints[[wanted.hovered]], theme.window, theme.text, 5.0)
        if selected:
            front_dots = front_dots + marks.joint_dots(joints[list(selected)], theme.accent, theme.text, 7.0)
        labels = _labels(motion.skeleton, joints, options.names, selected, wanted.hovered)
        return replace(
            scene, prints=prints, lines=lines, dots=dots, front_lines=front_lines, front_dots=front_dots,
            labels=scene.labels + labels,
        )  # fmt: skip


def _key_ghosts(times_s: tuple[float, ...], now_s: float, theme: Theme) -> list[tuple[float, Array]]:
    """The moments nearest to now at which ghosts stand, each with its colours (3, 4): fainter the farther away."""
    away = sorted((abs(at - now_s), at) for at in times_s if abs(at - now_s) > 1e-6)[:_MOST_KEY_GHOSTS]
    paints = figure_paints(theme)
    paints[:, :3] = 0.35 * paints[:, :3] + 0.65 * rgb(theme.extreme)
    found = []
    for apart_s, at in away:
        own = paints.copy()
        own[:, 3] = 0.5 - 0.36 * apart_s / away[-1][0]
        found.append((at, own))
    return found


def _stagger_ghosts(times_s: tuple[float, ...], theme: Theme) -> list[tuple[float, Array]]:
    """Copies of one pose as the body passes through it, each with its colours (3, 4): fainter the earlier."""
    found = []
    for place, at in enumerate(times_s, 1):
        own = figure_paints(theme)
        own[:, 3] = 0.12 + 0.28 * place / len(times_s)
        found.append((at, own))
    return found


def _pose(moment: Moment) -> WorldPose:
    """Every joint at a moment: positions (J, 3), rotations (J, 4)."""
    motion = moment.take.motion
    world = world_at(motion, frames_at(motion, moment.time_s))
    return WorldPose(world.positions[0], world.rotations[0])


def figure_paints(theme: Theme) -> Array:
    """(3, 4) the colours of left limbs, right limbs and the rest."""
    return np.stack([rgba(theme.left), rgba(theme.right), rgba(theme.centre)])


def _lit(figure: Solids, selected: tuple[int, ...], theme: Theme) -> Solids:
    """The figure with the parts of the selected joints standing out."""
    if not selected:
        return figure
    chosen = np.isin(figure.joints, selected)
    colours = np.array(figure.colours)
    colours[chosen, :3] = 0.5 * colours[chosen, :3] + 0.5 * rgb(theme.text)
    return replace(figure, colours=colours)


def _name_over(figure: Solids, name: str) -> Label:
    """The name of a clip over the head of its figure."""
    ends = np.concatenate([figure.starts, figure.ends])
    x, y, z = ends[np.argmax(ends[:, 1])]
    return Label(name, (float(x), float(y) + _OVER_M, float(z)))


def _labels(
    skeleton: Skeleton, positions: Array, everyone: bool, selected: tuple[int, ...], hovered: int | None
) -> tuple[Label, ...]:
    named = range(len(skeleton)) if everyone else sorted({*selected, *(() if hovered is None else (hovered,))})
    return tuple(
        Label(skeleton.names[joint], (float(x), float(y), float(z)), joint in selected or joint == hovered)
        for joint in named
        if joint < len(positions)
        for x, y, z in (positions[joint],)
    )


def framed_points(scene: Scene, joints: Array | None = None) -> Array:
    """(N, 3) what a camera should see: the figures, or joints (K, 3) with some room about them."""
    if joints is None or not len(joints):
        return scene.outline()
    room = 0.25
    return np.concatenate([joints - room, joints + room])
