"""The accesses of a kernel: where each is, which of them a pass makes, and when a pass may go without masks.

Planning and emission ask the same questions: planning of `Numbers`, to decide what there will be; emission of `Code`, to
write it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.access_facts.pointers import PointerFacts
from tilewright.targets.cpu.memory import access, gather, pointers
from tilewright.targets.cpu.memory.affine import NotAffine
from tilewright.targets.cpu.memory.buffer import Buffer
from tilewright.targets.cpu.memory.operations import PointerAccess, RowAccess, ViewAccess
from tilewright.targets.cpu.nest import pairs
from tilewright.targets.cpu.plan import operation_table
from tilewright.targets.cpu.plan.model import Root, tiles_of
from tilewright.targets.elements.types import is_tile, size_of
from tilewright.targets.llvm.code import Code


class Accesses:
    """What is known of the accesses of a kernel while one goes through its steps.

    ``scalars`` and ``buffers`` hold the scalars and the tiles in memory so far; ``facts`` is what planning found out
    about the program.
    """

    def __init__(self, code: Code, scalars: dict[Value, Value], facts: PointerFacts) -> None:
        self.code = code
        self.scalars = scalars
        self.buffers: dict[Value, Buffer] = {}
        self.accesses: dict[Operation, access.Access] = {}
        self.rows: dict[Operation, gather.Rows] = {}
        self.pointers = pointers.Pointers(code, facts)

    def origin_element(self, value: Value) -> Value:
        """The first element of a tile, or a scalar."""
        raise NotImplementedError

    def pulling(self, root: Root) -> Root:
        """A root with its accesses, whose places are found out."""
        found = replace(root, accesses=tuple(self._pulled(root)))
        self.prepare_root(found)
        return found

    def roots_of(self, values: Iterable[Value]) -> tuple[Root, ...]:
        """Tiles as the roots of a pass that computes them."""
        roots = [Root("memory", value.owner, value) for value in values if isinstance(value, OpResult)]
        return tuple(map(self.pulling, roots))

    def prepare_tile(self, value: Value) -> None:
        """Find out where all memory is that the elements of a tile are loaded from."""
        self.roots_of([value])

    def prepare_root(self, root: Root) -> None:
        """Find out where all memory is that a pass loads from and stores to."""
        for op in root.accesses:
            self.prepare(op)

    def prepare(self, op: Operation) -> None:
        """Find out where a view or rows of memory begin, before the first access to their elements."""
        if isinstance(op, RowAccess):
            if op not in self.rows:
                self.rows[op] = gather.rows_access(self.code, op, self.scalars.__getitem__)
        elif isinstance(op, ViewAccess):
            if op not in self.accesses:
                self.accesses[op] = access.tiled_access(self.code, op, self.scalars.__getitem__)
        elif isinstance(op, PointerAccess):
            pointers.check_element(op)

    def _pulled(self, root: Root) -> Iterator[Operation]:
        """The loads and stores of a pass."""
        if root.kind == "write":
            yield root.op
        pending, seen = list(root.reads), set[Value]()
        while pending:
            value = pending.pop()
            op = value.owner
            if isinstance(op, Block) or value in seen or value in self.buffers:
                continue
            seen.add(value)
            if not operation_table.is_evaluated(op):
                continue
            if operation_table.is_load(op):
                yield op
            pending += tiles_of(op)

    def conditions(self, root: Root) -> list[Value]:
        """What must hold for the version of a pass without masks."""
        return [condition for op in root.accesses for condition in self.conditions_of(op, root)]

    def conditions_of(self, op: Operation, root: Root) -> list[Value]:
        """What must hold of one access of a pass."""
        tile = self.accesses.get(op)
        if tile is not None:
            return tile.conditions
        if pointers.uses_pointers(op):
            return self.pointers.conditions(op, lambda: partial(self.only_element, self.reached(root)))
        return []

    def apart(self, roots: Sequence[Root]) -> tuple[Operation, ...]:
        """The accesses of a pass of which only the program's run tells how far the elements of a row are apart."""
        found = {op: self.accesses.get(op) for root in roots for op in root.accesses}
        return tuple(op for op, tile in found.items() if tile is not None and _is_apart(tile))

    def reached(self, root: Root) -> set[Value]:
        """The tiles whose elements are read or computed in a pass."""
        found: set[Value] = set()
        pending = list(root.reads)
        while pending:
            value = pending.pop()
            if value in found or not is_tile(value.type):
                continue
            found.add(value)
            if value not in self.buffers and isinstance(value.owner, Operation):
                pending += value.owner.operands
        return found

    def only_element(self, reached: Container[Value], value: Value) -> Value:
        """The element that all elements of a tile are, or a scalar.  Raises `NotAffine` if it is not there any more."""
        if not self._is_there(reached, value):
            raise NotAffine
        return self.origin_element(value)

    def _is_there(self, reached: Container[Value], value: Value) -> bool:
        """Whether a tile is one of those that a pass has reached, or is computed from scalars only."""
        pending, seen = [value], {value}
        while pending:
            current = pending.pop()
            if not is_tile(current.type) or current in reached:
                continue
            op = current.owner
            if (
                not isinstance(op, Operation)
                or operation_table.is_load(op)
                or not operation_table.is_evaluated(op)
            ):
                return False
            pending += [operand for operand in op.operands if operand not in seen]
            seen.update(op.operands)
        return True


def _is_apart(tile: access.Access) -> bool:
    """Whether only the program's run tells how far the elements of a row are apart."""
    return isinstance(access.row_distance(tile), Value) and size_of(tile.element) in pairs.SIZES
