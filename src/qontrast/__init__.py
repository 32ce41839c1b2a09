"""Why P rather than Q? Contrastive explanations for quantitative bipolar argumentation."""

from ._version import __version__
from .errors import InvalidInput, InvalidQbaf, QontrastError, TooLarge, UndefinedStrength, UnknownName
from .qbaf import Qbaf

__all__ = [
    "InvalidInput",
    "InvalidQbaf",
    "Qbaf",
    "QontrastError",
    "TooLarge",
    "UndefinedStrength",
    "UnknownName",
    "__version__",
]
