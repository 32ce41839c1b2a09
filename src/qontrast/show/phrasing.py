"""Put statements into words, in any language: phrases are chosen here and written in `languages`.

The table LANGUAGES says how each language writes phrases, numbers and names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..attribution.methods import METHODS
from ..errors import unknown_name
from ..graph.labels import visible
from ..graph.qbaf import Qbaf
from . import statements as st
from .languages import de, en


@dataclass(frozen=True, eq=False)
class Language:
    """Phrases by key, and the marks of numbers, lists and quotations."""

    code: str
    phrases: Mapping[str, str] = field(repr=False)
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)  # English text of a table → the same here
    decimal: str = "."
    thousands: str = ","
    quotes: str = "“”"

    def say(self, key: str, **fields: Any) -> str:
        """Fill in a phrase."""
        return self.phrases[key].format(**fields)

    def count(self, key: str, number: int, **fields: Any) -> str:
        """Fill in a phrase that has one form for 1 and another for all other numbers."""
        form = f"{key}.one" if number == 1 else f"{key}.many"
        return self.say(form, count=f"{number:,}".replace(",", self.thousands), **fields)

    def number(self, text: str) -> str:
        """Write a number of `numbers` with this language's decimal mark and words."""
        return self.phrases.get(f"number.{text}") or text.replace(".", self.decimal)

    def name(self, text: str) -> str:
        """Write the name of an argument with this language's quotation marks; the name itself stays."""
        if self.quotes == "“”" or not text.startswith("“"):
            return text
        end = text.rindex("”")
        return f"{self.quotes[0]}{text[1:end]}{self.quotes[1]}{text[end + 1 :]}"

    def join(self, parts: Iterable[str]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        *first, last = parts
        return self.say("and", first=", ".join(first), last=last) if first else last

    def text(self, english: str) -> str:
        """Translate a text of a table, such as what a method measures; an unknown one stays as it is."""
        return self.texts.get(english, english)


LANGUAGES: dict[str, Language] = {
    "en": Language("en", en.PHRASES),
    "de": Language("de", de.PHRASES, de.TEXTS, decimal=",", thousands=".", quotes="„“"),
}


def choose(language: str) -> Language:
    """Look up a language by its code.

    >>> choose("de").number("+0.328")
    '+0,328'
    """
    if language not in LANGUAGES:
        raise unknown_name(language, LANGUAGES, "language")
    return LANGUAGES[language]


def render(said: Iterable[st.Statement], to: Language) -> list[str]:
    """Write statements as sentences."""
    return [text for each in said for text in RENDER[type(each)](each, to)]


def render_short(said: Iterable[st.Statement], to: Language) -> str:
    """Write statements as the parts of one sentence."""
    return "".join(SHORT[type(each)](each, to) for each in said) + "."


# -- one sentence -----------------------------------------------------------------------------------------------------


def list_amounts(amounts: Sequence[st.Amount], to: Language, *, unsigned: bool = False) -> str:
    """Write `Viral pneumonia (+0.328) and Positive PCR test (+0.079)`."""
    return to.join(_amount(each, to, unsigned) for each in amounts)


def _amount(each: st.Amount, to: Language, unsigned: bool = False) -> str:
    who = to.say(f"part.{each.who}") if each.part else to.name(each.who)
    value = to.number(each.value.lstrip("+−") if unsigned else each.value)
    return to.say("amount", who=who, value=f"{value} ± {to.number(each.error)}" if each.error else value)


def _write_order(key: str, said: st.Order, to: Language) -> str:
    texts = {"own": to.number(said.own), "other": to.number(said.other), "gap": to.number(said.gap)}
    return to.say(key, fact=to.name(said.fact), foil=to.name(said.foil), **texts)


def write_size(qbaf: Qbaf, to: Language) -> str:
    """Write how many arguments, attacks and supports a graph has."""
    return to.say("graph.title", arguments=len(qbaf), attacks=len(qbaf.attacks), supports=len(qbaf.supports))


def render_order(said: st.Order, to: Language) -> str:
    """Write `a (0.8) is rated above b (0.5) by 0.3`."""
    return _write_order(f"rated.{said.relation}", said, to)


def _main_reasons(said: st.MainReasons, to: Language) -> str:
    if said.tied:
        sides = [(said.leading, said.fact), (said.counter, said.foil)]
        texts = [
            to.say(
                "speaks.one" if len(found) == 1 else "speaks.many",
                reasons=list_amounts(found, to),
                topic=to.name(topic),
            )
            for found, topic in sides
            if found
        ]
        return to.say("balance", sides=to.join(texts)) if texts else ""
    text = to.say("because", reasons=list_amounts(said.leading, to)) if said.leading else to.say("because.nothing")
    return text + (to.say("counterweight", reasons=list_amounts(said.counter, to)) if said.counter else "")


def _largest_values(said: st.LargestValues, to: Language) -> str:
    if not said.known:
        return to.say("largest", method=visible(said.method), reasons=list_amounts([*said.more, *said.less], to))
    entry = METHODS[said.method]
    kind, unsigned = entry.kind, entry.kind != "slope"
    moves = [to.say(f"more.{kind}", reasons=list_amounts(said.more, to, unsigned=unsigned))] if said.more else []
    if said.less:
        key = f"and less.{kind}" if said.more else f"less.{kind}"
        moves.append(to.say(key, reasons=list_amounts(said.less, to, unsigned=unsigned)))
    names = {"fact": to.name(said.fact), "foil": to.name(said.foil)}
    condition = f", {to.text(entry.condition)}" if entry.condition else ""
    return to.say("relative", moves=to.join(moves), condition=condition, **names)


def _kinks_short(said: st.Kinks, to: Language) -> str:
    others = [to.say("part.others")] if said.more else []
    return to.say("kinks.short", names=to.join([*(to.name(who) for who, *_ in said.sides), *others]))


SHORT: dict[type, Callable[[Any, Language], str]] = {
    st.Order: render_order,
    st.MainReasons: _main_reasons,
    st.LargestValues: _largest_values,
    st.HeadStart: lambda said, to: to.say("base", first=to.name(said.first), gap=to.number(said.gap)),
    st.Kinks: _kinks_short,
}


# -- a paragraph ------------------------------------------------------------------------------------------------------


def _reasons(said: st.Reasons, to: Language) -> list[str]:
    none = to.say("none.kinks" if said.kinks else "none")
    one, other = (
        to.say("favour", topic=to.name(topic), reasons=list_amounts(found, to) if found else none)
        for topic, found in said.sides
    )
    lead = to.text(METHODS[said.method].lead) if said.method else to.say("lead")
    return [to.say("reasons", lead=lead, one=one, other=other)]


def _effect(key: str, each: st.Effect, to: Language, **fields: str) -> str:
    numbers = {"on_fact": to.number(each.on_fact), "on_foil": to.number(each.on_foil), "left": to.number(each.left)}
    return to.say(key, who=to.name(each.who), **numbers, **fields)


def _cancelling(said: st.Cancelling, to: Language) -> list[str]:
    texts = to.join(_effect("cancelling", each, to) for each in said.effects)
    return [to.say("cancels.one" if len(said.effects) == 1 else "cancels.many", reasons=texts)]


def _overlooked(said: st.Overlooked, to: Language) -> list[str]:
    foil = to.name(said.foil)
    texts = to.join(_effect("overlooked", each, to, foil=foil) for each in said.effects)
    return [to.say("overlook", fact=to.name(said.fact), reasons=texts)]


def _across(said: st.Across, to: Language) -> list[str]:
    if not said.moves:
        return [to.say("across.kink", fact=to.name(said.fact), foil=to.name(said.foil))]
    moves = to.join(
        to.say("across.move", source=to.name(source), target=to.name(target), change=to.number(change))
        for source, target, change in said.moves
    )
    adds = to.say("across.share", adds=to.number(said.adds)) if said.adds else ""
    note = "" if said.adds or not said.method else METHODS[said.method].note
    key = "across.one" if len(said.moves) == 1 else "across.many"
    return [to.say(key, note=f", {to.text(note)}" if note else "", moves=moves, adds=adds)]


def _kinks(said: st.Kinks, to: Language) -> list[str]:
    texts = [
        to.say("kink", who=to.name(who), below=to.number(below), above=to.number(above)) if below else to.name(who)
        for who, below, above in said.sides
    ]
    more = [to.count("more", said.more)] if said.more else []
    return [to.say("kinks", names=to.join([*texts, *more]))]


def _measurement(said: st.Measurement, to: Language) -> list[str]:
    entry = METHODS.get(said.method)
    title = to.text(entry.title) if entry else to.say("method.own", method=visible(said.method))
    fields = {"title": title, "semantics": said.semantics}
    if said.combined or entry is None:
        return [to.say("measured.combined" if said.combined else "measured", **fields)]
    promise = to.say("promises.kinks" if said.kinks else "promises", promises=to.text(entry.promises))
    return [to.say("measured.what", measures=to.text(entry.measures), **fields), promise]


def _account(said: st.Account, to: Language) -> list[str]:
    fields = {"gap": to.number(said.gap), "base": to.number(said.base)}
    if said.total:
        return [to.say("account.sum", total=to.number(said.total), across=to.number(said.across), **fields)]
    text = to.say("account", **fields)
    if said.whole:
        return [text]
    if not said.slopes:
        return [f"{text} {to.say('account.other')}"]
    return [f"{text} {to.count('account.kinks', said.kinks) if said.kinks else to.say('account.slope')}"]


# -- what would make the foil win -------------------------------------------------------------------------------------


def _score_change(said: st.ScoreChange, to: Language) -> list[str]:
    moves = []
    for k, ((who, old, new), rises) in enumerate(zip(said.moves, said.rises, strict=False)):
        key = f"flip.{'and ' if k else ''}{'rise' if rises else 'fall'}"
        moves.append(to.say(key, who=to.name(who), old=to.number(old), new=to.number(new)))
    moves += [to.count("flip.more", said.more)] if said.more else []
    cost = to.say(f"flip.cost.{said.norm}", cost=to.number(said.cost)) if len(said.moves) > 1 else ""
    return [to.say("flip.change", foil=to.name(said.foil), moves=to.join(moves), cost=cost)]


def _best(gap: str, to: Language) -> str:
    return to.say("flip.best.gap", gap=to.number(gap)) if gap else to.say("flip.best.tie")


def _no_score_change(said: st.NoScoreChange, to: Language) -> list[str]:
    names = {"fact": to.name(said.fact), "foil": to.name(said.foil)}
    return [
        to.say("flip.fixed", **names) if said.fixed else to.say("flip.no change", best=_best(said.gap, to), **names)
    ]


def _removal(said: st.RemovalFound, to: Language) -> list[str]:
    smaller = ""
    if len(said.names) > 1:
        smaller = to.say("flip.smaller.none")
        if said.examined:
            smaller = to.count("flip.smaller.some", said.examined)
        if said.proved:
            smaller = to.say("flip.smaller.proved")
    key = "flip.removal.also" if said.also else "flip.removal"
    return [to.say(key, foil=to.name(said.foil), names=to.join(map(to.name, said.names)), smaller=smaller)]


def _no_removal(said: st.NoRemoval, to: Language) -> list[str]:
    if not said.removable:
        return [to.say("flip.nothing to remove")]
    if said.proved:
        return [to.say("flip.stays", gap=to.number(said.gap)) if said.gap else to.say("flip.level")]
    searched = "" if said.stopped else to.say("flip.searched.larger" if said.examined else "flip.searched")
    fields = {"searched": searched, "best": _best(said.gap, to)}
    if said.examined:
        return [to.count("flip.no removal", said.examined, **fields)]
    return [to.say("flip.no removal", **fields)]


def _stopped(said: st.Stopped, to: Language) -> list[str]:
    what = to.join(to.say(f"flip.what.{each}") for each in said.searches)
    if said.seconds is None:
        return [to.say("flip.stopped", what=what)]
    return [to.say("flip.stopped.limit", what=what, seconds=to.number(f"{said.seconds:g}"))]


def _already(said: st.AlreadyAhead, to: Language) -> list[str]:
    return [to.say("flip.already", fact=to.name(said.fact), foil=to.name(said.foil), gap=to.number(said.gap))]


RENDER: dict[type, Callable[[Any, Language], list[str]]] = {
    st.Order: lambda said, to: [_write_order(said.relation, said, to)],
    st.HeadStart: lambda said, to: [to.say("start", first=to.name(said.first), gap=to.number(said.gap))],
    st.Reasons: _reasons,
    st.NoReason: lambda said, to: [to.say("no reason.sampled" if said.sampled else "no reason")],
    st.Cancelling: _cancelling,
    st.Overlooked: _overlooked,
    st.Across: _across,
    st.Kinks: _kinks,
    st.Measurement: _measurement,
    st.Account: _account,
    st.AlreadyAhead: _already,
    st.ScoreChange: _score_change,
    st.NoScoreChange: _no_score_change,
    st.RemovalFound: _removal,
    st.NoRemoval: _no_removal,
    st.Stopped: _stopped,
}
