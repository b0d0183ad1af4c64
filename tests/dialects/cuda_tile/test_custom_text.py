"""The custom syntax of every operation: golden texts, round trips, spellings that only the parser knows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.dialects.cuda_tile.roundtrip import CONTEXT, GENERIC
from tests.golden import compare
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.dialect import OPERATIONS
from tilewright.dialects.cuda_tile.version import LATEST, VERSIONS, Version
from tilewright.ir.equality import difference
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.reference.op_page import example_modules
from tilewright.testing import enclosing_module, sample_modules, sample_operations

GOLDEN = Path(__file__).parent / "custom_text"
GROUPS = sorted({op_class.group for op_class in OPERATIONS})
INSTANCES = 6
WITH_LOCATIONS = PrintOptions(debug_info=True, use_local_scope=True)


def again(module: Operation) -> Operation:
    """The module that the custom text of a module says, after checking that it is the same one."""
    for options in (PrintOptions(), WITH_LOCATIONS):
        text = module.print(options)
        parsed = parse_module(CONTEXT, text)
        assert difference(module, parsed) is None
        assert parsed.print() == module.print()
    return parsed


def in_kernel(body: str, parameters: str = "") -> str:
    """The text of a module with one kernel."""
    return f"cuda_tile.module @m {{\n  entry @k({parameters}) {{\n{body}\n    return\n  }}\n}}"


@pytest.mark.parametrize("group", GROUPS)
def test_golden_texts(group: str, bless: bool) -> None:
    texts = [
        f"// {mnemonic}\n{parse_module(CONTEXT, text)}\n" for mnemonic, text in example_modules(group).items()
    ]
    for text in texts:
        again(parse_module(CONTEXT, text))
    path = GOLDEN / f"{group.lower().replace(' ', '_')}.mlir"
    compare(path, "\n// -----\n\n".join(texts), bless=bless)


@pytest.mark.parametrize("op_class", OPERATIONS, ids=lambda op_class: op_class.op_kind.mnemonic)
def test_no_operation_falls_back_to_the_generic_form(op_class: type[TileOp]) -> None:
    (op, *_) = sample_operations(op_class, 1, LATEST)
    text = str(enclosing_module(op))
    assert f'"{op_class.op_kind.name}"' not in text
    assert re.search(rf"\b{op_class.op_kind.mnemonic}\b", text)


@pytest.mark.parametrize("op_class", OPERATIONS, ids=lambda op_class: op_class.op_kind.mnemonic)
def test_every_operation_reads_back(op_class: type[TileOp]) -> None:
    for op in sample_operations(op_class, INSTANCES, LATEST):
        again(enclosing_module(op))


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_modules_read_back(version: Version) -> None:
    for module in sample_modules(15, version):
        parsed = again(module)
        assert parse_module(CONTEXT, parsed.print(GENERIC)).print() == module.print()


def test_optional_fields_in_all_combinations() -> None:
    parameters = "%p: tile<ptr<f32>>, %m: tile<i1>, %d: tile<f32>, %t: token"
    for mask in ("", ", %m", ", %m, %d"):
        types = {"": "", ", %m": ", tile<i1>", ", %m, %d": ", tile<i1>, tile<f32>"}[mask]
        for order in ("weak", "relaxed tl_blk", "acquire sys"):
            for token in ("", " token=%t"):
                for hints in ("", " optimization_hints = <default = {latency = 2}, sm_90 = {}>"):
                    line = f"load_ptr_tko {order} %p{mask}{token}{hints} : tile<ptr<f32>>{types} -> tile<f32>, token"
                    module = parse_module(CONTEXT, in_kernel(f"    %a, %b = {line}", parameters))
                    printed = str(again(module)).splitlines()[2]
                    renamed = printed
                    for number, name in enumerate("pmdt"):
                        renamed = renamed.replace(f"%arg{number}", f"%{name}")
                    assert renamed == f"    %result, %result_token = {line}"


SPELLINGS = {
    "full names": (
        "    %0 = cuda_tile.constant <i32: 1> : !cuda_tile.tile<i32>",
        "%cst_1_i32 = constant <i32: 1> : tile<i32>",
    ),
    "a splat written out": (
        "    %0 = constant <i32: [1, 2]> : tile<2xi32>",
        "%cst_i32 = constant <i32: [1, 2]> : tile<2xi32>",
    ),
    "hexadecimal": (
        "    %0 = constant <f32: 0xFF800000> : tile<f32>",
        "%cst_f32 = constant <f32: 0xFF800000> : tile<f32>",
    ),
    "negative": (
        "    %0 = constant <i8: 0xFF> : tile<i8>",
        "%cst_-1_i8 = constant <i8: -1> : tile<i8>",
    ),
    "a mode that is taken for granted": (
        "    %c = constant <f32: 1.5> : tile<f32>\n    %0 = addf %c, %c rounding<nearest_even> : tile<f32>",
        "%0 = addf %cst_f32, %cst_f32  : tile<f32>",
    ),
    "flags in any order": (
        "    %c = constant <f32: 2.0> : tile<f32>\n"
        "    %0 = maxf %c, %c propagate_nan flush_to_zero : tile<f32>",
        "%0 = maxf %cst_2_f32, %cst_2_f32 flush_to_zero propagate_nan : tile<f32>",
    ),
    "a predicate by its full name": (
        "    %c = constant <i32: 0> : tile<i32>\n    %0 = assume #cuda_tile.bounded<?, 7>, %c : tile<i32>",
        "%assume_cst_0_i32 = assume bounded<?, 7>, %cst_0_i32 : tile<i32>",
    ),
    "other operations": (
        "    %c = constant <i1: true> : tile<i1>\n"
        '    %0 = "cuda_tile.select"(%c, %c, %c) : '
        "(!cuda_tile.tile<i1>, !cuda_tile.tile<i1>, !cuda_tile.tile<i1>) -> !cuda_tile.tile<i1>",
        "%0 = select %true, %true, %true : tile<i1>, tile<i1>",
    ),
    "attributes of no one": (
        "    %0 = make_token {note = 1 : i32} : token",
        "%0 = make_token {note = 1 : i32} : token",
    ),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_spellings(name: str) -> None:
    body, last = SPELLINGS[name]
    module = parse_module(CONTEXT, in_kernel(body))
    assert verify(module) == []
    assert str(again(module)).splitlines()[-4].strip() == last


def test_terminators_go_without_saying() -> None:
    text = """cuda_tile.module @m {
  entry @k(%c: tile<i1>, %n: tile<i32>) {
    if %c {
    } else {
    }
    for %i in (%n to %n, step %n) : tile<i32> {
      loop {
      }
    }
  }
}"""
    module = parse_module(CONTEXT, text)
    assert verify(module) == []
    names = [op.kind.mnemonic for op in module.walk() if op.kind.is_terminator]
    assert sorted(names) == ["continue", "continue", "return", "yield", "yield"]
    assert str(again(module)).count("continue") == 0


def test_values_of_sibling_kernels_share_names() -> None:
    kernel = "  entry @{}() {{\n    %x = constant <i32: 3> : tile<i32>\n  }}\n"
    text = f"cuda_tile.module @m {{\n{kernel.format('a')}{kernel.format('b')}}}"
    assert str(parse_module(CONTEXT, text)).count("%cst_3_i32 = ") == 2


def test_debug_information_has_aliases() -> None:
    text = """#file = #cuda_tile.di_file<"k.py" in "/home">
#unit = #cuda_tile.di_compile_unit<file = #file>
#program = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 2>
#place = #cuda_tile.di_loc<loc("k.py":3:4) in #program>
cuda_tile.module @m {
  entry @k() {
    %0 = make_token : token loc(#place)
    return loc(callsite(#place at #place))
  } loc(#place)
}
"""
    module = parse_module(CONTEXT, text)
    assert verify(module) == []
    printed = module.print(PrintOptions(debug_info=True))
    assert '#di_file = #cuda_tile.di_file<"k.py" in "/home">' in printed
    assert "#di_compile_unit = #cuda_tile.di_compile_unit<file = #di_file>" in printed
    assert " = #cuda_tile.di_loc<#loc" in printed
    assert " in #di_subprogram>" in printed
    assert parse_module(CONTEXT, printed).print(PrintOptions(debug_info=True)) == printed
