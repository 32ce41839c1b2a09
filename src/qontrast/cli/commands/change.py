"""The command `change`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import InvalidInput
from ...explain.change import BUDGET, UNITS, Change, change
from ...explain.history import History, history
from ...graph.qbaf import Qbaf
from ...questions.question import load_semantics, name_source, read_graph
from ...questions.topics import default_pair
from ...engine.problem import strengths
from ...show.changes import describe_change, describe_history, label_unit
from ...show.numbers import number
from ..completion import complete_file
from ..options import JSON, LANGUAGE, READ_AS, SOLVING, Argument, make_choice, make_option
from ..output import make_heading, make_table, print_json, print_note, print_text, show_progress

WORDS_TEXT = (
    "Two or more versions of a graph, the oldest first, then FACT and FOIL: the topics to compare. "
    "Default: the strongest two topics of the first version; FACT alone is explained without FOIL."
)
PARAMETERS = [
    Argument("words", "BEFORE AFTER... [FACT] [FOIL]", WORDS_TEXT, complete_file, nargs=-1, required=True),
    READ_AS,
    *SOLVING,
    make_choice("--units", UNITS, "Whose shares: of base scores, arguments and edges, or of arguments with theirs",
                default="elements"),
    make_option("--budget", "N", "Mixtures to solve where there are more than 20 changes.", type=int, default=BUDGET),
    make_option("--seed", "N", "The seed of the random numbers.", type=int, default=0),
    LANGUAGE,
    JSON,
]  # fmt: skip
