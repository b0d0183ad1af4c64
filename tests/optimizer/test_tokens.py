"""`simplify-tokens` and `eliminate-dead-accesses`: what goes, and that order and results stay."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.optimizer.optimizing import kernel, names, results, run
from tests.optimizer.test_code_motion import RACES, arguments, programs
from tests.support.samples import samples
from tilewright.driver.startup import context
from tilewright.ir.operation import Operation
from tilewright.optimizer.tokens import SimplifyTokens
from tilewright.passes.manager import PassManager
from tilewright.passes.timing import Statistics

PARAMETERS = "%x: tile<ptr<i32>>, %out: tile<ptr<i32>>, %n: tile<i32>, %c: tile<i1>"


def tokens(lines: str) -> Operation:
    """Three loads with tokens, the third after the second, and a store that waits for ``%t``."""
    return kernel(
        f"""
        %0 = make_token : token
        %v1, %1 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
        %v2, %2 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
        %v3, %3 = load_ptr_tko weak %x token = %2 : tile<ptr<i32>> -> tile<i32>, token
        %a = addi %v1, %v2 : tile<i32>
        %b = addi %a, %v3 : tile<i32>
        {lines}
        %s = store_ptr_tko weak %out, %b token = %t : tile<ptr<i32>>, tile<i32> -> token""",
        PARAMETERS,
    )


JOINS = {
    "%t = join_tokens %1, %1 : token": ("%result_token", 0),
    "%t = join_tokens %1, %0 : token": ("%result_token", 0),
    "%t = join_tokens %2, %3 : token": ("%result_token_3", 0),
    "%t = join_tokens %3, %2, %1 : token": ("join_tokens %result_token_3, %result_token", 1),
    "%j = join_tokens %1, %3 : token\n%t = join_tokens %j, %3, %1 : token": (
        "join_tokens %result_token, %result_token_3",
        1,
    ),
    "%j = join_tokens %1, %0 : token\n%t = join_tokens %j, %j : token": ("%result_token", 0),
    "%t = join_tokens %0, %0 : token": ("make_token", 0),
    "%t = join_tokens %1, %2 : token": ("join_tokens %result_token, %result_token_1", 1),
}


@pytest.mark.parametrize("lines", JOINS)
def test_joins(lines: str) -> None:
    waited_for, joins = JOINS[lines]
    module = run(tokens(lines), "simplify-tokens")
    assert names(module).count("join_tokens") == joins
    if waited_for.startswith("%"):
        assert f"token={waited_for} :" in str(module) or f"token = {waited_for} :" in str(module)
        assert "make_token" not in names(module)
    else:
        assert waited_for in str(module)


@given(programs())
@settings(max_examples=samples(25, of=60), deadline=None)
def test_order_stays(module: Operation) -> None:
    """A program has the same races and results as before."""
    before = results(module, arguments(), RACES)
    simplified = str(run(module, "simplify-tokens"))
    assert results(module, arguments(), RACES) == before
    assert str(run(module, "simplify-tokens")) == simplified


# dead accesses

ACCESSES = """
%v, %1 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
%w, %2 = load_ptr_tko weak %x token = %1 : tile<ptr<i32>> -> tile<i32>, token
"""
STORE = "%s = store_ptr_tko weak %out, {} token = {} : tile<ptr<i32>>, tile<i32> -> token"


def left(body: str) -> list[str]:
    return names(run(kernel(body, PARAMETERS), "eliminate-dead-accesses"))


def test_loads_that_nobody_uses() -> None:
    assert left(ACCESSES) == []


def test_who_waits_for_an_erased_load_waits_for_what_it_waited_for() -> None:
    module = run(kernel(ACCESSES + STORE.format("%v", "%2"), PARAMETERS), "eliminate-dead-accesses")
    assert names(module) == ["load_ptr_tko", "store_ptr_tko"]
    load, store = [op for op in module.walk() if op.kind.mnemonic in ("load_ptr_tko", "store_ptr_tko")]
    assert store.operands[-1] is load.results[1]


def test_without_a_token_there_is_nothing_to_wait_for() -> None:
    assert left(ACCESSES + STORE.format("%n", "%2")) == ["make_token", "store_ptr_tko"]


@pytest.mark.parametrize("order", ["relaxed device", "acquire device"])
def test_loads_that_synchronise_stay(order: str) -> None:
    assert left(ACCESSES.replace("weak", order)) == ["load_ptr_tko", "load_ptr_tko"]


def test_views_and_promises() -> None:
    body = """
    %p = assume div_by<16>, %x : tile<ptr<i32>>
    %view = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %parts = make_partition_view %view : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %extent = get_tensor_shape %view : tensor_view<64xi32, strides=[1]> -> tile<i32>
    %tile, %t = load_view_tko weak %parts[%n]
      : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    """
    assert left(body) == []
    assert "assume" in left(body + 'print_tko "%d", %tile : tile<8xi32> -> token')


@given(programs())
@settings(max_examples=samples(25, of=60), deadline=None)
def test_results_stay(module: Operation) -> None:
    before = results(module, arguments(), RACES)
    run(module, "eliminate-dead-accesses")
    after = results(module, arguments(), RACES)
    if not before[1]:
        assert after == before
    again = str(module)
    assert str(run(module, "eliminate-dead-accesses")) == again


def test_what_was_simplified_is_counted() -> None:
    manager, statistics = PassManager(context(), anchor="cuda_tile.module"), Statistics()
    manager.add(SimplifyTokens())
    manager.instrument(statistics)
    manager.run(
        tokens("%u = make_token : token\n%j = join_tokens %1, %3 : token\n%t = join_tokens %1, %1 : token")
    )
    assert statistics.counts["simplify-tokens"] == {"num-simplified": 4}
