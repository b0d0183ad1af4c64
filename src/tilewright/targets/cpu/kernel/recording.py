"""How a kernel records when each of its tile blocks ran, and on which thread (see `tilewright.runtime.recording`).

Code that does so is made on request only: other kernels have nothing of it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.llvm.ops.control import CallOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import i32, i64
from tilewright.ir.value import Value
from tilewright.runtime.context import RECORDS, RecordedBlock
from tilewright.targets.llvm.code import POINTER, Code

CLOCK, THREAD = "clock_gettime", "pthread_self"
"""Functions of the C library: the time, and which thread asks."""
_CLOCK_NUMBER = getattr(time, "CLOCK_MONOTONIC", 1)
"""That of the clock, as the C library of this machine counts clocks."""
_WORD = 8
_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Recorder:
    """What the code of a kernel needs to record its tile blocks."""

    code: Code
    records: Value
    is_wanted: Value
    """Whether the launch has memory for records; ``spare`` takes them otherwise."""
    spare: Value
    time: Value
    thread: Value

    def begin_block(self, number: Value) -> tuple[Value, Value]:
        """A tile block begins; answers the place of its record, and the time."""
        code = self.code
        offset = code(llvm.MulOp, number, code.integer(RecordedBlock.BYTES))
        place = code.address(self.records, offset)
        return code(llvm.SelectOp, self.is_wanted, place, self.spare, type=POINTER), self._now()

    def end_block(self, place: Value, begin: Value) -> None:
        """A tile block has come to its end."""
        record = (
            (RecordedBlock.BEGIN, begin),
            (RecordedBlock.END, self._now()),
            (RecordedBlock.THREAD, self.thread),
        )
        for offset, value in record:
            self.code.store(value, self.code.address(place, offset), _WORD)

    def _now(self) -> Value:
        """The time in nanoseconds."""
        code = self.code
        code(CallOp, (), [code.integer(_CLOCK_NUMBER, i32), self.time], callee=CLOCK, type=i32)
        seconds = code.load(self.time, i64, _WORD)
        rest = code.load(code.address(self.time, _WORD), i64, _WORD)
        return code.value(code.add(code(llvm.MulOp, seconds, code.integer(_NANOSECONDS)), rest))


def begin_kernel(code: Code, context: Value) -> Recorder:
    """A kernel begins."""
    place = code.address(context, RECORDS)
    return Recorder(
        code,
        records=code.load(place, POINTER, _WORD),
        is_wanted=code.compare("ne", code.load(place, i64, _WORD), 0),
        spare=code.stack(RecordedBlock.BYTES // _WORD, i64, _WORD),
        time=code.stack(2, i64, _WORD),
        thread=code(CallOp, (), [], callee=THREAD, type=i64),
    )


def declarations() -> list[LLVMFuncOp]:
    """Those of the functions that are called."""
    types = {CLOCK: LLVMFunctionType(i32, (i32, POINTER)), THREAD: LLVMFunctionType(i64, ())}
    return [
        LLVMFuncOp(sym_name=name, function_type=type, body=Region(), no_unwind=True)
        for name, type in types.items()
    ]
