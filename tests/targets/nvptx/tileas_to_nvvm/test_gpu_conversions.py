"""Conversions of layouts by each of their ways, in the simulator, against their definition."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from tests.layouts.layout_samples import SEEDS
from tests.targets.nvptx.tileas_to_nvvm.gpu_conversions import TYPES, conversion, copied, ptx_of_conversion
from tilewright.dialects.nv_tileas.attributes import Transfer
from tilewright.layouts.layout import Layout
from tilewright.layouts.linear import LANE_BITS, LinearLayout
from tilewright.layouts.linear_text import parse_linear
from tilewright.lowering.tileas.conversions.movements import ElementMovement
from tilewright.lowering.tileas.distribution import Distribution
from tilewright.targets.nvptx.exchanges import through_memory

ROWS = parse_linear("(256) register=8:1@0 lane=32:8@0")
COLUMNS = parse_linear("(256) register=8:32@0 lane=32:1@0")


def spread(seed: Random, bits: int, warps: int) -> LinearLayout:
    """A layout of 2 to the power of so many elements: each bit is one of registers or threads, which may repeat elements."""
    units, count = [1 << bit for bit in range(bits)], LANE_BITS + warps
    seed.shuffle(units)
    repeated = max(count - bits, seed.choice((0, 0, 1, 2)))
    registers, threads = units[count - repeated :], units[: count - repeated] + [0] * repeated
    seed.shuffle(threads)
    return LinearLayout(
        (1 << bits,), tuple(registers), tuple(threads[:LANE_BITS]), tuple(threads[LANE_BITS:])
    )


def within_warps(seed: Random, layout: LinearLayout) -> LinearLayout:
    """A layout with the same elements in each warp: bits of registers and lanes change places."""
    places = [*layout.register, *layout.lane]
    for _ in range(seed.randrange(1, 5)):
        one, other = (seed.randrange(len(places)) for _ in range(2))
        places[one], places[other] = places[other], places[one]
    return LinearLayout(layout.shape, tuple(places[LANE_BITS:]), tuple(places[:LANE_BITS]), layout.warp)


def pair(seed: Random) -> tuple[LinearLayout, LinearLayout]:
    """Two layouts of one tile over 1 to 8 warps."""
    bits, warps = seed.randrange(9), seed.randrange(4)
    source = spread(seed, bits, warps)
    return source, within_warps(seed, source) if seed.random() < 0.6 else spread(seed, bits, warps)


def movement_of(source: LinearLayout, target: LinearLayout, size: int) -> ElementMovement:
    held, wanted = Distribution.of(source), Distribution.of(target)
    assert held is not None
    assert wanted is not None
    return ElementMovement.of(held, wanted, Layout(source.size, 1), size)


@settings(max_examples=8)
@given(SEEDS.map(pair), st.sampled_from(sorted(TYPES)))
def test_elements_arrive_by_every_way(layouts: tuple[LinearLayout, LinearLayout], element: str) -> None:
    found = movement_of(*layouts, TYPES[element]().itemsize)
    ways = {found.transfer, Transfer.SHARED}
    if found.in_warps is not None:
        ways.add(Transfer.SHUFFLES)
    for way in ways:
        given, made, _ = copied(element, *layouts, way.spelling)
        assert made.tobytes() == given.tobytes(), way


@given(SEEDS.map(pair), st.sampled_from([1, 2, 4, 8]))
def test_no_bank_conflicts(layouts: tuple[LinearLayout, LinearLayout], size: int) -> None:
    assert through_memory(movement_of(*layouts, size)).conflicts() in ((1, 1), None)


@given(SEEDS.map(pair), st.sampled_from([1, 2, 4, 8]))
def test_the_cheapest_way_is_taken(layouts: tuple[LinearLayout, LinearLayout], size: int) -> None:
    found = movement_of(*layouts, size)
    shuffles = found.shuffle_instructions
    if found.kept is not None:
        assert found.transfer is Transfer.REGISTERS
    elif shuffles is None or shuffles > found.memory_instructions:
        assert found.transfer is Transfer.SHARED
    else:
        assert found.transfer is Transfer.SHUFFLES


def counted(element: str, source: str, target: str) -> tuple[int, int, int]:
    """The shuffles, choices and barriers of a conversion."""
    text = ptx_of_conversion(conversion(element, parse_linear(source), parse_linear(target)))
    return text.count("shfl.sync"), text.count("selp"), len(re.findall("bar(rier)?.sync", text))


@pytest.mark.parametrize(
    ("element", "source", "target", "counts"),
    [
        ("i32", "(64) register=2:1@0 lane=32:2@0", "(64) register=2:32@0 lane=32:1@0", (2, 4, 0)),
        ("i32", "(64) register=2:1@0 lane=32:2@0", "(64) register=2:2@0 lane=(2,16):(1@0,4@0)", (1, 4, 0)),
        ("i64", "(64) register=2:1@0 lane=32:2@0", "(64) register=2:2@0 lane=(2,16):(1@0,4@0)", (2, 8, 0)),
        ("f16", "(64) register=2:1@0 lane=32:2@0", "(64) register=2:1@0 lane=(16,2):(4@0,2@0)", (1, 0, 0)),
        ("i8", "(128) register=4:1@0 lane=32:4@0", "(128) register=4:1@0 lane=(16,2):(8@0,4@0)", (1, 0, 0)),
        ("i32", "(64) register=2:1@0 lane=32:2@0", "(64) register=(2,2):(1@0,32@0) lane=(16,2):(2@0,0)", (2, 4, 0)),
        ("i32", "(32) lane=32:1@0", "(32) register=2:1@0 lane=(2,16):(0,2@0)", (1, 2, 0)),
    ],
)  # fmt: skip
def test_instructions(element: str, source: str, target: str, counts: tuple[int, int, int]) -> None:
    """Halves and bytes go in words, elements of eight bytes in two; a word that a lane keeps takes no shuffle."""
    assert counted(element, source, target) == counts


def test_many_shuffles_are_dearer_than_shared_memory() -> None:
    assert movement_of(ROWS, COLUMNS, 4).transfer is Transfer.SHARED


def test_a_shuffle_with_a_wrong_lane_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from tilewright.layouts.shuffles import WarpExchange

    made = WarpExchange.run
    monkeypatch.setattr(
        WarpExchange,
        "run",
        lambda self, words, chosen, shuffled: made(
            self, words, chosen, lambda word, lanes: shuffled(word, lanes ^ 1)
        ),
    )
    given, found, _ = copied("i32", ROWS, COLUMNS, "shuffles")
    assert given.tobytes() != found.tobytes()
