"""What makes launches of generated programs undefined is left out, and no more."""

from __future__ import annotations

from collections import Counter

import numpy as np

from tests.interp.kernels import Kernel, pointer
from tests.targets.cpu.programs.generated_programs import compare, defined
from tilewright.dialects.cuda_tile.attributes import DivByAttr
from tilewright.dialects.cuda_tile.enums import IntegerOverflow
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    conversion as ops_conversion,
    integer as ops_integer,
)
from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.dialects.cuda_tile.types import tile
from tilewright.ir.builtin_types import f32, i1, i8, i32
from tilewright.testing.execution import Launchpad, entries, loaded_buffers, observe

COUNT = 8
NONE, NO_WRAP = IntegerOverflow.NONE, IntegerOverflow.NO_WRAP


def broken() -> ModuleOp:
    """A kernel that breaks four promises, keeps one, and stores what has no value."""
    kernel = Kernel(pointer(i32))
    large = kernel.constant(2**31 - 1, tile(COUNT, i32))
    kernel.add(ops_integer.AddIOp(large, large, NO_WRAP))
    kernel.add(ops_integer.SubIOp(large, large, NO_WRAP))
    kernel.add(ops_conversion.TruncIOp(large, overflow=NO_WRAP, result_types=[tile(COUNT, i8)]))
    kernel.add(ops_control.AssumeOp(DivByAttr(8), large, result_types=[large.type]))
    view = kernel.partition(kernel.arguments[0], (COUNT - 1,), (COUNT,))
    kernel.load_view(view, kernel.i32(0), inbounds=(True,))
    mask = kernel.constant(False, tile(COUNT, i1))
    kernel.load(kernel.pointers(kernel.arguments[0], kernel.iota(COUNT)), mask)
    module = kernel.module()
    assert isinstance(module, ModuleOp)
    return module


def test_what_is_broken_is_left_out() -> None:
    module, tally = broken(), Counter[str]()
    (entry,) = entries(module)
    for op in list(entry.walk())[1:]:
        observe(op)
    stores = sum(op.kind.mnemonic == "store_ptr_tko" for op in entry.walk())
    (outcome,) = defined([Launchpad(entry)], module, tally)
    assert outcome.problem is None
    assert tally == {"launches: broke a promise": 1}
    ops = list(entry.walk())
    assert [op.overflow for op in ops if isinstance(op, ops_integer.AddIOp | ops_integer.SubIOp)] == [
        NONE,
        NO_WRAP,
    ]
    assert not any(isinstance(op, ops_control.AssumeOp) for op in ops)
    assert not any(any(getattr(op, "inbounds", None) or ()) for op in ops)
    left = sum(op.kind.mnemonic == "store_ptr_tko" for op in ops)
    assert left == stores - 2  # of what is outside of the array, and of what the mask leaves out


def test_overlapping_buffers_are_read() -> None:
    """One of the two is the buffer that the kernel loads from, wherever it is among the parameters."""
    kernel = Kernel(*(pointer(f32) for _ in range(6)))
    kernel.store_all(kernel.arguments[1], kernel.load_all(kernel.arguments[4], COUNT))
    (entry,) = entries(kernel.module())
    assert loaded_buffers(entry) == [4]
    for seed in range(8):
        pad = Launchpad(entry, str(seed), overlap=True)
        assert sum(np.may_share_memory(pad.arguments[4], buffer) for buffer in pad.arguments) == 2


def test_few_launches_are_undefined() -> None:
    tally = Counter[str]()
    assert not list(compare("undefined", 24, tally))
    total = sum(number for kind, number in tally.items() if ":" not in kind)
    assert tally["launches: broke a promise"] > 2
    assert tally["undefined"] < total / 6
