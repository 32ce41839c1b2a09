"""Errors in the words of the command line: a hint names an option of the present command, or is left out."""

from __future__ import annotations

from functools import partial

from ..errors import Hint, QontrastError

OPTIONS = {  # settings whose option has another name
    "topics": "--topic",
    "classes": "--class",
    "inputs": "--input",
    "values": "--value",
    "fixed": "--fix",
    "max_evaluations": "--budget",
    "max_budget": "--budget",
}


def options_of(command: str) -> frozenset[str]:
    """The options that a command has.

    >>> sorted(options_of("examples"))
    ['--json']
    """
    from .app import COMMANDS, parameters

    if command not in COMMANDS:
        return frozenset()
    return frozenset(
        name for each in parameters(command) for name in (*each.opts, *each.secondary_opts) if "-" in name[0]
    )


def in_options(hint: Hint, command: str) -> str | None:
    """Phrase a hint as an option of this command; None where the command has no such option.

    >>> in_options(Hint("method", ("removal", "shapley")), "why"), in_options(Hint("max_steps", raised=True), "why")
    ('try --method removal or shapley', 'raise --max-steps')
    """
    option = OPTIONS.get(hint.setting, f"--{hint.setting.replace('_', '-')}")
    if option not in options_of(command):
        return None
    if hint.raised:
        text = f"raise {option}"
    elif not hint.values:
        text = f"name each with {option}"
    elif hint.values == (True,):
        text = f"add {option}"
    elif len(hint.values) > 3:
        text = f"give {option} one of {', '.join(map(str, hint.values))}"
    else:
        text = f"try {option} {' or '.join(map(str, hint.values))}"
    return f"{text} {hint.more}".rstrip()


def phrased(error: QontrastError, command: str) -> str:
    """The message of an error with the ways out that this command has, on one line."""
    return " ".join(error.phrase(partial(in_options, command=command)).split("\n"))
