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
from widgets.viewport.overlay import Ghost
from widgets.viewport.poses import frames_at, world_at
from widgets.viewport.scene import Dots, Label, Lines, Prints, Scene, backdrop_of, rgb, rgba
from widgets.viewport.shadow import cast
from widgets.viewport.terrain import Terrain, terrain_of

_AROUND_S = (-0.3, -0.2, -0.1, 0.1, 0.2, 0.3)
_OVER_M = 0.2  # names stand this far over heads
_OTHER_GROUND_M = 0.05  # grounds that are less apart are one, found a little differently
_KEPT, _KEPT_TERRAINS = 32, 3


@dataclass(frozen=True)
class ViewOptions:
    """What is shown, and how the mouse is used.

    ghost_source, ghost_final : the clip before and after all edits; ghost_around : some moments before and after;
    follow : the camera goes with the figure; painter : draw without OpenGL; mouse : "blender" or "maya".
    """

    ghost_source: bool = False
    ghost_final: bool = True
    ghost_around: bool = False
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
    """A take at a time of its own, and the name of its clip where it is to be written. is_live : it ends now, and the
    next moment will be of another take.
    """

    take: Take
    time_s: float
    name: str = ""
    is_live: bool = False


@dataclass(frozen=True, eq=False)
class Wanted:
    """What a scene is made of: the take that is edited, what it was made of and becomes, and takes beside it.

    joints : selected; hovered : a joint under the mouse; ghosts : the figure at other moments, as overlays have it;
    pose : how the edited figure stands while a tool holds it, instead of as in its take; pose_before : how it stood
    before; ground : what stands on the floor, whose height is that of the edited take; chosen : what of it is selected.
    """

    edited: Moment | None
    source: Moment | None = None
    final: Moment | None = None
    beside: tuple[Moment, ...] = ()
    joints: tuple[JointRef, ...] = ()
    hovered: int | None = None
    ghosts: tuple[Ghost, ...] = ()
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
            ghosts=(),
            pose=None,
            pose_before=None,
        )

    def with_live(self, live: Moment, alone: bool) -> "Wanted":
        """With a live figure beside the clips, or alone in their place."""
        if alone or self.edited is None or not self.edited.take.motion.frames:
            return Wanted(replace(live, name=""), ground=self.ground, chosen=self.chosen)
        return replace(self, beside=(*self.beside, live))


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
        """A figure shown beside, on the same ground, wherever its recording had it: clips in the same colours, calmer,
        what is live in all of theirs.
        """
        paints = figure_paints(theme)
        if not moment.is_live:
            paints[:, :3] = 0.55 * paints[:, :3] + 0.45 * rgb(theme.source)
        pose = _pose(moment)
        pose = WorldPose(pose.positions + _lift(moment, ground_m), pose.rotations)
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
        ghosts += [(Moment(take, ghost.time_s), ghost.paints) for ghost in wanted.ghosts]
        made = [
            posed(self.body(moment.take.motion), _pose(moment), np.broadcast_to(colour, (3, 4)), pickable=False)
            for moment, colour in ghosts
            if moment.take.motion.frames
        ]
        if wanted.pose_before is not None:
            colour = np.tile(rgba(theme.source, 0.35), (3, 1))
            made.append(posed(self.body(take.motion), wanted.pose_before, colour, pickable=False))
        return made

    def _prints_of(self, moment: Moment, ground_m: float, theme: Theme) -> Prints:
        """Where the limbs of a figure rest on a ground, and rested."""
        take = moment.take
        frame, frame_time_s = float(frames_at(take.motion, moment.time_s)[0]), take.motion.frame_time_s
        if not moment.is_live:
            if take not in self._prints:
                self._prints[take] = marks.contact_prints(take)
            prints, spans = self._prints[take]
            return marks.contacts_now(prints, spans, frame, frame_time_s, theme)
        prints, spans = marks.contact_prints(take)
        prints = replace(prints, centres=prints.centres + _lift(moment, ground_m))
        return marks.contacts_now(prints, spans, frame, frame_time_s, theme, marks.LIVE_S)

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
            prints = self._prints_of(edited, scene.ground_m, theme)
            for moment in wanted.beside:
                prints = prints + self._prints_of(moment, scene.ground_m, theme) if moment.is_live else prints
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


def _pose(moment: Moment) -> WorldPose:
    """Every joint at a moment: positions (J, 3), rotations (J, 4)."""
    motion = moment.take.motion
    world = world_at(motion, frames_at(motion, moment.time_s))
    return WorldPose(world.positions[0], world.rotations[0])


def _lift(moment: Moment, ground_m: float) -> Array:
    """(3,) from the ground of a figure to the one on which it is shown."""
    lift_m = ground_m - moment.take.contacts.ground_m
    return np.array([0.0, lift_m if abs(lift_m) > _OTHER_GROUND_M else 0.0, 0.0])


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
