"""Define what every result can do, keep the table of all schemas, and convert results to plain data.

Text, tables and pictures of results are made by a *presenter*, which lies later on the path of the data. The package
`qontrast` says how to load it (`use_presenter`), so that neither matplotlib nor pandas is imported before it is needed.
"""

from __future__ import annotations

import json
from abc import ABC
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

if TYPE_CHECKING:
    from ..graph.qbaf import Qbaf

TIE_TOLERANCE = 1e-10  # strengths closer than this are equal: they are good to 1e-12
MAX_REPR_LENGTH = 300  # characters of a result's text that its `repr` shows


_loaders: list[Callable[[], Any]] = []


def use_presenter(load: Callable[[], Any]) -> None:
    """Say how to load the presenter, the module `show.presentation`; `load` is called whenever it is needed."""
    _loaders[:] = [load]


def presenter() -> Any:
    """Load the presenter."""
    return _loaders[0]()


@dataclass(frozen=True)
class Schema:
    """The fields of a result as plain data, with one line on the meaning of each.

    Attributes
    ----------
    name
        As in `qontrast/contrast/1`; the number rises when a field changes its meaning or disappears.
    fields
        Field → meaning, in the order of `to_dict`.
    optional
        The same for fields that are present only where they have a value.
    source
        The commands and functions that give it, as Markdown.
    """

    name: str
    fields: Mapping[str, str]
    optional: Mapping[str, str] = field(default_factory=dict)
    source: str = ""


SCHEMAS: dict[str, type[Result]] = {}


class Plottable:
    """Something with a picture."""

    __slots__ = ()

    def plot(self, **settings: Any) -> Any:
        """Draw with matplotlib and return the Axes; `ax=` draws on given ones."""
        return presenter().plot(self, **settings)


class Drawable(Plottable):
    """A graph, which a notebook shows as its picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        drawn: str | None = presenter().svg(self)
        return drawn


class ShapConvertible:
    """A result made of contributions, which shap's plots understand too."""

    __slots__ = ()

    def to_shap(self) -> Any:
        """Convert to a `shap.Explanation`."""
        return presenter().to_shap(self)


class Result(ABC):
    """The base of every result of a public function.

    A subclass is a dataclass, `@dataclass(frozen=True, eq=False, repr=False, kw_only=True)`, that names its schema,
    `class Contrast(Result, schema=Schema("qontrast/contrast/1", {...}))`, and so enters the table SCHEMAS. Each field
    of the schema is an attribute of that name; where its plain form is another, `_computed_fields` gives it.

    Attributes
    ----------
    qbaf
        The graph, or None where the result is not about one graph.
    semantics
        The name of the semantics, or None where none was used.
    method
        The name of the attribution method, or None where none was used.
    """

    __slots__ = ()
    schema: ClassVar[Schema]

    if TYPE_CHECKING:  # fields in some results, properties in others

        @property
        def qbaf(self) -> Qbaf | None: ...

        @property
        def semantics(self) -> str | None: ...

        @property
        def method(self) -> str | None: ...

    def __init_subclass__(cls, schema: Schema | None = None, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if schema is not None:
            cls.schema = schema
            SCHEMAS[schema.name] = cls

    def __eq__(self, other: object) -> bool:
        """Compare class, graph and content; results that are mappings compare as mappings, also with a dict."""
        if type(other) is not type(self):
            return NotImplemented
        return self is other or (self._identify() == other._identify() and self.to_dict() == other.to_dict())

    def __hash__(self) -> int:
        return hash(self._identify())

    def _identify(self) -> tuple[Any, ...]:
        return self.qbaf, self.semantics, self.method

    def __str__(self) -> str:
        return str(presenter().describe(self))

    def __repr__(self) -> str:
        """Give the class and the beginning of `str` in one line."""
        lines = [" ".join(line.split()) for line in str(self).splitlines() if line.strip()]
        text = "; ".join([*(line.removesuffix(".") for line in lines[:-1]), *lines[-1:]])
        shown = "".join(each if each.isprintable() else repr(each)[1:-1] for each in _shorten(text))
        return f"<{type(self).__name__}: {shown}>"

    def _repr_html_(self) -> str:
        return str(presenter().html(self))

    def _computed_fields(self) -> dict[str, Any]:
        """Give the plain form of those fields whose attribute has another."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain data: the schema, then its fields; a number that does not exist is None."""
        own = self._computed_fields()
        values = {name: own[name] if name in own else getattr(self, name) for name in self.schema.fields}
        for name in self.schema.optional:
            value = own[name] if name in own else getattr(self, name)
            if value is not None and value != ():
                values[name] = value
        return {"schema": self.schema.name} | to_plain(values)

    def to_json(self) -> str:
        """Convert to JSON text with the content of `to_dict` and full floats; a number that does not exist is null."""
        return write_json(self.to_dict())

    def to_frame(self) -> Any:
        """Convert to a pandas DataFrame, which needs the extra `frames`."""
        return presenter().to_frame(self)


def _shorten(text: str) -> str:
    """Cut a text where a part or at least a word ends.

    >>> _shorten("1. tea 0.8; tea is rated above coffee; 2. coffee 0.5" + 80 * "; milk")[-13:]
    '; milk; milk…'
    """
    if len(text) <= MAX_REPR_LENGTH:
        return text
    cut = text[: MAX_REPR_LENGTH + 1]
    for mark in ("; ", " "):
        if cut.rfind(mark) > MAX_REPR_LENGTH // 2:
            return cut[: cut.rfind(mark)] + "…"
    return text[:MAX_REPR_LENGTH] + "…"


def to_plain(value: Any) -> Any:
    """Convert a value to what JSON knows; keys become strings, and a number that does not exist is None.

    >>> to_plain({"a": (1.5, float("nan"))})
    {'a': [1.5, None]}
    """
    if type(value) is float:  # most values are; this saves a third of the time for the pairs of 40 topics
        return value if isfinite(value) else None
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float | np.floating):
        return float(value) if isfinite(value) else None
    if isinstance(value, Mapping):
        if any(isinstance(key, tuple) for key in value):  # edges
            return [
                {"source": str(source), "target": str(target), "value": to_plain(each)}
                for (source, target), each in value.items()
            ]
        return {str(key): to_plain(each) for key, each in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return to_plain(value.tolist())
    return [to_plain(each) for each in value]


def write_json(data: Any) -> str:
    """Write plain data as JSON text, with full floats.

    >>> print(write_json({"gap": 0.1 + 0.2}))
    {
      "gap": 0.30000000000000004
    }
    """
    return json.dumps(to_plain(data), ensure_ascii=False, indent=2, allow_nan=False)
