"""Conversions between layouts: their kind, the shuffles, round trips through shared memory, against enumeration."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, given, strategies as st

from tests.layouts.layout_samples import invertible_columns, pairs_of_spreads, plain, spreads
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.layouts.access import AccessLayout, MatrixAccess
from tilewright.layouts.bits import BitMatrix
from tilewright.layouts.conversion import ConversionKind, kind_of_conversion, movement
from tilewright.layouts.fragments import fragment
from tilewright.layouts.layout import parse_layout
from tilewright.layouts.linear import LinearLayout, bit_matrix, blocked
from tilewright.layouts.linear_text import parse_linear
from tilewright.layouts.matrix_rows import MatrixRows, matrix_rows
from tilewright.layouts.shuffles import shuffle_steps
from tilewright.layouts.swizzles import round_trip

Pair = tuple[LinearLayout, LinearLayout]


def places(layout: LinearLayout) -> list[tuple[int, int, int]]:
    """All (warp, lane, register)."""
    counts = (len(layout.warp), len(layout.lane), len(layout.register))
    warp, lane, register = (range(1 << count) for count in counts)
    return list(product(warp, lane, register))


def held(layout: LinearLayout, *numbers: int) -> int:
    warp, lane, register = numbers
    return layout.element(register, lane, warp)


def counted_kind(source: LinearLayout, destination: LinearLayout) -> ConversionKind:
    """The kind by its definition: who has the elements that everybody gets."""
    if source == destination:
        return ConversionKind.NOTHING
    in_thread = {(w, ln, held(source, w, ln, r)) for w, ln, r in places(source)}
    in_warp = {(w, element) for w, _, element in in_thread}
    wanted = {(w, ln, held(destination, w, ln, r)) for w, ln, r in places(destination)}
    if wanted <= in_thread:
        return ConversionKind.REGISTERS
    return (
        ConversionKind.SHUFFLE
        if {(w, element) for w, _, element in wanted} <= in_warp
        else ConversionKind.SHARED
    )


class TestKinds:
    @given(pairs_of_spreads())
    def test_the_definition(self, pair: Pair) -> None:
        assert kind_of_conversion(*pair) is counted_kind(*pair)

    @given(pairs_of_spreads())
    def test_movements_find_the_elements(self, pair: Pair) -> None:
        source, destination = pair
        found = movement(source, destination)
        assert source.matrix @ found.matrix == destination.matrix

    @given(pairs_of_spreads())
    def test_renaming_is_the_same_in_all_threads(self, pair: Pair) -> None:
        """Each register of the result is, in every thread, one and the same register of the source."""
        source, destination = pair
        threads = sorted({(w, ln) for w, ln, _ in places(source)})
        sources = [
            [
                r
                for r in range(1 << len(source.register))
                if all(held(source, *at, r) == held(destination, *at, to) for at in threads)
            ]
            for to in range(1 << len(destination.register))
        ]
        assert movement(source, destination).renames == all(sources)

    @pytest.mark.parametrize(
        ("source", "destination", "kind"),
        [
            ("(8) register=2:1@0 lane=4:2@0", "(8) register=2:1@0 lane=4:2@0", ConversionKind.NOTHING),
            (
                "(8) register=4:1@0 lane=2:4@0",
                "(8) register=(2,2):(2@0,1@0) lane=2:4@0",
                ConversionKind.REGISTERS,
            ),
            ("(8) register=8:1@0 lane=2:0", "(8) register=4:1@0 lane=2:4@0", ConversionKind.REGISTERS),
            ("(8) register=2:1@0 lane=4:2@0", "(8) register=2:4@0 lane=4:1@0", ConversionKind.SHUFFLE),
            ("(8) lane=4:1@0 warp=2:4@0", "(8) lane=(2,2):(4@0,1@0) warp=2:2@0", ConversionKind.SHARED),
            ("(2) lane=2:1@0 block=2:0", "(2) lane=2:0 block=2:1@0", ConversionKind.SHUFFLE),
            ("(2) lane=2:0 block=2:1@0", "(2) lane=2:1@0 block=2:0", ConversionKind.BLOCKS),
        ],
    )
    def test_examples(self, source: str, destination: str, kind: ConversionKind) -> None:
        assert kind_of_conversion(parse_linear(source), parse_linear(destination)) is kind

    def test_an_accumulator_is_the_operand_of_the_next_product(self) -> None:
        """Two accumulators of m16n8, side by side, are the operand A of m16n8k16."""
        pair = parse_linear("(16,16) register=(2,2,2):(1@1,8@0,8@1) lane=(4,8):(2@1,1@0)")
        assert kind_of_conversion(pair, fragment("mma.m16n8k16.A.f16")) is ConversionKind.NOTHING

    def test_what_is_refused(self) -> None:
        with pytest.raises(DiagnosticError, match=r"TW1405.*no conversion from \(8\) lane=8:1@0 to \(4\)"):
            movement(parse_linear("(8) lane=8:1@0"), parse_linear("(4) lane=4:1@0"))
        with pytest.raises(DiagnosticError, match="does not hold every element"):
            movement(parse_linear("(8) lane=4:1@0"), parse_linear("(8) lane=4:2@0"))


class TestShuffles:
    @given(pairs_of_spreads(lanes=4))
    def test_every_register_gets_its_element(self, pair: Pair) -> None:
        source, destination = pair
        found = movement(source, destination)
        assume(found.kind is not ConversionKind.SHARED)
        for warp in range(1 << len(source.warp)):
            filled: dict[tuple[int, int], int] = {}
            for step in shuffle_steps(found, warp):
                for lane, register in enumerate(step.fills):
                    if register is not None:
                        sender = step.reads[lane]
                        assert (lane, register) not in filled
                        filled[lane, register] = source.element(step.sends[sender], sender, warp)
            assert filled == {
                (ln, r): held(destination, w, ln, r) for w, ln, r in places(destination) if w == warp
            }

    @given(st.data())
    def test_without_repetition_there_are_as_many_rounds_as_registers(self, data: st.DataObject) -> None:
        columns = [data.draw(invertible_columns(5)) for _ in range(2)]
        source, destination = (LinearLayout((4, 8), tuple(one[:2]), tuple(one[2:])) for one in columns)
        found = list(shuffle_steps(movement(source, destination)))
        assert len(found) == 4
        assert all(sorted(step.reads) == list(range(8)) for step in found)

    def test_a_butterfly(self) -> None:
        source = parse_linear("(2,4) register=2:1@0 lane=4:1@1")
        destination = parse_linear("(2,4) register=2:1@1 lane=(2,2):(1@0,2@1)")
        found = list(shuffle_steps(movement(source, destination)))
        assert [step.xor for step in found] == [0, 1]
        assert [step.is_local for step in found] == [True, False]

    def test_lanes_that_want_different_registers_of_one(self) -> None:
        source = parse_linear("(4) register=2:1@0 lane=(2,2):(2@0,0)")
        destination = parse_linear("(4) lane=(2,2):(2@0,1@0)")
        assert [step.xor for step in shuffle_steps(movement(source, destination))] == [0]
        gathered = parse_linear("(4) lane=(2,2):(1@0,2@0)")
        found = list(shuffle_steps(movement(source, gathered)))
        assert all(step.fills.count(0) in (2, 4) for step in found)

    def test_lanes_that_must_read_from_one_want_one_register_of_it(self) -> None:
        """They fill different registers in a round, those for which the same element is wanted: nothing is repeated."""
        source = LinearLayout((4, 8), register=(5, 9), lane=(4, 10, 16, 2))
        destination = LinearLayout((4, 8), register=(12, 20, 28), lane=(8, 9, 12, 2))
        assert len(list(shuffle_steps(movement(source, destination)))) == 8

    def test_not_between_warps(self) -> None:
        found = movement(parse_linear("(4) lane=2:1@0 warp=2:2@0"), parse_linear("(4) lane=2:2@0 warp=2:1@0"))
        with pytest.raises(DiagnosticError, match="move between warps"):
            list(shuffle_steps(found))


def counted_conflicts(access: AccessLayout, vector: int) -> int:
    """The most words of one bank that the lanes of a phase need, by enumeration."""
    bits = vector * access.width
    lanes = 1 << len(access.lane)
    phase = min(lanes, 32, max(1024 // bits, 1))
    offset = BitMatrix(access.lane, 64)
    worst = 1
    for first in range(0, lanes, phase):
        words: dict[int, set[int]] = {}
        for lane in range(first, first + phase):
            start = offset(lane) // vector * bits
            for word in range(start // 32, (start + bits - 1) // 32 + 1):
                words.setdefault(word % 32, set()).add(word)
        worst = max(worst, *map(len, words.values()))
    return worst


def counted_vector(access: AccessLayout) -> int:
    """The most elements that lie side by side, aligned, in the registers of each lane, by enumeration."""
    matrix = BitMatrix(access.register, 64)
    offsets = {matrix(register) for register in range(1 << len(access.register))}
    widths = (1 << bit for bit in range(8) if access.width << bit <= 128)
    return max(
        width
        for width in widths
        if all(offset // width * width + at in offsets for offset in offsets for at in range(width))
    )


WIDTHS = st.sampled_from([4, 8, 16, 32, 64, 128])


class TestSharedMemory:
    @given(
        spreads((8, 32), 5, 0),
        invertible_columns(8),
        WIDTHS,
    )
    def test_vectors_and_conflicts(self, layout: LinearLayout, memory: list[int], width: int) -> None:
        access = AccessLayout.of(layout, BitMatrix(tuple(memory), 8), width)
        assert access.vector == counted_vector(access)
        assert access.bank_conflicts() == counted_conflicts(access, access.vector)

    @given(spreads((16, 32), 5, 1), spreads((16, 32), 5, 1), WIDTHS)
    def test_round_trips_have_no_conflicts(self, store: LinearLayout, load: LinearLayout, width: int) -> None:
        found = round_trip(store, load, width)
        assert found.memory.is_onto
        assert found.memory.is_one_to_one
        for side in (store, load):
            access = AccessLayout.of(side, found.memory, width)
            assert access.vector >= found.vector
            assert access.bank_conflicts(found.vector) == counted_conflicts(access, found.vector) == 1

    @pytest.mark.parametrize(("width", "vector"), [(4, 32), (8, 16), (16, 8), (32, 4), (64, 2)])
    def test_common_vectors_are_used(self, width: int, vector: int) -> None:
        store = blocked((64, 64), (1, 8), (4, 8), (4, 1), (1, 0))
        load = blocked((64, 64), (2, 8), (8, 4), (1, 4), (0, 1))
        assert round_trip(store, load, width).vector == vector

    def test_a_swizzle_in_both_notations(self) -> None:
        """Columns of a row-major tile of 64 x 64 halves have conflicts, those of the swizzled one have none."""
        rows = bit_matrix(plain("(64,64):(64,1)"))
        swizzle = bit_matrix(parse_layout("S<3,3,3> o 0 o (64,64):(64,1)"))
        columns = parse_linear("(64,64) register=(8,8,2):(1@1,8@1,32@0) lane=32:1@0")
        assert [AccessLayout.of(columns, memory, 16).bank_conflicts() for memory in (rows, swizzle)] == [8, 1]
        assert [AccessLayout.of(columns, memory, 16).vector for memory in (rows, swizzle)] == [8, 8]

    def test_what_is_refused(self) -> None:
        layout = parse_linear("(8) lane=8:1@0")
        with pytest.raises(DiagnosticError, match="memory for 4 elements, and a tile of 8"):
            AccessLayout.of(layout, BitMatrix.identity(2), 16)
        with pytest.raises(DiagnosticError, match="at most 128 bits, got 256"):
            AccessLayout.of(layout, BitMatrix.identity(3), 256)
        with pytest.raises(DiagnosticError, match="two layouts that hold all elements"):
            round_trip(layout, parse_linear("(8) lane=4:1@0"), 16)


def rows_are_whole(access: AccessLayout, transposed: bool) -> bool:
    """Whether every row of every matrix of a warp lies in 16 aligned bytes, by the definition of ``ldmatrix``."""
    offset = BitMatrix(access.register + access.lane + access.outer, 64)
    packed = 32 // access.width
    bits = len(access.register)
    starts = [0, *(1 << bits + 5 + at for at in range(len(access.outer)))]
    for start, matrix, row in product(starts, range((1 << bits) // packed), range(8)):
        found: list[int] = []
        for at in range(128 // access.width):
            lane, value = row * 4 + at // packed, matrix * packed + at % packed
            if transposed:
                lane, value = at * 4 + row // packed, matrix * packed + row % packed
            found.append(offset(start ^ lane << bits ^ value))
        if found[0] % len(found) or found != list(range(found[0], found[0] + len(found))):
            return False
    return True


def numbered(layout: LinearLayout, steps: tuple[tuple[int, int], tuple[int, int]]) -> LinearLayout:
    """The layout with elements numbered otherwise: (extent, step) of each of its two dimensions."""

    def columns(numbers: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(
            sum(at * step for at, (_, step) in zip(layout.coordinates(one), steps, strict=True))
            for one in numbers
        )

    return LinearLayout((layout.size,), columns(layout.register), columns(layout.lane), columns(layout.warp))


def loaded_matrices(rows: MatrixRows, width: int) -> dict[tuple[int, int], int]:
    """The elements that a warp gets in (lane, register) of fragments, by the definition of ``ldmatrix``."""
    element = {rows.place.memory(number): number for number in range(rows.named.size)}
    packed, length = 32 // width, 128 // width
    rest = len(rows.named.register) - (length.bit_length() - 1)
    found = dict[tuple[int, int], int]()
    for instruction, matrix in product(range(1 << rest), range(rows.access.matrices)):
        named = [rows.named.element(instruction * length, 8 * matrix + row) for row in range(8)]
        starts = [rows.place.memory(number) for number in named]
        for lane, at in product(range(32), range(packed)):
            row, column = lane // 4, lane % 4 * packed + at
            if rows.access.transposed:
                row, column = column, row
            register = (instruction * rows.access.matrices + matrix) * packed + at
            found[lane, register] = element[starts[row] + column]
    return found


class TestMatrixInstructions:
    @given(
        st.sampled_from(["A.f16", "B.f16", "A.s8", "B.s8", "A.tf32", "C.f16"]),
        invertible_columns(3),
        st.sampled_from(["(R,C):(1,R)", "(R,C):(C,1)"]),
    )
    def test_the_definition(self, name: str, mixed: list[int], order: str) -> None:
        kind = name.partition(".")[2]
        k = {"f16": 16, "s8": 32, "tf32": 8}[kind]
        layout = fragment(f"mma.m16n8k{k}.{name}")
        width = {"f16": 16, "s8": 8, "tf32": 32}[kind]
        rows, columns = layout.shape
        memory = bit_matrix(plain(order.replace("R", str(rows)).replace("C", str(columns))))
        high = [column << memory.rows - 3 for column in mixed]
        change = BitMatrix((*BitMatrix.identity(memory.rows - 3).columns, *high), memory.rows)
        access = AccessLayout.of(layout, change @ memory, width)
        found = access.matrix_access()
        straight = rows_are_whole(access, transposed=False)
        turned = width == 16 and not straight and rows_are_whole(access, transposed=True)
        assert (found is not None) == (straight or turned)
        if found is not None:
            assert found.transposed == turned
            assert found.matrices == min(4, (1 << len(layout.register)) // (32 // width))
        assert access.matrix_access(store=True) == found

    @given(spreads((8, 32), 5, 0), invertible_columns(8))
    def test_the_definition_of_any_layout(self, layout: LinearLayout, memory: list[int]) -> None:
        assume(layout.register)
        access = AccessLayout.of(layout, BitMatrix(tuple(memory), 8), 16)
        expected = rows_are_whole(access, transposed=False) or rows_are_whole(access, transposed=True)
        assert (access.matrix_access() is not None) == expected

    def test_operands_in_rows_and_columns(self) -> None:
        a = fragment("mma.m16n8k16.A.f16")
        rows, columns = (bit_matrix(plain(text)) for text in ("(16,16):(16,1)", "(16,16):(1,16)"))
        assert AccessLayout.of(a, rows, 16).matrix_access() == MatrixAccess(4, transposed=False)
        assert AccessLayout.of(a, columns, 16).matrix_access() == MatrixAccess(4, transposed=True)
        eight = fragment("mma.m16n8k16.A.s8")
        assert AccessLayout.of(eight, columns, 8).matrix_access() is None

    @pytest.mark.parametrize("operand", ["A.f16", "B.f16", "A.s8", "A.tf32"])
    def test_lanes_name_the_rows_of_which_fragments_are_loaded(self, operand: str) -> None:
        k, width = {"f16": (16, 16), "s8": (32, 8), "tf32": (8, 32)}[operand.partition(".")[2]]
        atom = fragment(f"mma.m16n8k{k}.{operand}")
        if operand[0] == "B":  # n x k: its rows are columns of a tile that lies by rows
            load = numbered(atom, ((8, 1), (16, 8)))
            store = LinearLayout((128,), (1, 2, 4), (8, 16, 32, 64, 0))
        else:
            load = numbered(atom, ((16, k), (k, 1)))
            row = 128 // width
            together = tuple(1 << bit for bit in range(row.bit_length() - 1))
            lanes = [row << bit for bit in range(5) if row << bit < load.size]
            store = LinearLayout((load.size,), together, (*lanes, *[0] * (5 - len(lanes))))
        found = matrix_rows(store, load, width)
        assert found is not None
        assert found.access.transposed == (operand[0] == "B")
        assert AccessLayout.of(found.named, found.place.memory, width).bank_conflicts(128 // width) == 1
        assert AccessLayout.of(store, found.place.memory, width).bank_conflicts(128 // width) == 1
        loaded = loaded_matrices(found, width)
        registers = range(1 << len(load.register))
        assert {
            (lane, register): load.element(register, lane) for lane in range(32) for register in registers
        } == loaded

    def test_rows_that_nobody_holds_are_not_named(self) -> None:
        load = numbered(fragment("mma.m16n8k16.A.f16"), ((16, 16), (16, 1)))
        store = LinearLayout((256,), (1, 2, 64), (4, 8, 16, 32, 128))
        assert matrix_rows(store, load, 16) is None

    def test_no_element_is_stored_twice(self) -> None:
        layout = parse_linear("(8,8) register=(2,2):(1@1,0) lane=(4,8):(2@1,1@0)")
        access = AccessLayout.of(layout, bit_matrix(plain("(8,8):(8,1)")), 16)
        assert access.matrix_access() == MatrixAccess(2, transposed=False)
        assert access.matrix_access(store=True) is None

    def test_only_whole_warps(self) -> None:
        layout = parse_linear("(8,8) register=4:1@1 lane=(2,8):(4@1,1@0)")
        assert AccessLayout.of(layout, bit_matrix(plain("(8,8):(8,1)")), 16).matrix_access() is None
