"""Output of a running kernel: failed assertions, errors found by checks, and prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.intrinsics.integer import CountTrailingZerosOp
from tilewright.dialects.llvm.ops import arithmetic as llvm, conversion as llvm_conversion
from tilewright.dialects.llvm.ops.aggregate import ExtractElementOp, ExtractValueOp
from tilewright.dialects.llvm.ops.control import CallOp
from tilewright.dialects.llvm.ops.memory import AtomicCmpXchgOp, AtomicRMWOp
from tilewright.dialects.nv_tileaa.attributes import Signedness
from tilewright.dialects.nv_tileaa.ops.program import AssertOp, CheckOp, PrintOp
from tilewright.ir import builtin_types, diagnostic
from tilewright.ir.operation import Operation
from tilewright.ir.support.print_conversions import PRINTABLE, parse_format
from tilewright.ir.value import Value
from tilewright.runtime import context as runtime_context
from tilewright.targets import codes
from tilewright.targets.check_sites import site_of
from tilewright.targets.cpu.checks.findings import report_finding
from tilewright.targets.cpu.machine.target import LINE
from tilewright.targets.cpu.memory.buffer import Coordinates, TileBuffer, spread
from tilewright.targets.cpu.memory.point import NestPoint
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.cpu.nest.each import each
from tilewright.targets.cpu.plan.model import Temporaries, row_major, tiles_of
from tilewright.targets.elements import convert
from tilewright.targets.elements.element_types import bytes_of, element_of, is_tile, shape_of
from tilewright.targets.llvm.code import POINTER, Index, LlvmBuilder


def _site(emit: BlockCode, site: runtime_context.ReportSite) -> Value:
    """Append `site` to the kernel's list of sites, and return its number as a constant."""
    emit.sites.append(site)
    return emit.code.integer(len(emit.sites) - 1)


# --- assertions


def _assert(emit: BlockCode, op: AssertOp) -> None:
    """Emit an assertion. If its condition is false for an element, the tile block leaves a report and ends,
    and no other tile block begins.
    """
    code = emit.code
    holds = _all(emit, op.condition)
    failed, go_on = code.new_block(), code.new_block()
    code.fork(holds, go_on, failed)
    code.enter(failed)
    report(emit, _site(emit, runtime_context.ReportSite("assert", op.message, op.location)))
    code.enter(go_on)


def _all(emit: BlockCode, condition: Value) -> Value:
    """Return whether `condition`, a scalar or a tile of i1, holds for all elements (i1)."""
    code = emit.code
    if not is_tile(condition.type):
        return emit.scalars[condition]
    found = TileBuffer(code.stack(1, builtin_types.i8, 1), (), (), builtin_types.i1)
    found.store(code, (), code.true(), 1)

    def body(point: NestPoint, at: Coordinates) -> None:
        so_far = found.load(code, (), 1)
        found.store(code, (), code(llvm.AndOp, so_far, point.lanes_at(condition, at)), 1)

    each(emit, shape_of(condition.type), body)
    return found.load(code, (), 1)


def report(emit: BlockCode, site: Value) -> None:
    """Emit code that leaves the report of `site` for this tile block (`leave_report`), lets no other tile
    block begin, and ends this tile block.
    """
    leave_report(emit.code, emit.context, site, emit.number)
    emit.code.jump(emit.abandon)


def leave_report(code: LlvmBuilder, context: Value, site: Value, number: Value) -> None:
    """Emit code that leaves the report of `site` for tile block `number` in the launch context at the address
    ``context``, unless the launch has a report already, and lets no other tile block begin. Execution
    continues.
    """
    place = code.address(context, runtime_context.REPORT)
    orders = (AtomicOrdering.ACQ_REL, AtomicOrdering.ACQUIRE)
    mine = code.sum(site, code.integer(1))
    pair = code(AtomicCmpXchgOp, place, code.integer(0), mine, *orders, alignment=8)

    def first() -> Sequence[Value]:
        code.store(number, code.address(context, runtime_context.REPORT_BLOCK), 8)
        return ()

    code.either(code(ExtractValueOp, pair, (1,), type=builtin_types.i1), first, lambda: ())
    counter = code.address(context, runtime_context.COUNTER)
    code(
        AtomicRMWOp,
        AtomicBinaryOperation.XCHG,
        counter,
        code.integer(runtime_context.STOP),
        AtomicOrdering.MONOTONIC,
    )


# --- checks


def _check(emit: BlockCode, op: CheckOp) -> None:
    """Emit a check of a scalar condition. If it is false, the finding is reported, and the tile block ends
    unless the observer ignores the finding.
    """
    code = emit.code
    failed, go_on = code.new_block(), code.new_block()
    code.fork(emit.scalars[op.condition], go_on, failed)
    code.enter(failed)
    words = [_word(code, emit.scalars[value], value, op) for value in op.values]
    report_finding(emit, site_of(op), values=words)
    code.jump(go_on)
    code.enter(go_on)


def _word(code: LlvmBuilder, held: Value, value: Value, op: CheckOp) -> Value:
    """Return the element `held` of `value`, a value of a check, as 64 bits for the message."""
    return convert.as_word(code, held, element_of(value.type), signed=op.signedness is Signedness.SIGNED)


@dataclass(frozen=True)
class TileChecks:
    """All checks of tiles in a nest (`ops`), with a common branch for each vector, which is taken only if a
    condition is false. `emit` emits code of the tile block.
    """

    emit: BlockCode
    ops: tuple[CheckOp, ...]

    def evaluate(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Emit the conditions and values of all checks at `coordinates`, so that they are computed before the
        branch whose reports use them.
        """
        for op in self.ops:
            for tile in tiles_of(op):
                point.lanes_at(tile, coordinates)

    def at(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Emit the test of all conditions at `coordinates`. Where one is false in a lane, the first failing
        element of each failed check is reported; the tile block ends at the first finding that the observer
        does not ignore.
        """
        code = point.code
        conditions = [point.lanes_at(op.condition, coordinates) for op in self.ops]
        failed, go_on = code.new_block(), code.new_block()
        code.fork(_all_lanes(code, _all_of(code, conditions, point.lanes)), go_on, failed)
        code.enter(failed)
        for op, condition in zip(self.ops, conditions, strict=True):
            lanes = [point.lanes_at(value, coordinates) for value in op.values]
            self._report_unless(op, condition, coordinates, lanes)
        code.jump(go_on)
        code.enter(go_on)

    def _report_unless(
        self, op: CheckOp, condition: Value, coordinates: Coordinates, values: Sequence[Value]
    ) -> None:
        code = self.emit.code
        failed, go_on = code.new_block(), code.new_block()
        code.fork(_all_lanes(code, condition), go_on, failed)
        code.enter(failed)
        shape, lane = shape_of(op.condition.type), _first_false(code, condition)
        element = code.add(_number(code, shape, coordinates), lane)
        words = [
            _word(code, _lane(code, lanes, lane), value, op)
            for value, lanes in zip(op.values, values, strict=True)
        ]
        report_finding(self.emit, site_of(op), element, words)
        code.jump(go_on)
        code.enter(go_on)


def _all_of(code: LlvmBuilder, conditions: Sequence[Value], lanes: int) -> Value:
    """Return the conjunction of `conditions`, lane by lane: a vector of `lanes` if one of them is a vector,
    else a scalar. Without conditions it is true.
    """
    distinct = list(dict.fromkeys(conditions))
    if any(isinstance(condition.type, builtin_types.VectorType) for condition in distinct):
        distinct = [spread(code, condition, lanes) for condition in distinct]
    return code.both(distinct)


def _bits(code: LlvmBuilder, condition: Value) -> Value:
    """Return the lanes of a condition as the bits of an integer, lane 0 in the lowest bit; a scalar is
    returned unchanged.
    """
    if not isinstance(condition.type, builtin_types.VectorType):
        return condition
    (lanes,) = condition.type.shape
    return code(llvm_conversion.BitcastOp, condition, type=builtin_types.IntegerType(lanes))


def _all_lanes(code: LlvmBuilder, condition: Value) -> Value:
    bits = _bits(code, condition)
    return (
        bits
        if bits.type is builtin_types.i1
        else code.compare_integers("eq", bits, code.integer(-1, bits.type))
    )


def _first_false(code: LlvmBuilder, condition: Value) -> Index:
    """Return the index of the first false lane of `condition`, which has at least one; 0 for a scalar."""
    bits = _bits(code, condition)
    if bits.type is builtin_types.i1:
        return 0
    holes = code(llvm.XOrOp, bits, code.integer(-1, bits.type))
    return code.index(code(CountTrailingZerosOp, holes, True), signed=False)


def _lane(code: LlvmBuilder, lanes: Value, lane: Index) -> Value:
    """Return one lane of a vector; a scalar is shared by all lanes."""
    if not isinstance(lanes.type, builtin_types.VectorType):
        return lanes
    return code(ExtractElementOp, lanes, code.value(lane))


def _number(code: LlvmBuilder, shape: Sequence[int], coordinates: Coordinates) -> Index:
    """Return the row-major number of the first lane at `coordinates` in a tile of shape `shape`."""
    number: Index = 0
    for coordinate, stride in zip(coordinates, row_major(shape), strict=True):
        number = code.add(number, code.multiply(coordinate.base, stride))
    return number


# --- output


def _check_format(op: PrintOp) -> None:
    """Raise `DiagnosticError` for a format that no tile can be printed with."""
    try:
        parse_format(op.format)
    except ValueError as error:
        raise diagnostic.failure(codes.NO_CPU_FORM, str(error), op.location, hint=PRINTABLE) from error


def _print(emit: BlockCode, op: PrintOp, plan: Temporaries) -> None:
    """Emit a print: store the values one after the other, each at a cache line, and call the print callback
    with their address. The operation becomes a site of the kernel. Raises `DiagnosticError` for a format that
    no tile can be printed with.
    """
    code = emit.code
    _check_format(op)
    types = [element_of(value.type) for value in op.arguments]
    shapes = [shape_of(value.type) for value in op.arguments]
    values = _values(emit, op, plan, types, shapes)
    site = _site(
        emit,
        runtime_context.ReportSite(
            "print", op.format, op.location, tuple(map(_printed, types)), tuple(shapes)
        ),
    )
    callback = code.load(code.address(emit.context, runtime_context.CALLBACK), POINTER, 8)
    code.effect(CallOp, (), [callback, emit.context, site, emit.number, values], result_types=[])


def _printed(element: Any) -> str:
    """Return the name of the element type that is passed to the print callback; pointers are printed as
    `i64`.
    """
    return str(
        element
        if isinstance(element, builtin_types.IntegerType | builtin_types.FloatType)
        else builtin_types.i64
    )


def _values(
    emit: BlockCode, op: PrintOp, plan: Temporaries, types: Sequence[Any], shapes: Sequence[tuple[int, ...]]
) -> Value:
    """Store the printed values one after the other, each at a cache line, and return the address of the
    first.
    """
    code = emit.code
    sizes = [bytes_of(value.type) for value in op.arguments]
    starts = [sum(-(-size // LINE) * LINE for size in sizes[:at]) for at in range(len(sizes))]
    slot = emit.address_of(plan.slots[0])
    for value, type, shape, start in zip(op.arguments, types, shapes, starts, strict=True):
        target = TileBuffer(code.address(slot, start), shape, row_major(shape), type)
        if is_tile(value.type):
            emit.copy(emit.buffers[value], target)
        else:
            target.store(code, (), emit.scalars[value], 1)
    return slot


RULES: dict[type[Operation], Any] = {
    AssertOp: _assert,
    CheckOp: _check,
    PrintOp: _print,
}
