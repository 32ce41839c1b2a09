"""Optional packages: the extra of qontrast that brings each, and an error that says how to install it.

>>> EXTRAS["pandas"]
'frames'
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

EXTRAS = {  # package, as it is imported → the extra that installs it
    "click": "cli",
    "cupy": "gpu",
    "distributed": "cluster",
    "joblib": "networks",
    "matplotlib": "plot",
    "mcp": "mcp",
    "networkx": "networkx",
    "onnx": "onnx",
    "pandas": "frames",
    "pyarrow": "parquet",
    "pydantic": "web",
    "pygraphviz": "graphviz",
    "rich": "cli",
    "shap": "shap",
    "shapiq": "shapiq",
    "sklearn": "networks",
    "starlette": "web",
    "torch": "torch",
    "uvicorn": "web",
}


def require(package: str, what: str) -> Any:
    """Import an optional package, or say how to install it; `what` is the thing that needs it."""
    try:
        return import_module(package)
    except ImportError as error:
        if (error.name or package).partition(".")[0] != package:
            raise  # it is there, and lacks something of its own
        raise missing(package, what) from None


def missing(package: str, what: str) -> ImportError:
    """The error for a package that is not installed."""
    return ImportError(describe_missing(package, what), name=package)


def describe_missing(package: str, what: str) -> str:
    """Say how to install a package that something needs; qontrast is on no package index yet.

    >>> print(describe_missing("matplotlib", "a figure"))
    a figure needs matplotlib; in your checkout of qontrast, run: pip install '.[plot]'
    """
    return f"{what} needs {package}; in your checkout of qontrast, run: pip install '.[{EXTRAS[package]}]'"
