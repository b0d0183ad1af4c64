"""Texts of stages with the places of their lines."""

from __future__ import annotations

from tilewright.driver.compile import compile
from tilewright.driver.stages import CompileOptions
from tilewright.explorer import texts
from tilewright.explorer.places import NOWHERE, SourcePositions
from tilewright.explorer.schema import Page

KERNEL = """
#add = loc("kernel.py":7:4)
#loop = loc("kernel.py":5:0)
cuda_tile.module @m {
  entry @f(%p: tile<ptr<i32>>, %1: tile<i32>) {
    %0 = constant <i32: 0> : tile<i32>
    %2 = for %i in (%0 to %1, step %1) : tile<i32> iter_values(%s = %0) -> (tile<i32>) {
      %a = addi %s, %i : tile<i32> loc(#add)
      continue %a : tile<i32> loc(#add)
    } loc(#loop)
    %t = store_ptr_tko weak %p, %2 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""


def lines(linked: texts.Linked, page: Page) -> list[tuple[int, str]]:
    """The lines of a text with the lines of the program that they are from; 0 for none."""
    text, places = linked
    assert len(places) == text.count("\n") + 1
    numbers = [page.places[place].line if place != NOWHERE else 0 for place in places]
    return list(zip(numbers, text.split("\n"), strict=True))


def test_operations_of_a_module_know_their_lines_and_regions_where_they_begin_and_end() -> None:
    page = Page("t", "")
    module = compile(KERNEL).module("tileir")
    found = lines(texts.of_module(module, SourcePositions(page)), page)
    assert "".join(f"{text}\n" for _, text in found) == f"{module}\n", "the marks are taken out"
    (begin,) = (line for line, text in found if " for " in text)
    (add,) = (line for line, text in found if " addi " in text)
    assert (begin, add) == (5, 7)
    assert (5, "    }") in found
    assert page.places[0].column == 1, "columns of Python programs count from 0 in locations, from 1 here"


def test_llvm_ir_and_assembly_are_shown_without_debug_information() -> None:
    page = Page("t", "")
    artifact = compile(KERNEL, options=CompileOptions(debug_info=True))
    ir = lines(texts.of_llvm_ir(str(artifact.asm["llvm"]), SourcePositions(page)), page)
    assert {line for line, text in ir if " add " in text} >= {7}
    assert not any("!dbg" in text or "DILocation" in text for _, text in ir)
    assembly = lines(texts.of_assembly(str(artifact.asm["asm"]), SourcePositions(page)), page)
    assert not any(".loc" in text or ".debug" in text or ".cfi" in text for _, text in assembly)
    assert "kernel.py" in {source.file for source in page.sources}
    assert "" not in {source.file for source in page.sources}


def test_ptx_knows_its_lines() -> None:
    page = Page("t", "")
    artifact = compile(KERNEL, target="sm_80", options=CompileOptions(debug_info=True))
    found = lines(texts.of_assembly(str(artifact.asm["ptx"]), SourcePositions(page)), page)
    assert {line for line, text in found if text.startswith("\tadd")} >= {5, 7}
    assert not any(".loc" in text or ".file" in text for _, text in found)


def test_an_include_directory_is_part_of_the_name_of_a_file() -> None:
    page = Page("t", "")
    text = '\t.file\t1 "/there" "k.py"\nf:\n\t.loc\t1 3 2\n\tnop\n'
    assert lines(texts.of_assembly(text, SourcePositions(page)), page)[1] == (3, "\tnop")
    assert page.sources[0].file == "/there/k.py"
