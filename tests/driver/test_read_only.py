"""Arrays that may not be written: refused where a kernel may write, accepted where it only reads, on every target."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import pytest

import tilewright
from tilewright.dialects.nv_tileas.dialect import NV_TILEAS
from tilewright.driver.launch import launch
from tilewright.driver.sources import load
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.lowering.memory_order import memory_roots
from tilewright.optimizer.analysis.writes import written_parameters
from tilewright.runtime.description import kernels_of_llvm_ir
from tilewright.testing.execution import entries

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

HEAD = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %n = iota : tile<4xi32>
    %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %x4 = broadcast %x1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %xs = offset %x4, %n : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v, %t0 = load_ptr_tko weak %xs : tile<4xptr<i32>> -> tile<4xi32>, token
"""
TAIL = """
    return
  }
}
"""
BY_POINTERS = """
    %o1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %o4 = broadcast %o1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %os = offset %o4, %n : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t = store_ptr_tko weak %os, %v : tile<4xptr<i32>>, tile<4xi32> -> token
"""
BY_VIEW = """
    %w = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %p = make_partition_view %w : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %z = constant <i32: 0> : tile<i32>
    %t = store_view_tko weak %v, %p[%z]
      : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
"""
BY_ATOMICS = """
    %o1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %o4 = broadcast %o1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %os = offset %o4, %n : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %a, %t = atomic_rmw_tko relaxed device %os, add, %v
      : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
"""
THROUGH_A_LOOP = """
    %z = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %o1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %o4 = broadcast %o1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %os = offset %o4, %n : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %r = for %i in (%z to %two, step %one) : tile<i32> iter_values(%q = %os) -> (tile<4xptr<i32>>) {
      %t = store_ptr_tko weak %q, %v : tile<4xptr<i32>>, tile<4xi32> -> token
      continue %os : tile<4xptr<i32>>
    }
"""
BY_INTEGERS = """
    %address = ptr_to_int %out : tile<ptr<i32>> -> tile<i64>
    %zero, %t1 = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %wide = exti %zero signed : tile<i32> -> tile<i64>
    %sum = addi %address, %wide : tile<i64>
    %again = int_to_ptr %sum : tile<i64> -> tile<ptr<i32>>
    %o1 = reshape %again : tile<ptr<i32>> -> tile<1xptr<i32>>
    %o4 = broadcast %o1 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %os = offset %o4, %n : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t = store_ptr_tko weak %os, %v : tile<4xptr<i32>>, tile<4xi32> -> token
"""
NOTHING = ""
WRITERS = {
    "pointers": BY_POINTERS,
    "view": BY_VIEW,
    "atomics": BY_ATOMICS,
    "loop": THROUGH_A_LOOP,
}
TARGETS = ("cpu", "interp")
CHECKS = ("", "memcheck")


def program(writer: str) -> str:
    return HEAD + writer + TAIL


def locked() -> Any:
    array = np.arange(4, dtype=np.int32)
    array.flags.writeable = False
    return array


def strided() -> Any:
    array = np.arange(8, dtype=np.int32)[::2]
    array.flags.writeable = False
    return array


def mapped(path: Path) -> Any:
    np.save(path / "x.npy", np.arange(4, dtype=np.int32))
    return np.load(path / "x.npy", mmap_mode="r")


KINDS = {
    "flag": lambda _: locked(),
    "strided": lambda _: strided(),
    "bytes": lambda _: np.arange(4, dtype=np.int32).tobytes(),
    "view of bytes": lambda _: np.frombuffer(np.arange(4, dtype=np.int32).tobytes(), np.int32),
    "mapping": mapped,
    "memoryview": lambda _: memoryview(np.arange(4, dtype=np.int32)).toreadonly(),
}


def refused(call: Any) -> str:
    with pytest.raises(DiagnosticError) as raised:
        call()
    (diagnostic,) = raised.value.diagnostics
    assert str(diagnostic.code) == "TW0404"
    return str(raised.value)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("kind", KINDS)
def test_written_arrays_must_be_writeable(kind: str, target: str, check: str, tmp_path: Path) -> None:
    x, out = np.zeros(4, np.int32), KINDS[kind](tmp_path)
    text = refused(lambda: launch(program(BY_POINTERS), None, 1, [x, out], target=target, check=check))
    assert "argument 1 of entry 'k' is read-only, and the kernel writes to it" in text
    assert "hint: pass a writeable copy, such as numpy.array(x)" in text
    assert bytes(memoryview(out).tobytes())[:4] == bytes(4)
    assert np.frombuffer(memoryview(out).tobytes(), np.int32)[1] in (1, 2)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "strided"])
def test_arrays_that_are_only_read_may_be_read_only(
    kind: str, target: str, check: str, tmp_path: Path
) -> None:
    out = np.zeros(4, np.int32)
    launch(program(BY_POINTERS), None, 1, [KINDS[kind](tmp_path), out], target=target, check=check)
    assert out.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("writer", WRITERS)
def test_every_way_to_write(writer: str, target: str) -> None:
    out, text = np.zeros(4, np.int32), program(WRITERS[writer])
    launch(text, None, 1, [locked(), out], target=target)
    assert out.tolist() == [0, 1, 2, 3]
    assert "argument 1 of" in refused(lambda: launch(text, None, 1, [out, locked()], target=target))


@pytest.mark.parametrize("target", TARGETS)
def test_addresses_made_from_integers_may_lead_anywhere(target: str) -> None:
    text = program(BY_INTEGERS)
    found = refused(lambda: launch(text, None, 1, [locked(), np.zeros(4, np.int32)], target=target))
    assert "argument 0 of entry 'k' is read-only, and the kernel writes through addresses" in found
    x, out = np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
    found = refused(lambda: launch(text, None, 1, [x, out], memory=[out, locked()], target=target))
    assert "memory[1] of entry 'k' is read-only" in found
    launch(text, None, 1, [x, out], memory=[out], target=target)
    assert out.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("target", TARGETS)
def test_known_arrays_that_no_address_leads_to(target: str) -> None:
    x, out = np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
    launch(program(BY_POINTERS), None, 1, [x, out], memory=[locked()], target=target)


@pytest.mark.parametrize("target", TARGETS)
def test_a_kernel_that_writes_nothing(target: str) -> None:
    launch(program(NOTHING), None, 1, [locked(), locked()], target=target)


def test_prepared_launches_and_stages_know_it_too() -> None:
    artifact = tilewright.compile(program(BY_POINTERS))
    for made in (
        artifact,
        tilewright.compile(artifact.asm["tileas"]),
        tilewright.compile(artifact.asm["llvm"]),
    ):
        refused(lambda made=made: made.prepare(1, [locked(), locked()]))
        out = np.zeros(4, np.int32)
        made.prepare(1, [locked(), out])()
        assert out.tolist() == [0, 1, 2, 3]


def test_addresses_are_the_callers_business() -> None:
    out = np.zeros(4, np.int32)
    x = locked()
    launch(program(BY_POINTERS), None, 1, [ctypes.c_void_p(x.ctypes.data), out.ctypes.data])
    assert out.tolist() == [0, 1, 2, 3]


def test_the_back_end_has_no_writes_that_the_analysis_does_not_know() -> None:
    from tilewright.lowering.tileaa_to_tileas.bridge import STAYING
    from tilewright.targets.cpu.facts import access_operations as operations, operation_table

    writes = operations.STORES | operations.UPDATES
    assert writes == {op for op in memory_roots.WRITES if op in STAYING or op in NV_TILEAS.operations}
    assert {op for op in (*operations.STORES, *operation_table.BARRIERS) if hasattr(op, "token")} == writes
    assert not operations.LOADS & writes


def test_both_analyses_find_the_same() -> None:
    """That of Tile IR, which the interpreter uses, and that of the dialects below, which becomes part of the image."""
    corpus = pytest.importorskip("tests.support.corpora.frontend_corpus")
    from tilewright import cutile

    made = [cutile.compile_to_bytecode(found.kernel, found.arguments) for found in corpus.launches()[::4]]
    for source in (*(kernel.bytecode for kernel in made), *map(program, WRITERS.values())):
        expected = written_parameters(entries(load(source))[0])
        (image,) = kernels_of_llvm_ir(str(tilewright.compile(source).asm["llvm"])) or ()
        found = {at for at, parameter in enumerate(image.parameters) if parameter.is_written}
        assert found == expected
        assert not image.writes_anywhere
