"""Calls of the command line."""

from app.command_line import run


def call(capsys, *arguments, features=None):
    """Do what a call says. -> the exit status, and what it printed on standard output and on standard error."""
    status = run([str(argument) for argument in arguments], features)
    return (status, *capsys.readouterr())
