"""Deep copies of operations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from tilewright.ir.attribute import Attribute, Location, SharedAttributes, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.construction.constructor import as_value, initialise, new_results
from tilewright.ir.context import Context
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.support.collection import paused_collection
from tilewright.ir.value import OpResult, Value

_Op = TypeVar("_Op", bound=Operation)


def clone(op: _Op, mapping: dict[Value, Value]) -> _Op:
    """Return a copy of an operation with everything in it, in no block.

    Operands that are keys of ``mapping`` are replaced by its values; other operands from outside are used as
    they are. The values of the original and of the copy are added to ``mapping``. No recursion: depth is
    limited by memory only.
    """
    if not op.regions:
        return _Cloning(mapping).run(op)
    with paused_collection():
        return _Cloning(mapping).run(op)


def clone_all(operations: Iterable[Operation], mapping: dict[Value, Value]) -> list[Operation]:
    """Return copies of consecutive operations of a block with everything in them, in no block. Operands that
    are keys of ``mapping``, or are defined by one of the operations, are replaced by the mapped values or the
    copies; other operands are used as they are. The values of the originals and of the copies are added to
    ``mapping``.
    """
    cloning = _Cloning(mapping)
    copies = [cloning.copied(op) for op in operations]
    cloning.connect()
    return copies


class _Cloning:
    """The state of a deep copy: ``mapping`` from values to their copies, ``blocks`` likewise, and copies that
    are not complete.
    """

    def __init__(self, mapping: dict[Value, Value]) -> None:
        self.mapping = mapping
        self.blocks: dict[Block, Block] = {}
        self.late: list[tuple[Operation, Operation]] = []
        """Operations with operands that had no copy yet; they may be defined further on."""
        self.branches: list[tuple[Operation, Operation]] = []

    def run(self, op: Operation) -> Any:
        """Return the finished copy of `op`."""
        root = self.copied(op)
        self.connect()
        return root

    def copied(self, op: Operation) -> Operation:
        """Return a copy of `op` with everything in it. `connect` sets successors and operands that are still
        missing.
        """
        root = self._shallow(op)
        pending: list[tuple[Operation, Operation]] = [(op, root)] if op.regions else []
        while pending:
            source, copy = pending.pop()
            for old_region, new_region in zip(source.regions, copy.regions, strict=True):
                for old_block in old_region.blocks:
                    self._block(old_block, new_region.append(self._empty(old_block)), pending)
        return root

    def _empty(self, block: Block) -> Block:
        copy = Block([argument.type for argument in block.arguments], block.argument_locations)
        self.mapping.update(zip(block.arguments, copy.arguments, strict=True))
        self.blocks[block] = copy
        return copy

    def _block(self, source: Block, copy: Block, pending: list[tuple[Operation, Operation]]) -> None:
        """Copy the operations of a block, without their regions, which are added to `pending`.

        The loop copies operations without regions and successors itself, slot by slot; most operations are of
        this kind.
        """
        mapping, new, shared = self.mapping, object.__new__, SharedAttributes
        copy_of = mapping.__getitem__
        previous: Operation | None = None
        op = source.first
        while op is not None:
            if op.regions or op.successors:
                duplicate = self._shallow(op)
                if op.regions:
                    pending.append((op, duplicate))
            else:
                duplicate = new(type(op))
                try:
                    operands = tuple(map(copy_of, op.operands)) if op.operands else ()
                except KeyError:
                    operands = self._incomplete(op, duplicate)
                duplicate.kind = op.kind
                held = op.held_attributes
                duplicate.held_attributes = held if type(held) is shared else {**held}
                duplicate.lazy_location = op.lazy_location
                duplicate.operands = operands
                for value in operands:
                    if value.compact_uses is None:
                        value.compact_uses = duplicate
                    else:
                        value.add_use(duplicate)
                results = op.results
                if len(results) == 1:
                    (old,) = results
                    mapping[old] = result = new(OpResult)
                    result.type = old.type
                    result.compact_uses = None
                    result.owner = duplicate
                    result.index = 0
                    duplicate.results = (result,)
                else:
                    duplicate.results = new_results(duplicate, [result.type for result in results])
                    mapping.update(zip(results, duplicate.results, strict=True))
                duplicate.regions = duplicate.successors = ()
                duplicate.order_number = duplicate.next = None
            duplicate.parent = copy
            duplicate.previous = previous
            if previous is None:
                copy.first = duplicate
            else:
                previous.next = duplicate
            previous = duplicate
            op = op.next
        copy.last = previous
        copy.order_valid = previous is not None

    def _shallow(self, op: Operation) -> Operation:
        """Return a copy of one operation with empty regions and no successors, and record its results in
        `mapping`.
        """
        kind, results = op.kind, op.results
        copy = object.__new__(kind.op_class)
        operands, regions = self._incomplete(op, copy), [Region() for _ in op.regions] if op.regions else ()
        types = [result.type for result in results]
        initialise(copy, kind, operands, types, _own_attributes(op), regions, (), op.lazy_location)
        if len(results) == 1:  # most often
            self.mapping[results[0]] = copy.results[0]
        else:
            self.mapping.update(zip(results, copy.results, strict=True))
        if op.successors:
            self.branches.append((op, copy))
        return copy

    def _incomplete(self, op: Operation, copy: Operation) -> tuple[Value, ...]:
        """Return the operands of `copy`. If one of them has no copy yet, record the pair for `connect`."""
        mapping = self.mapping
        for value in op.operands:
            if value not in mapping:
                self.late.append((op, copy))
                break
        return tuple([mapping.get(value, value) for value in op.operands])

    def connect(self) -> None:
        """Set the successors of the copies, and operands that were used before their definition was copied."""
        mapping, blocks = self.mapping, self.blocks
        for source, copy in self.branches:
            copy.set_successors([blocks.get(block, block) for block in source.successors])
        for source, copy in self.late:
            operands = tuple([mapping.get(value, value) for value in source.operands])
            if operands != copy.operands:
                copy.set_operands(operands)


def _own_attributes(op: Operation) -> Mapping[str, Attribute]:
    """Return the attributes of a copy of `op`: the same shared dictionary, or a copy of its own dictionary."""
    held = op.held_attributes
    return held if type(held) is SharedAttributes else {**held}


def create(
    name: str,
    results: Sequence[Type] | None,
    operands: Sequence[Value | Operation] | None,
    attributes: Mapping[str, Attribute] | None,
    successors: Sequence[Block] | None,
    regions: int,
    loc: Location | None,
    ip: InsertionPoint | Literal[False] | None,
    infer_type: bool,
) -> Operation:
    """Return a new operation called `name`; the implementation of `Operation.create`. `regions` is the number
    of empty regions.

    `results` None stands for no results or, with `infer_type`, for inferred ones. `loc` and `ip` None stand
    for the location and the insertion point of the ``with`` block; `ip` False inserts nowhere. Raises
    `ValueError` without a context, for an unknown name, and for both results and `infer_type`.
    """
    kind = _kind(name)
    values = [as_value(operand) for operand in operands or ()]
    own = dict(attributes or {})
    inner = [Region() for _ in range(regions)]
    if infer_type and results is not None:
        raise ValueError("give either results or infer_type, not both")
    types = kind.op_class.infer_result_types(values, own, inner) if infer_type else results or ()
    place = loc or Location.current or UNKNOWN
    made = Operation.from_parts(kind, values, tuple(types), own, inner, successors or (), place)
    point = InsertionPoint.current if ip is None else ip
    return point.insert(made) if point else made


def _kind(name: str) -> OperationKind:
    context = Context.current
    if context is None:
        raise ValueError(f"'{name}' is looked up in a context: enter one, `with tilewright.Context():`")
    kind = context.kind(name)
    if kind is None and context.allow_unregistered:
        return context.unregistered_kind(name)
    if kind is None:
        close = context.suggestion(name)
        hint = f"; did you mean '{close}'?" if close else ""
        raise ValueError(f"the context has no operation '{name}'{hint}")
    return kind
