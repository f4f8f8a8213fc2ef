"""`motionwright raise FILE --by M -o OUT`: a motion higher above the floor."""

from motionwright.editor.stack.verbs import add_output, add_reading, print_problems, read_options, write_output

EXAMPLE = "motionwright raise walk.bvh --by 0.5 -o high.bvh"


def add_arguments(parser):
    parser.add_argument("file", metavar="FILE", help="a motion file")
    parser.add_argument("--by", type=float, default=0.5, metavar="M", help="by how many metres (0.5)")
    add_output(parser)
    add_reading(parser)


def run(parsed):
    from motionwright.editor.clips.imported import import_file
    from motionwright.editor.stack.evaluator import Evaluator
    from motionwright.model.clip import Clip
    from motionwright.model.project import Project

    from .commands import raise_clip

    source = import_file(parsed.file, read_options(parsed))
    print_problems(parsed.file, source.problems)
    project = raise_clip(Project((Clip("1", parsed.file, source),)), "1", parsed.by)
    write_output(parsed, Evaluator().take(project, "1").motion)
    return 0
