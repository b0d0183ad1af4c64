"""What a kernel says while it runs: failed assertions, and output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.llvm import ops_arithmetic as llvm
from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.ops_aggregate import ExtractValueOp
from tilewright.dialects.llvm.ops_control import CallOp
from tilewright.dialects.llvm.ops_memory import AtomicCmpXchgOp, AtomicRMWOp
from tilewright.dialects.nv_tileaa import ops_program as aa_program
from tilewright.ir.builtin_types import FloatType, IntegerType, i1, i8
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets import codes
from tilewright.targets.cpu.buffer import LINE, Buffer, Coordinates, row_major
from tilewright.targets.cpu.code import POINTER
from tilewright.targets.cpu.context import CALLBACK, COUNTER, REPORT, REPORT_BLOCK, STOP, Site
from tilewright.targets.cpu.each import each
from tilewright.targets.cpu.elements import element_of, is_tile, shape_of
from tilewright.targets.cpu.point import Point

if TYPE_CHECKING:
    from tilewright.targets.cpu.function import KernelEmitter

MOST_PRINTED = 1 << 16
"""A print of more elements than that is refused: nobody reads it."""


def _site(emit: KernelEmitter, site: Site) -> Value:
    """The number of a place of the kernel."""
    emit.sites.append(site)
    return emit.code.integer(len(emit.sites) - 1)


# --- assertions


def _assert(emit: KernelEmitter, op: Any) -> None:
    """A tile block for which the condition does not hold reports and ends; no other one begins."""
    code = emit.code
    holds = _all(emit, op.condition)
    failed, go_on = code.new_block(), code.new_block()
    code.fork(holds, go_on, failed)
    code.enter(failed)
    report(emit, _site(emit, Site("assert", op.message, op.location)))
    code.enter(go_on)


def _all(emit: KernelEmitter, condition: Value) -> Value:
    """Whether a condition holds for all elements."""
    code = emit.code
    if not is_tile(condition.type):
        return emit.scalars[condition]
    found = Buffer(code.stack(1, i8, 1), (), (), i1)
    found.store(code, (), code.true(), 1)

    def body(point: Point, at: Coordinates) -> None:
        so_far = found.load(code, (), 1)
        found.store(code, (), code(llvm.AndOp, so_far, point.lanes_at(condition, at)), 1)

    each(emit, shape_of(condition.type), body)
    return found.load(code, (), 1)


def report(emit: KernelEmitter, site: Value) -> None:
    """Leave a report, if it is the first one, and end the tile block and the launch."""
    code, context = emit.code, emit.context
    place = code.address(context, REPORT)
    orders = (AtomicOrdering.ACQ_REL, AtomicOrdering.ACQUIRE)
    mine = code.sum(site, code.integer(1))
    pair = code(AtomicCmpXchgOp, place, code.integer(0), mine, *orders, alignment=8)

    def first() -> Sequence[Value]:
        code.store(emit.number, code.address(context, REPORT_BLOCK), 8)
        return ()

    code.either(code(ExtractValueOp, pair, (1,), type=i1), first, lambda: ())
    counter = code.address(context, COUNTER)
    code(AtomicRMWOp, AtomicBinaryOperation.XCHG, counter, code.integer(STOP), AtomicOrdering.MONOTONIC)
    code.jump(emit.fetch)


# --- output


def _print(emit: KernelEmitter, op: Any) -> None:
    """Put the values side by side, each on a line of the cache, and call who prints."""
    code = emit.code
    types = [element_of(value.type) for value in op.arguments]
    shapes = [shape_of(value.type) for value in op.arguments]
    _check(op, types, shapes)
    values = _values(emit, op, types, shapes)
    site = _site(emit, Site("print", op.format, op.location, tuple(map(str, types)), tuple(shapes)))
    callback = code.load(code.address(emit.context, CALLBACK), POINTER, 8)
    code.effect(CallOp, (), [callback, emit.context, site, emit.number, values], result_types=[])


def _check(op: Any, types: Sequence[Any], shapes: Sequence[tuple[int, ...]]) -> None:
    for type, shape in zip(types, shapes, strict=True):
        if not isinstance(type, IntegerType | FloatType) or (type.width % 8 and type.width not in (1, 19)):
            raise failure(
                codes.NO_CPU_FORM,
                f"elements of '{type}' cannot be printed on the CPU",
                op.location,
                hint="print them as integers or floats of at least 8 bits",
            )
        if Buffer(op, shape, row_major(shape), type).count > MOST_PRINTED:
            raise failure(
                codes.NO_CPU_FORM,
                f"a print of more than {MOST_PRINTED} elements is refused",
                op.location,
                hint="print a part of the tile",
            )


def _values(emit: KernelEmitter, op: Any, types: Sequence[Any], shapes: Sequence[tuple[int, ...]]) -> Value:
    """The address of the values in memory."""
    code = emit.code
    sizes = [
        Buffer(op, shape, row_major(shape), type).bytes for type, shape in zip(types, shapes, strict=True)
    ]
    starts = [sum(-(-size // LINE) * LINE for size in sizes[:at]) for at in range(len(sizes))]
    room = emit.allocate((max(1, sum(sizes) + LINE * len(sizes)),), i8).address
    for value, type, shape, start in zip(op.arguments, types, shapes, starts, strict=True):
        target = Buffer(code.address(room, start), shape, row_major(shape), type)
        if is_tile(value.type):
            emit.copy(emit.buffers[value], target)
        else:
            target.store(code, (), emit.scalars[value], 1)
    return room


RULES: dict[type[Operation], Any] = {
    aa_program.AssertOp: _assert,
    aa_program.PrintOp: _print,
}
