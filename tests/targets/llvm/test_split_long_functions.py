"""Long functions become pieces that compute the same; short ones stay as they are."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
import pytest

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.dialects.llvm.ops import arithmetic
from tilewright.dialects.llvm.ops.control import CallOp, ReturnOp
from tilewright.dialects.llvm.ops.memory import AllocaOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.llvm.types import VOID, LLVMFunctionType
from tilewright.driver.startup import context
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import VectorType, f64, i1, i64
from tilewright.ir.value import Value
from tilewright.ir.verifier import verify
from tilewright.passes.pipeline import parse_pipeline
from tilewright.runtime.engine import Library
from tilewright.targets.cpu.machine.compile import ir_text, object_code
from tilewright.targets.cpu.machine.host import host
from tilewright.targets.llvm.code import POINTER, LlvmBuilder, LoopBody
from tilewright.targets.llvm.pieces import LlvmInstructionCounts
from tilewright.targets.llvm.split import SplitLongFunctions, split_long_functions

pytest.importorskip("llvmlite")

SIGNATURE = LLVMFunctionType(VOID, (POINTER, i64))
WORDS = 64
PAIR = VectorType((2,), i64)
INTEGERS = (arithmetic.AddOp, arithmetic.MulOp, arithmetic.SubOp, arithmetic.XOrOp)
Scope = list[Value]


class Program:
    """Writes a function `f(memory, n)` whose choices a seed makes."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.code = LlvmBuilder(Region([Block(list(SIGNATURE.arguments))]))
        self.memory, n = self.code.entry.arguments
        self.code.integer(0)
        self.room = self.code.stack(9, i64, 64)
        for word in range(9):
            self.code.store(self.code.integer(word), self.code.address(self.room, word, i64), 8)
        self.leave = self.code.new_block((i64,))
        self.steps({i64: [n]}, 3, 14)
        self.code.jump(self.leave, [n])
        self.code.enter(self.leave)
        self.write(self.leave.arguments[0])
        self.code.effect(ReturnOp)

    def module(self) -> ModuleOp:
        """A fresh module with the function."""
        made = ModuleOp(sym_name=None, sym_visibility=None, bodyRegion=Region([Block()]))
        op = LLVMFuncOp(sym_name="f", function_type=SIGNATURE, body=self.code.region, no_unwind=True)
        made.regions[0].block.append(op)
        return made

    def steps(self, known: dict[object, Scope], depth: int, count: int) -> None:
        """So many steps; branches and loops know what was computed before, and nothing of each other."""
        scope = {type: list(values) for type, values in known.items()}
        for _ in range(count):
            self.random.choice([self.compute, self.compute, self.compute, self.access, self.nest])(
                scope, depth
            )
        self.write(self.some(scope, i64))

    def some(self, scope: dict[object, Scope], type: object) -> Value:
        values = scope.get(type)
        return self.random.choice(values) if values else self.some(scope, i64)

    def number(self, scope: dict[object, Scope]) -> Value:
        return self.random.choice([self.some(scope, i64), self.code.integer(self.random.randrange(9))])

    def compute(self, scope: dict[object, Scope], depth: int) -> None:
        """Integers, conditions, floats, pairs and addresses that live on."""
        code, left, right = self.code, self.number(scope), self.number(scope)
        match self.random.randrange(5):
            case 0:
                made = code.compare_integers("slt", left, right)
            case 1:
                made = code.broadcast(left, 2)
                made = code(arithmetic.AddOp, made, self.code.steps(2))
                scope.setdefault(PAIR, []).append(made)
                made = code.address(self.memory, code(arithmetic.AndOp, right, code.integer(WORDS - 1)), i64)
            case _:
                made = code(self.random.choice(INTEGERS), left, right)
        scope.setdefault(made.type, []).append(made)

    def access(self, scope: dict[object, Scope], depth: int) -> None:
        """Memory of the caller and of the function."""
        code, place = self.code, self.some(scope, POINTER)
        if place.type is POINTER:
            code.store(self.some(scope, i64), place, 8)
        local = code.address(self.room, self.random.randrange(8), i64)
        pair = self.some(scope, PAIR)
        code.store(self.some(scope, i64) if pair.type is PAIR else pair, local, 8)
        scope[i64].append(code.load(code.address(self.room, self.random.randrange(8), i64), i64, 8))

    def nest(self, scope: dict[object, Scope], depth: int) -> None:
        """A loop, a branch, or a way out."""
        if depth == 0:
            return
        code, some = self.code, self.number(scope)
        match self.random.randrange(3):
            case 0:

                def body(loop: LoopBody) -> Sequence[Value]:
                    inner = {**scope, i64: [*scope[i64], code.value(loop.index), *loop.carried]}
                    self.steps(inner, depth - 1, 12)
                    return [code(arithmetic.AddOp, loop.carried[0], some), loop.carried[0]]

                scope[i64] += code.loop(
                    0, self.random.randrange(1, 4), 1, [some, self.some(scope, i64)], body
                )
            case 1:

                def way(value: Value) -> Sequence[Value]:
                    self.steps(scope, depth - 1, 12)
                    return [value]

                condition = code.compare_integers("sgt", some, self.some(scope, i64))
                other = self.some(scope, i64)
                scope[i64] += code.either(condition, lambda: way(some), lambda: way(other), (i64,))
            case _:
                rare = code(arithmetic.AndOp, self.some(scope, i64), code.integer(255))
                following = code.new_block()
                code.fork(code.compare("eq", rare, 77), self.leave, following, [some])
                code.enter(following)

    def write(self, value: Value) -> None:
        place = self.code.address(self.memory, self.random.randrange(WORDS), i64)
        held = self.code.load(place, i64, 8)
        self.code.store(self.code.sum(held, value), place, 8)


def functions(module: ModuleOp) -> Iterator[LLVMFuncOp]:
    return (op for op in module.regions[0].block if isinstance(op, LLVMFuncOp))


def results(module: ModuleOp, *numbers: int) -> list[list[int]]:
    """The memory after a call with each number."""
    library = Library(object_code(ir_text(module, host()), host()), ["f"])
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(library.addresses["f"])
    memories = np.zeros((len(numbers), WORDS), np.int64)
    for memory, number in zip(memories, numbers, strict=True):
        call(memory.ctypes.data, number)
    return memories.tolist()


@pytest.mark.parametrize("seed", range(8))
def test_pieces_compute_the_same(seed: int) -> None:
    module = Program(seed).module()
    wanted = results(module, 3, 77)
    for most in (16, 80):
        split = module.clone()
        pieces = split_long_functions(split, most)
        assert verify(split) == []
        assert pieces > 0
        assert results(split, 3, 77) == wanted


def straight(length: int, window: int) -> ModuleOp:
    """A function of straight code in which each value is used again ``window`` operations later."""
    code = LlvmBuilder(Region([Block(list(SIGNATURE.arguments))]))
    memory, n = code.entry.arguments
    values = [n] * window
    for number in range(length):
        left = code(INTEGERS[number % 4], values[-1], values[-window])
        values.append(code(arithmetic.AddOp, left, code.integer(number)))
    code.store(values[-1], memory, 8)
    code.effect(ReturnOp)
    made = ModuleOp(sym_name=None, sym_visibility=None, bodyRegion=Region([Block()]))
    made.regions[0].block.append(LLVMFuncOp(sym_name="f", function_type=SIGNATURE, body=code.region))
    return made


@pytest.mark.usefixtures("no_collections")
@pytest.mark.parametrize("length", [3_000, 6_000, 12_000])
def test_straight_code_becomes_pieces_in_proportion(length: int) -> None:
    most, module = 512, straight(length, 8)
    pieces = split_long_functions(module, most)
    found = list(functions(module))
    lengths = LlvmInstructionCounts(found)
    instructions = 2 * length
    assert instructions / most <= pieces <= 3 * instructions / most
    crossing = 8
    assert max(map(lengths.of_function, found)) <= most + 8 * crossing + 2 * pieces
    assert verify(module) == []


def frame_bytes(module: ModuleOp) -> int:
    (frame,) = [op for op in module.walk() if isinstance(op, AllocaOp)]
    return int(frame.arraySize.owner.value.value)


def test_a_frame_grows_with_what_lives_at_once() -> None:
    # values that a piece takes and those that it leaves have slots at the same time
    short, long, wide = straight(2_000, 8), straight(8_000, 8), straight(2_000, 64)
    for module in (short, long, wide):
        split_long_functions(module, 256)
    assert frame_bytes(short) == frame_bytes(long) <= (2 * 8 + 3) * 8
    assert 4 * frame_bytes(short) < frame_bytes(wide) <= (2 * 64 + 3) * 8


def test_short_functions_stay_as_they_are() -> None:
    module = straight(100, 4)
    before = str(module)
    assert split_long_functions(module, 300) == 0
    assert str(module) == before
    assert split_long_functions(module, 100) > 0


def test_the_pass() -> None:
    module = straight(100, 4)
    name = SplitLongFunctions.name
    parse_pipeline(f"builtin.module({name}{{maximum=64}})", context(), {name: SplitLongFunctions}).run(module)
    names = [op.sym_name for op in functions(module)]
    assert names == ["f", *(f"part{number}.f" for number in range(len(names) - 1))]
    calls = [op.callee for op in module.walk() if isinstance(op, CallOp)]
    assert calls == names[1:]


def test_names_that_are_taken() -> None:
    module = straight(100, 4)
    taken = straight(1, 1).regions[0].block.first
    assert isinstance(taken, LLVMFuncOp)
    taken.sym_name = "part0.f"
    module.regions[0].block.append(taken.detach())
    split_long_functions(module, 64)
    names = [op.sym_name for op in functions(module)]
    assert len(set(names)) == len(names)
    assert verify(module) == []


def test_functions_that_are_inlined_count_where_they_are_called() -> None:
    module = straight(10, 4)
    (function,) = functions(module)
    callee = straight(50, 4).regions[0].block.first
    assert isinstance(callee, LLVMFuncOp)
    callee.sym_name, callee.always_inline = "g", True
    end = function.body.blocks[0].last
    assert end is not None
    for _ in range(4):
        call = CallOp((), tuple(function.body.blocks[0].arguments), callee="g", result_types=[])
        function.body.blocks[0].insert_before(end, call)
    module.regions[0].block.append(callee.detach())
    lengths = LlvmInstructionCounts(list(functions(module)))
    assert lengths.of_function(function) == 22 + 4 * 102
    assert split_long_functions(module, 256) == 2


def test_conditions_cross() -> None:
    code = LlvmBuilder(Region([Block(list(SIGNATURE.arguments))]))
    memory, n = code.entry.arguments
    condition = code.compare_integers("slt", n, code.integer(10))
    third = code.float(0.25, f64)
    following = code.new_block()
    code.jump(following)
    code.enter(following)
    for number in range(40):
        n = code(arithmetic.AddOp, n, code.integer(number))
    chosen = code(arithmetic.SelectOp, condition, n, code.integer(-1), type=i64)
    assert condition.type is i1
    code.store(chosen, memory, 8)
    code.store(code(arithmetic.FAddOp, third, third), code.address(memory, 1, i64), 8)
    code.effect(ReturnOp)
    module = ModuleOp(sym_name=None, sym_visibility=None, bodyRegion=Region([Block()]))
    module.regions[0].block.append(LLVMFuncOp(sym_name="f", function_type=SIGNATURE, body=code.region))
    split_long_functions(module, 16)
    half = int(np.float64(0.5).view(np.int64))
    short, long = results(module, 3, 11)
    assert short[:2] == [3 + sum(range(40)), half]
    assert long[:2] == [-1, half]
