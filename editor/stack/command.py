"""What a command is, and a call of one: what the undo history holds, and what a script is made of."""

import ast
import functools
import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec

from model.project import Project
from model.type_hints import Fitter, fitter

_P = ParamSpec("_P")
Command = Callable[..., Project]
_REGISTRATION = "__command__"


@dataclass(frozen=True)
class Registration:
    """What is known of a command. sentence : what the Undo menu says; fitters : by argument, what holds it against its
    hint.
    """

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
    """Make a command of a function from a project and plain arguments to the next project.

    sentence : what is done, in plain words, from the same project and arguments. A command raises ValueError for
    what cannot be done, arguments of other types than its hints say among it, and gives back the same project where
    nothing changes.
    """

    def register(function: Callable[Concatenate[Project, _P], Project]) -> Callable[Concatenate[Project, _P], Project]:
        work: Command = function

        @functools.wraps(function)
        def checked(project: Project, /, *positional: _P.args, **named: _P.kwargs) -> Project:
            return work(project, **registration.arguments(*positional, **named))

        hints = typing.get_type_hints(function)
        signature = inspect.signature(function)
        fitters = {name: fitter(hints[name]) for name in list(signature.parameters)[1:]}
        registration = Registration(sentence, signature, fitters)
        setattr(checked, _REGISTRATION, registration)
        return checked

    return register


def is_command(value: object) -> bool:
    return isinstance(getattr(value, _REGISTRATION, None), Registration)


def _registration(function: Command) -> Registration:
    """Raises ValueError for a function that is no command."""
    if not is_command(function):
        raise ValueError(f"{function.__name__} is not a command")
    found: Registration = getattr(function, _REGISTRATION)
    return found


@dataclass(frozen=True, eq=False)
class Call:
    """A command with its arguments."""

    function: Command
    arguments: Mapping[str, Any]

    @staticmethod
    def of(function: Command, *positional: Any, **named: Any) -> "Call":
        """A call of a command with arguments as Python would take them.

        Raises TypeError where some are missing or too many, ValueError where one is of another type than wanted.
        """
        return Call(function, _registration(function).arguments(*positional, **named))

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def subject(self) -> tuple[object, ...]:
        """What is done to which clip and edit: calls of one subject differ in what they set only."""
        return (self.name, self.arguments.get("clip"), self.arguments.get("layer"))

    def __call__(self, project: Project) -> Project:
        return self.function(project, **self.arguments)

    def sentence(self, project: Project) -> str:
        """What the call does to a project, for the Undo menu."""
        return _registration(self.function).sentence(project, **self.arguments)

    def line(self, project: str) -> str:
        """The call as Python, on a project of this name."""
        return f"{self.name}({', '.join((project, *(f'{name}={value!r}' for name, value in self.arguments.items())))})"


def script_of(calls: Sequence[Call], values: Mapping[str, Callable[..., Any]], start: str) -> str:
    """Python that does calls one after another, as it stands, with the imports that it needs.

    values : what makes the arguments of commands, by name; start : the expression of the project to begin with.
    """
    lines = [f"project = {start}\n", *(f"project = {call.line('project')}\n" for call in calls)]
    homes = {name: make.__module__ for name, make in values.items()}
    homes |= {call.name: call.function.__module__ for call in calls}
    homes |= {"Project": Project.__module__, "read_project": "motionwright"}
    used = {node.id for line in lines for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Name)}
    imports = sorted(f"from {_public(homes[name])} import {name}\n" for name in used & homes.keys())
    return "".join((*imports, "\n", *lines))


def _public(module: str) -> str:
    """What code of others calls a module: see `motionwright`."""
    ours = module.split(".")[0] in ("app", "editor", "model", "resources", "widgets")
    return f"motionwright.{module}" if ours else module
