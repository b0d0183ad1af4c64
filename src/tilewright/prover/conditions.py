"""Conditions of proofs: relations between the arguments that hold in all launches of a program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Any

from tilewright.dialects.cuda_tile.ops.tile import ConstantOp
from tilewright.dialects.cuda_tile.types import TileType, TileViewType
from tilewright.ir.builtin_types import IntegerType
from tilewright.prover.solver import Term, ceiling, name_of, names_in, z3
from tilewright.prover.symbols import LaunchSymbols

_LARGEST_GRID = (1 << 24) - 1
_USUAL_GRID = 1 << 16
"""No grid of the launches is larger in an extent; larger ones may let indices wrap around."""
_LARGEST_EXTENT = (1 << 31) - 1
_LARGEST_CONSTANT = 1 << 16
"""The constants of a kernel below this number may be factors of the size of an array."""
_MOST_NUMBERS = 24
"""The maximum number of variables that products are formed of."""


@dataclass(frozen=True)
class LaunchCondition:
    """A relation between variables of launches: as text, which is empty for a relation that is not worth
    telling (extents of at least 1), and as a term. ``is_layout`` is set for relations between the extents and
    strides of one array. ``value`` is the number that the relation says a variable is equal to, if it says so for a
    number of the kernel or the size of an array.
    """

    text: str
    term: Term
    is_layout: bool = False
    value: int | None = None

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the variables in the term."""
        return frozenset(names_in([self.term]))


def well_formed(symbols: LaunchSymbols) -> list[Term]:
    """Return the statements that hold in every launch of the kernel: the limits of grids, extents and integer
    types, and that no stride is negative.
    """
    found: list[Term] = []
    for extent in symbols.grid:
        found += [extent >= 1, extent <= _LARGEST_GRID]
    for number, term in symbols.numbers.items():
        type: Any = symbols.entry.body.block.arguments[number].type
        half = 1 << (type.element_type.width - 1)
        found += [term >= -half, term < half]
    for array in symbols.arrays.values():
        for extent in array.shape:
            found += [extent >= 0, extent <= _LARGEST_EXTENT]
        found += [stride >= 0 for stride in array.strides if not z3.is_int_value(stride)]
    return found


def relations(symbols: LaunchSymbols) -> tuple[list[LaunchCondition], list[LaunchCondition]]:
    """Return the relations that hold in all observed launches, in two lists: those that most kernels rely on
    (positive extents, row-major layouts, equal extents, grids that cover an array), and special ones (extents
    of 1, multiples of tiles, numbers that are equal to their observed value or to a constant of the kernel).
    """
    natural = (_positive, _layouts, _equal, _sizes, _grids, _quotients, _spans)
    special = (_ones, _multiples, _values)
    first, second = ([one for group in groups for one in group(symbols)] for groups in (natural, special))
    return [one for one in first if _holds(symbols, one.term)], [
        one for one in second if _holds(symbols, one.term)
    ]


def _holds(symbols: LaunchSymbols, term: Term) -> bool:
    return all(z3.is_true(one) for one in symbols.values_of(term))


def _positive(symbols: LaunchSymbols) -> Iterator[LaunchCondition]:
    for array in symbols.arrays.values():
        for extent in array.shape:
            yield LaunchCondition("", extent >= 1, True)
        for stride in array.strides:
            yield LaunchCondition("", stride >= 1, True)
    for number, term in symbols.numbers.items():
        yield LaunchCondition(f"{term} >= 1" if number not in symbols.described else "", term >= 1)


def _layouts(symbols: LaunchSymbols) -> Iterator[LaunchCondition]:
    for array in symbols.arrays.values():
        if z3.is_int_value(array.strides[-1]):
            continue
        yield LaunchCondition(f"{array.strides[-1]} == 1", array.strides[-1] == 1, True)
        for d in range(len(array.shape) - 1):
            inner = array.shape[d + 1] * array.strides[d + 1]
            words = f"{array.shape[d + 1]} * {array.strides[d + 1]}"
            yield LaunchCondition(f"{array.strides[d]} >= {words}", array.strides[d] >= inner, True)
            yield LaunchCondition(f"{array.strides[d]} == {words}", array.strides[d] == inner, True)


def _measures(symbols: LaunchSymbols) -> dict[str, Term]:
    """Return the terms, by name, of the integer parameters that are not strides, which include the extents of
    arrays, and of the sizes of arrays.
    """
    strides = {str(stride) for array in symbols.arrays.values() for stride in array.strides}
    names = [str(term) for term in symbols.numbers.values()] + list(symbols.sizes.values())
    return {name: symbols.terms[name] for name in names if name not in strides}


def _equal(symbols: LaunchSymbols) -> Iterator[LaunchCondition]:
    strides = {
        str(one): one
        for array in symbols.arrays.values()
        for one in array.strides
        if not z3.is_int_value(one)
    }
    for group in (_measures(symbols), strides):
        first: dict[tuple[int, ...], str] = {}
        for name, term in group.items():
            values = symbols.observed[name]
            other = first.setdefault(values, name)
            if other != name and max(values) > 1:
                yield LaunchCondition(f"{name} == {other}", term == symbols.terms[other])


def _sizes(symbols: LaunchSymbols) -> Iterator[LaunchCondition]:
    """Yield conditions on the sizes of arrays whose extents are no arguments: a size is the product of two or
    three numbers, or of at most two and a constant of the kernel, or is at least a number. An extent of the grid
    is a number, too, as it often is the number of rows.
    """
    names = list(map(name_of, (*symbols.grid, *symbols.numbers.values())))[:_MOST_NUMBERS]
    large = [one for one in names if min(symbols.observed[one]) > 1]
    groups = [(1, one) for count in (2, 3) for one in combinations(large, count)]
    groups += [(c, one) for c in _constants(symbols) for n in (0, 1, 2) for one in combinations(large, n)]
    for size in symbols.sizes.values():
        term, observed = symbols.terms[size], symbols.observed[size]
        for constant, factors in groups:
            values = [symbols.observed[one] for one in factors]
            if all(constant * prod(one) == known for known, *one in zip(observed, *values, strict=True)):
                words = " * ".join([*([str(constant)] if constant > 1 else []), *factors])
                numbers = (symbols.terms[one] for one in factors)
                yield LaunchCondition(f"{size} == {words}", term == constant * prod(numbers))
        for name in names:
            yield LaunchCondition(f"{size} >= {name}", term >= symbols.terms[name])


def _constants(symbols: LaunchSymbols) -> list[int]:
    """Return the integers from 2 to below `_LARGEST_CONSTANT` that occur in a kernel as constants or as
    extents of its tiles, in ascending order. Of the elements of a constant tile, only the first one counts.
    """
    found = set(tile_extents(symbols))
    for op in symbols.entry.walk():
        if isinstance(op, ConstantOp):
            type: Any = op.results[0].type
            patterns = op.value.patterns() if isinstance(type.element_type, IntegerType) else ()
            found |= set(patterns[:1])
    return sorted(one for one in found if 1 < one < _LARGEST_CONSTANT)


def tile_extents(symbols: LaunchSymbols) -> list[int]:
    """Return the extents of all tiles of the kernel and the steps of its views of tiles, in ascending order,
    each once and without 1.
    """
    found = set[int]()
    for op in symbols.entry.walk():
        for value in op.results:
            type: Any = value.type
            found |= set(type.shape) if isinstance(type, TileType) else set[int]()
            found |= set(type.index_steps) if isinstance(type, TileViewType) else set[int]()
    return sorted(found - {1})


def _grids(symbols: LaunchSymbols) -> Iterator[LaunchCondition]:
    measures, tiles = _measures(symbols), tile_extents(symbols)
    parts = _parts(measures, tiles)
    for extent in symbols.grid:
        if max(symbols.observed[str(extent)]) > 1:
            found = [LaunchCondition(f"{extent} == {name}", extent == term) for name, term in parts.items()]
            held = [one for one in found if _holds(symbols, one.term)]
            products = list(_products(symbols, extent, tiles))
            yield from held or products
            yield from products if held else ()
            if not held and not products:
                yield from (
                    LaunchCondition(f"{extent} <= {name}", extent <= term) for name, term in parts.items()
                )


def _parts(measures: dict[str, Term], tiles: Sequence[int]) -> dict[str, Term]:
    """Return the terms of `measures`, and for each tile extent the number of tiles that cover a measure,
    ``cdiv(name, tile)``; the keys are the texts.
    """
    covered = {
        f"cdiv({name}, {tile})": ceiling(term, tile) for name, term in measures.items() for tile in tiles
    }
    return {**measures, **covered}


def _products(symbols: LaunchSymbols, extent: Term, tiles: Sequence[int]) -> Iterator[LaunchCondition]:
    """Yield the conditions that `extent`, an extent of the grid, is the product of two extents of one array,
    of two numbers that describe no array, or of the numbers of tiles that cover them. Only products that hold
    in all launches are yielded.
    """
    observed = symbols.observed[str(extent)]
    groups = [{str(one): one for one in array.shape} for array in symbols.arrays.values()]
    described = symbols.described
    groups.append({str(term): term for number, term in symbols.numbers.items() if number not in described})
    for group in groups:
        values = {name: _observed(symbols, term) for name, term in _parts(group, tiles).items()}
        for (a, x), (b, y) in combinations(_parts(group, tiles).items(), 2):
            numbers = zip(values[a], values[b], observed, strict=True)
            is_split = min(*values[a], *values[b]) > 1 and names_in([x]) != names_in([y])
            if is_split and all(one * other == known for one, other, known in numbers):
                yield LaunchCondition(f"{extent} == {a} * {b}", extent == x * y)


def _observed(symbols: LaunchSymbols, term: Term) -> list[int]:
    return [one.as_long() for one in symbols.values_of(term)]


def _quotients(symbols: LaunchSymbols) -> Iterator[LaunchCondition]:
    described = symbols.described
    measures = _measures(symbols)
    for number, term in symbols.numbers.items():
        if number not in described and max(symbols.observed[str(term)]) > 1:
            for name, other in measures.items():
                for tile in tile_extents(symbols):
                    words = f"{term} == cdiv({name}, {tile})"
                    yield LaunchCondition(words, term == ceiling(other, tile))


def _multiples(symbols: LaunchSymbols) -> Iterator[LaunchCondition]:
    for name, term in _measures(symbols).items():
        for tile in tile_extents(symbols):
            yield LaunchCondition(f"{name} <= {tile}", term <= tile)
            yield LaunchCondition(f"{name} % {tile} == 0", term % tile == 0)


def _values(symbols: LaunchSymbols) -> Iterator[LaunchCondition]:
    """Yield conditions that a number or a size of an array is equal to its observed value, and then that an extent
    is equal to a constant of the kernel, as the kernel may be compiled for it.
    """
    measures, described = _measures(symbols), {str(symbols.numbers[at]) for at in symbols.described}
    for name, term in measures.items():
        value = symbols.observed[name][0]
        if name not in described or value in _constants(symbols):
            yield LaunchCondition(f"{name} == {value}", term == value, value=value)
    for extent in symbols.grid:
        for constant in _constants(symbols):
            yield LaunchCondition(f"{extent} == {constant}", extent == constant)


def _spans(symbols: LaunchSymbols) -> Iterator[LaunchCondition]:
    for array in symbols.arrays.values():
        words = f"{array.name} spans fewer than 2**31 elements"
        yield LaunchCondition(words, array.bytes < array.element_bytes << 31)


def _ones(symbols: LaunchSymbols) -> Iterator[LaunchCondition]:
    for extent in symbols.grid:
        yield LaunchCondition(f"{extent} < {_USUAL_GRID}", extent < _USUAL_GRID)
    for extent in symbols.grid:
        yield LaunchCondition(f"{extent} == 1", extent == 1)
    for array in symbols.arrays.values():
        for extent in array.shape:
            yield LaunchCondition(f"{extent} == 1", extent == 1)
