"""Line tables: LLVM IR, assembly and objects say which line code comes from when debug information is asked for."""

from __future__ import annotations

import re
from typing import Any

import pytest

import tilewright
from tilewright import CompileOptions
from tilewright.driver.startup import context
from tilewright.ir.text.parser import parse_module
from tilewright.targets.llvm import translate

pytest.importorskip("llvmlite")

KERNEL = """cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %c = constant <f32: 2.0> : tile<f32>
    %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %y = addf %x, %x rounding<nearest_even> : tile<f32>
    %u = store_ptr_tko weak %p, %y token=%t : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
"""


def stages(debug_info: bool) -> Any:
    return tilewright.compile(KERNEL, options=CompileOptions(debug_info=debug_info)).asm


def test_assembly_names_the_lines_of_the_source() -> None:
    lines = {int(line) for line in re.findall(r"\.loc\t\d+ (\d+)", stages(True)["asm"])}
    assert {4, 5, 6} <= lines
    assert lines <= set(range(9))


def test_objects_have_line_tables() -> None:
    assert b".debug_line" in stages(True)["object"]


def test_without_debug_information_nothing_is_said() -> None:
    plain = stages(False)
    assert "!dbg" not in plain["llvm"]
    assert "DILocation" not in plain["llvm"]
    assert ".loc" not in plain["asm"]
    assert b".debug_line" not in plain["object"]


def test_the_code_is_the_same_but_for_the_metadata() -> None:
    """The instructions of both texts."""
    plain, told = stages(False)["llvm"], stages(True)["llvm"]
    kept = re.sub(r",? !dbg !\d+", "", told)
    assert [line for line in kept.split("\n") if line and line[0] != "!"] == [
        line for line in plain.split("\n") if line and line[0] != "!"
    ]


def test_code_from_another_file_names_it() -> None:
    """Code that was inlined from other files, and code from nowhere."""
    text = """
    llvm.func @f(%x: i32) -> i32 {
      %a = llvm.add %x, %x : i32 loc("one.py":1:2)
      %b = llvm.mul %a, %x : i32 loc("dir/two.py":3:70000)
      %c = llvm.sub %b, %x : i32 loc(unknown)
      llvm.return %c : i32 loc(callsite("one.py":5:6 at "one.py":9:9))
    } loc("one.py":1:1)
    """
    module = parse_module(context(), text, implicit_module=True)
    told = translate(module, line_tables=True)
    assert '!DIFile(filename: "two.py", directory: "dir")' in told
    assert re.search(r"!DILexicalBlockFile\(scope: !\d+, file: !\d+, discriminator: 0\)", told)
    places = re.findall(r"!DILocation\(line: (\d+), column: (\d+)", told)
    assert places == [("1", "3"), ("3", "0"), ("0", "0"), ("5", "7")]  # LLVM counts from 1 in every file
    assert "!dbg" not in translate(module)
