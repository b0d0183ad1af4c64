"""How a kernel records when and on which thread each of its tile blocks ran (see
`tilewright.runtime.recording`).

The code for it is generated on request only; other kernels contain none of it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from tilewright.dialects.llvm.ops import arithmetic as llvm, control as llvm_control
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import i32, i64
from tilewright.ir.value import Value
from tilewright.runtime.context import RECORDS, RecordedBlock
from tilewright.targets.llvm.code import POINTER, LlvmBuilder

CLOCK, THREAD = "clock_gettime", "pthread_self"
"""Functions of the C library that return the time and the calling thread."""
_CLOCK_NUMBER = getattr(time, "CLOCK_MONOTONIC", 1)
"""The number of the clock in the C library of this machine."""
_WORD = 8
_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Recorder:
    """Emits code that records when each tile block of a kernel began and ended, in nanoseconds, and on which
    thread.

    ``records`` is the address of the records of the launch, and ``is_wanted`` an i1 that is false if the
    launch has none: records then go to ``spare``, on the stack. ``time`` is memory for the result of the
    clock, ``thread`` the number of the thread.
    """

    code: LlvmBuilder
    records: Value
    is_wanted: Value
    """Whether the launch has memory for records; if not, ``spare`` receives them."""
    spare: Value
    time: Value
    thread: Value

    def begin_block(self, number: Value) -> tuple[Value, Value]:
        """Emit the begin of tile block `number`; return the address of its record and the time in
        nanoseconds. If the launch has no memory for records, the address is spare memory of the thread.
        """
        code = self.code
        offset = code(llvm.MulOp, number, code.integer(RecordedBlock.BYTES))
        place = code.address(self.records, offset)
        return code(llvm.SelectOp, self.is_wanted, place, self.spare, type=POINTER), self._now()

    def end_block(self, place: Value, begin: Value) -> None:
        """Emit the end of a tile block: the stores of its begin, its end and the thread to the record at the
        address `place`.
        """
        record = (
            (RecordedBlock.BEGIN, begin),
            (RecordedBlock.END, self._now()),
            (RecordedBlock.THREAD, self.thread),
        )
        for offset, value in record:
            self.code.store(value, self.code.address(place, offset), _WORD)

    def _now(self) -> Value:
        """Emit a call of the clock of the C library; return the time in nanoseconds."""
        code = self.code
        code(llvm_control.CallOp, (), [code.integer(_CLOCK_NUMBER, i32), self.time], callee=CLOCK, type=i32)
        seconds = code.load(self.time, i64, _WORD)
        rest = code.load(code.address(self.time, _WORD), i64, _WORD)
        return code.value(code.add(code(llvm.MulOp, seconds, code.integer(_NANOSECONDS)), rest))


def begin_kernel(code: LlvmBuilder, context: Value) -> Recorder:
    """Emit the loads of the address of the records from the launch context at `context`, and the call that
    returns the thread; return the recorder.
    """
    place = code.address(context, RECORDS)
    return Recorder(
        code,
        records=code.load(place, POINTER, _WORD),
        is_wanted=code.compare("ne", code.load(place, i64, _WORD), 0),
        spare=code.stack(RecordedBlock.BYTES // _WORD, i64, _WORD),
        time=code.stack(2, i64, _WORD),
        thread=code(llvm_control.CallOp, (), [], callee=THREAD, type=i64),
    )


def declarations() -> list[LLVMFuncOp]:
    """Return the declarations of the called functions of the C library."""
    types = {CLOCK: LLVMFunctionType(i32, (i32, POINTER)), THREAD: LLVMFunctionType(i64, ())}
    return [
        LLVMFuncOp(sym_name=name, function_type=type, body=Region(), no_unwind=True)
        for name, type in types.items()
    ]
