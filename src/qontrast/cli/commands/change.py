"""The command `change`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from ...errors import InvalidInput
from ...explain.change import BUDGET, UNITS, Change
from ...explain.history import History
from ...graph.qbaf import Qbaf
from ...show.numbers import number
from ..completion import complete_file
from ..options import (
    DEVICE,
    JSON,
    LANGUAGE,
    READ_AS,
    SOLVING,
    STANDARD_INPUT,
    TOPIC,
    WORKING,
    Argument,
    make_choice,
    make_option,
    make_question,
    name_source,
    read_graph,
)
from ..output import make_heading, make_table, print_json, print_text, write_output

FILE_TEXT = "The version before: a graph in any format, - for standard input, or examples:NAME."
WORDS_TEXT = (
    "The version after, or several, the oldest first; then the topics to compare. Default: the two strongest topics of "
    "the version before. FACT without FOIL is explained by itself."
)
UNITS_TEXT = "What has a share, each changed base score, argument and edge, or each argument with all of its changes"
SEED_TEXT = "The seed of the random numbers, where more than 20 units changed."
OUT_TEXT = "Draw it as a picture instead, .svg, .pdf or .png: the steps to the new gap, or the gap of every version."
PARAMETERS = [
    Argument("file", "BEFORE", FILE_TEXT, complete_file),
    Argument("words", "AFTER... [FACT] [FOIL]", WORDS_TEXT, complete_file, nargs=-1, required=True),
    READ_AS,
    TOPIC,
    *SOLVING,
    *WORKING,
    DEVICE,
    make_choice("--units", UNITS, UNITS_TEXT, default="elements"),
    make_option(
        "--budget",
        "N",
        "How many mixtures of the changes are solved where more than 20 units changed.",
        type=int,
        default=BUDGET,
    ),
    make_option("--seed", "N", SEED_TEXT, type=int, default=0),
    make_option("--out -o", "PATH", OUT_TEXT),
    LANGUAGE,
    JSON,
]


def run(*, words: tuple[str, ...], file: str, out: str | None, language: str, json: bool, **options: Any) -> None:
    """Print, or draw, how the gap changed and which changes did it."""
    from .draw import choose_kind

    kind = None if out is None else choose_kind(out)
    settings = {name: options.pop(name) for name in ("units", "budget", "seed")}
    question = make_question(file, **options)
    files, topics = split_words(words, question.graph)
    fact, foil = (*topics, None, None)[:2]
    question = replace(question, fact=fact, foil=foil)
    later = [read_graph(each, options["read_as"]) for each in files]
    names = [name_source(each) for each in (file, *files)]
    found = question.change(later, names, **settings)
    if out is not None and kind is not None:
        from ...show.figures import save

        return write_output(save(found.plot(), kind), out, json=json)
    if json:
        return print_json(found.to_dict())
    from ...show.change_texts import describe_change, describe_history

    if isinstance(found, History):
        return print_text(describe_history(found, language=language), "", _make_steps_table(found, language))
    print_text(make_heading(describe_change(found, language=language)))
    return print_text("", _make_table(found, language)) if found else None


def split_words(words: tuple[str, ...], first: Qbaf) -> tuple[list[str], list[str]]:
    """Split the words after the first file into files and topics: a file is no argument, and can be read.

    >>> split_words(("after.json", "p", "q"), Qbaf({"p": 0.5, "q": 0.5}))
    (['after.json'], ['p', 'q'])
    """
    known = {*map(str, first), *first.labels.values()}
    files = [words[0]]
    for word in words[1:]:
        if word in known or not (word == STANDARD_INPUT or word.startswith("examples:") or Path(word).exists()):
            break
        files.append(word)
    topics = list(words[len(files) :])
    if len(topics) > 2:
        raise InvalidInput(f"{topics[0]!r} is no file, so it is FACT; {topics[2]!r} is too many after FACT and FOIL")
    return files, topics


def _make_table(found: Change, language: str) -> Any:
    """Make a table of the changed units, the largest share first."""
    from ...show.change_texts import find_unit, write_share
    from ...show.phrasing import choose

    to, rows = choose(language), []
    for unit in list(found) if found.shares is None else [unit for unit, _ in found.ranked()]:
        share = "" if found.shares is None else to.number(write_share(found, unit, 4))
        others = (to.number(number(values[unit], "+", 4)) for values in (found.alone, found.undone))
        rows.append((to.write(find_unit(found, unit)), share, *others))
    names = to.say("change.table").split("|")
    return make_table([(names[0], "text"), *((name, "number") for name in names[1:])], rows)


def _make_steps_table(found: History, language: str) -> Any:
    """Make a table of the versions: the gap, by how much it changed, and what changed it most."""
    from ...show.change_texts import find_main_reason
    from ...show.phrasing import choose

    to = choose(language)
    rows = [(found.names[0], to.number(number(found.gaps[0], "", 4)), "", "")]
    for name, step in zip(found.names[1:], found.steps, strict=True):
        moved = to.number(number(step.gap_after - step.gap_before, "+", 4))
        rows.append((name, to.number(number(step.gap_after, "", 4)), moved, to.write(find_main_reason(step))))
    names = to.say("history.table").split("|")
    kinds = ("text", "number", "number", "text")
    return make_table(list(zip(names, kinds, strict=True)), rows)
