"""The command on clips of files."""

from editor.clips.imported import ImportedFile, with_roles
from editor.stack.clips import set_source
from editor.stack.command import command
from model.project import Project
from model.roles import Role


@command(lambda project, clip, joint, role: f"Call {_joint_name(project, clip, joint)} {_role_name(role)}")
def set_role(project: Project, clip: str, joint: int, role: str | None) -> Project:
    """Say what a joint of an imported clip is to a person; another joint that had the role loses it."""
    present = project.clip(clip)
    source = present.source
    if not isinstance(source, ImportedFile):
        raise ValueError(f"{present.name!r} is not imported: the roles of its joints are known")
    if not 0 <= joint < len(source.motion.skeleton):
        raise ValueError(f"joint is {joint}; the skeleton has {len(source.motion.skeleton)} joints")
    given = None if role is None else Role(role)
    roles = [None if one == given else one for one in source.motion.skeleton.roles]
    roles[joint] = given
    return set_source(project, clip, with_roles(source, roles))


def _joint_name(project: Project, clip: str, joint: int) -> str:
    source = project.clip(clip).source
    return source.motion.skeleton.names[joint] if isinstance(source, ImportedFile) else "a joint"


def _role_name(role: str | None) -> str:
    return "nothing in particular" if role is None else str(role).replace("_", " ")
