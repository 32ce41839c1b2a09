"""Curves of edges: a loop, a curve beside another one, and points along a curve."""

from __future__ import annotations

from math import hypot

import numpy as np

from .layout import Box, Curve, Point


def make_loop(box: Box) -> Curve:
    """An edge to itself, around the upper right corner."""
    right, top = box.x + box.width / 2, box.y - box.height / 2
    return (right - 24, top), (right - 22, top - 26), (right + 26, top - 22), (right, top + 20)


def move_aside(curve: Curve, by: float) -> Curve:
    """A curve moved to its left, so that it does not hide the opposite one."""
    (x0, y0), (x1, y1) = curve[0], curve[-1]
    length = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = by * (y1 - y0) / length, -by * (x1 - x0) / length
    return tuple((x + dx, y + dy) for x, y in curve)


def sample_curve(curve: Curve, pieces: int = 12) -> list[Point]:
    """Points along a chain of Bézier curves."""
    t = np.arange(1, pieces + 1)[:, None] / pieces
    weights = np.hstack([(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3])
    points = np.vstack([curve[:1], *(weights @ np.array(curve[k : k + 4]) for k in range(0, len(curve) - 1, 3))])
    return [(x, y) for x, y in points.tolist()]
