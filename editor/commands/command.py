"""What a command is, and a call of one: what the undo history holds, and what a script is made of."""

import ast
import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec

from model.project import Project
from model.type_hints import Fitter, fitter

_P = ParamSpec("_P")
Command = Callable[..., Project]
_COMMANDS: dict[str, "Registered"] = {}


@dataclass(frozen=True)
class Registered:
    """A command by name. sentence : what the Undo menu says; fitters : by argument, what holds it against its hint."""

    function: Command
    sentence: Callable[..., str]
    signature: inspect.Signature
    fitters: Mapping[str, Fitter]

    def arguments(self, *positional: Any, **named: Any) -> dict[str, Any]:
        """Arguments beyond the project by name, made fit. Raises TypeError and ValueError for wrong ones."""
        bound = self.signature.bind(None, *positional, **named).arguments
        return {name: self.fitters[name](value, name) for name, value in bound.items() if name in self.fitters}


def command(
    sentence: Callable[Concatenate[Project, _P], str],
) -> Callable[[Callable[Concatenate[Project, _P], Project]], Callable[Concatenate[Project, _P], Project]]:
    """Register a function from a project and plain arguments to the next project.

    sentence : what is done, in plain words, from the same project and arguments. A command raises ValueError for
    what cannot be done, arguments of other types than its hints say among it, and gives back the same project where
    nothing changes.
    """

    def register(function: Callable[Concatenate[Project, _P], Project]) -> Callable[Concatenate[Project, _P], Project]:
        work: Command = function

        @functools.wraps(function)
        def checked(project: Project, /, *positional: _P.args, **named: _P.kwargs) -> Project:
            return work(project, **registered.arguments(*positional, **named))

        hints = typing.get_type_hints(function)
        signature = inspect.signature(function)
        fitters = {name: fitter(hints[name]) for name in list(signature.parameters)[1:]}
        registered = Registered(checked, sentence, signature, fitters)
        _COMMANDS[function.__name__] = registered
        return checked

    return register


def commands() -> Mapping[str, Registered]:
    """All commands, by name."""
    import editor.commands.clips
    import editor.commands.curves
    import editor.commands.exaggerate
    import editor.commands.extremes
    import editor.commands.ground
    import editor.commands.layers
    import editor.commands.markers
    import editor.commands.poses
    import editor.commands.retarget
    import editor.commands.stagger
    import editor.commands.walk  # noqa: F401  registered as they are imported

    return _COMMANDS


@dataclass(frozen=True, eq=False)
class Call:
    """A command with its arguments. Printed, it is a line of Python."""

    name: str
    arguments: Mapping[str, Any]

    @staticmethod
    def of(function: Command, *positional: Any, **named: Any) -> "Call":
        """A call of a command with arguments as Python would take them.

        Raises TypeError where some are missing or too many, ValueError where one is of another type than wanted.
        """
        registered = commands().get(function.__name__)
        if registered is None or registered.function is not function:
            raise ValueError(f"{function.__name__} is not a command")
        return Call(function.__name__, registered.arguments(*positional, **named))

    @property
    def subject(self) -> tuple[object, ...]:
        """What is done to which clip and edit: calls of one subject differ in what they set only."""
        return (self.name, self.arguments.get("clip"), self.arguments.get("layer"))

    def __call__(self, project: Project) -> Project:
        return commands()[self.name].function(project, **self.arguments)

    def sentence(self, project: Project) -> str:
        """What the call does to a project, for the Undo menu."""
        return commands()[self.name].sentence(project, **self.arguments)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})"


def parse_script(text: str, names: Mapping[str, Any]) -> tuple[Call, ...]:
    """The calls that a script of lines like `rename_clip(clip='1', name='Walk')` makes; nothing of it is run.

    names : what may be called to make values, such as the kinds of edits. Raises ValueError naming the line.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"line {getattr(error, 'lineno', 1)}: this is not Python: {error}") from None
    calls = []
    for statement in tree.body:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in commands():
            raise ValueError(f"line {statement.lineno}: a script is made of calls of commands, one a line")
        try:
            positional = [_value(one, names) for one in call.args]
            named = {keyword.arg or "": _value(keyword.value, names) for keyword in call.keywords}
            calls.append(Call.of(commands()[call.func.id].function, *positional, **named))
        except (ValueError, TypeError) as error:
            raise ValueError(f"line {statement.lineno}: {error}") from None
    return tuple(calls)


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """A value written in Python: literals, and calls of the names that are allowed."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id not in names:
            raise ValueError(f"{node.func.id!r} is not known")
        positional = [_value(one, names) for one in node.args]
        named = {keyword.arg or "": _value(keyword.value, names) for keyword in node.keywords}
        return names[node.func.id](*positional, **named)
    if isinstance(node, ast.Tuple):
        return tuple(_value(one, names) for one in node.elts)
    return ast.literal_eval(node)
