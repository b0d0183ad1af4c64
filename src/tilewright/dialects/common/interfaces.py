"""The interfaces that dialects share: capabilities of dialects, types and operations.

Every class right below `Interface` names one capability; its methods take the dialect, type or operation first. Types
list concepts of their own in ``concepts``; `concept` looks one up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.interfaces import control_flow
from tilewright.ir.interfaces.interface import Interface, concept as concept, interface_map as interface_map
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

# --- dialects


class OpAsmDialectInterface(Interface):
    """A dialect's aliases for attributes and types (`alias`), and its names for results (`result_names`), in
    printed text.
    """

    def alias(self, attribute: Attribute) -> str | None:
        """Return the alias that an attribute or type is printed under, or None."""
        raise NotImplementedError

    def result_names(self, op: Operation) -> Sequence[str | None]:
        """Return name hints for the results of an operation, without ``%``: one for each result, None for a
        result without a hint.
        """
        raise NotImplementedError


class ConvertToLLVMInterface(Interface):
    """The patterns of a dialect for the conversion to LLVM, which `populate` adds to a set. No dialect has
    the interface, and no pass asks for it: the pass ``convert-to-llvm`` has a fixed list of patterns.
    """

    def populate(self, patterns: Any, converter: Any) -> None:
        """Add the patterns that convert the dialect's operations to LLVM to the set ``patterns``. They
        convert types by ``converter``.
        """
        raise NotImplementedError


# --- types


class LayoutTypeInterface(Interface):
    """A layout type: its values map coordinates to offsets. The methods return its extents (`shape`), its
    strides (`body`), the numbers of coordinates and offsets (`size`, `cosize`), the `offset` of a coordinate,
    and whether everything is known at compile time (`is_static`).
    """

    def shape(self, type: Type) -> Any:
        """Return the tree of extents of a layout type."""
        raise NotImplementedError

    def body(self, type: Type) -> Any:
        """Return the tree of strides, or its replacement in a composed layout."""
        raise NotImplementedError

    def is_static(self, type: Type) -> bool:
        """Return whether all parameters of the type are known at compile time."""
        raise NotImplementedError

    def size(self, type: Type) -> int | None:
        """Return the number of coordinates; None if it is unknown."""
        raise NotImplementedError

    def cosize(self, type: Type) -> int | None:
        """Return the largest offset plus one; None if it is unknown."""
        raise NotImplementedError

    def offset(self, type: Type, coordinate: Any) -> int | None:
        """Return the offset that a coordinate is mapped to; None if it is unknown."""
        raise NotImplementedError


class ViewTypeInterface(Interface):
    """A type whose values are elements in a memory space, indexed through a layout. The methods return the
    `element_type`, the `memory_space`, the `layout` and its `rank`.
    """

    def element_type(self, type: Type) -> Type:
        """Return the type of an element."""
        raise NotImplementedError

    def memory_space(self, type: Type) -> Any:
        """Return the memory space of the elements."""
        raise NotImplementedError

    def rank(self, type: Type) -> int:
        """Return the number of modes of the layout."""
        raise NotImplementedError

    def layout(self, type: Type) -> Any:
        """Return the layout, which maps coordinates to elements."""
        raise NotImplementedError


class PointerTypeInterface(Interface):
    """A type whose values are addresses. The methods return the `memory_space` and the known `alignment`."""

    def memory_space(self, type: Type) -> Any:
        """Return the memory space that the pointer points into."""
        raise NotImplementedError

    def alignment(self, type: Type) -> int:
        """Return the known alignment of the address in bytes."""
        raise NotImplementedError


class IteratorTypeInterface(Interface):
    """A type whose values iterate over elements. The methods return the `element_type`, and the types of an
    iterator with known numbers (`refined`) or over one mode (`projected`).
    """

    def element_type(self, type: Type) -> Type:
        """Return the type of the elements that the iterator yields."""
        raise NotImplementedError

    def refined(self, type: Type) -> Type:
        """Return ``type`` with every number that is statically known (such as a count or a stride) as a
        parameter of the type. A type whose parameters contain all of them already is returned unchanged.
        """
        raise NotImplementedError

    def projected(self, type: Type, mode: int) -> Type:
        """Return the type of an iterator over mode `mode` only."""
        raise NotImplementedError


class DescriptorIteratorTypeInterface(Interface):
    """An iterator that reaches memory through a hardware descriptor, whose type `descriptor_type` returns."""

    def descriptor_type(self, type: Type) -> Type:
        """Return the type of the descriptor."""
        raise NotImplementedError


class TmaDescriptorTypeInterface(Interface):
    """A descriptor of the tensor memory accelerator, which copies tensors in boxes (`box`)."""

    def box(self, type: Type) -> tuple[int, ...]:
        """Return the extents of the box that one copy moves, in elements."""
        raise NotImplementedError


class AtomTypeInterface(Interface):
    """The type of an atom: a hardware instruction as an operation on tiles. `minimum_capability` returns the
    lowest compute capability of GPUs with it.
    """

    def minimum_capability(self, type: Type) -> int:
        """Return the lowest compute capability (``major * 10 + minor``) of GPUs with the instruction."""
        raise NotImplementedError


class CopyAtomTypeInterface(Interface):
    """An instruction that copies memory. The methods describe the elements that one thread copies
    (`value_shape`, `value_type`, `copied_bits`), and the `layouts` of source and destination.
    """

    def value_shape(self, type: Type) -> tuple[int, ...]:
        """Return the number of elements along each mode that one thread copies."""
        raise NotImplementedError

    def layouts(self, type: Type) -> tuple[Any, Any]:
        """Return the layouts of the source and of the destination, which map (thread, value) to elements;
        None for a layout that does not follow from the type.
        """
        raise NotImplementedError

    def copied_bits(self, type: Type) -> int:
        """Return the number of bits that one thread copies."""
        raise NotImplementedError

    def value_type(self, type: Type) -> Type:
        """Return the type of an element."""
        raise NotImplementedError


class MmaAtomTypeInterface(Interface):
    """An instruction that multiplies matrices and accumulates: D = A * B + C. The methods return its `shape`,
    the element types of the matrices, and the `partition` of a matrix among threads; `check_operands`
    verifies an operation with the atom.
    """

    def operand_types(self, type: Type) -> tuple[Type, Type]:
        """Return the element types of A and B."""
        raise NotImplementedError

    def accumulator_type(self, type: Type) -> Type:
        """Return the element type of C and D."""
        raise NotImplementedError

    def shape(self, type: Type) -> tuple[int, int, int]:
        """Return the extents M, N and K of the matrices."""
        raise NotImplementedError

    def partition(self, type: Type, operand: str) -> Any:
        """Return the (thread, value) layout of ``operand``, which is ``a``, ``b`` or ``c``; None if the
        layout does not follow from the type.
        """
        raise NotImplementedError

    def check_operands(self, type: Type, operands: Sequence[Value]) -> None:
        """Raise `VerifyError` unless ``operands``, the operands of an operation that has an atom of the type,
        fit the instruction.
        """
        raise NotImplementedError


class PrefetchAtomTypeInterface(Interface):
    """An instruction that prefetches memory, elements of the type that `value_type` returns."""

    def value_type(self, type: Type) -> Type:
        """Return the type of an element."""
        raise NotImplementedError


class PrintableTypeInterface(Interface):
    """Values of the type can be shown at run time, in the form that `format` returns."""

    def format(self, type: Type) -> str:
        """Return the format of one value: text with ``{}`` for each scalar in it."""
        raise NotImplementedError


class MaybeStaticTypeInterface(Interface):
    """A type whose values may be known at compile time from the type alone."""

    def is_static(self, type: Type) -> bool:
        """Return whether the type fixes the value."""
        raise NotImplementedError


# --- operations


class FunctionOpInterface(Interface):
    """An operation that defines a function, with a `signature` and a `body`."""

    def signature(self, op: Operation) -> tuple[tuple[Type, ...], tuple[Type, ...]]:
        """Return the argument and result types."""
        raise NotImplementedError

    def body(self, op: Operation) -> Region:
        """Return the region that holds its code."""
        raise NotImplementedError


class SymbolTableInterface(Interface):
    """An operation that holds symbols, which `symbols` returns."""

    def symbols(self, op: Operation) -> dict[str, Operation]:
        """Return the symbols directly inside, by name."""
        raise NotImplementedError


class RegionBranchTerminatorOpInterface(Interface):
    """A terminator that passes values to the region, or the operation, that is executed next."""

    def forwarded(self, op: Operation, successor: Region | None) -> Sequence[Value]:
        """Return the operands that become inputs of a successor: of a region, or results of the operation
        around the terminator if ``successor`` is None.
        """
        raise NotImplementedError


class ProducerOpInterface(Interface):
    """An operation that produces data for a pipeline in one of its regions."""

    def producer_region(self, op: Operation) -> Region:
        """Return the region that makes the data."""
        raise NotImplementedError


class AgentLikeOpInterface(Interface):
    """An operation that splits the warps of a block into agents; every agent executes its own region. The
    methods return the regions (`bodies`), the `warps` of each agent, and the numbers of agents in groups
    (`group_sizes`).
    """

    def bodies(self, op: Operation) -> Sequence[Region]:
        """Return one region per agent."""
        raise NotImplementedError

    def warps(self, op: Operation) -> Sequence[int]:
        """Return the number of warps of each agent."""
        raise NotImplementedError

    def group_sizes(self, op: Operation) -> Sequence[int]:
        """Return the number of agents in each group; groups are consecutive agents in the order of the
        regions.
        """
        raise NotImplementedError


class ConstantLikeOpInterface(Interface):
    """An operation with a constant result: the value of its attribute ``value``. The interface has no
    methods.
    """


class MemoryConsistencyOpInterface(Interface):
    """An operation that takes part in the order of memory accesses: no pattern may match across it."""


class MemoryEffectOpInterface(Interface):
    """An operation that may read memory that others write (`reads`), or that may write, allocate or free
    memory (`writes`).
    """

    def reads(self, op: Operation) -> bool:
        """Return whether it may read memory that others write."""
        raise NotImplementedError

    def writes(self, op: Operation) -> bool:
        """Return whether it may write, allocate or free memory."""
        raise NotImplementedError


INTERFACES: tuple[type[Interface], ...] = (
    FunctionOpInterface,
    SymbolTableInterface,
    control_flow.LoopLikeOpInterface,
    control_flow.RegionBranchOpInterface,
    RegionBranchTerminatorOpInterface,
    ProducerOpInterface,
    AgentLikeOpInterface,
    ConstantLikeOpInterface,
    MemoryConsistencyOpInterface,
    MemoryEffectOpInterface,
    control_flow.BranchOpInterface,
    control_flow.CallOpInterface,
    control_flow.CallableOpInterface,
    OpAsmDialectInterface,
    control_flow.InlinerInterface,
    ConvertToLLVMInterface,
    LayoutTypeInterface,
    ViewTypeInterface,
    PointerTypeInterface,
    IteratorTypeInterface,
    DescriptorIteratorTypeInterface,
    TmaDescriptorTypeInterface,
    AtomTypeInterface,
    CopyAtomTypeInterface,
    MmaAtomTypeInterface,
    PrefetchAtomTypeInterface,
    PrintableTypeInterface,
    MaybeStaticTypeInterface,
)
"""All of them, in the order in which they are published."""
