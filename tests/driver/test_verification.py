"""Verifying inputs: every problem, with the place that is known."""

from __future__ import annotations

import pytest

from tests.house.tree import ROOT
from tilewright.bytecode import write_bytecode
from tilewright.dialects.cuda_tile.version import V13_1, V13_4
from tilewright.driver.sources import load
from tilewright.driver.verification import check
from tilewright.ir.operation import Operation

KERNEL = (ROOT / "tests" / "house" / "data" / "kernel.mlir").read_bytes()
YOUNG = b"cuda_tile.module @m { entry @k(%a: tile<f32>) { %0 = atan2 %a, %a : tile<f32>  return } }"


def places(data: bytes, **options: object) -> list[tuple[str, tuple[str, int, int] | None]]:
    found = check(data, "x", **options).findings  # pyright: ignore
    return [(str(f.diagnostic.code), f.diagnostic.location.source) for f in found]


def test_valid_text_and_bytecode() -> None:
    data = write_bytecode(load(KERNEL.decode()))
    text, binary = check(KERNEL, "a"), check(data, "b")
    assert (text.errors, text.is_bytecode, text.version) == (0, False, None)
    assert (binary.errors, binary.is_bytecode, binary.version) == (0, True, "13.1")


def test_every_broken_rule_is_reported() -> None:
    text = b"module {\n func.func @a() -> i32 { return }\n func.func @b() -> i32 { return }\n}"
    assert places(text) == [("TW0101", ("x", 2, 26)), ("TW0101", ("x", 3, 26))]


def test_every_syntax_error_is_reported() -> None:
    assert [place for _, place in places(b"foo.a\nfoo.b\n")] == [("x", 1, 1), ("x", 2, 1)]


def test_pieces() -> None:
    text = b"module {}\n// -----\nfunc.func @a() -> i32 { return }\n// -----\nfoo.a\n"
    assert [place for _, place in places(text, split=True)] == [("x", 3, 25), ("x", 5, 1)]


def test_neither_text_nor_bytecode() -> None:
    assert places(b"\xff\xfe") == [("TW0503", None)]


def test_unknown_dialects() -> None:
    assert places(b'"some.op"() : () -> ()') != []
    assert places(b'"some.op"() : () -> ()', allow_unregistered=True) == []


def invalid_bytecode() -> bytes:
    """Bytecode that can be read and breaks rules, without debug information."""
    module: Operation = load(KERNEL.decode()).clone()
    division = next(op for op in load(ROUNDED).walk() if op.name == "cuda_tile.divf")
    addition = next(op for op in module.walk() if op.name == "cuda_tile.addf")
    addition.attributes["rounding_mode"] = division.held_attributes["rounding_mode"]
    addition.clone().move_before(addition)
    return write_bytecode(module, verify=False)


ROUNDED = """cuda_tile.module @m { entry @k(%a: tile<f32>) {
  %0 = divf %a, %a rounding<full> : tile<f32>
  return } }"""


def test_bytecode_without_debug_information_names_the_operation() -> None:
    found = check(invalid_bytecode(), "x").findings
    assert len(found) == 2
    assert [finding.path for finding in found] == [
        "cuda_tile.module @kernels > [0] cuda_tile.entry @scale > [8] cuda_tile.addf",
        "cuda_tile.module @kernels > [0] cuda_tile.entry @scale > [9] cuda_tile.addf",
    ]
    assert str(found[0].diagnostic).startswith("x: error[TW0101]: 'cuda_tile.addf' op ")
    assert f"\nx: note: in {found[0].path}" in str(found[0].diagnostic)


def test_broken_bytecode_has_an_offset() -> None:
    data = write_bytecode(load(KERNEL.decode()))
    (finding,) = check(data[:40], "x").findings
    assert finding.diagnostic.offset is not None
    assert str(finding.diagnostic.code).startswith("TW03")


@pytest.mark.parametrize("version", [V13_1, V13_4])
def test_what_a_version_cannot_hold(version: object) -> None:
    found = places(YOUNG, version=version)
    assert found == ([("TW0317", ("x", 1, 54))] if version == V13_1 else [])


def test_availability_is_about_tile_ir() -> None:
    assert [code for code, _ in places(b"func.func @a() { return }", version=V13_4)] == ["TW0318"]


def test_bytecode_is_checked_for_older_versions() -> None:
    data = write_bytecode(load(YOUNG.decode()))
    (finding,) = check(data, "x", version=V13_1).findings
    assert finding.path == "cuda_tile.module @kernels > [0] cuda_tile.entry @k > [0] cuda_tile.atan2"
