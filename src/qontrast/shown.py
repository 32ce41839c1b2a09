"""How graphs and results show themselves: methods that hand over to `qontrast.show`.

The path of the data leads from results to `show` and never back, and `import qontrast` must not load matplotlib or
pandas: so `show` is imported by name, when it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .plain import dumped


def _show() -> Any:
    return import_module("qontrast.show.results")


class Pictured:
    """Something with a picture."""

    __slots__ = ()

    def plot(self, **settings: Any) -> Any:
        """The picture as matplotlib Axes; `ax=` draws on given ones."""
        return _show().plot(self, **settings)


class Drawn(Pictured):
    """A graph: in a notebook it is its picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        picture: str | None = _show().svg(self)
        return picture


class Stated:
    """A result that is plain data too."""

    __slots__ = ()

    def to_json(self) -> str:
        """The result as JSON text, with its schema and full floats."""
        data: Any = self
        return dumped(data.to_dict())


class Told(Stated, Pictured):
    """A result: a picture, a table, and a place in a notebook."""

    __slots__ = ()

    def to_frame(self) -> Any:
        """The result as a pandas DataFrame."""
        return _show().to_frame(self)

    def _repr_html_(self) -> str:
        return str(_show().html(self))


class Attributed(Told):
    """A result made of contributions, which shap's plots understand too."""

    __slots__ = ()

    def to_shap(self) -> Any:
        """The result as a `shap.Explanation`."""
        return _show().to_shap(self)
