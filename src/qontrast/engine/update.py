"""The equation σ = F(σ) of a compiled graph under a semantics, and its derivatives.

    F(σ)(a) = ι(τ(a), α(w·σ of the attackers of a, w·σ of its supporters))

All vectors here are in the order of evaluation; a second axis, where there is one, is lanes. `held` is 1 for
an argument that is present and 0 for one that is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidInput
from ..graph.structure import Arrays, Group, Layer
from ..semantics import Semantics
from ..types import Floats
from .backend import NUMPY, Backend

if TYPE_CHECKING:
    from scipy.sparse import csc_array


@dataclass(frozen=True, slots=True)
class Local:
    """The derivatives of F at the arguments of one group."""

    by_base: Floats  # ∂F(a)/∂τ(a)
    by_energy: tuple[Floats, Floats]  # ∂F(a)/∂E(a) from below and from above
    by_parent: Floats  # ∂E(a)/∂(w·σ) of each parent, shaped like the group's parents
    slopes: Floats  # ∂E(a)/∂σ(parent)
    energy: Floats


@dataclass(frozen=True)
class Equation:
    """F for one graph and one semantics; `rounding` is how far from 0 an energy may be that is 0 on paper.

    With a `drift` d, (arguments, 1), the strengths σ of each update become σ + d σ (1 − σ), as neighbours need it.
    """

    arrays: Arrays
    semantics: Semantics
    rounding: float = 1e-14
    backend: Backend = NUMPY
    drift: Floats | None = None

    def update(
        self, strengths: Floats, base: Floats, held: Floats | None, out: Floats | None = None, skip: int = 0
    ) -> Floats:
        """F(σ); with `out` the very array of strengths it is one acyclic pass, each argument after its parents.

        The first `skip` places are at rest, and are not evaluated again.
        """
        out = self.backend.arrays.empty_like(strengths) if out is None else out
        if skip:
            out[:skip] = strengths[:skip]
        iota = self.semantics.influence
        with np.errstate(over="ignore", invalid="ignore"):  # what is not a number is an error of its own, in solve
            for block in self.blocks():
                here = slice(block.lo, block.hi)
                if block.lo < skip:
                    continue
                if iota.neutral and not len(block.parents):
                    out[here] = base[here]
                else:
                    found = iota.strength(base[here], self.energy(block, strengths))
                    self._shaped(found, out[here], "influence")
                    out[here] = found
                if held is not None:
                    out[here] *= held[here]
            if self.drift is not None:
                late = out[skip:]
                late += self.drift[skip:] * np.clip(late * (1 - late), -1, 1)  # beyond [0, 1] it would be large
        return out

    def with_weights(self, weights: Floats) -> Equation:
        """Return F with other weights: one for each entry of `arrays.parents`, or (entries, lanes)."""
        return replace(self, arrays=self.arrays.with_weights(weights))

    def pick_lanes(self, lanes: Any) -> Equation:
        """Return F for some of the lanes, which is the same where all have the same weights."""
        weights = self.arrays.weights
        return self if weights is None or weights.ndim == 1 else self.with_weights(weights[:, lanes])

    def blocks(self) -> Iterable[Group | Layer]:
        """Groups; where energies are sums, layers too."""
        return self._kept_blocks or self._make_blocks()

    def _make_blocks(self) -> Iterable[Group | Layer]:
        linear = self.semantics.aggregation.linear and self.arrays.layers
        return self.arrays.blocks() if linear else self.arrays.groups()

    @cached_property
    def _kept_blocks(self) -> tuple[Group | Layer, ...]:
        """All blocks, where they are few."""
        return tuple(self._make_blocks()) if self.arrays.kept_groups else ()

    def energy(self, block: Group | Layer, strengths: Floats) -> Floats:
        """α of a block: of a layer a matrix product."""
        if isinstance(block, Layer):
            return np.asarray(block.matrix @ strengths[block.parents])
        attacks, supports = gather_parents(block, strengths)
        energy = self.semantics.aggregation.energy(attacks, supports)
        self._shaped(energy, attacks[0] if len(attacks) else supports[0] if len(supports) else energy, "aggregation")
        return energy

    def _shaped(self, found: Floats, like: Floats, part: str) -> None:
        """A user's formula that gives one number for all arguments would go unnoticed."""
        if np.shape(found) != np.shape(like):
            takes = (
                "reduce the first axis of both arrays, as in sup.sum(0)" if part == "aggregation" else "be elementwise"
            )
            raise InvalidInput(
                f"the {part} of semantics {self.semantics.name!r} gives an array of shape {np.shape(found)}, "
                f"not {np.shape(like)}; it must {takes}"
            )

    def local(self, group: Group, strengths: Floats, base: Floats, held: Floats | None) -> Local:
        """The derivatives at the arguments of a group."""
        here = slice(group.lo, group.hi)
        x = gather_parents(group, strengths)
        energy = np.asarray(self.semantics.aggregation.energy(*x))
        # on paper these are 0, and a kink sits there
        energy = np.where(np.abs(energy) <= self.rounding, 0.0, energy)
        by_parent = slopes = np.concatenate(self.semantics.slopes(*x))
        if group.weights is not None:
            slopes = slopes * _of_lanes(group.weights, slopes)
        by_base, by_energy = self.semantics.by_base(base[here], energy), self.semantics.by_energy(base[here], energy)
        if self.semantics.influence.neutral and not len(group.parents):
            by_base = np.ones_like(by_base)
        if held is not None:
            by_base, by_energy = by_base * held[here], (by_energy[0] * held[here], by_energy[1] * held[here])
        return Local(by_base, by_energy, by_parent, slopes, energy)

    def jacobian(
        self, strengths: Floats, base: Floats, held: Floats | None = None, by_weight: Floats | None = None
    ) -> tuple[csc_array, Floats]:
        """∂F/∂σ as a matrix [argument, parent] and ∂F/∂τ as its diagonal, for one lane; from above at kinks.

        `by_weight` is filled with ∂F/∂w of every edge, in the order of `arrays.parents`.
        """
        from scipy.sparse import coo_array  # here: SciPy takes longer to import than NumPy

        n, entries = len(self.arrays), np.empty(len(self.arrays.parents))
        rows, by_base = np.empty(len(entries), np.intp), np.empty(n)
        done = 0
        for group in self.arrays.groups():
            local = self.local(group, strengths, base, held)
            by_base[group.lo : group.hi] = local.by_base
            block = slice(done, done + group.parents.size)
            entries[block] = (local.slopes * local.by_energy[1]).ravel()
            rows[block] = np.tile(np.arange(group.lo, group.hi), len(group.parents))
            if by_weight is not None:
                by_weight[block] = (local.by_parent * local.by_energy[1] * strengths[group.parents]).ravel()
            done += group.parents.size
        return coo_array((entries, (rows, self.arrays.parents)), shape=(n, n)).tocsc(), by_base

    def jacobians(self, strengths: Floats, base: Floats, held: Floats | None = None) -> Floats:
        """∂F/∂σ of many lanes, (lanes, argument, parent); from above at kinks."""
        n, lanes = strengths.shape
        out = np.zeros((n, n, lanes))
        for group in self.arrays.groups():
            local = self.local(group, strengths, base, held)
            rows = np.broadcast_to(np.arange(group.lo, group.hi), group.parents.shape)
            self.backend.add_at(out, (rows, group.parents), local.slopes * local.by_energy[1])
        return out.transpose(2, 0, 1)

    def tangent(
        self,
        strengths: Floats,
        base: Floats,
        held: Floats | None,
        d_base: Floats,
        d_strengths: Floats,
        out: Floats,
        d_energies: Floats | None = None,
    ) -> NDArray[np.float64]:
        """One-sided derivative of F in a direction, kinks included; many directions are columns.

        `d_energies` is added to what the energies change by.
        """
        push = self.semantics.aggregation.tangent
        for group in self.arrays.groups():
            here, k = slice(group.lo, group.hi), group.attackers
            local = self.local(group, strengths, base, held)
            dx = d_strengths.take(group.parents, axis=0)
            if push is None:
                d_energy = np.einsum("kw,kwd->wd", local.slopes, dx)
            else:
                if group.weights is not None:
                    dx = dx * group.weights[:, :, None]
                attacks, supports = gather_parents(group, strengths)
                d_energy = push(attacks[:, :, None], supports[:, :, None], dx[:k], dx[k:])
            if d_energies is not None:
                d_energy = d_energy + d_energies[here]
            below, above = local.by_energy
            rate = np.where(d_energy > 0, above[:, None], below[:, None])
            out[here] = local.by_base[:, None] * d_base[here] + rate * d_energy
        return out


def gather_parents(group: Group, strengths: Floats) -> tuple[Floats, Floats]:
    """x = w·σ of all attackers and of all supporters of a group, each of shape (parents, arguments[, lanes])."""
    x = strengths.take(group.parents, axis=0)
    if group.weights is not None:
        x *= _of_lanes(group.weights, x)
    return x[: group.attackers], x[group.attackers :]


def _of_lanes(weights: Floats, like: Floats) -> Floats:
    """The weights of a group beside an array that may have lanes as its third axis."""
    return weights if weights.ndim == like.ndim else weights[:, :, None]


Received = tuple[Any, Any]  # what the attackers and the supporters of one argument gave it so far


class Accumulator:
    """F of one argument whose parents come one at a time; arrays of any shapes that broadcast are lanes.

    A semantics without a fold gathers its parents, and reduces them at the end.
    """

    def __init__(self, semantics: Semantics, axes: int, backend: Backend = NUMPY) -> None:
        self.influence, self.arrays = semantics.influence, backend.arrays
        fold = semantics.aggregation.fold
        if fold is None:
            energy = semantics.aggregation.energy
            self.lift: Any = lambda x: (x,)
            self.combine: Any = lambda y, x: y + x
            self.finish: Any = lambda att, sup: energy(self._stack(att, axes), self._stack(sup, axes))
            self.nothing: Any = ()
        else:
            self.lift, self.combine, self.finish = fold.lift, fold.combine, fold.finish
            self.nothing = self.arrays.asarray(self.lift(self.arrays.zeros(())))  # an x of 0 is without effect

    def add(self, gather_parents: Received | None, strength: Floats, support: bool, weight: float) -> Received:
        """Add the strength of one parent to what an argument has received."""
        attacks, supports = gather_parents or (self.nothing, self.nothing)
        lifted = self.lift(strength if weight == 1 else weight * strength)
        if support:
            return attacks, lifted if supports is self.nothing else self.combine(supports, lifted)
        return lifted if attacks is self.nothing else self.combine(attacks, lifted), supports

    def strength(self, base: Floats, gather_parents: Received | None) -> Floats:
        """ι(b, α(attacks, supports)) of what was received."""
        if gather_parents is None:
            if self.influence.neutral:
                return base
            gather_parents = self.nothing, self.nothing
        return self.influence.strength(base, self.arrays.asarray(self.finish(*gather_parents)))

    def _stack(self, parents: tuple[Floats, ...], axes: int) -> Floats:
        stacked: Floats = (
            self.arrays.stack(self.arrays.broadcast_arrays(*parents))
            if parents
            else self.arrays.zeros([0] + [1] * axes)
        )
        return stacked


class FusedAccumulator(Accumulator):
    """The same on a device: adding a parent is one kernel, and so is the strength. A number stands for equal lanes."""

    def __init__(self, semantics: Semantics, axes: int, backend: Backend) -> None:
        super().__init__(semantics, axes, backend)
        if semantics.aggregation.fold is not None:
            self.nothing = float(semantics.aggregation.fold.lift(np.zeros(())))
        self.kernels = _fuse_formulas(semantics, backend)

    def add(self, gather_parents: Received | None, strength: Floats, support: bool, weight: float) -> Received:
        if self.kernels.lift is None:
            return super().add(gather_parents, strength, support, weight)
        received = list(gather_parents or (self.nothing, self.nothing))
        first = received[support] is self.nothing
        received[support] = (
            self.kernels.lift(strength, weight) if first else self.kernels.combine(received[support], strength, weight)
        )
        return received[0], received[1]

    def strength(self, base: Floats, gather_parents: Received | None) -> Floats:
        if self.kernels.finish is None:
            return super().strength(base, gather_parents)
        if gather_parents is None and self.influence.neutral:
            return base
        found: Floats = self.kernels.finish(base, *(gather_parents or (self.nothing, self.nothing)))
        return found

    def strength_and_sum(
        self, base: Floats, gather_parents: Received | None, total: Floats
    ) -> tuple[Floats, Floats] | None:
        """The strength, and a total to which it is added, by one kernel; None where the semantics has none for it."""
        if self.kernels.finish is None or gather_parents is None:
            return None
        found: tuple[Floats, Floats] = self.kernels.finish_and_add(base, *gather_parents, total)
        return found


@dataclass(frozen=True)
class _Kernels:
    """The fused formulas of a semantics; None where its aggregation has no fold."""

    lift: Any = None  # (strength, weight) → lift(w σ)
    combine: Any = None  # (received, strength, weight) → combine(received, lift(w σ))
    finish: Any = None  # (base, attacks, supports) → strength
    finish_and_add: Any = None  # (base, attacks, supports, total) → strength, total + strength


@lru_cache(maxsize=64)
def _fuse_formulas(semantics: Semantics, backend: Backend) -> _Kernels:
    fold, influence = semantics.aggregation.fold, semantics.influence.strength
    if fold is None:
        return _Kernels()

    def add_up(base: Any, attacks: Any, supports: Any, total: Any) -> tuple[Any, Any]:
        found = influence(base, fold.finish(attacks, supports))
        return found, total + found

    return _Kernels(
        backend.fuse(lambda strength, weight: fold.lift(weight * strength)),
        backend.fuse(lambda received, strength, weight: fold.combine(received, fold.lift(weight * strength))),
        backend.fuse(lambda base, attacks, supports: influence(base, fold.finish(attacks, supports))),
        backend.fuse(add_up),
    )


def make_accumulator(semantics: Semantics, axes: int, backend: Backend) -> Accumulator:
    """The accumulator for a backend."""
    return Accumulator(semantics, axes) if backend is NUMPY else FusedAccumulator(semantics, axes, backend)
