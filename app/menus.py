"""The table of everything that can be done, and the menus made of it."""

from collections.abc import Iterable

from PySide6.QtWidgets import QMenu, QMenuBar

from app.actions import Actions, Described
from app.workspaces import WORKSPACES

WORKSPACE = "workspace_"  # with which the names of actions begin that go to one

# In the order of the menus; "-" draws a line.
TABLE: tuple[Described | str, ...] = (
    Described("new_project", "&New project", "File", "Start over with an empty project", "Ctrl+N", "new"),
    Described("open", "&Open…", "File", "Open clips or a project", "Ctrl+O", "open"),
    Described("open_folder", "Open &folder…", "File", "Open all clips of a folder", "Ctrl+Shift+O"),
    Described("open_sample", "Open s&ample", "File/Samples", "Open one of the clips that come with Motionwright"),
    "-",
    Described("save", "&Save", "File", "Save the project", "Ctrl+S", "save"),
    Described("save_as", "Save &as…", "File", "Save the project under another name", "Ctrl+Shift+S"),
    Described("export", "&Export clip…", "File", "Write the clip as BVH, AMC, glTF or CSV", "Ctrl+E", "export"),
    Described("pose_strip", "Save &pose strip…", "File", "Save the extreme poses side by side as a picture"),
    "-",
    Described("quit", "&Quit", "File", "Close Motionwright", "Ctrl+Q"),
    Described("undo", "&Undo", "Edit", "Take the last step back", "Ctrl+Z", "undo"),
    Described("redo", "&Redo", "Edit", "Do the step again", "Ctrl+Shift+Z", "redo"),
    "-",
    Described("reduce_to_keys", "Reduce to &keys…", "Edit", "Few keys in the place of all the clip's frames"),
    "-",
    Described("new_walk", "New &walk", "Clip", "A walk made from a few settings", "Ctrl+Shift+W", "walk"),
    Described("duplicate_clip", "&Duplicate clip", "Clip", "A copy of the clip with its edits", "Ctrl+D"),
    Described("delete_clip", "De&lete clip", "Clip", "Remove the clip from the project"),
    Described("reload_clip", "&Reload file", "Clip", "Read the clip's file again"),
    Described("retarget", "Re&target to…", "Clip", "Put the clip on another body, and see which joint follows which"),
    Described("exaggerate", "E&xaggerate…", "Clip", "Make the motion larger or more subtle by its extreme poses"),
    Described("stagger", "&Stagger timing", "Clip", "Delay parts of the body against each other, pose by pose"),
    Described("take_in_poses", "Stagger tar&get poses", "Clip", "Let each joint get into target poses at its own time"),
    Described("stagger_clip", "Clip of staggered &poses", "Clip", "A new clip of the poses and their timing alone"),
    Described("sequence", "&Join clips", "Clip", "One clip of those compared with this one, each following the last"),
    "-",
    Described("tool_select", "&Select", "Pose", "Click joints to select them", "Q", "select", checkable=True),
    Described("tool_move", "&Move", "Pose", "Move the selected joint with arrows", "W", "move", checkable=True),
    Described("tool_rotate", "&Rotate", "Pose", "Turn the selected joint with rings", "E", "rotate", checkable=True),
    Described(
        "tool_ik", "&Drag the body", "Pose", "Drag hands, feet, pelvis or head; the rest follows", "R", "reach",
        checkable=True,
    ),
    "-",
    Described(
        "world_axes", "&World axes", "Pose", "Move and turn along the world's axes, or the joint's own", "X",
        "world_axes", checkable=True,
    ),
    Described(
        "tool_ground", "&Ground", "Pose", "Put boxes, stairs and ramps on the floor, and move them", "B", "ground",
        checkable=True,
    ),
    Described("pin", "&Pin or let go", "Pose", "Hold the hand or foot where it is while others move", "P", "pin"),
    "-",
    Described(
        "auto_key", "&Auto-key", "Pose", "Keep every drag at once; off: only when I is pressed", "", "auto_key",
        checkable=True,
    ),
    Described("edit_pose", "&Edit pose here", "Pose", "Drag the figure at this frame; the motion follows", "Shift+E"),
    Described("add_pose", "Add &target pose", "Pose", "Keep the pose at this frame", "I", "add_pose"),
    Described(
        "repeat_pose", "Repeat at similar p&oses", "Pose",
        "Put this pose at all similar extremes, mirrored at those of the other side", "Ctrl+R", "repeat_pose",
    ),
    Described(
        "grounded", "Keep feet on the &ground", "Pose",
        "Feet stay planted and the body moves with its steps; off: only joints turn", "", "grounded", checkable=True,
    ),
    Described(
        "stagger_extremes", "Pose e&xtremes together", "Pose",
        "At a staggered pose, see and pose every joint in its extreme at once; off: as the body passes through it",
        "", checkable=True,
    ),
    "-",
    Described("mirror_pose", "M&irror pose", "Pose", "Exchange left and right at this frame", "M", "mirror"),
    Described("copy_pose", "&Copy pose", "Pose", "Copy the pose, or the selected joints", "Ctrl+C", "copy_pose"),
    Described("paste_pose", "Pas&te pose", "Pose", "Put the copied pose at this frame", "Ctrl+V", "paste_pose"),
    "-",
    Described("add_extreme", "&Add here", "Pose/Extremes", "Say that the pose at this frame is extreme", "Shift+I"),
    Described(
        "pin_extreme", "&Pin or let go", "Pose/Extremes", "Keep the extreme here however few are wanted", "Shift+P"
    ),
    Described("delete_extreme", "&Delete", "Pose/Extremes", "Remove the extreme at this frame"),
    "-",
    Described("add_box", "Add &box", "Ground", "Draw a box on the floor", "", "box"),
    Described("add_stairs", "Add &stairs", "Ground", "Draw stairs on the floor", "", "stairs"),
    Described("add_ramp", "Add &ramp", "Ground", "Draw a ramp on the floor", "", "ramp"),
    "-",
    Described("adapt_to_ground", "&Adapt clip to the ground", "Ground", "Let the clip step onto what stands there"),
    "-",
    Described("remove_object", "Re&move object", "Ground", "Take the selected object off the ground"),
    Described("clear_ground", "&Clear the ground", "Ground", "Take everything off the ground"),
    "-",
    Described("import_ground", "&Import ground…", "Ground", "Put the objects of a ground file or an OBJ mesh there"),
    Described("export_ground", "&Export ground…", "Ground", "Write what stands on the ground as JSON"),
    "-",
    Described("draw_path", "&Draw a path", "Walk", "Draw a line on the floor, and somebody walks along it", "", "draw"),
    Described(
        "tool_path", "&Path in the viewport", "Walk", "Draw the path on the viewport's floor, and move its points", "L",
        "path_smooth", checkable=True,
    ),
    Described("path_from_clip", "Walk along the &clip's way", "Walk", "A walk along the way of the clip, in its style"),
    "-",
    Described("add_style", "&Add style…", "Walk", "Let a file lend its way of going to the walk"),
    Described("close_path", "C&lose or open the path", "Walk", "Join the path's end to its start, or part them"),
    Described("reverse_path", "&Turn the path round", "Walk", "Walk the path the other way"),
    "-",
    Described("walk_example", "&Example: three styles on a path", "Walk", "A walk in three styles on a winding path"),
    "-",
    Described("play", "&Play", "Play", "Play or pause", "Space", "play"),
    Described("first_frame", "&First frame", "Play", "Go to the first frame", "Home"),
    Described("last_frame", "&Last frame", "Play", "Go to the last frame", "End"),
    Described("next_frame", "&Next frame", "Play", "One frame on", "Right"),
    Described("previous_frame", "&Previous frame", "Play", "One frame back", "Left"),
    Described("ten_on", "Ten frames &on", "Play", "Ten frames on", "Shift+Right"),
    Described("ten_back", "Ten frames &back", "Play", "Ten frames back", "Shift+Left"),
    "-",
    Described("loop_start", "Loop from &here", "Play", "Start the loop at this frame", "["),
    Described("loop_stop", "Loop &up to here", "Play", "End the loop at this frame", "]"),
    Described("loop_clear", "&Clear the loop", "Play", "Play the whole clip"),
    "-",
    Described("add_marker", "Add &marker", "Play", "Mark this frame", "Ctrl+M"),
    Described("previous_marker", "P&revious marker", "Play", "Go to the marker before this frame", "Ctrl+Left"),
    Described("next_marker", "Ne&xt marker", "Play", "Go to the marker after this frame", "Ctrl+Right"),
    "-",
    Described("previous_extreme", "Previous extre&me", "Play", "Go to the extreme pose before this frame", ","),
    Described("next_extreme", "Next ext&reme", "Play", "Go to the extreme pose after this frame", "."),
    Described("frame_selection", "&Frame selection", "View", "Bring the selection into view", "F"),
    Described("frame_all", "Frame &all", "View", "Bring everything into view", "A"),
    Described("view_front", "Fr&ont", "View/Camera", "Look from the front", "1"),
    Described("view_side", "&Side", "View/Camera", "Look from the side", "3"),
    Described("view_top", "&Top", "View/Camera", "Look from above", "7"),
    Described("view_free", "Three-&quarter", "View/Camera", "Look from above and aside", "0"),
    Described("mouse_blender", "&Blender mouse", "View/Mouse", "Middle drag orbits, Shift moves", checkable=True),
    Described("mouse_maya", "&Maya mouse", "View/Mouse", "Alt and left drag orbits", checkable=True),
    Described("follow", "F&ollow the figure", "View", "Keep the figure in view as it moves", "Shift+F", checkable=True),
    "-",
    Described("ghosts", "&Ghost of the source", "View/Ghosts", "Show the source in grey-blue", "G", checkable=True),
    Described(
        "ghost_extremes", "Ghosts at e&xtremes", "View/Ghosts", "Show the figure at its extreme poses", "Shift+G",
        checkable=True,
    ),
    Described(
        "ghost_stagger", "Copies through the s&taggered pose", "View/Ghosts",
        "Show the body from the first joint that gets into the nearest staggered pose to the last", "", checkable=True,
    ),
    Described("trails", "&Trails", "View", "Show the ways of hands and feet", "T", checkable=True),
    Described("contacts", "&Contact marks", "View", "Show where feet rest on the ground", "C", checkable=True),
    Described("mass", "C&entre of mass", "View", "Show the centre of mass", checkable=True),
    "-",
    Described("dark", "&Dark theme", "View", "Light on dark, or dark on light", checkable=True),
    Described("full_screen", "F&ull screen", "View", "Use the whole screen", "F11", checkable=True),
    *(
        Described(f"{WORKSPACE}{one.name}", f"Workspace {one.name}", "Window", one.tip, f"Ctrl+{n}")
        for n, one in enumerate(WORKSPACES, 1)
    ),
    Described("reset_workspace", "&Reset workspace", "Window", "Arrange the workspace as it comes"),
    Described("palette", "&Command palette…", "Help", "Find a command by typing", "Ctrl+Shift+P"),
    Described("help", "&Help", "Help", "How things are done", "F1", "help"),
    Described("shortcuts", "&Shortcuts…", "Help", "See and change shortcuts"),
    Described("tour", "&Tour", "Help", "A short walk round the window"),
    Described("lesson", "Lesson: a &wider stance", "Help", "Make the steps of a walk longer by one pose, in a minute"),
    Described("about", "&About Motionwright", "Help", "Version and licence"),
)  # fmt: skip

_MENUS = ("File", "Edit", "Clip", "Pose", "Ground", "Walk", "Play", "View", "Window", "Help")


def build_menus(bar: QMenuBar, actions: Actions) -> dict[str, QMenu]:
    """The menus of the table, by name, "View/Camera" for one within another."""
    menus: dict[str, QMenu] = {}
    for name in _MENUS:
        menus[name] = bar.addMenu(f"&{name}")
    line: str | None = None
    for entry in TABLE:
        if isinstance(entry, str):
            line = entry
            continue
        menu = _menu(menus, entry.menu)
        if line is not None and menu.actions():
            menu.addSeparator()
        line = None
        if entry.name in actions:
            menu.addAction(actions[entry.name])
    return menus


def _menu(menus: dict[str, QMenu], path: str) -> QMenu:
    if path not in menus:
        above, _, name = path.rpartition("/")
        menus[path] = menus[above].addMenu(name)
    return menus[path]


def described(names: Iterable[str] | None = None) -> dict[str, Described]:
    """The actions of the table, by name."""
    return {entry.name: entry for entry in TABLE if isinstance(entry, Described)}
