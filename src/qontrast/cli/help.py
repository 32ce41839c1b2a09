"""Print the help of a command as plain tables."""

from __future__ import annotations

from typing import Any

import click

from .main import COMMANDS, EXIT_CODES
from .output import make_heading, make_table


def describe_program(context: click.Context) -> list[Any]:
    """Write usage, options, commands by panel, an example and the exit codes."""
    parts = [make_heading("Usage: qontrast [OPTIONS] COMMAND [ARGUMENTS]"), "", context.command.help or "", ""]
    parts += _describe_options(context)
    for panel in dict.fromkeys(entry.panel for entry in COMMANDS.values()):
        rows = [(make_heading(name), entry.help) for name, entry in COMMANDS.items() if entry.panel == panel]
        parts += ["", make_heading(panel), _indent(rows)]
    parts += ["", "Try: qontrast why examples:healthcare antiviral antibiotic"]
    return [*parts, "", "Exit codes:", *(f"{code}: {meaning}" for code, meaning in EXIT_CODES.items())]


def describe_command(context: click.Context) -> list[Any]:
    """Write usage, arguments and options of a command."""
    arguments = [each for each in context.command.params if isinstance(each, click.Argument)]
    usage = " ".join([context.command_path, *map(write_argument, arguments), "[OPTIONS]"])
    parts = [make_heading(f"Usage: {usage}"), "", context.command.help or ""]
    if arguments:
        rows = [(make_heading(each.human_readable_name), getattr(each, "help", "")) for each in arguments]
        parts += ["", make_heading("Arguments"), _indent(rows)]
    return [*parts, "", *_describe_options(context)]


def _describe_options(context: click.Context) -> list[Any]:
    options = [each for each in context.command.params if isinstance(each, click.Option)]
    rows = [(make_heading(write_option(each)), (each.help or "") + write_default(each)) for each in options]
    return [make_heading("Options"), _indent(rows)]


def _indent(rows: list[tuple[Any, str]]) -> Any:
    return make_table([("", "text"), ("", "bar"), ("", "text")], [("", *row) for row in rows])


def write_argument(argument: click.Argument) -> str:
    """Write an argument as in the usage line: in brackets where it may be left out."""
    name = argument.human_readable_name
    name += "..." if argument.nargs == -1 and "..." not in name else ""
    return name if argument.required else f"[{name}]"


def write_option(option: click.Option) -> str:
    """Write the names of an option and what it takes: `--semantics, -s NAME`."""
    names = ", ".join([*option.opts, *option.secondary_opts])
    return names if option.is_flag else f"{names} {option.metavar or option.type.name.upper()}"


def write_default(option: click.Option) -> str:
    """Write the default of an option that takes a value; nothing where it has none."""
    if option.required:
        return " [required]"
    has_default = isinstance(option.default, str | int | float) and not option.is_flag
    return f" [default: {option.default}]" if has_default else ""
