"""The command `uncertainty`."""

from __future__ import annotations

from typing import Any

from ...errors import InvalidInput
from ...explain.uncertainty import SAMPLES
from ...graph.distributions import Beta, Distribution, Interval, Normal, Samples
from ...graph.labels import quote_label
from ..completion import complete_argument
from ..options import DEVICE, GRAPH, JSON, LANGUAGE, PAIR, SOLVING, WORKING, make_flag, make_option, make_question
from ..output import make_heading, make_table, print_json, print_note, print_text

SCORE_TEXT = (
    "What a base score may be: NAME=LOW:HIGH, NAME=normal:MEAN:SD, NAME=beta:A:B, or samples, NAME=0.4,0.5,0.9. "
    "May be repeated. Default: what the file says."
)
FORMS = "write NAME=0.6:0.9, NAME=normal:0.7:0.1, NAME=beta:8:2 or NAME=0.4,0.5,0.9"
PARAMETERS = [
    *GRAPH,
    *PAIR,
    *SOLVING,
    *WORKING,
    DEVICE,
    make_option("--score scores", "NAME=SCORES", SCORE_TEXT, complete_argument, multiple=True),
    make_option("--samples", "N", "Rows of each of the two tables of draws, at least 500.", type=int, default=SAMPLES),
    make_option("--seed", "N", "The seed of the draws.", type=int, default=0),
    make_flag("--quick", "Answer by the delta method alone, without draws."),
    LANGUAGE,
    JSON,
]


def run(
    *, scores: tuple[str, ...], samples: int, seed: int, quick: bool, language: str, json: bool, **options: Any
) -> None:
    """Print how sure the order is, and where the doubt comes from."""
    given = [parse_uncertain(text) for text in scores]
    found = make_question(**options).uncertainty(given, samples=samples, seed=seed, quick=quick)
    if json:
        return print_json(found.to_dict())
    from ...show.phrasing import choose
    from ...show.uncertainty_texts import describe_sampling, describe_uncertainty, list_shares

    to = choose(language)
    fact, foil = (to.name(quote_label(found.qbaf, name)) for name in (found.fact, found.foil))
    heading = make_heading(to.say("sure.question", fact=fact, foil=foil))
    kinds = ("text", "text", "number", "number", "number")
    heads = list(zip(to.say("sure.table").split("|"), kinds, strict=True))
    shares = make_table(heads, [(found.qbaf.label(name), *cells) for name, cells in list_shares(found, to)])
    print_text(heading, "", describe_uncertainty(found, language=language), "", shares)
    return print_note(describe_sampling(found, language=language))


def parse_uncertain(text: str) -> tuple[str, Distribution]:
    """Split `NAME=SCORES` of --score.

    >>> parse_uncertain("pcr=0.6:0.9"), parse_uncertain("age=normal:0.7:0.1")
    (('pcr', Interval(low=0.6, high=0.9)), ('age', Normal(mean=0.7, sd=0.1)))
    """
    name, _, written = text.rpartition("=")
    if not name:
        raise InvalidInput(f"--score {text!r} lacks what the base score may be; {FORMS}")
    kinds: dict[str, type[Interval | Normal | Beta]] = {"normal": Normal, "beta": Beta}
    kind, colon, rest = written.partition(":")
    make = kinds.get(kind.strip().lower(), Interval)
    try:
        if not colon:
            values = [float(each) for each in written.split(",")]
            if len(values) < 2:
                raise ValueError
            return name, Samples(values)
        one, other = (float(each) for each in (rest if make is not Interval else written).split(":"))
    except ValueError:
        raise InvalidInput(f"--score {text!r}: {written!r} is not understood; {FORMS}") from None
    try:
        return name, make(one, other)
    except InvalidInput as error:
        raise InvalidInput(f"--score {text!r}: {error.args[0]}") from None
