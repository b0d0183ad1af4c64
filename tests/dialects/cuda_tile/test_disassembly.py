"""Disassembly against ``tileirdisasm``, byte for byte; and without it, on texts of our own."""

from __future__ import annotations

import pytest

from tests.dialects.cuda_tile.roundtrip import CONTEXT
from tests.support.corpora import frontend_corpus
from tests.support.real.real_tools import TOOL_VERSION, disassemble as real_text, require_tool, tool_version
from tests.support.real.real_writer import REFUSED, op_cases, version_cases
from tilewright.bytecode.reader.module import read_bytecode
from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.dialects.cuda_tile.syntax.disassembly import disassemble
from tilewright.ir.text.parser import parse_module
from tilewright.testing import sample_modules

CHUNKS = 16
DEBUG_STEP = 4
"""Every fourth module is compared with debug information, too."""


def _require_release() -> None:
    tool = require_tool("tileirdisasm")
    if tool_version(tool) != TOOL_VERSION:
        pytest.skip(f"tileirdisasm is not of release {TOOL_VERSION}")


def _our_text(bytecode: bytes, debug: bool) -> str:
    module = read_bytecode(bytecode, CONTEXT)
    assert isinstance(module, ModuleOp)
    return disassemble(module, debug_info=debug)


def _check(name: str, bytecode: bytes, debug: bool) -> None:
    code, out, _ = real_text(bytecode, debug)
    if code == 0:
        assert _our_text(bytecode, debug) == out, name
    else:
        assert name.partition("@")[0] in REFUSED, name


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_operation(chunk: int) -> None:
    _require_release()
    for number, case in enumerate((*op_cases(), *version_cases())[chunk::CHUNKS]):
        _check(case.name, case.bytecode, False)
        if number % DEBUG_STEP == 0:
            _check(case.name, case.bytecode, True)


@pytest.mark.parametrize("debug", [False, True])
def test_kernels_of_the_frontend(debug: bool) -> None:
    _require_release()
    for name, version, bytecode in frontend_corpus.corpus():
        _check(f"{name}@{version}", bytecode, debug)


TEXT = """cuda_tile.module @m attributes {producer = "us"} {
  entry @k(%x: tile<f32>) optimization_hints=<> {
    %0 = cuda_tile.pow %x, %x : tile<f32>
    return
  }
  global constant @g <i32: [4, 4]> : tile<2xi32>
}
"""

DISASSEMBLED = """// Producer: us
global  constant @g <i32: 4> : tile<2xi32>
entry @k(%arg0: tile<f32>) {
  %0 = fpowf %arg0, %arg0 : tile<f32>
  return
}
"""


def test_globals_first_and_nothing_that_goes_without_saying() -> None:
    module = parse_module(CONTEXT, TEXT)
    assert isinstance(module, ModuleOp)
    assert disassemble(module) == DISASSEMBLED


def test_the_text_of_kernels_is_that_of_the_custom_syntax() -> None:
    for module in sample_modules(20):
        assert isinstance(module, ModuleOp)
        text = disassemble(module)
        assert text.count("\n  ") == sum(line.startswith("    ") for line in str(module).splitlines())


def test_locations_are_defined_behind_the_text() -> None:
    module = parse_module(CONTEXT, TEXT, "m.mlir")
    assert isinstance(module, ModuleOp)
    text = disassemble(module, debug_info=True)
    assert text.startswith("// Producer: us\nglobal  constant @g <i32: 4> : tile<2xi32> loc(#loc)\n")
    assert text.rstrip().splitlines()[-1] == '#loc3 = loc("m.mlir":4:5)'
