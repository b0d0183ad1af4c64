"""Linear layouts: from CuTe and from blocks, their text, the fragments of matrix instructions."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from hypothesis import given, strategies as st

from tests.layouts.layout_samples import TILES, layouts, plain, spreads
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.layouts.fragments import FACTORS, fragment, matrix_fragment, mma_fragment
from tilewright.layouts.layout import AnyLayout, Layout, parse_layout
from tilewright.layouts.linear import LinearLayout, bit_matrix, blocked, linear_layout_of
from tilewright.layouts.linear_text import linear_text, parse_linear
from tilewright.ptxsim.fragments import FAMILIES


def is_linear(layout: AnyLayout) -> bool:
    """Whether xors of coordinates become xors of offsets, by counting."""
    offsets = layout.offsets()
    numbers = range(len(offsets))
    return len(offsets).bit_count() == 1 and all(
        offsets[a ^ b] == offsets[a] ^ offsets[b] for a in numbers for b in numbers
    )


class TestFromCute:
    @given(layouts(steps=(0, 1, 2, 3, 4, 5, 8, 16, 32)))
    def test_just_the_linear_ones(self, layout: Layout) -> None:
        powers = all(extent.bit_count() == 1 for extent, _ in layout.leaves)
        try:
            matrix = bit_matrix(layout)
        except DiagnosticError:
            assert not (powers and is_linear(layout))
        else:
            assert [matrix(number) for number in range(layout.size)] == layout.offsets()

    @pytest.mark.parametrize("text", ["S<2,0,3> o 0 o (8,4):(1,8)", "(2,8):(8,1) o 0 o (4,4):(4,1)"])
    def test_composed(self, text: str) -> None:
        layout = parse_layout(text)
        matrix = bit_matrix(layout)
        assert [matrix(number) for number in range(layout.size)] == layout.offsets()

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("(3,4):(1,4)", "an extent that is a power of two, got 3"),
            ("(2,2):(1,1)", "strides whose multiples have no bit in common, got (2,2):(1,1)"),
            ("4:-1", "strides whose multiples have no bit in common, got 4:-1"),
            ("S<2,0,3> o 4 o (8,4):(1,8)", "an offset of 0, got 4"),
            ("4:1 o 0 o 8:1", "coordinates below 4, for 4:1"),
        ],
    )
    def test_what_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(DiagnosticError) as refused:
            bit_matrix(parse_layout(text))
        assert refused.value.diagnostics[0].message == f"expected {message}"
        assert refused.value.diagnostics[0].hints

    def test_threads_and_values(self) -> None:
        layout = linear_layout_of(plain("((4,8,2),(2,2)):((32,1,8),(16,128))"), (16, 16))
        assert [len(columns) for columns in layout.levels.values()] == [2, 5, 1, 0]
        whole = plain("((4,8,2),(2,2)):((32,1,8),(16,128))")
        for thread, value in product(range(64), range(4)):
            assert layout.element(value, thread % 32, thread // 32) == whole((thread, value))
        with pytest.raises(DiagnosticError, match="expected a layout of two modes"):
            linear_layout_of(plain("8:1"), (8,))


@st.composite
def blocks(draw: st.DrawFn) -> tuple[tuple[int, ...], list[list[int]], list[int]]:
    """A tile, extents of registers, lanes and warps for each dimension, and an order."""
    shape = draw(TILES)
    extents = [[1 << draw(st.integers(0, 2)) for _ in shape] for _ in range(3)]
    return shape, extents, draw(st.permutations(list(range(len(shape)))))


def digits(number: int, extents: list[int], order: list[int]) -> list[int]:
    """A number as coordinates, the first dimension of the order fastest."""
    found = [0] * len(extents)
    for at in order:
        found[at], number = number % extents[at], number // extents[at]
    return found


class TestBlocked:
    @given(blocks())
    def test_the_definition(self, sample: tuple[tuple[int, ...], list[list[int]], list[int]]) -> None:
        """A coordinate is that in the block of a thread, plus blocks times the lane's, plus warps; repeated, or cut."""
        shape, (registers, lanes, warps), order = sample
        layout = blocked(shape, registers, lanes, warps, order)
        whole = [prod(extents) for extents in zip(registers, lanes, warps, strict=True)]
        repeats = [max(extent // one, 1) for extent, one in zip(shape, whole, strict=True)]
        assert [1 << len(columns) for columns in layout.levels.values()] == [
            prod(registers) * prod(repeats),
            prod(lanes),
            prod(warps),
            1,
        ]
        for number in range(1 << len(layout.columns)):
            rest = number
            register, lane, warp = (
                (rest >> shift) % (1 << len(columns))
                for columns, shift in (
                    (layout.register, 0),
                    (layout.lane, len(layout.register)),
                    (layout.warp, len(layout.register) + len(layout.lane)),
                )
            )
            inside = digits(register % prod(registers), registers, order)
            again = digits(register // prod(registers), repeats, order)
            places = zip(
                inside,
                digits(lane, lanes, order),
                digits(warp, warps, order),
                again,
                range(len(shape)),
                strict=True,
            )
            expected = tuple(
                (r + registers[at] * (ln + lanes[at] * (w + warps[at] * a))) % shape[at]
                for r, ln, w, a, at in places
            )
            assert layout.coordinates(layout.element(register, lane, warp)) == expected
        assert layout.is_onto

    def test_what_is_refused(self) -> None:
        with pytest.raises(DiagnosticError, match="an order of all of them"):
            blocked((4, 4), (1, 1), (4, 4), (1, 1), (0, 0))
        with pytest.raises(DiagnosticError, match="power of two, got 12"):
            blocked((12,), (1,), (4,), (1,), (0,))


class TestElements:
    @given(TILES.flatmap(lambda shape: spreads(shape, 2, 1)))
    def test_where_duplicates_are_0_each_element_is_held_once(self, layout: LinearLayout) -> None:
        masks = layout.duplicates()
        held = [
            layout.element(register, lane, warp)
            for register in range(1 << len(layout.register))
            for lane in range(1 << len(layout.lane))
            for warp in range(1 << len(layout.warp))
            if not (register & masks["register"] or lane & masks["lane"] or warp & masks["warp"])
        ]
        assert sorted(held) == list(range(layout.size))

    @given(TILES, st.data())
    def test_numbers_and_coordinates(self, shape: tuple[int, ...], data: st.DataObject) -> None:
        layout = LinearLayout(shape)
        element = data.draw(st.integers(0, layout.size - 1))
        assert layout.number(layout.coordinates(element)) == element
        assert plain_number(layout.coordinates(element), shape) == element

    def test_broadcast(self) -> None:
        layout = LinearLayout((4,), (0, 1), (0,), (2, 0))
        assert layout.broadcast() == {"register": 1, "lane": 1, "warp": 2, "block": 0}


def plain_number(coordinates: tuple[int, ...], shape: tuple[int, ...]) -> int:
    return sum(at * prod(shape[:dimension]) for dimension, at in enumerate(coordinates))


class TestText:
    @given(TILES.flatmap(lambda shape: spreads(shape, 2, 2)))
    def test_goes_both_ways(self, layout: LinearLayout) -> None:
        assert parse_linear(linear_text(layout)) == layout

    def test_is_canonical(self) -> None:
        text = "(16,8) lane=(2,2,8):(2@1,4@1,1@0) register=(2,2):(1@1,8@0)"
        assert linear_text(parse_linear(text)) == "(16,8) register=(2,2):(1@1,8@0) lane=(4,8):(2@1,1@0)"

    def test_of_sums_and_zeros(self) -> None:
        text = "(8,8) register=(2,2):(1@0+1@1,0) lane=(4,2):(2@0+2@1,4@1)"
        layout = parse_linear(text)
        assert linear_text(layout) == text
        assert layout.coordinates(layout.element(1, 3)) == (7, 7)

    def test_of_a_scalar(self) -> None:
        assert linear_text(parse_linear("() lane=32:0")) == "() lane=32:0"

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("8 lane=8:1@0", "expected extents in parentheses, got 8"),
            ("(8) lane=8:1@0 lane=8:1@0", "'lane' stands twice"),
            ("(8) lane=(2,4):1@0", "expected a stride for each extent of (2,4), got 1"),
            ("(8) lane=16:1@0", "a mode of stride 1@0 leaves the tile"),
            ("(8) lane=2:8@0", "expected steps inside of the tile (8), got [8]"),
            ("(8) lane=2:1@1", "expected steps along dimensions such as 1@0+8@1, got 1@1"),
            ("(8) lane=2:1", "expected steps along dimensions such as 1@0+8@1, got 1"),
            ("(8) lane=3:1@0", "expected an extent that is a power of two, got 3"),
            ("(12) lane=2:1@0", "expected an extent that is a power of two, got 12"),
            ("(8) lane=?:1@0", "expected extents, got ?"),
            ("(8) thread=8:1@0", "expected the end in '(8) thread=8:1@0', got 'thread'"),
        ],
    )
    def test_what_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(DiagnosticError) as refused:
            parse_linear(text)
        assert message in refused.value.diagnostics[0].message


class TestFragments:
    @pytest.mark.parametrize(
        ("name", "cute"),
        [
            ("mma.m16n8k16.C.f32", "((4,8),(2,2)):((32,1),(16,8))"),
            ("mma.m16n8k16.A.f16", "((4,8),(2,2,2)):((32,1),(16,8,128))"),
            ("mma.m16n8k16.B.bf16", "((4,8),(2,2)):((16,1),(8,64))"),
            ("mma.m16n8k8.A.tf32", "((4,8),(2,2)):((16,1),(8,64))"),
            ("mma.m16n8k8.B.tf32", "((4,8),2):((8,1),32)"),
            ("mma.m16n8k32.A.s8", "((4,8),(4,2,2)):((64,1),(16,8,256))"),
            ("mma.m16n8k32.B.e4m3", "((4,8),(4,2)):((32,1),(8,128))"),
        ],
    )
    def test_published_layouts(self, name: str, cute: str) -> None:
        found = fragment(name)
        assert found == linear_layout_of(plain(cute), found.shape)

    def test_the_simulator_has_the_same(self) -> None:
        """Two tables, written by different rules: elements of lanes and values, in both."""
        for type, (bits, shapes, sums) in FACTORS.items():
            for m, n, k in shapes:
                packed = max(32 // bits, 1)
                for operand, rows, columns, element in (
                    ("A", m, k, type),
                    ("B", k, n, type),
                    *(("C", m, n, accumulator) for accumulator in sums),
                ):
                    places = FAMILIES[operand](rows, columns, packed).places()
                    ours = mma_fragment((m, n, k), operand, element)
                    for lane, values in enumerate(places.tolist()):
                        for value, place in enumerate(values):
                            at = divmod(place, columns)
                            expected = at[::-1] if operand == "B" else at
                            assert ours.coordinates(ours.element(value, lane)) == expected

    @pytest.mark.parametrize("matrices", [1, 2, 4])
    @pytest.mark.parametrize("transposed", [False, True])
    def test_matrices(self, matrices: int, transposed: bool) -> None:
        """Register i of lane l holds elements 2 (l % 4) and the next, of row l / 4 of matrix i; `.trans`: of the column."""
        layout = matrix_fragment(matrices, transposed=transposed)
        for lane, value in product(range(32), range(2 * matrices)):
            row, column = lane // 4, lane % 4 * 2 + value % 2
            if transposed:
                row, column = column, row
            assert layout.coordinates(layout.element(value, lane)) == (value // 2 * 8 + row, column)
        suffix = ".trans" * transposed
        assert fragment(f"ldmatrix.x{matrices}{suffix}") == layout

    @pytest.mark.parametrize(
        ("name", "message", "hint"),
        [
            ("mma.m16n8k4.A.f16", "mma has no shape m16n8k4 for A of f16", "it has m16n8k8, m16n8k16"),
            ("mma.m16n8k4.C.f8", "mma has no shape m16n8k4 for C of f8", "types of C are f16, f32, f64, s32"),
            ("ldmatrix.x3", "ldmatrix does not load 3 matrices", "it loads 1, 2 or 4"),
            (
                "wgmma",
                "'wgmma' is no fragment",
                "fragments are named mma.m16n8k16.A.f16 or ldmatrix.x4.trans",
            ),
        ],
    )
    def test_what_is_refused(self, name: str, message: str, hint: str) -> None:
        with pytest.raises(DiagnosticError) as refused:
            fragment(name)
        (found,) = refused.value.diagnostics
        assert (found.message, found.hints) == (message, [hint])
