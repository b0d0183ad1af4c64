"""How a kernel maintains its note on the stack (see `tilewright.runtime.note`).

A launch costs nothing extra; each tile block costs one store.
"""

from __future__ import annotations

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.llvm.ops.conversion import PtrToIntOp
from tilewright.ir.builtin_types import i64
from tilewright.ir.value import Value
from tilewright.runtime.note import CONTEXT, GRID, NOTE_WORDS, NUMBER, TAG_BITS, WORD
from tilewright.targets.llvm.code import LlvmBuilder


def begin_note(code: LlvmBuilder, context: Value, grid: Value) -> Value:
    """Begin a kernel: return the address of its note. Stores are volatile because nothing in the kernel reads
    them.
    """
    note = code.stack(NOTE_WORDS, i64, WORD)
    tag = code(llvm.XOrOp, code(PtrToIntOp, note, type=i64), code.integer(TAG_BITS))
    for value, offset in ((context, CONTEXT), (grid, GRID), (tag, 0)):
        code.store(value, code.address(note, offset), WORD, volatile_=True)
    return note


def note_block(code: LlvmBuilder, note: Value, number: Value) -> None:
    """Begin a tile block: write its number to the note."""
    code.store(number, code.address(note, NUMBER), WORD, volatile_=True)


def end_note(code: LlvmBuilder, note: Value) -> None:
    """End the kernel: invalidate its note."""
    code.store(code.integer(0), note, WORD, volatile_=True)
