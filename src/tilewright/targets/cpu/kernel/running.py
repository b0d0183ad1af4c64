"""What a kernel leaves on the stack of its thread while it runs, for the report of a crash.

A kernel notes which launch it works for and which tile block it computes.  Whoever looks at the stack of a thread that
has crashed, from the innermost frame outwards, finds the note by its tag, which depends on where the note is: copies and
other numbers do not look like it.  Launches pay nothing; a tile block pays for one store.
"""

from __future__ import annotations

from tilewright.dialects.llvm import ops_arithmetic as llvm
from tilewright.dialects.llvm.ops_conversion import PtrToIntOp
from tilewright.ir.builtin_types import i64
from tilewright.ir.value import Value
from tilewright.targets.llvm.code import Code

WORD = 8
TAG_BITS = int.from_bytes(b"running.", "little")
"""The first word of a note is its own address, exclusive-or these bits."""
CONTEXT, GRID, NUMBER = 8, 16, 24
"""Offsets in a note of the addresses of the launch context and of the grid, and of the number of the tile block."""
NOTE_WORDS = 4


def begin_note(code: Code, context: Value, grid: Value) -> Value:
    """A kernel begins; answers the address of its note.  Stores are volatile, as nothing here reads them."""
    note = code.stack(NOTE_WORDS, i64, WORD)
    tag = code(llvm.XOrOp, code(PtrToIntOp, note, type=i64), code.integer(TAG_BITS))
    for value, offset in ((context, CONTEXT), (grid, GRID), (tag, 0)):
        code.store(value, code.address(note, offset), WORD, volatile_=True)
    return note


def note_block(code: Code, note: Value, number: Value) -> None:
    """A tile block begins."""
    code.store(number, code.address(note, NUMBER), WORD, volatile_=True)


def end_note(code: Code, note: Value) -> None:
    """The kernel ends, and its note no longer counts."""
    code.store(code.integer(0), note, WORD, volatile_=True)
