"""The launches of a kernel, with a variable for each number that may differ in other launches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.dialects.cuda_tile.types import PointerType
from tilewright.interp.memory.access_messages import NamedArray
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.value import Value
from tilewright.prover.solver import Term, z3

AXES = "xyz"


@dataclass(frozen=True, slots=True)
class ObservedLaunch:
    """A launch of a program: the grid in tile blocks, `arguments` with the value of each parameter of the
    kernel, and `memory`: further arrays, some of them with names (`NamedArray`).
    """

    grid: tuple[int, int, int]
    arguments: Sequence[Any]
    memory: Sequence[Any] = ()

    def name_of(self, number: int) -> str:
        """Return the name of the argument with the index `number`: the name of its array in ``memory``,
        otherwise ``argument N``.
        """
        value = self.arguments[number]
        named = (one for one in self.memory if isinstance(one, NamedArray))
        return next((one.name for one in named if one.array is value), f"argument {number}")


@dataclass(frozen=True, slots=True)
class ArraySymbols:
    """The terms of an array: extents and strides in elements, one for each dimension. If its extents are not
    arguments of the kernel, the array has one dimension, whose extent is the variable of its number of
    elements, and the stride 1.
    """

    name: str
    shape: tuple[Term, ...]
    strides: tuple[Term, ...]
    element_bytes: int

    @property
    def bytes(self) -> Term:
        """The number of bytes from the first to the last element, inclusive."""
        reach: Term = z3.IntVal(1)
        for extent, stride in zip(self.shape, self.strides, strict=True):
            reach = reach + (extent - 1) * stride
        return reach * self.element_bytes


@dataclass(slots=True)
class LaunchSymbols:
    """The variables of the kernel ``entry``, which differ between launches: its grid, its integers
    (``numbers``) and its arrays, both by the index of the parameter. By the name of the variable,
    ``observed`` has its value in each of the ``launches``, and ``terms`` the variable itself. ``sizes``
    names, by the parameter of the array, the numbers of elements that are no arguments.
    """

    entry: EntryOp
    launches: Sequence[ObservedLaunch]
    grid: tuple[Term, Term, Term] = field(init=False)
    numbers: dict[int, Term] = field(default_factory=dict[int, Any])
    arrays: dict[int, ArraySymbols] = field(default_factory=dict[int, ArraySymbols])
    observed: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    terms: dict[str, Term] = field(default_factory=dict[str, Any])
    sizes: dict[int, str] = field(default_factory=dict[int, str])
    """The names of numbers of elements that are no arguments, by the parameter of the array."""
    described: frozenset[int] = field(init=False)
    """The parameters that are extents or strides of arrays."""
    _models: list[Any] = field(init=False)

    def __post_init__(self) -> None:
        grids = [launch.grid for launch in self.launches]
        x, y, z = (self._new(f"grid.{axis}", [grid[at] for grid in grids]) for at, axis in enumerate(AXES))
        self.grid = x, y, z
        parameters = self.entry.body.block.arguments
        at = 0
        while at < len(parameters):
            type: Any = parameters[at].type
            if isinstance(type.element_type, PointerType):
                at = self._array(at)
            else:
                if isinstance(type.element_type, IntegerType):
                    self._number(at, self.launches[0].name_of(at))
                at += 1
        terms = {one.get_id() for array in self.arrays.values() for one in (*array.shape, *array.strides)}
        self.described = frozenset(at for at, one in self.numbers.items() if one.get_id() in terms)
        self._models = [self._model(number) for number in range(len(self.launches))]

    def _model(self, number: int) -> Any:
        """Return the model of the solver in which the variables have the values of the launch with the index
        `number`.
        """
        solver = z3.Solver()
        solver.add(*(self.terms[name] == values[number] for name, values in self.observed.items()))
        solver.check()
        return solver.model()

    def values_of(self, term: Term) -> list[Any]:
        """Return the value of a term in each launch, as a number or truth of the solver."""
        return [model.eval(term, model_completion=True) for model in self._models]

    def _new(self, name: str, values: Sequence[int]) -> Term:
        self.terms[name] = z3.Int(name)
        self.observed[name] = tuple(values)
        return self.terms[name]

    def _number(self, at: int, name: str) -> Term:
        type: Any = self.entry.body.block.arguments[at].type
        values = [_signed(launch.arguments[at], type.element_type.width) for launch in self.launches]
        self.numbers[at] = self._new(name, values)
        return self.numbers[at]

    def _array(self, at: int) -> int:
        """Add the variables of the array of the pointer parameter `at`. The next parameters are its extents
        and strides if their values are equal to those in all launches. Return the index of the next parameter
        that does not describe the array.
        """
        arrays = [array_of(launch.arguments[at]) for launch in self.launches]
        if any(array is None for array in arrays):
            return at + 1
        ranks = {array.ndim for array in arrays if array is not None}
        name, (rank, *others) = self.launches[0].name_of(at), sorted(ranks)
        item: int = arrays[0].itemsize if arrays[0] is not None else 1
        numbers = range(at + 1, at + 1 + 2 * rank)
        if not others and rank and all(self._describes(launch, at, rank) for launch in self.launches):
            named = [f"{name}.{part}[{d}]" for part in ("shape", "strides") for d in range(rank)]
            terms = [self._number(number, one) for number, one in zip(numbers, named, strict=True)]
            self.arrays[at] = ArraySymbols(name, tuple(terms[:rank]), tuple(terms[rank:]), item)
            return at + 1 + 2 * rank
        counts = [_span(array) for array in arrays if array is not None]
        self.sizes[at] = f"{name}.size"
        self.arrays[at] = ArraySymbols(name, (self._new(self.sizes[at], counts),), (z3.IntVal(1),), item)
        return at + 1

    def _describes(self, launch: ObservedLaunch, at: int, rank: int) -> bool:
        """Return whether in a launch the `rank` arguments after the array at `at` are its extents, and the
        `rank` after them its strides in elements.
        """
        array = array_of(launch.arguments[at])
        parameters = self.entry.body.block.arguments[at + 1 : at + 1 + 2 * rank]
        if array is None or len(parameters) < 2 * rank:
            return False
        types: list[Any] = [parameter.type for parameter in parameters]
        if not all(isinstance(type.element_type, IntegerType) for type in types):
            return False
        expected = [*array.shape, *(stride // array.itemsize for stride in array.strides)]
        given = [launch.arguments[number] for number in range(at + 1, at + 1 + 2 * rank)]
        return [getattr(value, "value", value) for value in given] == expected


@dataclass(frozen=True, slots=True)
class ReachedAddress:
    """An address: `root`, the parameter, `alloca` or global that it leads into (None: not known), and
    `bytes`, the term of its distance from the start of that memory.
    """

    root: Value | None
    bytes: Term


@dataclass(frozen=True, slots=True)
class TensorTerms:
    """A tensor view: the address of its first element, its extents and its strides in elements as terms, and
    the size of an element in bytes.
    """

    base: ReachedAddress
    shape: tuple[Term, ...]
    strides: tuple[Term, ...]
    element_bytes: int


def array_of(value: object) -> Any:
    """Return the NumPy array of an argument, also of a `NamedArray`, or None for any other argument."""
    found: Any = value.array if isinstance(value, NamedArray) else value
    return cast("Any", found) if isinstance(found, np.ndarray) else None


def _span(array: Any) -> int:
    """Return the number of elements from the first to the last element of an array, inclusive."""
    steps = [
        (extent - 1) * stride // array.itemsize
        for extent, stride in zip(array.shape, array.strides, strict=True)
    ]
    return 1 + sum(steps) if array.size else 0


def _signed(value: Any, width: int) -> int:
    number = int(getattr(value, "value", value)) & ((1 << width) - 1)
    return number - (1 << width) if number >> (width - 1) and width > 1 else number
