"""Compares matched operations part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.cuda_tile.ops.control import ModuleOp as TileModuleOp
from tilewright.driver.diff.matching import DiffRow, ModuleMatching, Sequences
from tilewright.driver.diff.options import SEGMENT_SIZES, DiffOptions
from tilewright.ir.block import Block, Region
from tilewright.ir.operation import Operation
from tilewright.ir.support.collection import paused_collection
from tilewright.ir.value import BlockArgument, Value

FUNCTION_TYPE = "function_type"
_Item = TypeVar("_Item", Value, Block)


class ChangeKind(StrEnum):
    """The kind of change of an operation: only the second module has it, only the first has it, its parts
    differ, or it has another position in its block.
    """

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


class ChangedPart(StrEnum):
    """The part of an operation that changed."""

    ATTRIBUTE = "attribute"
    SIGNATURE = "signature"
    RESULT_TYPE = "result type"
    OPERAND = "operand"
    OPERANDS = "operands"
    SUCCESSOR = "successor"
    ARGUMENT_TYPE = "argument type"
    ARGUMENT_ADDED = "argument added"
    ARGUMENT_REMOVED = "argument removed"
    REGIONS = "regions"
    BLOCKS = "blocks"
    LOCATION = "location"


@dataclass(frozen=True, slots=True)
class ChangeDetail:
    """A part of an operation that changed, with its old and its new value; None on a side that lacks it.
    ``label`` is the name of the attribute, or the number of the operand, result, argument or region, such as
    ``#1``; it is empty for parts that have neither.
    """

    part: ChangedPart
    label: str
    old: object
    new: object


@dataclass(slots=True)
class Change:
    """The change of an operation: ``a`` is the operation in the first module, None if it was added, ``b`` in
    the second, None if it was removed. A moved operation has two changes, one with each side. ``details`` are
    the parts that differ, for the kind `CHANGED` only.
    """

    kind: ChangeKind
    a: Operation | None
    b: Operation | None
    details: list[ChangeDetail] = field(default_factory=list[ChangeDetail])

    @property
    def operation(self) -> Operation:
        """Return the operation of the first module, or of the second if the first lacks it."""
        op = self.a if self.a is not None else self.b
        assert op is not None
        return op


class ModuleDiff:
    """The differences between two modules; false if there are none. ``changes`` lists them, block by block;
    ``names`` are the names of the modules in reports.

    ``str`` returns the text of `tilewright diff`, `tilewright.driver.diff.report.diff_object` its JSON.
    """

    def __init__(
        self, a: Operation, b: Operation, options: DiffOptions, names: tuple[str, str] = ("a", "b")
    ) -> None:
        self.names = names
        self.a, self.b = _comparable(a, b)
        self._options = options
        with paused_collection():
            self.matching = ModuleMatching(self.a, self.b, options)
            self._details = {pair: list(self._compare(*pair)) for pair in self.matching.pairs}
            self.changes = [change for sequences in self._all_rows() for change in sequences]

    def __bool__(self) -> bool:
        return bool(self.changes)

    def __str__(self) -> str:
        from tilewright.driver.diff.report import diff_text

        return diff_text(self)

    def change_of(self, row: DiffRow) -> Change | None:
        """Return the change of the operations in a row: `CHANGED` for a pair, `MOVED` for one side of a moved
        operation, else `REMOVED` or `ADDED`. Return None for a pair without differences.
        """
        if row.a is not None and row.b is not None:
            details = self._details[row.a, row.b]
            return Change(ChangeKind.CHANGED, row.a, row.b, details) if details else None
        if row.moved:
            return Change(ChangeKind.MOVED, row.a, row.b)
        return Change(ChangeKind.REMOVED if row.b is None else ChangeKind.ADDED, row.a, row.b)

    def sequences(self) -> list[Sequences]:
        """Return the rows of all blocks, paired or without a counterpart, preceded by one row for the modules
        themselves.
        """
        return [Sequences(None, None, [DiffRow(self.a, self.b)]), *self.matching.sequences]

    def _all_rows(self) -> Iterator[list[Change]]:
        for sequences in self.sequences():
            found = map(self.change_of, sequences.rows)
            yield [change for change in found if change is not None]

    def _compare(self, a: Operation, b: Operation) -> Iterator[ChangeDetail]:
        if self.matching.a.own[a] != self.matching.b.own[b]:
            if a.name != b.name:
                yield ChangeDetail(ChangedPart.ATTRIBUTE, "operation", a.name, b.name)
            yield from self._attributes(a, b)
            yield from _listed(ChangedPart.RESULT_TYPE, a.result_types, b.result_types)
        if a.operands or b.operands:
            yield from self._operands(a, b)
        if a.successors or b.successors:
            yield from self._successors(a, b)
        if a.regions or b.regions:
            yield from self._inside(a, b)
        if self._options.locations:
            places = self._options.location(a.location), self._options.location(b.location)
            if places[0] is not places[1]:
                yield ChangeDetail(ChangedPart.LOCATION, "", *places)

    def _attributes(self, a: Operation, b: Operation) -> Iterator[ChangeDetail]:
        ours, theirs = self._options.attributes(a, self.a), self._options.attributes(b, self.b)
        for name in sorted(ours.keys() | theirs.keys()):
            old, new = ours.get(name), theirs.get(name)
            if old is not new and not (name in SEGMENT_SIZES and _differ_in_number(a, b)):
                part = ChangedPart.SIGNATURE if name == FUNCTION_TYPE else ChangedPart.ATTRIBUTE
                yield ChangeDetail(part, name, old, new)

    def _operands(self, a: Operation, b: Operation) -> Iterator[ChangeDetail]:
        if len(a.operands) != len(b.operands):
            yield ChangeDetail(ChangedPart.OPERANDS, "", a.operands, b.operands)
            return
        yield from _rewired(ChangedPart.OPERAND, a.operands, b.operands, self.matching.values)

    def _successors(self, a: Operation, b: Operation) -> Iterator[ChangeDetail]:
        if len(a.successors) != len(b.successors):
            yield ChangeDetail(ChangedPart.SUCCESSOR, "", a.successors, b.successors)
            return
        yield from _rewired(ChangedPart.SUCCESSOR, a.successors, b.successors, self.matching.blocks)

    def _inside(self, a: Operation, b: Operation) -> Iterator[ChangeDetail]:
        if len(a.regions) != len(b.regions):
            yield ChangeDetail(ChangedPart.REGIONS, "", len(a.regions), len(b.regions))
        for number, regions in enumerate(zip(a.regions, b.regions, strict=False)):
            yield from self._region(f"#{number}", *regions, is_function=FUNCTION_TYPE in a.held_attributes)

    def _region(self, label: str, a: Region, b: Region, *, is_function: bool) -> Iterator[ChangeDetail]:
        if len(a.blocks) != len(b.blocks):
            yield ChangeDetail(ChangedPart.BLOCKS, f"of region {label}", len(a.blocks), len(b.blocks))
        for position, block in enumerate(a.blocks):
            other = self.matching.blocks.get(block)
            if other is not None and not (is_function and position == 0):  # the signature says it
                yield from self._arguments(block, other)
            if other is not None and self._options.locations:
                yield from self._argument_locations(block, other)

    def _arguments(self, a: Block, b: Block) -> Iterator[ChangeDetail]:
        known = self.matching.values
        for argument in a.arguments:
            other = known.get(argument)
            if other is None:
                yield ChangeDetail(ChangedPart.ARGUMENT_REMOVED, f"#{argument.index}", argument, None)
            elif other.type is not argument.type:
                yield ChangeDetail(ChangedPart.ARGUMENT_TYPE, f"#{argument.index}", argument.type, other.type)
        paired = {known[argument] for argument in a.arguments if argument in known}
        for argument in b.arguments:
            if argument not in paired:
                yield ChangeDetail(ChangedPart.ARGUMENT_ADDED, f"#{argument.index}", None, argument)

    def _argument_locations(self, a: Block, b: Block) -> Iterator[ChangeDetail]:
        for argument in a.arguments:
            other = self.matching.values.get(argument)
            if isinstance(other, BlockArgument):
                old = self._options.location(a.argument_location(argument.index))
                new = self._options.location(b.argument_location(other.index))
                if old is not new:
                    yield ChangeDetail(ChangedPart.LOCATION, f"of argument #{argument.index}", old, new)


def _comparable(a: Operation, b: Operation) -> tuple[Operation, Operation]:
    """Return the modules to compare. If `a` and `b` are different operations, such as a builtin module and a
    Tile IR module, a builtin module that contains only a Tile IR module is replaced by the latter.
    """
    if a.name != b.name:
        a, b = _unwrapped(a), _unwrapped(b)
    return a, b


def _unwrapped(module: Operation) -> Operation:
    inner = [op for region in module.regions for block in region.blocks for op in block]
    if isinstance(module, ModuleOp) and len(inner) == 1 and isinstance(inner[0], TileModuleOp):
        return inner[0]
    return module


def _differ_in_number(a: Operation, b: Operation) -> bool:
    return len(a.operands) != len(b.operands) or len(a.results) != len(b.results)


def _listed(part: ChangedPart, old: Sequence[object], new: Sequence[object]) -> Iterator[ChangeDetail]:
    """Yield a detail of the part `part` for each position at which two lists differ; a missing element is
    None.
    """
    for number in range(max(len(old), len(new))):
        first = old[number] if number < len(old) else None
        second = new[number] if number < len(new) else None
        if first is not second:
            yield ChangeDetail(part, f"#{number}", first, second)


def _rewired(
    part: ChangedPart, old: Sequence[_Item], new: Sequence[_Item], known: dict[_Item, _Item]
) -> Iterator[ChangeDetail]:
    """Yield a detail for each position at which the item of `new` is not the counterpart of the item of
    `old`, according to `known`. Both lists must have the same length.
    """
    for number, (first, second) in enumerate(zip(old, new, strict=True)):
        if known.get(first) is not second:
            yield ChangeDetail(part, f"#{number}", first, second)
