"""Loops that may run for long, and how a tile block leaves them when the launch has to end.

Such a loop reads a word of the launch context (`ATTENTION`) in each iteration. The word is nearly always 0
and stays in the caches, so an iteration costs a load and a branch that is rarely taken. For an iteration of
one or two cycles that is expensive: a `while` loop with a small body is unrolled, with one test per
`UNROLLED` iterations. Loops whose work is known and small have no such test and cannot be stopped.
"""

from __future__ import annotations

import math

from tilewright.dialects.arith.ops_integer import ConstantOp
from tilewright.dialects.llvm.enums import AtomicOrdering
from tilewright.dialects.llvm.ops import arithmetic as llvm, symbol as llvm_symbol
from tilewright.dialects.llvm.ops.control import CallOp, CondBrOp, ReturnOp
from tilewright.dialects.nv_tileas.ops_tile import DotOp
from tilewright.dialects.scf.ops_loop import ForOp, IfOp, WhileOp
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import IntegerType, i64
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.runtime.context import ATTENDANT, ATTENTION, END, ReportSite
from tilewright.targets.cpu.checks import findings, state as checks_state
from tilewright.targets.cpu.kernel.prints import leave_report
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.elements.element_types import is_tile, shape_of
from tilewright.targets.llvm.code import POINTER, LlvmBuilder

KIND = "loop"
"""The kind of the `ReportSite` of such a loop."""
FUNCTION = "launch.ends"
"""The name of the function that returns whether a tile block has to end."""
SHORT = 1 << 24
"""The number of elements that a loop may compute without a test: between 0.01 and 0.2 seconds of work."""
SMALL = 8
"""The largest body, in operations, that is unrolled: a test per iteration would cost it more than 1 %."""
UNROLLED = 32
"""The iterations from one test to the next in such a loop. With 8 or 16 of one cycle each, a test costs 5 %."""
SELDOM = (1, 1 << 20)
"""The branch weights of a test."""


def may_take_long(loop: ForOp) -> bool:
    """Return whether a counted loop needs a test: its trip count is unknown, or it may compute more than
    `SHORT` elements.
    """
    return not _is_short(_rounds(loop), _work_inside(loop))


def _is_short(rounds: int | None, work: int) -> bool:
    return rounds is not None and rounds * work <= SHORT


def _rounds(loop: ForOp) -> int | None:
    """Return the maximum trip count of a counted loop, or None if it is unknown: its bounds are not constant,
    and its induction variable has more than 16 bits.
    """
    position = loop.operands[0].type
    bounds = [_constant(value) for value in loop.operands[:3]]
    lower, upper, step = bounds
    if lower is not None and upper is not None and step:
        return max(0, -(-(upper - lower) // abs(step)))
    if isinstance(position, IntegerType) and position.width <= 16:
        return 1 << position.width
    return None


def _constant(value: Value) -> int | None:
    held = value.owner.value if isinstance(value.owner, ConstantOp) else None
    return held.value if isinstance(held, IntegerAttr) else None


def _work_inside(op: Operation) -> int:
    """Return the maximum number of elements that the regions of an operation compute between two tests."""
    return sum(_work(inner) for region in op.regions for block in region.blocks for inner in block)


def _work(op: Operation) -> int:
    """Return the maximum number of elements that an operation computes between two tests."""
    inside = _work_inside(op)
    if isinstance(op, ForOp):
        rounds = _rounds(op)
        return 1 + (rounds * inside if rounds is not None and _is_short(rounds, inside) else inside)
    if isinstance(op, IfOp | WhileOp):
        return 1 + inside
    elements = max((_elements(value) for value in (*op.operands, *op.results)), default=1)
    if isinstance(op, DotOp):
        return elements * shape_of(op.operands[0].type)[-1]
    return elements * (1 + inside)


def _elements(value: Value) -> int:
    return math.prod(shape_of(value.type)) if is_tile(value.type) else 1


def unrolled_iterations(loop: WhileOp) -> int:
    """Return how many iterations of a `while` loop share one test: `UNROLLED` for a small body, otherwise 1.

    A small body has at most `SMALL` operations, all on scalars and without effects.
    """
    inside = [op for op in loop.walk() if op is not loop]
    is_small = len(inside) <= SMALL and all(_is_scalar(op) for op in inside)
    return UNROLLED if is_small else 1


def _is_scalar(op: Operation) -> bool:
    values = (*op.operands, *op.results)
    is_pure = op.kind.is_terminator or (op.kind.has_trait(Pure) and not op.regions)
    return is_pure and not any(is_tile(value.type) for value in values)


def round_begins(emit: BlockCode, loop: ForOp | WhileOp) -> None:
    """Emit the test at the begin of a loop iteration: the tile block ends if the launch has to end. If the
    launch is to pause, the launcher's attendant is called, and the iteration continues. The loop becomes a
    site of the kernel.
    """
    code = emit.code
    site = code.integer(findings.site_number(emit.sites, ReportSite(KIND, "", loop.location)))
    asked, ends, go_on = code.new_block(), code.new_block(), code.new_block()
    attention = _attention(code, emit.context)
    is_asked = code.compare("ne", attention, 0)
    code.effect(CondBrOp, is_asked, (), (), branch_weights=SELDOM, trueDest=asked, falseDest=go_on)
    code.enter(asked)
    arguments = [emit.context, emit.wanted, site, emit.number]
    answer = code(CallOp, (), arguments, callee=FUNCTION, type=i64)
    code.fork(code.compare("ne", answer, 0), ends, go_on)
    code.enter(ends)
    code.jump(emit.abandon)
    code.enter(go_on)


def _attention(code: LlvmBuilder, context: Value) -> Value:
    place = code.address(context, ATTENTION)
    return code.load(place, i64, checks_state.WORD, ordering=AtomicOrdering.MONOTONIC)


def function() -> llvm_symbol.LLVMFuncOp:
    """Return the function `launch.ends(context, wanted, site, tile block)`: whether the tile block has to
    end, as 64 bits.

    A call that obeys a pause first lets the launcher do other work. The launcher may then end the launch.
    """
    return checks_state.helper(FUNCTION, (POINTER, i64, i64, i64), i64, _write)


def _write(code: LlvmBuilder) -> None:
    context, wanted, site, number = code.entry.arguments
    paused, asked, attended, goes_on, ends = (code.new_block() for _ in range(5))
    word = code(llvm.AndOp, _attention(code, context), wanted)
    code.fork(code.compare("eq", word, 0), goes_on, paused)
    code.enter(paused)
    code.fork(code.compare("eq", word, END), ends, asked)
    code.enter(asked)
    place = code.address(context, ATTENDANT)
    code.fork(code.compare("eq", code.load(place, i64, checks_state.WORD), 0), goes_on, attended)
    code.enter(attended)
    attendant = code.load(place, POINTER, checks_state.WORD)
    answer = code(CallOp, (), [attendant, context], type=i64)
    code.fork(code.compare("eq", answer, 0), goes_on, ends)
    code.enter(goes_on)
    code.effect(ReturnOp, code.integer(0))
    code.enter(ends)
    leave_report(code, context, site, number)
    code.effect(ReturnOp, code.integer(1))
