"""Why P rather than Q? Contrastive explanations for quantitative bipolar argumentation."""

from . import examples
from ._version import __version__
from .errors import (
    FormatError,
    FormatWarning,
    InvalidInput,
    InvalidQbaf,
    QontrastError,
    TooLarge,
    UndefinedStrength,
    UnknownName,
)
from .formats import FORMATS, convert, from_lists, from_networkx, read, read_many, read_text, to_networkx, write
from .qbaf import Qbaf

__all__ = [
    "FORMATS",
    "FormatError",
    "FormatWarning",
    "InvalidInput",
    "InvalidQbaf",
    "Qbaf",
    "QontrastError",
    "TooLarge",
    "UndefinedStrength",
    "UnknownName",
    "__version__",
    "convert",
    "examples",
    "from_lists",
    "from_networkx",
    "read",
    "read_many",
    "read_text",
    "to_networkx",
    "write",
]
