"""The state that the functions of checked accesses share: the memory of a thread, and the arguments that
describe elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.dialects.llvm.enums import Linkage
from tilewright.dialects.llvm.ops import control as llvm_control, symbol as llvm_symbol
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import i64
from tilewright.ir.value import Value
from tilewright.runtime.context import CheckEvent, KnownMemoryOffset
from tilewright.targets.cpu.checks.findings import MAXIMUM_DETAILS, emit_report
from tilewright.targets.cpu.facts.checks import CheckedAccessKind
from tilewright.targets.llvm.code import POINTER, LlvmBuilder

PREFIX = "checks."
WORD = 8
WRITES = frozenset({CheckedAccessKind.WEAK_WRITE, CheckedAccessKind.STRONG_WRITE})


class ThreadState:
    """Byte offsets in the state of a thread of a checked kernel: 64-bit words, then rows for the memory of
    the tile block.

    - ``CONTEXT``: the address of the context of the launch; ``BLOCK``: the number of the tile block.
    - ``CELL``: the value that accesses of the tile block write to cells, without the site.
    - ``SEVERAL``: the cell value for several tile blocks; ``LEAST``: the minimum of the cell values of this
      launch.
    - ``LAST``: the address of the table row that was found last.
    - ``STAMP``: the number of the store that is checked, or 0 if it cannot write an address twice.
    - ``STORES``: the number of the last store that has a number; ``CLOCK``: the address of the clock.
    - ``DETAILS``: the words for the details of a report, `MAXIMUM_DETAILS` of them.
    - ``LOCAL_COUNT``: how many allocations the kernel has; ``LOCALS``: the first of their rows.
    """

    CONTEXT = 0
    BLOCK = 8
    CELL = 16
    LAST = 24
    STAMP = 32
    STORES = 40
    CLOCK = 48
    LOCAL_COUNT = 56
    SEVERAL = 64
    LEAST = 72
    DETAILS = 80
    LOCALS = DETAILS + MAXIMUM_DETAILS * WORD


@dataclass(frozen=True, slots=True)
class CheckedElements:
    """The arguments of most check functions: contiguous elements in memory, from ``address`` on.

    ``state`` is the address of the state of the thread (`ThreadState`). ``bytes`` is the size of all elements
    and ``size`` the size of one, in bytes; ``site`` is the number of the access. ``element`` is the row-major
    number of the first element of the row in its tile, and ``skipped`` the number of elements of the row
    before the address.
    """

    state: Value
    address: Value
    bytes: Value
    size: Value
    site: Value
    element: Value
    skipped: Value

    def arguments(self) -> tuple[Value, ...]:
        """Return the fields in the order in which they are arguments of `run`."""
        return (self.state, self.address, self.bytes, self.size, self.site, self.element, self.skipped)


ELEMENTS: tuple[Type, ...] = (POINTER, *[i64] * 6)
"""The types of the fields of `CheckedElements`."""


def name_of(function: str, kind: CheckedAccessKind | None = None) -> str:
    """Return the symbol name of the check function `function` for a kind of access; without a kind, of its
    only form.
    """
    return PREFIX + function if kind is None else f"{PREFIX}{function}.{kind.name.lower()}"


def helper(
    name: str, types: Sequence[Type], result: Type, write: Callable[[LlvmBuilder], None]
) -> llvm_symbol.LLVMFuncOp:
    """Return a function of the module with internal linkage that is never inlined; `write` emits its body."""
    body = Region([Block(list(types))])
    write(LlvmBuilder(body))
    form = LLVMFunctionType(result, tuple(types))
    return llvm_symbol.LLVMFuncOp(
        sym_name=name, function_type=form, body=body, no_unwind=True, linkage=Linkage.INTERNAL, no_inline=True
    )


def load_word(code: LlvmBuilder, base: Value, offset: int, type: Type = i64) -> Value:
    """Load a word of 64 bits as a value of `type`, `offset` bytes after `base`."""
    return code.load(code.address(base, offset), type, WORD)


def is_inside(code: LlvmBuilder, row: Value, start: Value, end: Value) -> Value:
    """Return whether the memory that a row of the table describes holds all bytes from `start` to `end`
    (exclusive).
    """
    first = code.compare_integers("uge", start, load_word(code, row, KnownMemoryOffset.START))
    last = code.compare_integers("ule", end, load_word(code, row, KnownMemoryOffset.END))
    return code.both([first, last])


def report_if(code: LlvmBuilder, condition: Value, event: CheckEvent, elements: CheckedElements) -> None:
    """If `condition` holds, report the first element to the observer, and emit a return of the observer's
    result.
    """
    bad, good = code.new_block(), code.new_block()
    code.fork(condition, bad, good)
    code.enter(bad)
    report_address(code, event, elements, elements.address, elements.skipped)
    code.enter(good)


def report_address(
    code: LlvmBuilder,
    event: CheckEvent,
    elements: CheckedElements,
    address: Value,
    skipped: Value,
    *more: Value,
) -> None:
    """Report `address`, of an element of `elements`, to the observer, and emit a return of the observer's
    result.

    ``skipped`` is the number of elements of the row before it, ``more`` further details of the event.
    """
    state = elements.state
    context = load_word(code, state, ThreadState.CONTEXT, POINTER)
    block = load_word(code, state, ThreadState.BLOCK)
    memory = code.address(state, ThreadState.DETAILS)
    details = (address, elements.element, skipped, *more)
    code.effect(
        llvm_control.ReturnOp, emit_report(code, context, event, elements.site, block, memory, details)
    )


def check_run(code: LlvmBuilder, kind: CheckedAccessKind, elements: CheckedElements) -> None:
    """Emit a call of the function `run` of accesses of this kind, which checks `elements`, and a return of
    its result if it is not 0.
    """
    answer = code(llvm_control.CallOp, (), elements.arguments(), callee=name_of("run", kind), type=i64)
    bad, good = code.new_block(), code.new_block()
    code.fork(code.compare("ne", answer, 0), bad, good)
    code.enter(bad)
    code.effect(llvm_control.ReturnOp, answer)
    code.enter(good)
