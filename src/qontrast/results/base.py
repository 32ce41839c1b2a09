"""How graphs and results show themselves: methods that hand over to `qontrast.show`.

The path of the data leads from results to `show` and never back, and `import qontrast` must not load matplotlib or
pandas: so `show` is imported by name, when it is asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from typing import Any

from .serialize import dumped

LONGEST = 300  # characters of a result's text that its `repr` shows


def _show() -> Any:
    return import_module("qontrast.show.figures")


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


class Stated(ABC):
    """A result that is plain data and a table too; every result of a public function is one."""

    __slots__ = ()

    def __repr__(self) -> str:
        """The class and the beginning of `str`, in one line of at most LONGEST characters."""
        text = "; ".join(" ".join(line.split()) for line in str(self).splitlines() if line.strip())
        shown = "".join(each if each.isprintable() else repr(each)[1:-1] for each in text[:LONGEST])
        return f"<{type(self).__name__}: {shown}{'…' if len(text) > LONGEST else ''}>"

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, which begins with its schema."""

    def to_json(self) -> str:
        """The result as JSON text, with its schema and full floats; a number that does not exist is null."""
        return dumped(self.to_dict())

    def to_frame(self) -> Any:
        """The result as a pandas DataFrame, which needs `qontrast[frames]`."""
        return _show().to_frame(self)


class Told(Stated, Pictured):
    """A result with a picture, which a notebook shows."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(_show().html(self))


class Attributed(Told):
    """A result made of contributions, which shap's plots understand too."""

    __slots__ = ()

    def to_shap(self) -> Any:
        """The result as a `shap.Explanation`."""
        return _show().to_shap(self)
