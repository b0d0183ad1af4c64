"""Which loops look whether the launch is to end: those that may run for long, and no others."""

from __future__ import annotations

import pytest

import tilewright
from tilewright.targets.cpu.kernel import stopping

KERNEL = """
cuda_tile.module @m {{
  entry @k(%x: tile<ptr<i32>>, %n: tile<i32>) {{
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %few = constant <i32: 100> : tile<i32>
    %many = constant <i32: 16777217> : tile<i32>
    {body}
    %t = store_ptr_tko weak %x, %r : tile<ptr<i32>>, tile<i32> -> token
    return
  }}
}}
"""
ROUND = "%s = addi %v, %i : tile<i32>\n continue %s : tile<i32>"


def counted(rounds: str, inner: str = ROUND, name: str = "%r") -> str:
    return (
        f"{name} = for %i in (%zero to {rounds}, step %one) : tile<i32> "
        f"iter_values(%v = %zero) -> (tile<i32>) {{ {inner} }}"
    )


FOREVER = """%r = loop iter_values(%v = %zero) : tile<i32> -> tile<i32> {
  %done = cmpi equal %v, %n, signed : tile<i32> -> tile<i1>
  if %done { break %v : tile<i32> }
  %s = addi %v, %one : tile<i32>
  continue %s : tile<i32>
}"""
NESTED = """%r = for %j in (%zero to {outer}, step %one) : tile<i32> iter_values(%w = %zero) -> (tile<i32>) {{
  {inner}
  continue %q : tile<i32>
}}"""
BODIES = {
    "rounds that are not known": (counted("%n"), 1),
    "few rounds": (counted("%few"), 0),
    "many rounds": (counted("%many"), 1),
    "a condition": (FOREVER, 1),
    "few rounds of few": (NESTED.format(outer="%few", inner=counted("%few", name="%q")), 0),
    "few rounds of many": (NESTED.format(outer="%few", inner=counted("%many", name="%q")), 1),
    "many rounds of few": (NESTED.format(outer="%many", inner=counted("%few", name="%q")), 1),
    "unknown rounds of unknown": (NESTED.format(outer="%n", inner=counted("%n", name="%q")), 2),
}


@pytest.mark.parametrize("name", BODIES)
def test_loops_look_if_they_may_take_long(name: str) -> None:
    body, looks = BODIES[name]
    text = str(tilewright.compile(KERNEL.format(body=body)).asm["llvm"])
    assert text.count("call i64 @launch.ends(") == looks
    assert text.count("define internal i64 @launch.ends(") == min(looks, 1)
    weights = text.count("!prof")
    assert weights == looks, "the way to the call is marked as one that is hardly ever taken"


@pytest.mark.parametrize(("elements", "looks"), [(199, 1), (200, 0), (201, 0)])
def test_a_loop_of_as_many_elements_as_are_short_has_no_look(
    elements: int, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred rounds compute a sum and pass it on."""
    monkeypatch.setattr(stopping, "SHORT", elements)
    text = str(tilewright.compile(KERNEL.format(body=counted("%few"))).asm["llvm"])
    assert text.count("call i64 @launch.ends(") == looks


def test_cheap_rounds_stand_in_a_row_with_one_look() -> None:
    """A round of a cycle would pay a seventh for a look of its own; a round that stores has one."""
    cheap = str(tilewright.compile(KERNEL.format(body=FOREVER)).asm["llvm"])
    assert cheap.count(" icmp eq i32 ") == stopping.UNROLLED
    stores = FOREVER.replace(
        "%s =", "%u = store_ptr_tko weak %x, %v : tile<ptr<i32>>, tile<i32> -> token\n%s ="
    )
    costly = str(tilewright.compile(KERNEL.format(body=stores)).asm["llvm"])
    assert costly.count(" icmp eq i32 ") == 1


@pytest.mark.parametrize("rounds", [0, 1, 31, 32, 33, 100])
def test_loops_of_cheap_rounds_end_where_they_should(rounds: int) -> None:
    np = pytest.importorskip("numpy")
    out = np.full(1, -1, np.int32)
    tilewright.launch(KERNEL.format(body=FOREVER), "k", 1, [out, rounds])
    assert out.tolist() == [rounds]
