"""Writing code: what is pure stands once in a block, and in front of the loops that do not change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tilewright.dialects.llvm.ops.arithmetic import AddOp, LShrOp, MulOp, SubOp
from tilewright.dialects.llvm.ops.control import ReturnOp
from tilewright.dialects.llvm.ops.memory import GEPOp, LoadOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import VOID, LLVMFunctionType
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import f32, i1, i64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.ir.verifier import verify
from tilewright.targets.cpu.memory.packed import is_even
from tilewright.targets.llvm.code import POINTER, Index, LlvmBuilder, LoopBody

SIGNATURE = LLVMFunctionType(VOID, (POINTER, i64, i64, i1))


@pytest.fixture
def code() -> LlvmBuilder:
    """Code of a function of an address, two numbers and a condition."""
    return LlvmBuilder(Region([Block(list(SIGNATURE.arguments))]))


def checked(code: LlvmBuilder) -> None:
    """End the function; it must be valid."""
    code.effect(ReturnOp)
    assert verify(LLVMFuncOp(sym_name="f", function_type=SIGNATURE, body=code.region)) == []


def homes(code: LlvmBuilder, op_class: type[Operation]) -> list[int]:
    """The number of the block of each operation of a class."""
    blocks = enumerate(code.region.blocks)
    return [number for number, block in blocks for op in block if isinstance(op, op_class)]


def nested(code: LlvmBuilder, body: Callable[[Index, Index], None]) -> None:
    """Two loops around what is written for both positions: blocks 1 and 2."""

    def outer(loop: LoopBody) -> Sequence[Value]:
        def inner(within: LoopBody) -> Sequence[Value]:
            body(loop.index, within.index)
            return ()

        code.loop(0, 64, 1, (), inner)
        return ()

    code.loop(0, 8, 1, (), outer)


def test_numbers_are_known_to_be_even(code: LlvmBuilder) -> None:
    """Two packed elements share a byte, so an even index is that of a whole one."""
    _, x, y, _ = code.entry.arguments
    code.even.add(x)
    twice = code(MulOp, y, code.integer(2, i64))
    assert [is_even(code, index) for index in (0, 6, 7, -3)] == [True, True, False, False]
    assert [is_even(code, index) for index in (x, y, code.integer(4, i64))] == [True, False, True]
    assert is_even(code, twice)
    assert not is_even(code, code(MulOp, y, y))
    assert is_even(code, code(AddOp, x, twice))
    assert is_even(code, code(SubOp, twice, x))
    assert not is_even(code, code(AddOp, x, y))
    assert not is_even(code, code(LShrOp, x, code.integer(1, i64)))


def test_a_pure_operation_stands_once(code: LlvmBuilder) -> None:
    _, x, y, _ = code.entry.arguments
    assert code.sum(x, y) is code.sum(x, y)
    assert code.sum(x, y) is not code.sum(y, x)
    assert homes(code, AddOp) == [0, 0]
    checked(code)


def test_reading_memory_is_done_each_time(code: LlvmBuilder) -> None:
    address = code.entry.arguments[0]
    assert code.load(address, f32, 4) is not code.load(address, f32, 4)
    checked(code)


def test_other_types_make_other_operations(code: LlvmBuilder) -> None:
    assert code.poison(i64) is code.poison(i64)
    assert code.poison(i64) is not code.poison(f32)
    checked(code)


def test_invariant_operations_stand_in_front_of_loops(code: LlvmBuilder) -> None:
    _, x, y, _ = code.entry.arguments

    def body(row: Index, column: Index) -> None:
        code.add(code.multiply(row, code.multiply(x, y)), column)

    nested(code, body)
    assert homes(code, MulOp) == [0, 1]
    assert homes(code, AddOp)[0] == 2
    checked(code)


def test_what_is_loaded_in_a_loop_is_not_invariant(code: LlvmBuilder) -> None:
    address, x, _, _ = code.entry.arguments

    def body(row: Index, column: Index) -> None:
        code.multiply(code.load(address, i64, 8), x)

    nested(code, body)
    assert homes(code, MulOp) == homes(code, LoadOp) == [2]
    checked(code)


def test_addresses_are_made_of_steps(code: LlvmBuilder) -> None:
    address, stride, _, _ = code.entry.arguments

    def body(row: Index, column: Index) -> None:
        code.element(address, (row, column), (stride, 1), f32)

    nested(code, body)
    assert homes(code, GEPOp) == [1, 2]
    outer, inner = (op for block in code.region.blocks for op in block if isinstance(op, GEPOp))
    assert inner.operands[0] is outer.results[0]
    checked(code)


def test_branches_do_not_share_what_they_compute(code: LlvmBuilder) -> None:
    _, x, y, condition = code.entry.arguments
    code.either(condition, lambda: [code.sum(x, y)], lambda: [code.sum(x, y)], [i64])
    code.sum(x, y)
    assert homes(code, AddOp) == [1, 2, 3]
    checked(code)


def test_what_is_known_in_front_is_known_in_a_loop(code: LlvmBuilder) -> None:
    _, x, y, _ = code.entry.arguments
    known = code.sum(x, y)
    found: list[Value] = []
    nested(code, lambda row, column: found.append(code.sum(x, y)))
    assert found == [known]
    checked(code)


def test_writing_in_front_of_a_loop(code: LlvmBuilder) -> None:
    address = code.entry.arguments[0]

    def outer(loop: LoopBody) -> Sequence[Value]:
        with code.in_front_of(loop.before):
            code.load(address, f32, 4)
        return ()

    code.loop(0, 8, 1, (), outer)
    assert homes(code, LoadOp) == [0]
    checked(code)
