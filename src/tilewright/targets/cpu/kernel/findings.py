"""How a checked kernel tells what it found: a call of the launch's observer, after which the tile block may have to end."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.ops.control import CallOp
from tilewright.dialects.llvm.ops.memory import AtomicRMWOp
from tilewright.ir.builtin_types import i64
from tilewright.ir.value import Value
from tilewright.runtime.context import COUNTER, OBSERVER, STOP, Event, Site
from tilewright.targets.cpu.kernel.block_code import BlockCode
from tilewright.targets.llvm.code import POINTER, Code, Index

WORD = 8
MAXIMUM_DETAILS = 4


def tell(
    code: Code, context: Value, event: Event, site: Value, block: Value, room: Value, details: Sequence[Index]
) -> Value:
    """Call the observer, with details in ``room``; answers whether the tile block has to end, as 64 bits."""
    for at, detail in enumerate(details):
        code.store(code.value(detail), code.address(room, at * WORD), WORD)
    observer = code.load(code.address(context, OBSERVER), POINTER, WORD)
    arguments = [observer, context, code.integer(event), site, block, room]
    return code(CallOp, (), arguments, type=i64)


def details_room(code: Code) -> Value:
    """Memory for the details of an event."""
    return code.stack(MAXIMUM_DETAILS, i64, WORD)


def report_finding(emit: BlockCode, site: Site, element: Index = 0, values: Sequence[Value] = ()) -> None:
    """Say that a check does not hold for an element (by its number, row by row).

    The tile block and the launch end, unless the observer ignores it.  ``values`` are for the message.
    """
    code, number = emit.code, emit.code.integer(site_number(emit.sites, site))
    details = [element, *values]
    stop_if(emit, tell(code, emit.context, Event.FINDING, number, emit.number, details_room(code), details))


def stop_if(emit: BlockCode, answer: Value) -> None:
    """End the tile block and the launch if an answer of the observer says so."""
    code = emit.code
    bad, good = code.new_block(), code.new_block()
    code.fork(code.compare("ne", answer, 0), bad, good)
    code.enter(bad)
    stop(emit)
    code.enter(good)


def site_number(sites: list[Site], site: Site) -> int:
    """The number of a site, which may stand in several places: a pass exists with masks and without."""
    if site not in sites:
        sites.append(site)
    return sites.index(site)


def stop(emit: BlockCode) -> None:
    """End the tile block, and let no other one begin."""
    code = emit.code
    counter = code.address(emit.context, COUNTER)
    code(AtomicRMWOp, AtomicBinaryOperation.XCHG, counter, code.integer(STOP), AtomicOrdering.MONOTONIC)
    code.jump(emit.abandon)
