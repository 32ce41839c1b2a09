"""The table of commands, and how one of them is run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from .._version import __version__
from ..errors import unknown
from . import DONE, EXIT_CODES, USAGE
from .options import spread
from .streams import complain

COMMANDS: dict[str, tuple[str, str]] = {  # name → the module with the function of that name, and its part of the help
    "why": ("ask", "Ask"),
    "strengths": ("look", "Ask"),
    "pairs": ("ask", "Ask"),
    "rank": ("ask", "Ask"),
    "paths": ("ask", "Ask"),
    "whatif": ("ask", "Ask"),
    "flip": ("ask", "Ask"),
    "axioms": ("properties", "Ask"),
    "draw": ("pictures", "Files and pictures"),
    "report": ("pictures", "Files and pictures"),
    "check": ("look", "Files and pictures"),
    "convert": ("files", "Files and pictures"),
    "examples": ("files", "Files and pictures"),
    "explore": ("work", "Longer work"),
    "audit": ("work", "Longer work"),
    "reproduce": ("work", "Longer work"),
}


EPILOG = "\n\n".join(
    [
        "Try: qontrast why examples:healthcare antiviral antibiotic",
        "Exit codes:",
        *(f"{code}: {meaning}" for code, meaning in EXIT_CODES.items()),
    ]
)


def app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command line with these commands: all of them, or only the one that will be run, which starts sooner."""
    made = typer.Typer(
        name="qontrast",
        help="Why P rather than Q? Contrastive explanations for quantitative bipolar argumentation.",
        epilog=EPILOG,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    made.callback()(_common)
    for name in names:
        module, panel = COMMANDS[name]
        function = getattr(import_module(f".{module}", __package__), name)
        made.command(name, rich_help_panel=panel)(spread(function))
    return made


def parameters(command: str) -> list[Any]:
    """The arguments and options of a command, as click has them."""
    group: Any = typer.main.get_command(app([command]))
    found: list[Any] = group.commands[command].params
    return found


ClickException: type[Any] = typer.BadParameter.__mro__[2]  # typer has its own copy of click, or the real one


def _version(asked: bool) -> None:
    if asked:
        print(f"qontrast {__version__}")
        raise typer.Exit


def _common(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None: ...


def run(arguments: Sequence[str]) -> int:
    """Parse, call, and return the exit code."""
    first = arguments[0] if arguments else "--help"
    if not first.startswith("-") and first not in COMMANDS:
        raise unknown(first, COMMANDS, "command")
    command = typer.main.get_command(app([first] if first in COMMANDS else COMMANDS))
    if "_QONTRAST_COMPLETE" in os.environ:
        command.main(prog_name="qontrast")
    try:
        with command.make_context("qontrast", list(arguments) or ["--help"]) as context:
            code = command.invoke(context)
    except typer.Exit as ended:
        return ended.exit_code if arguments else USAGE
    except ClickException as error:
        complain(f"qontrast: {_usage(error)}")
        return USAGE
    except SystemExit:  # rich, which prints the help, ends like this where nobody reads it any more
        return DONE
    return code if isinstance(code, int) else DONE


def _usage(error: Any) -> str:
    """A mistake in the words on the command line, in one sentence with the way out."""
    context = error.ctx
    path = context.command_path if context else "qontrast"
    wanted, near = getattr(error, "option_name", None), getattr(error, "possibilities", None)
    if near is not None or (wanted and "No such option" in error.format_message()):
        hint = f"; did you mean {sorted(near)[0]}?" if near else f"; see {path} --help"
        return f"{path} has no option {wanted}{hint}"
    text = error.format_message().rstrip(".")
    text = " ".join(text.split())
    return f"{text[:1].lower()}{text[1:]}" + ("" if "mean" in text else f"; see {path} --help")
