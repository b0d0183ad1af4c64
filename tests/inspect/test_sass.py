"""Machine code: reading a listing, control bits, blocks, loops, cycles, and the figures made of them."""

from __future__ import annotations

import json
import random

import pytest

pytest.importorskip("numpy")
pytest.importorskip("elftools")

from tests.support.synthetic.synthetic_cubin import cubin
from tests.support.synthetic.synthetic_sass import MATRIX_LOOP, Row, listing
from tilewright.inspect.arrays import octets
from tilewright.inspect.binary.elf import ElfFile
from tilewright.inspect.cubin.view import read_cubin
from tilewright.inspect.sass.cycles import Cycles, cycles_of
from tilewright.inspect.sass.figures import KernelFigures, code_figures, figures_of
from tilewright.inspect.sass.graph import Graph, SassBlock, graph_of
from tilewright.inspect.sass.listing import parse
from tilewright.inspect.sass.model import Control, SassCode, SassInstruction
from tilewright.inspect.sass.reports import Figures, to_json, to_table
from tilewright.inspect.sass.units import Unit, unit_of


def code(*rows: Row | str) -> SassCode:
    """The model of some rows."""
    (found,) = parse(listing([Row(row) if isinstance(row, str) else row for row in rows])).codes
    return found


def graph(*rows: str) -> Graph:
    return graph_of(code(*rows))


def loops(*rows: str) -> list[tuple[int, tuple[int, ...], int]]:
    return [(loop.header, loop.blocks, loop.depth) for loop in graph(*rows).loops]


# --- reading


def test_an_instruction() -> None:
    (one,) = code(
        Row("@!UP1 LDG.E.128 R4, desc[UR6][R2.64+0x80]", stall=9, write=2, read=3, waits=0b100001)
    ).instructions
    control = Control(9, 2, 3, (0, 5))
    operands = ("R4", "desc[UR6][R2.64+0x80]")
    assert one == SassInstruction(0, "LDG", ("E", "128"), operands, "!UP1", control)
    assert one.spelling == "LDG.E.128"


def test_barriers_that_are_not_released() -> None:
    assert Control.of(Row("NOP").second_word) == Control(1, None, None, ())


def test_commas_inside_of_brackets_do_not_separate() -> None:
    (one,) = code("UTMALDG.2D [UR8], [UR4], desc[URZ, UR9]").instructions
    assert one.operands == ("[UR8]", "[UR4]", "desc[URZ, UR9]")


def test_a_guard_that_is_always_true_is_none() -> None:
    assert [one.guard for one in code("@PT EXIT", "@P3 EXIT").instructions] == ["", "P3"]


def test_labels_and_sections() -> None:
    text = listing([Row(".L_x_0:"), Row("NOP"), Row(".L_x_1:")], "one") + listing([Row("EXIT")], "two")
    first, second = parse(text + "\t.section\t.nv.info\n        /*0000*/ data\n").codes
    assert (first.name, dict(first.labels)) == ("one", {"one": 0, ".text.one": 0, ".L_x_0": 0, ".L_x_1": 16})
    assert (second.name, [one.opcode for one in second.instructions]) == ("two", ["EXIT"])


def test_a_listing_without_encodings() -> None:
    text = "\t.section\t.text.k\n        /*0000*/                   EXIT ;\n        /*0010*/ BRA `(.L_x_0);\n"
    (found,) = parse(text).codes
    assert [one.control for one in found.instructions] == [None, None]
    assert cycles_of(found.instructions) is None


def test_lines_that_cannot_be_read_are_named() -> None:
    text = listing([Row("NOP")]) + "        /*0010*/ ??? ;\n"
    assert parse(text).unread == (len(text.splitlines()),)


def test_damaged_listings_are_read_without_an_exception() -> None:
    whole = listing(MATRIX_LOOP)
    for seed in range(300):
        chance = random.Random(seed)
        text = list(whole)
        for _ in range(chance.randint(1, 30)):
            text[chance.randrange(len(text))] = chr(
                chance.choice((10, 32, 42, 47, 96, chance.randrange(32, 127)))
            )
        for found in parse("".join(text)).codes:
            code_figures(found)


# --- blocks and loops


def test_blocks() -> None:
    found = graph("NOP", "@P0 BRA `(.L_x_0)", "NOP", "EXIT", ".L_x_0:", "EXIT")
    assert found == Graph((SassBlock(0, 2, (2, 1)), SassBlock(2, 4, ()), SassBlock(4, 5, ())), ())


@pytest.mark.parametrize(
    ("jump", "successors"),
    [
        ("BRA `(.L_x_0)", (2,)),
        ("BRA.U !UP0, `(.L_x_0)", (2, 1)),
        ("@P0 EXIT", (1,)),
        ("EXIT", ()),
        ("RET.REL.NODEC R2 `(first)", ()),
        ('BRX R4 -0x420 (*"BRANCH_TARGETS .L_x_0,.L_x_1"*)', (2, 3)),
        ("CALL.REL.NOINC `(.L_x_0)", (1,)),
        ("BSSY B0, `(.L_x_0)", (1,)),
    ],
)
def test_what_follows(jump: str, successors: tuple[int, ...]) -> None:
    found = graph(jump, ".L_x_9:", "NOP", "EXIT", ".L_x_0:", "EXIT", ".L_x_1:", "EXIT")
    assert found.blocks[0].successors == successors


def test_nested_loops() -> None:
    rows = (".L_x_0:", "NOP", ".L_x_1:", "NOP", "@P0 BRA `(.L_x_1)", "@P1 BRA `(.L_x_0)", "EXIT")
    assert loops(*rows) == [(0, (0, 1, 2), 1), (1, (1,), 2)]


def test_two_jumps_back_make_one_loop() -> None:
    rows = (".L_x_0:", "@P0 BRA `(.L_x_0)", "@P1 BRA `(.L_x_0)", "EXIT")
    assert loops(*rows) == [(0, (0, 1), 1)]


def test_code_out_of_line_is_no_loop_and_belongs_to_the_one_that_it_serves() -> None:
    """Behind the end stand blocks that jump back to where they were left; a jump back alone is no loop."""
    rows = (
        ".L_x_0:",
        "@P0 BRA `(.L_x_8)",
        ".L_x_1:",
        "NOP",
        "@P1 BRA `(.L_x_0)",
        "EXIT",
        ".L_x_8:",
        "BRA `(.L_x_1)",
    )
    assert loops(*rows) == [(0, (0, 1, 3), 1)]


def test_what_nothing_leads_to_is_no_loop() -> None:
    assert loops("EXIT", ".L_x_0:", "BRA `(.L_x_0)") == []


def test_a_loop_in_a_function_that_is_called() -> None:
    assert loops(
        "CALL.REL.NOINC `(.L_x_0)", "EXIT", ".L_x_0:", "@P0 BRA `(.L_x_0)", "RET.REL.NODEC R2 `(first)"
    ) == [(1, (1,), 1)]


def test_a_cycle_with_two_ways_in_is_not_found() -> None:
    rows = ("@P0 BRA `(.L_x_1)", ".L_x_0:", "NOP", ".L_x_1:", "@P1 BRA `(.L_x_0)", "EXIT")
    assert loops(*rows) == []


def test_random_graphs_have_the_loops_of_the_definition() -> None:
    """Against the definition, by brute force: B dominates A if A cannot be reached without B."""
    for seed in range(200):
        chance = random.Random(seed)
        size = chance.randint(2, 7)
        rows: list[str] = []
        for number in range(size):
            target = f"`(.L_x_{chance.randrange(size)})"
            rows += [f".L_x_{number}:", chance.choice((f"@P0 BRA {target}", f"BRA {target}", "NOP", "EXIT"))]
        found = graph(*rows)
        assert {loop.header: loop.blocks for loop in found.loops} == by_definition(found.blocks), rows


def by_definition(blocks: tuple[SassBlock, ...]) -> dict[int, tuple[int, ...]]:
    def reached(start: int, without: int | None = None) -> set[int]:
        seen: set[int] = set()
        pending = [start] if start != without else []
        while pending:
            block = pending.pop()
            if block not in seen:
                seen.add(block)
                pending += [one for one in blocks[block].successors if one != without]
        return seen

    found: dict[int, set[int]] = {}
    for block in reached(0):
        for header in blocks[block].successors:
            if block not in reached(0, header):
                body = {one for one in reached(0) if one == header or block in reached(one, header)}
                found.setdefault(header, set()).update(body)
    return {header: tuple(sorted(body)) for header, body in found.items()}


# --- cycles


def cycles(*rows: Row) -> Cycles | None:
    return cycles_of(code(*rows).instructions)


def test_stalls_add_up_and_each_instruction_takes_a_cycle() -> None:
    assert cycles(Row("IADD3 R0, R0, 0x1, RZ", stall=4), Row("NOP", stall=0)) == Cycles(5, 5, 0)


def test_a_wait_takes_the_latency_of_what_releases_the_barrier() -> None:
    rows = (Row("LDS R0, [R1]", stall=2, write=0), Row("FADD R0, R0, R2", stall=4, waits=1))
    assert cycles(*rows) == Cycles(6, 29 + 4, 1)


def test_waits_for_the_repetition_before() -> None:
    """The load has the rest of the loop to come back."""
    early = (
        Row("FADD R0, R0, R2", stall=4, waits=1),
        Row("LDS R0, [R1]", stall=1, write=0),
        Row("NOP", stall=10),
    )
    late = (*early, *(Row("NOP", stall=15) for _ in range(2)))
    assert cycles(*early) == Cycles(15, 29 + 4, 1)
    assert cycles(*late) == Cycles(45, 45, 1)


def test_a_barrier_that_many_release_waits_for_the_last() -> None:
    rows = (
        Row("LDG.E R0, [R2.64]", stall=1, write=0),
        Row("LDS R1, [R4]", stall=1, write=0),
        Row("FADD R0, R0, R1", stall=4, waits=1),
    )
    assert cycles(*rows) == Cycles(6, 263 + 4, 1)


def test_read_operands_are_free_early() -> None:
    rows = (Row("STG.E [R2.64], R0", stall=1, read=5), Row("MOV R0, RZ", stall=4, waits=1 << 5))
    assert cycles(*rows) == Cycles(5, 20 + 4, 1)


# --- figures


@pytest.mark.parametrize(
    ("opcode", "unit"),
    [
        ("HGMMA", Unit.MATRIX),
        ("UTCHMMA", Unit.MATRIX),
        ("UTMALDG", Unit.COPY),
        ("ULDC", Unit.CONSTANT),
        ("UIADD3", Unit.UNIFORM),
        ("STL", Unit.LOCAL),
        ("NEWOP", Unit.OTHER),
    ],
)
def test_units(opcode: str, unit: Unit) -> None:
    assert unit_of(opcode) is unit


def test_the_loop_with_products_is_hot_and_one_that_waits_is_not() -> None:
    found = code_figures(code(*MATRIX_LOOP))
    first, second = found.loops
    assert found.hot is first
    assert (first.address, first.depth, first.mix.instructions, first.waits_only) == (0x20, 1, 7, False)
    assert (second.address, second.mix.instructions, second.waits_only) == (0x90, 2, True)
    assert (found.local_in_loops, found.mix.local_load_bytes, found.mix.local_store_bytes) == (2, 8, 4)
    assert first.mix.units[Unit.MATRIX] == 1
    # The product waits for local memory (issued at 2, back at 43), the addition for the store to read (58 + 20).
    assert first.cycles == Cycles(41, 58 + 20 + 4 + 13 + 5, 3)


def test_a_code_that_only_waits_has_no_hot_loop() -> None:
    found = code_figures(code(*MATRIX_LOOP[10:14]))
    assert [loop.waits_only for loop in found.loops] == [True]
    assert found.hot is None


def test_without_products_the_deeper_loop_is_hot() -> None:
    rows = (
        ".L_x_0:",
        *["FADD R0, R0, R1"] * 6,
        ".L_x_1:",
        *["FMUL R0, R0, R1"] * 3,
        "@P0 BRA `(.L_x_1)",
        "@P1 BRA `(.L_x_0)",
        "EXIT",
    )
    found = code_figures(code(*rows))
    assert found.hot is not None
    assert (found.hot.address, found.hot.depth) == (0x60, 2)
    assert found.loops[0].mix.instructions == 11


def kernels(rows: tuple[Row, ...] | None = MATRIX_LOOP) -> tuple[KernelFigures, ...]:
    read = read_cubin(ElfFile(octets(cubin()), "a.cubin"))
    return figures_of(read, None if rows is None else parse(listing(rows)))


def test_without_a_listing_the_sections_still_tell() -> None:
    first, second = kernels(None)
    assert (first.registers, first.stack, first.barriers, first.parameters) == (24, 8, 3, 2)
    assert (second.shared, second.code) == (512, None)
    text = to_table(Figures("a.cubin", kernels(None)))
    assert "registers" in text
    assert "instructions" not in text


def test_the_table_of_two() -> None:
    """Kernels are paired by name; the difference is that of numbers."""
    shorter = tuple(row for row in MATRIX_LOOP if not row.text.startswith(("LDL", "STL")))
    text = to_table(Figures("a.cubin", kernels()), Figures("b.cubin", kernels(shorter)))
    rows = {
        line.strip().split("  ")[0].strip(): line.split()[-3:] for line in text.split("\n\n")[0].splitlines()
    }
    assert rows["kernel first"] == ["a.cubin", "b.cubin", "difference"]
    assert rows["local accesses in loops"] == ["2", "0", "-2"]
    assert rows["registers"][-2:] == ["24", "24"]
    assert "kernel second" in text


def test_kernels_of_other_names() -> None:
    first, second = kernels()
    alone = to_table(Figures("a", (first,)), Figures("b", (second,)))
    assert alone.startswith("kernel first, second")
    apart = to_table(Figures("a", (first, second)), Figures("b", (second,)))
    assert apart.startswith("kernel first  ")
    assert [line.split()[-2:] for line in apart.splitlines() if "registers" in line] == [
        ["24", "-"],
        ["40", "40"],
    ]


def test_json() -> None:
    data = json.loads(to_json(Figures("a.cubin", kernels()), Figures("b.cubin", kernels(None))))
    assert (data["schema"], data["file"], data["against"]["file"]) == (
        "tilewright-sass-1",
        "a.cubin",
        "b.cubin",
    )
    first = data["kernels"][0]
    assert first["code"]["hot_loop"] == 0x20
    assert first["code"]["loops"][0]["units"]["matrix"] == 1
    assert first["code"]["loops"][1]["waits_only"]
    assert first["code"]["opcodes"]["HMMA"] == 1
    assert "code" not in data["against"]["kernels"][0]
