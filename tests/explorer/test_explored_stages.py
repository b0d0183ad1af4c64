"""Stages that tools write, and the schedule: machine code with its control bits and lines, the steps of a plan."""

from __future__ import annotations

import pytest

from tests.explorer.test_layout_pictures import PRODUCT
from tests.explorer.test_linked_texts import KERNEL as LOOP
from tilewright.driver.compile import compile
from tilewright.driver.stages import CompileOptions
from tilewright.explorer.machine_code import of_machine_code
from tilewright.explorer.places import SourcePositions
from tilewright.explorer.schema import Page
from tilewright.explorer.stages import stages_of
from tilewright.targets.nvptx import disassemble
from tilewright.targets.nvptx.tools import programs

LISTING = """
	.section	.text.f,"ax",@progbits
f:
.text.f:
        /*0000*/                   MOV R1, c[0x0][0x28] ;          /* 0x00000a0000017a02 */
                                                                   /* 0x000fe40000000f00 */
.L_x_0:
        /*0010*/              @!P0 LDG.E R4, [R2.64] ;             /* 0x0000000402048981 */
                                                                   /* 0x001ea2000c1e1900 */
        /*0020*/                   BRA `(.L_x_0) ;                 /* 0xfffffff000007947 */
                                                                   /* 0x004fea000383ffff */
        /*0030*/                   NOP ;                           /* 0x0000000000007918 */
                                                                   /* 0x000fc00000000000 */
"""


def small_product() -> str:
    return PRODUCT.replace("SIZE", "32")


@pytest.mark.skipif(not programs("ptxas"), reason="no ptxas is installed")
def test_machine_code_has_stall_counts_barriers_and_lines() -> None:
    artifact = compile(small_product(), target="sm_80", options=CompileOptions(debug_info=True))
    cubin = artifact.asm["cubin"]
    assert isinstance(cubin, bytes)
    page = Page("t", "")
    text, places = of_machine_code(LISTING, cubin, SourcePositions(page))
    code = text.partition("f:\n")[2].split("\n")
    assert code == [
        "  0000  2 ------ -  -  MOV R1, c[0x0][0x28]",
        ".L_x_0:",
        "  0010  1 0----- w2 -  @!P0 LDG.E R4, [R2.64]",
        "  0020  5 --2--- -  -  BRA `(.L_x_0)",
    ]
    assert len(places) == text.count("\n") + 1
    assert {page.sources[page.places[place].source].file for place in places if place >= 0}


def test_where_no_disassembler_is_the_stage_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disassemble, "programs", lambda name: ())
    found = {
        stage.name: stage
        for stage in stages_of(compile(small_product(), target="sm_80"), SourcePositions(Page("t", "")))
    }
    assert found["ptx"].text
    assert found["sass"].text == ""
    assert "pip install" in found["sass"].error


def test_the_schedule_has_the_steps_of_the_plan_in_their_order() -> None:
    text = small_product()
    page = Page("t", "")
    plan = next(stage for stage in stages_of(compile(text), SourcePositions(page)) if stage.name == "plan")
    bars = plan.schedule
    assert [bar.kind for bar in bars if bar.kind != "single"][-2:] == ["product", "nest"]
    product = next(bar for bar in bars if bar.kind == "product")
    assert page.places[product.place].line == 7
    assert all(line in plan.text for line in (line.strip() for line in product.words.split("\n")))
    for bar in (bar for bar in bars if bar.kind == "single"):
        operations = bar.words.split("\n")
        assert bar.title == (f"{len(operations)} operations" if operations[1:] else bar.words)
    tops = [bar for bar in bars if bar.depth == 0]
    assert [bar.begin for bar in tops] == [0, *(bar.end for bar in tops[:-1])], "one after the other"


def test_steps_of_a_loop_are_inside_of_its_bar() -> None:

    plan = next(
        stage for stage in stages_of(compile(LOOP), SourcePositions(Page("t", ""))) if stage.name == "plan"
    )
    (outer,) = (bar for bar in plan.schedule if bar.kind == "loop")
    inner = [bar for bar in plan.schedule if bar.depth == 1]
    assert inner
    assert all(outer.begin <= bar.begin < bar.end <= outer.end for bar in inner)
