"""Results as plain data: what `to_dict` returns and `--json` prints.

Dictionaries, lists, strings and full floats; a value that does not exist (NaN: a gradient on a kink) is None, since
JSON has no word for it. Every dictionary that stands for itself opens with its schema, as in `qontrast/contrast/1`.

>>> plain({"a": (1.5, float("nan"))})
{'a': [1.5, None]}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """The same in what JSON knows."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float | np.floating):
        return float(value) if isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    return [plain(each) for each in value]


def dumped(data: Any) -> str:
    """Plain data as JSON text; floats are written in full.

    >>> print(dumped({"gap": 0.1 + 0.2}))
    {
      "gap": 0.30000000000000004
    }
    """
    return json.dumps(plain(data), ensure_ascii=False, indent=2, allow_nan=False)
