"""The algebra of layouts: known results, and every operation against its definition, coordinate by coordinate."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import prod

import pytest
from hypothesis import assume, given, strategies as st

from tests.layouts.layout_samples import layouts, layouts_of_one_shape, plain
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.layouts.algebra import (
    Tiler,
    coalesce,
    complement,
    composition,
    filter_zeros,
    left_inverse,
    max_common_vector,
    right_inverse,
)
from tilewright.layouts.layout import ComposedLayout, Layout, column_major, parse_layout
from tilewright.layouts.tiling import (
    blocked_product,
    flat_divide,
    logical_divide,
    logical_product,
    raked_product,
    tiled_divide,
    zipped_divide,
    zipped_product,
)
from tilewright.layouts.trees import Swizzle, integers


def possible(make: Callable[..., Layout], *arguments: Layout | int | Tiler) -> Layout:
    """What an operation answers; arguments that it refuses are not examples."""
    try:
        return make(*arguments)
    except DiagnosticError:
        assume(False)
        raise


def tiler(text: str) -> Tiler:
    """Tilers with a semicolon between them; ``_`` keeps a mode."""
    return tuple(None if part == "_" else plain(part) for part in text.split(";"))


class TestLayouts:
    @given(layouts())
    def test_text_goes_both_ways(self, layout: Layout) -> None:
        assert parse_layout(str(layout)) == layout

    @pytest.mark.parametrize("text", ["S<3,4,3> o 0 o (8,64):(64,1)", "4:2 o 8 o (2,2):(1,2)"])
    def test_text_of_composed_layouts_goes_both_ways(self, text: str) -> None:
        assert str(parse_layout(text)) == text

    @given(layouts())
    def test_offsets_against_counting(self, layout: Layout) -> None:
        """A number as a coordinate is its digits, least significant first, in the leaves of the shape."""
        expected: list[int] = []
        for number in range(layout.size):
            total, rest = 0, number
            for extent, step in layout.leaves:
                total += rest % extent * step
                rest //= extent
            assert layout(number) == total
            expected.append(total)
        assert layout.offsets() == expected
        assert layout.size == prod(integers(layout.shape))
        assert layout.cosize == max(expected) + 1

    @given(layouts())
    def test_columns_are_counted(self, sample: Layout) -> None:
        layout = column_major(sample.shape)
        assert layout.shape == sample.shape
        assert layout.offsets() == list(range(layout.size))

    def test_coordinates_have_the_form_of_the_shape(self) -> None:
        layout = plain("((2,4),8):((1,16),2)")
        assert layout(((1, 3), 5)) == layout((7, 5)) == layout(47) == 1 + 48 + 10
        with pytest.raises(DiagnosticError, match=r"TW1401.*\(1,2,3\) does not fit"):
            layout((1, 2, 3))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("(2,4):(1,2,8)", "expected a stride for each extent, got (2,4):(1,2,8)"),
            ("(2,0):(1,2)", "expected positive extents, got (2,0)"),
            ("(2,?):(1,2)", "expected plain numbers, got (2,?):(1,2)"),
            ("(2,4)", "expected SHAPE:STRIDE in '(2,4)', got 'its end'"),
            ("(2,4):(1,2) 3", "expected the end in '(2,4):(1,2) 3', got '3'"),
            ("S<3,4,2> o 0 o 4:1", "expected a shift of at least 3, got 2"),
            ("S<3,60,3> o 0 o 4:1", "expected a swizzle of bits 0 to 63, got S<3,60,3>"),
            ("S<3,4,3>", "expected 'o' in 'S<3,4,3>', got 'its end'"),
        ],
    )
    def test_what_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(DiagnosticError) as refused:
            parse_layout(text)
        assert refused.value.diagnostics[0].message == message


class TestSwizzles:
    @given(st.integers(0, 3), st.integers(0, 4), st.integers(-4, 4), st.integers(0, 2**12))
    def test_bits_are_xored_and_the_inverse_is_the_same(
        self, bits: int, base: int, shift: int, offset: int
    ) -> None:
        assume(abs(shift) >= bits)
        swizzle = Swizzle(bits, base, shift)
        expected = offset
        for bit in range(base, base + bits):
            source, target = (bit + shift, bit) if shift >= 0 else (bit, bit - shift)
            expected ^= (offset >> source & 1) << target
        assert swizzle(offset) == expected
        assert swizzle(expected) == offset

    def test_128_bytes(self) -> None:
        swizzle = Swizzle(3, 4, 3)
        known = {0x40: 0x40, 0x80: 0x90, 0x90: 0x80, 0x100: 0x120, 0x180: 0x1B0, 0x380: 0x3F0, 0x480: 0x490}
        assert {offset: swizzle(offset) for offset in known} == known

    def test_a_composed_layout_permutes(self) -> None:
        layout = parse_layout("S<2,0,3> o 4 o (8,4):(1,8)")
        assert isinstance(layout, ComposedLayout)
        assert layout.size == 32
        assert layout.offsets() == [Swizzle(2, 0, 3)(4 + offset) for offset in range(32)]
        assert [layout(number) for number in range(32)] == layout.offsets()


class TestCoalesce:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("(2,(1,6)):(1,(6,2))", "12:1"),
            ("(2,4):(4,1)", "(2,4):(4,1)"),
            ("(1,1):(3,4)", "1:0"),
            ("(2,(3,4)):(0,(0,0))", "24:0"),
        ],
    )
    def test_known_results(self, text: str, expected: str) -> None:
        assert str(coalesce(plain(text))) == expected

    @given(layouts())
    def test_the_map_stays_and_no_two_neighbours_join(self, layout: Layout) -> None:
        found = coalesce(layout)
        assert found.offsets() == layout.offsets()
        assert all(second[1] != first[0] * first[1] for first, second in pairwise(found.leaves))

    @given(layouts())
    def test_zeros_are_filtered(self, layout: Layout) -> None:
        found = filter_zeros(layout)
        assert set(found.offsets()) == set(layout.offsets())
        assert all(step or extent == 1 for extent, step in found.leaves)


class TestComposition:
    @pytest.mark.parametrize(
        ("layout", "inner", "expected"),
        [
            ("(6,2):(8,2)", "(4,3):(3,1)", "((2,2),3):((24,2),8)"),
            ("20:2", "(5,4):(4,1)", "(5,4):(8,2)"),
            ("(10,2):(16,4)", "(5,4):(1,5)", "(5,(2,2)):(16,(80,4))"),
            ("8:2", "4:1", "4:2"),
            ("(4,3):(1,10)", "2:3", "2:3"),
        ],
    )
    def test_known_results(self, layout: str, inner: str, expected: str) -> None:
        assert str(composition(plain(layout), plain(inner))) == expected

    def test_mode_by_mode(self) -> None:
        found = composition(plain("(12,(4,8)):(59,(13,1))"), tiler("3:4;8:2"))
        assert str(found) == "(3,(2,4)):(236,(26,1))"

    @given(layouts(), layouts())
    def test_the_definition(self, layout: Layout, inner: Layout) -> None:
        found = possible(composition, layout, inner)
        whole = coalesce(layout)
        assert found.size == inner.size
        for number, at in enumerate(inner.offsets()):
            assert found(number) == whole(at)
            if at < layout.size:
                assert found(number) == layout(at)

    def test_coordinates_that_carry_are_refused(self) -> None:
        with pytest.raises(DiagnosticError, match="modes of the second add up to element 4 of 4"):
            composition(plain("(4,2):(1,8)"), plain("(2,2):(3,1)"))

    def test_the_way_out(self) -> None:
        with pytest.raises(DiagnosticError) as refused:
            composition(plain("(4,3):(1,10)"), plain("6:1"))
        (found,) = refused.value.diagnostics
        assert found.message == "(4,3):(1,10) and 6:1 are not composable: 4 does not divide 6"
        assert found.hints[0].startswith("choose extents and strides of the second that divide")

    def test_permutations_stay_behind(self) -> None:
        swizzled = parse_layout("S<3,4,3> o 0 o (8,64):(64,1)")
        assert isinstance(swizzled, ComposedLayout)
        part = composition(swizzled, tiler("4:2;8:1"))
        assert str(part) == "S<3,4,3> o 0 o (4,8):(128,1)"
        assert part((3, 5)) == swizzled((6, 5))

    def test_more_tilers_than_modes(self) -> None:
        with pytest.raises(DiagnosticError, match="at most 1 tilers for 8:1, got 2"):
            composition(plain("8:1"), tiler("2:1;2:1"))

    def test_negative_strides_of_the_second(self) -> None:
        with pytest.raises(DiagnosticError, match=r"TW1402.*has a negative stride"):
            composition(plain("8:1"), plain("4:-1"))


class TestComplement:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("4:1", "6:4"),
            ("6:4", "4:1"),
            ("(4,6):(1,4)", "1:0"),
            ("4:2", "(2,3):(1,8)"),
            ("(2,4):(1,6)", "3:2"),
            ("(2,2):(1,6)", "(3,2):(2,12)"),
        ],
    )
    def test_known_results(self, text: str, expected: str) -> None:
        assert str(complement(plain(text), 24)) == expected

    def test_of_256(self) -> None:
        assert str(complement(plain("4:32"), 256)) == "(32,2):(1,128)"

    @given(layouts(), st.integers(1, 100))
    def test_together_they_reach_each_offset_once(self, layout: Layout, extent: int) -> None:
        rest = possible(complement, layout, extent)
        pair = Layout.of((filter_zeros(layout), rest))
        assert sorted(pair.offsets()) == list(range(pair.size))
        assert pair.size >= extent
        ordered = [step for _, step in rest.leaves]
        assert ordered == sorted(ordered)

    def test_overlaps(self) -> None:
        with pytest.raises(DiagnosticError, match=r"TW1403.*stride 3 follows 4 covered offsets"):
            complement(plain("(4,2):(1,3)"), 24)


class TestInverses:
    @pytest.mark.parametrize(
        ("text", "expected"), [("(4,8):(8,1)", "(8,4):(4,1)"), ("(2,3,4):(12,4,1)", "(4,3,2):(6,2,1)")]
    )
    def test_known_right_inverses(self, text: str, expected: str) -> None:
        assert str(right_inverse(plain(text))) == expected

    @pytest.mark.parametrize(
        ("text", "expected"), [("(4,8):(1,8)", "(4,2,8):(1,32,4)"), ("4:2", "(2,4):(4,1)")]
    )
    def test_known_left_inverses(self, text: str, expected: str) -> None:
        assert str(left_inverse(plain(text))) == expected

    @given(layouts())
    def test_right(self, layout: Layout) -> None:
        found = right_inverse(layout)
        assert [layout(at) for at in found.offsets()] == list(range(found.size))

    @given(layouts())
    def test_left(self, layout: Layout) -> None:
        found = possible(left_inverse, layout)
        assert [found(offset) for offset in layout.offsets()] == list(range(layout.size))

    def test_repeated_offsets(self) -> None:
        with pytest.raises(DiagnosticError, match="no left inverse: a stride is 0"):
            left_inverse(plain("(4,2):(1,0)"))

    @given(layouts_of_one_shape())
    def test_common_vectors(self, pair: tuple[Layout, Layout]) -> None:
        first, second = pair
        try:
            width = max_common_vector(first, second)
        except DiagnosticError:
            return
        place = {offset: number for number, offset in reversed(list(enumerate(second.offsets())))}
        if width > 1:
            assert [first(place[offset]) for offset in range(width)] == list(range(width))

    @pytest.mark.parametrize(
        ("first", "second", "width"),
        [
            ("(8,4):(1,8)", "(8,4):(1,8)", 32),
            ("(8,4):(1,16)", "(8,4):(1,8)", 8),
            ("(8,4):(4,1)", "(8,4):(1,8)", 1),
            ("((2,4),4):((1,8),2)", "((2,4),4):((1,2),8)", 2),
        ],
    )
    def test_known_widths(self, first: str, second: str, width: int) -> None:
        assert max_common_vector(plain(first), plain(second)) == width

    def test_sizes_agree(self) -> None:
        with pytest.raises(DiagnosticError, match="8:1 has 8 elements, and 4:1 has 4"):
            max_common_vector(plain("8:1"), plain("4:1"))


class TestDivisions:
    def test_known_results(self) -> None:
        assert str(logical_divide(plain("(4,2,3):(2,1,8)"), plain("4:2"))) == "((2,2),(2,3)):((4,1),(2,8))"
        nine = plain("(9,(4,8)):(59,(13,1))")
        by = tiler("3:3;(2,4):(1,8)")
        assert str(logical_divide(nine, by)) == "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"
        assert str(zipped_divide(nine, by)) == "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"
        assert str(flat_divide(nine, by)) == "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))"
        square = plain("(128,128):(1,128)")
        assert str(tiled_divide(square, tiler("64:1;64:1"))) == "((64,64),2,2):((1,128),64,8192)"
        assert str(logical_divide(square, tiler("32:1;16:1"))) == "((32,4),(16,8)):((1,32),(128,2048))"

    @given(layouts(), layouts(steps=(1, 2, 3, 4)))
    def test_the_definition(self, layout: Layout, tile: Layout) -> None:
        found = possible(logical_divide, layout, tile)
        first, second = found.modes
        tiles = complement(tile, layout.size)
        whole = coalesce(layout)
        for number, at in enumerate(tile.offsets()):
            for place, start in enumerate(tiles.offsets()):
                assert first(number) + second(place) == found((number, place)) == whole(at + start)

    @given(layouts(), layouts(steps=(1, 2, 4)), layouts(steps=(1, 2, 4)))
    def test_groupings_have_the_same_elements(self, layout: Layout, rows: Layout, columns: Layout) -> None:
        both = Layout.of((layout, layout))
        by = (rows, columns)
        divided = possible(logical_divide, both, by)
        zipped, tiled, flat = (divide(both, by) for divide in (zipped_divide, tiled_divide, flat_divide))
        (tile0, rest0), (tile1, rest1) = (mode.modes for mode in divided.modes)
        assert zipped.modes[0].modes == (tile0, tile1)
        assert zipped.modes[1].modes == (rest0, rest1)
        assert tiled.modes == (Layout.of((tile0, tile1)), rest0, rest1)
        assert flat.modes == (tile0, tile1, rest0, rest1)

    def test_modes_are_kept_and_left_over(self) -> None:
        layout = plain("(8,4,2):(1,8,32)")
        assert str(zipped_divide(layout, tiler("2:1"))) == "((2),(4,4,2)):((1),(2,8,32))"
        assert str(zipped_divide(layout, tiler("_;2:1"))) == "((8,2),(1,2,2)):((1,8),(0,16,32))"

    def test_permutations_stay_behind(self) -> None:
        swizzled = parse_layout("S<3,4,3> o 0 o (8,64):(64,1)")
        assert isinstance(swizzled, ComposedLayout)
        assert str(flat_divide(swizzled, tiler("4:1;8:1"))) == "S<3,4,3> o 0 o (4,8,2,8):(64,1,256,8)"


class TestProducts:
    def test_known_results(self) -> None:
        block = plain("(2,2):(4,1)")
        assert str(logical_product(block, plain("6:1"))) == "((2,2),(2,3)):((4,1),(2,8))"
        assert str(logical_product(block, plain("(4,2):(2,1)"))) == "((2,2),(4,2)):((4,1),(8,2))"
        rows, columns = plain("(2,5):(5,1)"), plain("(3,4):(1,3)")
        assert str(blocked_product(rows, columns)) == "((2,3),(5,4)):((5,10),(1,30))"
        assert str(raked_product(rows, columns)) == "((3,2),(4,5)):((10,5),(30,1))"
        assert str(zipped_product(rows, tiler("3:1;4:1"))) == "((2,5),(3,4)):((5,1),(1,5))"

    @given(layouts(steps=(1, 2, 4, 8)), layouts(steps=(1, 2, 3, 4)))
    def test_the_definition(self, layout: Layout, tile: Layout) -> None:
        """Mode 1 puts the layout at places of its complement, in the order of the tiler."""
        found = possible(logical_product, layout, tile)
        free = complement(layout, layout.size * tile.cosize)
        for number, start in enumerate(tile.offsets()):
            for at, offset in enumerate(layout.offsets()):
                assert found((at, number)) == offset + coalesce(free)(start)

    @given(layouts(steps=(1, 2, 4, 8)), layouts(steps=(1, 2, 4)))
    def test_blocked_and_raked_have_the_same_elements(self, layout: Layout, tile: Layout) -> None:
        blocked = possible(blocked_product, layout, tile)
        raked = raked_product(layout, tile)
        assert len(blocked.modes) == max(len(layout.modes), len(tile.modes))
        assert [mode.modes[::-1] for mode in blocked.modes] == [mode.modes for mode in raked.modes]
        assert sorted(blocked.offsets()) == sorted(raked.offsets())
