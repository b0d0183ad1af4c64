"""Conversions within warps as straight code, run for all threads at once, against the definition."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given, strategies as st

from tests.layouts.layout_samples import invertible_columns, pairs_of_spreads
from tilewright.layouts.conversion import ConversionKind, kind_of_conversion, movement
from tilewright.layouts.linear import LinearLayout
from tilewright.layouts.linear_text import parse_linear
from tilewright.layouts.shuffles import WarpExchange

Pair = tuple[LinearLayout, LinearLayout]
Column = list[int | tuple[int, ...]]
"""What each thread has in one register: an element, or a word of several."""


def threads(layout: LinearLayout) -> range:
    """The numbers of threads: lanes, above them warps."""
    return range(1 << len(layout.lane) + len(layout.warp))


def columns(layout: LinearLayout) -> list[list[int]]:
    """For each register the elements that the threads hold."""
    lanes = 1 << len(layout.lane)
    return [
        [layout.element(register, thread % lanes, thread // lanes) for thread in threads(layout)]
        for register in range(1 << len(layout.register))
    ]


def result(made: WarpExchange, source: LinearLayout, tally: Counter[str], fault: int = 0) -> list[list[int]]:
    """The elements that threads get, register by register; a ``fault`` changes the lanes that are read."""
    held, lanes = columns(source), 1 << len(source.lane)
    words: list[list[tuple[int, ...]]] = [
        [tuple(held[register][thread] for register in registers) for thread in threads(source)]
        for registers in made.words.packed
    ]

    def chosen(
        mask: int, first: list[tuple[int, ...]], second: list[tuple[int, ...]]
    ) -> list[tuple[int, ...]]:
        tally["choices"] += 1
        return [(first if (at & mask).bit_count() & 1 else second)[at] for at in threads(source)]

    def shuffled(word: list[tuple[int, ...]], bits: int) -> list[tuple[int, ...]]:
        tally["shuffles"] += 1
        reads = made.schedule.reads
        return [word[at // lanes * lanes + (reads(at) ^ bits ^ fault)] for at in threads(source)]

    found = made.run(words, chosen, shuffled)
    return [[entry[part] for entry in found[word]] for word, part in made.words.unpacked]


def least(source: LinearLayout, destination: LinearLayout) -> int:
    """The most elements that a thread has to get from others."""
    held, wanted = columns(source), columns(destination)
    own = [{column[thread] for column in held} for thread in threads(source)]
    return max(len({column[at] for column in wanted} - own[at]) for at in threads(source))


class TestWarpExchanges:
    @given(pairs_of_spreads(lanes=4, warps=2), st.sampled_from([1, 2, 4]))
    def test_every_register_gets_its_element(self, pair: Pair, most: int) -> None:
        made = WarpExchange.of(*pair, most)
        assert (made is None) == (kind_of_conversion(*pair) is ConversionKind.SHARED)
        assume(made is not None)
        assert made is not None
        tally = Counter[str]()
        assert result(made, pair[0], tally) == columns(pair[1])
        assert made.counts == (tally["shuffles"], tally["choices"])

    @given(pairs_of_spreads(lanes=4))
    def test_no_more_shuffles_than_words_and_their_repetitions(self, pair: Pair) -> None:
        made = WarpExchange.of(*pair, 1)
        assume(made is not None)
        assert made is not None
        registers = made.words.movement.destination.register
        repeats = made.schedule.repeats.columns
        assert made.counts[0] <= 1 << len(registers) + len(repeats)

    @given(st.data())
    def test_permutations_take_the_fewest_shuffles(self, data: st.DataObject) -> None:
        """Each shuffle brings one word to a thread: there are as many as some thread has to get from others."""
        bits = data.draw(st.integers(1, 3))
        sides = [data.draw(invertible_columns(bits + 3)) for _ in range(2)]
        source, destination = (
            LinearLayout((1 << bits + 3,), tuple(side[:bits]), tuple(side[bits:])) for side in sides
        )
        made = WarpExchange.of(source, destination, 1)
        assert made is not None
        assert made.counts[0] == least(source, destination)

    def test_renaming_takes_no_instruction(self) -> None:
        source, destination = (
            parse_linear(f"(8) register={register} lane=2:4@0") for register in ("4:1@0", "(2,2):(2@0,1@0)")
        )
        made = WarpExchange.of(source, destination, 1)
        assert made is not None
        assert movement(source, destination).renames
        assert made.counts == (0, 0)

    def test_words_halve_the_shuffles(self) -> None:
        """Rows become columns; neighbours stay together."""
        source = parse_linear("(8,8) register=(2,2):(1@1,1@0) lane=(4,4):(2@1,2@0)")
        destination = parse_linear("(8,8) register=(2,2):(1@1,2@1) lane=(8,2):(1@0,4@1)")
        counts = [made.counts[0] for most in (1, 2) if (made := WarpExchange.of(source, destination, most))]
        assert counts == [4, 2]

    @pytest.mark.parametrize("fault", [1, 2, 4])
    def test_a_shuffle_with_a_wrong_lane_is_seen(self, fault: int) -> None:
        source = parse_linear("(8,4) register=4:1@1 lane=8:1@0")
        destination = parse_linear("(8,4) register=4:1@0 lane=(2,4):(4@0,1@1)")
        made = WarpExchange.of(source, destination, 1)
        assert made is not None
        assert result(made, source, Counter()) == columns(destination)
        assert result(made, source, Counter(), fault) != columns(destination)
