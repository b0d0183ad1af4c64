"""How a checked kernel reports an error: it calls the launch's observer, and ends the tile block if the
observer says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.ops.control import CallOp
from tilewright.dialects.llvm.ops.memory import AtomicRMWOp
from tilewright.ir.builtin_types import i64
from tilewright.ir.value import Value
from tilewright.runtime.context import COUNTER, OBSERVER, STOP, CheckEvent, ReportSite
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.llvm.code import POINTER, Index, LlvmBuilder

WORD = 8
MAXIMUM_DETAILS = 4


def emit_report(
    code: LlvmBuilder,
    context: Value,
    event: CheckEvent,
    site: Value,
    block: Value,
    memory: Value,
    details: Sequence[Index],
) -> Value:
    """Store `details` at the address `memory` and call the observer; return its result, 64 bits, which is not
    0 if the tile block has to end.
    """
    for at, detail in enumerate(details):
        code.store(code.value(detail), code.address(memory, at * WORD), WORD)
    observer = code.load(code.address(context, OBSERVER), POINTER, WORD)
    arguments = [observer, context, code.integer(event), site, block, memory]
    return code(CallOp, (), arguments, type=i64)


def details_memory(code: LlvmBuilder) -> Value:
    """Return the address of stack memory for the details of an event: `MAXIMUM_DETAILS` words of 64 bits."""
    return code.stack(MAXIMUM_DETAILS, i64, WORD)


def report_finding(
    emit: BlockCode, site: ReportSite, element: Index = 0, values: Sequence[Value] = ()
) -> None:
    """Emit code that reports that the check ``site`` fails for the element with the row-major number
    `element`, and ends the tile block and the launch, unless the launch's observer ignores the failure.
    ``values`` are 64-bit numbers for the message.
    """
    code, number = emit.code, emit.code.integer(site_number(emit.sites, site))
    details = [element, *values]
    stop_if(
        emit,
        emit_report(
            code, emit.context, CheckEvent.FINDING, number, emit.number, details_memory(code), details
        ),
    )


def stop_if(emit: BlockCode, answer: Value) -> None:
    """Emit code that ends the tile block and the launch if the observer's result `answer` is not 0. Otherwise
    execution continues at the insertion point.
    """
    code = emit.code
    bad, good = code.new_block(), code.new_block()
    code.fork(code.compare("ne", answer, 0), bad, good)
    code.enter(bad)
    stop(emit)
    code.enter(good)


def site_number(sites: list[ReportSite], site: ReportSite) -> int:
    """Return the number of `site` in `sites`, from 0; the site is appended if it is missing. A site is
    requested several times if a nest has versions with and without masks.
    """
    if site not in sites:
        sites.append(site)
    return sites.index(site)


def stop(emit: BlockCode) -> None:
    """Emit code that ends the tile block, and lets no other tile block begin."""
    code = emit.code
    counter = code.address(emit.context, COUNTER)
    code(AtomicRMWOp, AtomicBinaryOperation.XCHG, counter, code.integer(STOP), AtomicOrdering.MONOTONIC)
    code.jump(emit.abandon)
