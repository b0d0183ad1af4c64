"""What tokens order: through accesses, joins, branches and rounds; and where order does not matter."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from tests.lowering.cuda_tile_to_tileaa.lowered import CONTEXT, kernel, lowered
from tilewright.dialects.nv_tileaa.ops import memory
from tilewright.ir.operation import Operation
from tilewright.lowering.memory_order.memory_roots import READS, WRITES, may_conflict, may_overlap, place
from tilewright.lowering.memory_order.tokens import TokenAnalysis, may_be_swapped
from tilewright.lowering.tileaa_to_tileas.bodies import ConvertTileAABodies
from tilewright.passes.manager import PassManager

VIEWS = """
  %ta = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
  %tb = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
  %va = make_partition_view %ta : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
  %vb = make_partition_view %tb : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %x = constant <f32: 1.0> : tile<8xf32>
  %t0 = make_token : token
"""
SAME_VIEW = """
  %ts = make_tensor_view %a, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
  %vs = make_partition_view %ts : partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>
"""
FIXED = "partition_view<tile=(8), tensor_view<64xf32, strides=[1]>>"
VIEW = "partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>"
PARAMETERS = "%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>"


def load(name: str, view: str, index: str, token: str) -> str:
    return (
        f"%v{name}, %t{name} = load_view_tko weak %{view}[%{index}] token=%t{token} : {VIEW}, tile<i32> "
        "-> tile<8xf32>, token\n"
    )


def store(name: str, view: str, index: str, token: str) -> str:
    return (
        f"%t{name} = store_view_tko weak %x, %{view}[%{index}] token=%t{token} : tile<8xf32>, {VIEW}, tile<i32> "
        "-> token\n"
    )


def analysed(body: str, form: str = "nv_tileaa") -> tuple[TokenAnalysis, Sequence[Operation]]:
    module = lowered(kernel(VIEWS + body, PARAMETERS))
    if form == "nv_tileas":
        PassManager(CONTEXT).add(ConvertTileAABodies()).run(module)
    return TokenAnalysis(), [op for op in module.walk() if isinstance(op, (*READS, *WRITES))]


def are_ordered(tokens: TokenAnalysis, a: Operation, b: Operation) -> bool:
    return tokens.comes_after(a, b) or tokens.comes_after(b, a)


def test_chains_and_joins() -> None:
    body = (
        load("1", "va", "zero", "0")
        + load("2", "vb", "zero", "0")
        + "%tj = join_tokens %t1, %t2 : token\n"
        + store("3", "va", "zero", "j")
        + store("4", "vb", "zero", "2")
    )
    tokens, (first, second, third, fourth) = analysed(body)
    assert tokens.comes_after(third, first)
    assert tokens.comes_after(third, second)
    assert tokens.comes_after(fourth, second)
    assert not tokens.comes_after(fourth, first)
    assert not tokens.comes_after(first, third)
    assert not are_ordered(tokens, first, second)
    assert not are_ordered(tokens, third, fourth)
    assert tokens.preceding(third) == {first, second}


def test_program_order_is_no_order() -> None:
    tokens, (first, second) = analysed(store("1", "va", "zero", "0") + load("2", "va", "zero", "0"))
    assert not are_ordered(tokens, first, second)
    assert not tokens.must_stay_in_order(second, first)
    assert may_conflict(first, second)


@pytest.mark.parametrize(("semantics", "waits"), [("relaxed device", False), ("release device", True)])
def test_releases_stay_behind_all_that_they_release(semantics: str, waits: bool) -> None:
    """What another thread acquires must not come before what it may overwrite then, wherever that is."""
    body = load("1", "va", "zero", "0") + store("2", "va", "one", "1").replace("weak", semantics)
    tokens, (first, second) = analysed(SAME_VIEW + body.replace("%va", "%vs").replace(VIEW, FIXED))
    assert tokens.comes_after(second, first)
    assert not may_conflict(second, first), "tiles 0 and 1 of one view"
    assert tokens.must_stay_in_order(second, first) is waits
    assert may_be_swapped(second, first) is not waits


def test_loops_are_swapped_if_all_in_them_is() -> None:
    def looping(index: str) -> tuple[Operation, Operation]:
        body = (
            load("1", "vs", "zero", "0").replace(VIEW, FIXED)
            + "for %i in (%zero to %n, step %one) : tile<i32> {\n"
            + store("2", "vs", index, "0").replace(VIEW, FIXED)
            + "continue\n}\n"
        )
        _, (first, second) = analysed(SAME_VIEW + body)
        assert second.parent_op is not None
        return second.parent_op, first

    assert may_be_swapped(*looping("one"))
    assert not may_be_swapped(*looping("zero"))
    assert not may_be_swapped(*looping("i"))


def test_branches() -> None:
    body = (
        "%tb1 = if %c -> (token) {\n"
        + store("1", "va", "zero", "0")
        + "yield %t1 : token\n} else {\n"
        + store("2", "va", "one", "0")
        + "yield %t2 : token\n}\n"
        + load("3", "va", "zero", "b1")
    )
    tokens, (first, second, third) = analysed(body)
    assert tokens.comes_after(third, first)
    assert tokens.comes_after(third, second)
    assert not are_ordered(tokens, first, second)


def test_rounds_of_a_counted_loop() -> None:
    body = (
        "%tl = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%tc = %t0) -> (token) {\n"
        + load("1", "va", "i", "c")
        + store("2", "va", "i", "1")
        + load("3", "vb", "i", "0")
        + "continue %t2 : token\n}\n"
        + load("4", "va", "zero", "l")
    )
    tokens, (first, second, third, fourth) = analysed(body)
    assert tokens.comes_after(second, first)
    assert tokens.comes_after(first, second), "of the round before"
    assert tokens.comes_after(first, first), "of the round before"
    assert tokens.comes_after(second, first, in_iteration=True)
    assert not tokens.comes_after(first, second, in_iteration=True)
    assert not tokens.comes_after(first, first, in_iteration=True)
    assert tokens.comes_after(fourth, second)
    assert tokens.comes_after(fourth, second, in_iteration=True), "the loop is over"
    assert not are_ordered(tokens, third, second)
    assert not tokens.comes_after(third, third)


def test_rounds_of_a_while() -> None:
    body = (
        "%tl = loop iter_values(%tc = %t0) : token -> token {\n"
        + load("1", "va", "zero", "c")
        + "if %c {\nbreak %t1 : token\n}\n"
        + store("2", "va", "zero", "1")
        + "continue %t2 : token\n}\n"
        + load("3", "vb", "zero", "l")
    )
    tokens, (first, second, third) = analysed(body)
    assert tokens.comes_after(first, second)
    assert tokens.comes_after(second, first)
    assert tokens.comes_after(second, first, in_iteration=True)
    assert not tokens.comes_after(first, second, in_iteration=True)
    assert tokens.comes_after(third, first)
    assert tokens.comes_after(third, second)
    assert not tokens.comes_after(first, third)


@pytest.mark.parametrize("form", ["nv_tileaa", "nv_tileas"])
def test_order_without_conflict(form: str) -> None:
    """Two loads, two tiles of one view, and two memories that cannot be the same."""
    body = (
        store("1", "va", "zero", "0")
        + store("2", "va", "one", "1")
        + load("3", "va", "zero", "2")
        + load("4", "va", "zero", "3")
        + store("5", "vb", "zero", "4")
    )
    tokens, (first, second, third, fourth, fifth) = analysed(body, form)
    assert tokens.comes_after(fourth, first)
    assert not tokens.must_stay_in_order(second, first), "other tiles"
    assert tokens.must_stay_in_order(third, first), "the same tile"
    assert not tokens.must_stay_in_order(third, second), "other tiles"
    assert not tokens.must_stay_in_order(fourth, third), "both read"
    assert tokens.must_stay_in_order(fifth, first), "parameters may be the same memory"


def test_memory_of_a_tile_block_is_its_own() -> None:
    body = """
      %p = alloca num_elem = 8, alignment = 16 : tile<ptr<f32>>
      %q = alloca num_elem = 8, alignment = 16 : tile<ptr<f32>>
      %s = constant <f32: 1.0> : tile<f32>
      %t1 = store_ptr_tko weak %p, %s token=%t0 : tile<ptr<f32>>, tile<f32> -> token
      %t2 = store_ptr_tko weak %q, %s token=%t1 : tile<ptr<f32>>, tile<f32> -> token
      %t3 = store_ptr_tko weak %a, %s token=%t2 : tile<ptr<f32>>, tile<f32> -> token
      %i = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>
      %r = int_to_ptr %i : tile<i64> -> tile<ptr<f32>>
      %t4 = store_ptr_tko weak %r, %s token=%t3 : tile<ptr<f32>>, tile<f32> -> token
    """
    tokens, (p, q, a, anywhere) = analysed(body)
    assert tokens.comes_after(q, p)
    assert not tokens.must_stay_in_order(q, p)
    assert not tokens.must_stay_in_order(a, p)
    assert tokens.must_stay_in_order(anywhere, p)


def test_overlapping_strides_make_all_tiles_one() -> None:
    view = "partition_view<tile=(8x8), tensor_view<64x64xf32, strides=[1,1]>>"
    body = f"""
      %t = make_tensor_view %a, shape = [64, 64], strides = [1, 1] : tensor_view<64x64xf32, strides=[1,1]>
      %v = make_partition_view %t : {view}
      %y = constant <f32: 1.0> : tile<8x8xf32>
      %t1 = store_view_tko weak %y, %v[%zero, %zero] token=%t0 : tile<8x8xf32>, {view}, tile<i32> -> token
      %t2 = store_view_tko weak %y, %v[%one, %zero] token=%t1 : tile<8x8xf32>, {view}, tile<i32> -> token
    """
    tokens, (first, second) = analysed(body)
    assert tokens.must_stay_in_order(second, first)


def test_overlap_is_symmetric() -> None:
    _, accesses = analysed(load("1", "va", "zero", "0") + store("2", "vb", "zero", "1"))
    first, second = (place(op) for op in accesses)
    assert first is not None
    assert second is not None
    assert may_overlap(first, second)
    assert may_overlap(second, first)


@pytest.mark.parametrize("seed", range(6))
def test_random_chains_agree_with_a_search(seed: int) -> None:
    """Against a walk along the operands, for straight code."""
    source = random.Random(seed)
    body, made = "", ["0"]
    for number in range(1, 25):
        given = source.sample(made, min(len(made), 1 + (number % 3 == 0)))
        token = given[0]
        if len(given) > 1:
            token = f"j{number}"
            body += f"%t{token} = join_tokens {', '.join(f'%t{name}' for name in given)} : token\n"
        body += source.choice((load, store))(str(number), "va", "zero", token)
        made.append(str(number))
    tokens, accesses = analysed(body)
    for later in accesses:
        reached = _reached(later)
        assert {op for op in accesses if tokens.comes_after(later, op)} == reached


def _reached(access: Operation) -> set[Operation]:
    found: set[Operation] = set()
    pending = [value.owner for value in access.operands if "token" in str(value.type)]
    while pending:
        op = pending.pop()
        assert isinstance(op, Operation)
        if not isinstance(op, memory.CreateMemTokenOp | memory.JoinMemTokenOp):
            found.add(op)
        pending += [value.owner for value in op.operands if "token" in str(value.type)]
    return found
