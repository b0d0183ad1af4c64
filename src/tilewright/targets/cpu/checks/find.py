"""The functions that find the memory in which a range of bytes lies."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, arithmetic as llvm
from tilewright.dialects.llvm.ops.control import CallOp, ReturnOp
from tilewright.dialects.llvm.ops.conversion import PtrToIntOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.ir.builtin_types import i64
from tilewright.ir.value import Value
from tilewright.runtime.context import ALLOCATION_COUNT, ALLOCATIONS, KnownMemoryOffset
from tilewright.targets.cpu.checks import state as checks_state
from tilewright.targets.cpu.facts.checks import CheckedAccessKind
from tilewright.targets.llvm.code import POINTER, Index, LlvmBuilder, LoopBody


def find() -> LLVMFuncOp:
    """Return the function `find(state, start, end)`: it returns the table row of the memory that holds all
    bytes from `start` to `end` (exclusive), or null. Rows of the launch's memory are searched first, then
    rows of the tile block's own memory.
    """
    return checks_state.helper(checks_state.name_of("find"), (POINTER, i64, i64), POINTER, _write_find)


def _write_find(code: LlvmBuilder) -> None:
    """Write `find`: a binary search in the sorted table, and a linear search in the few rows of the tile
    block's own memory.
    """
    state, start, end = code.entry.arguments
    context = checks_state.load_word(code, state, checks_state.ThreadState.CONTEXT, POINTER)
    table = checks_state.load_word(code, context, ALLOCATIONS, POINTER)
    rows = _last_row(code, table, checks_state.load_word(code, context, ALLOCATION_COUNT), start)
    return_if_inside(
        code,
        code.address(table, code.multiply(code.subtract(rows, 1), KnownMemoryOffset.BYTES)),
        start,
        end,
        rows,
    )
    locals_ = code.address(state, checks_state.ThreadState.LOCALS)

    def one(index: Index) -> None:
        return_if_inside(
            code, code.address(locals_, code.multiply(index, KnownMemoryOffset.BYTES)), start, end
        )

    def all_of_them(loop: LoopBody) -> Sequence[Value]:
        one(loop.index)
        return ()

    code.loop(
        0,
        checks_state.load_word(code, state, checks_state.ThreadState.LOCAL_COUNT),
        1,
        (),
        all_of_them,
        may_be_empty=True,
    )
    code.effect(ReturnOp, code(llvm_aggregate.ZeroOp, type=POINTER))


def _last_row(code: LlvmBuilder, table: Value, count: Value, start: Value) -> Value:
    """Return how many rows begin at or before the address `start`, by binary search."""
    head, body, done = code.new_block([i64, i64]), code.new_block(), code.new_block()
    code.jump(head, [code.integer(0), count])
    code.enter(head)
    low, high = head.arguments
    code.fork(code.compare("slt", low, high), body, done)
    code.enter(body)
    middle = code(llvm.LShrOp, code.value(code.add(low, high)), code.integer(1))
    row = code.address(table, code.multiply(middle, KnownMemoryOffset.BYTES))
    before = code.compare_integers("ule", checks_state.load_word(code, row, KnownMemoryOffset.START), start)
    after = code.value(code.add(middle, 1))
    code.jump(
        head,
        [
            code(llvm.SelectOp, before, after, low, type=i64),
            code(llvm.SelectOp, before, high, middle, type=i64),
        ],
    )
    code.enter(done)
    return low


def return_if_inside(
    code: LlvmBuilder, row: Value, start: Value, end: Value, rows: Value | None = None
) -> None:
    """Emit code that returns `row` from the function if the memory of the row holds all bytes from `start` to
    `end`, and continues otherwise. If the number ``rows`` is given and not positive at run time, there is no
    row, and it is not read. Without ``rows`` (None) it is always read.
    """
    look, found, go_on = code.new_block(), code.new_block(), code.new_block()
    exists = code.compare("sgt", rows, 0) if rows is not None else code.true()
    code.fork(exists, look, go_on)
    code.enter(look)
    code.fork(checks_state.is_inside(code, row, start, end), found, go_on)
    code.enter(found)
    code.effect(ReturnOp, row)
    code.enter(go_on)


def box(kind: CheckedAccessKind) -> LLVMFuncOp:
    """Return the function `box(state, start, end, size)`. It returns 1 if one known memory holds all bytes,
    `start` is a multiple of `size` and, for writes, the memory is writeable; otherwise 0.
    """

    def write(code: LlvmBuilder) -> None:
        state, start, end, size = code.entry.arguments
        known, search, found, done = (code.new_block(types) for types in ([POINTER], (), (), [i64]))
        last = checks_state.load_word(code, state, checks_state.ThreadState.LAST, POINTER)
        code.fork(checks_state.is_inside(code, last, start, end), known, search, [last])
        code.enter(search)
        row = code(CallOp, (), (state, start, end), callee=checks_state.name_of("find"), type=POINTER)
        missing = code.compare_integers("eq", code(PtrToIntOp, row, type=i64), code.integer(0))
        code.fork(missing, done, found, [code.integer(0)])
        code.enter(found)
        code.store(row, code.address(state, checks_state.ThreadState.LAST), checks_state.WORD)
        code.jump(known, [row])
        code.enter(known)
        low = code(llvm.AndOp, start, code.value(code.subtract(size, 1)))
        good = code.compare("eq", low, 0)
        if kind in checks_state.WRITES:
            writeable = checks_state.load_word(code, known.arguments[0], KnownMemoryOffset.WRITEABLE)
            good = code.both([good, code.compare("ne", writeable, 0)])
        code.jump(done, [code.index(good, signed=False)])
        code.enter(done)
        code.effect(ReturnOp, done.arguments[0])

    return checks_state.helper(checks_state.name_of("box", kind), (POINTER, *[i64] * 3), i64, write)
