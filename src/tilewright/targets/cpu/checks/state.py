"""What the functions that checked accesses call share: what a thread keeps, and how elements in memory are named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.dialects.llvm.enums import Linkage
from tilewright.dialects.llvm.ops.control import CallOp, ReturnOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import i64
from tilewright.ir.value import Value
from tilewright.runtime.context import Entry, Event
from tilewright.targets.cpu.checks.facts import Kind
from tilewright.targets.cpu.kernel.findings import MAXIMUM_DETAILS, tell
from tilewright.targets.llvm.code import POINTER, Code

PREFIX = "checks."
WORD = 8
WRITES = frozenset({Kind.WEAK_WRITE, Kind.STRONG_WRITE})


class State:
    """Offsets in what a thread of a checked kernel keeps: words of 64 bits, and rows for the memory of the tile block.

    ``CELL`` is what accesses of the tile block leave in cells, without the site, ``SEVERAL`` what stands for several tile
    blocks, ``LEAST`` the least that this launch leaves; ``LAST`` the address of the row of the table that was found last; ``STAMP`` the number of the store that is checked, or 0 if it cannot write an address twice,
    ``STORES`` how many had a number; ``CLOCK`` the address of the clock.
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
class Elements:
    """Arguments of most functions: some elements in memory, of which ``bytes`` is the size of all that lie side by side.

    ``element`` is the row-major number of the first in its tile, ``skipped`` how many of the row lie before.
    """

    state: Value
    address: Value
    bytes: Value
    size: Value
    site: Value
    element: Value
    skipped: Value

    def arguments(self) -> tuple[Value, ...]:
        """The arguments of `run`."""
        return (self.state, self.address, self.bytes, self.size, self.site, self.element, self.skipped)


ELEMENTS: tuple[Type, ...] = (POINTER, *[i64] * 6)
"""The types of `Elements`."""


def name_of(function: str, kind: Kind | None = None) -> str:
    """The name of a function."""
    return PREFIX + function if kind is None else f"{PREFIX}{function}.{kind.name.lower()}"


def helper(name: str, types: Sequence[Type], result: Type, write: Callable[[Code], None]) -> LLVMFuncOp:
    """A function of the module, which stays one."""
    body = Region([Block(list(types))])
    write(Code(body))
    form = LLVMFunctionType(result, tuple(types))
    return LLVMFuncOp(
        sym_name=name, function_type=form, body=body, no_unwind=True, linkage=Linkage.INTERNAL, no_inline=True
    )


def load_word(code: Code, base: Value, offset: int, type: Type = i64) -> Value:
    """A word of 64 bits."""
    return code.load(code.address(base, offset), type, WORD)


def is_inside(code: Code, row: Value, start: Value, end: Value) -> Value:
    """Whether the memory of a row holds all bytes from an address to another."""
    first = code.compare_integers("uge", start, load_word(code, row, Entry.START))
    last = code.compare_integers("ule", end, load_word(code, row, Entry.END))
    return code.both([first, last])


def tell_if(code: Code, condition: Value, event: Event, elements: Elements) -> None:
    """Tell the observer of the first element if a condition holds, and answer what it answers."""
    bad, good = code.new_block(), code.new_block()
    code.fork(condition, bad, good)
    code.enter(bad)
    tell_of(code, event, elements, elements.address, elements.skipped)
    code.enter(good)


def tell_of(
    code: Code, event: Event, elements: Elements, address: Value, skipped: Value, *more: Value
) -> None:
    """Tell the observer of an element, and answer what it answers."""
    state = elements.state
    context = load_word(code, state, State.CONTEXT, POINTER)
    block = load_word(code, state, State.BLOCK)
    room = code.address(state, State.DETAILS)
    details = (address, elements.element, skipped, *more)
    code.effect(ReturnOp, tell(code, context, event, elements.site, block, room, details))


def check_run(code: Code, kind: Kind, elements: Elements) -> None:
    """Call `run`, and answer what it answers if that is not 0."""
    answer = code(CallOp, (), elements.arguments(), callee=name_of("run", kind), type=i64)
    bad, good = code.new_block(), code.new_block()
    code.fork(code.compare("ne", answer, 0), bad, good)
    code.enter(bad)
    code.effect(ReturnOp, answer)
    code.enter(good)
