"""Loading modules and launching kernels: what is accepted, and how the rest is refused."""

from __future__ import annotations

import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.house.tree import ROOT
from tilewright.driver.bindings import Module
from tilewright.driver.compile import compile
from tilewright.driver.launch import (
    CHECKS,
    launch,
    normalise_grid,
)
from tilewright.driver.sources import load
from tilewright.driver.target import TARGETS, Target, target
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation

np = pytest.importorskip("numpy")

KERNEL = ROOT / "tests" / "house" / "data" / "kernel.mlir"
TEXT = KERNEL.read_text()
WHERE = ("cpu", "interp")
TWO_ENTRIES = """
"cuda_tile.module"() <{sym_name = "m"}> ({
  "cuda_tile.entry"() <{sym_name = "a", function_type = () -> ()}> ({ "cuda_tile.return"() : () -> () }) : () -> ()
  "cuda_tile.entry"() <{sym_name = "b", function_type = () -> ()}> ({ "cuda_tile.return"() : () -> () }) : () -> ()
}) : () -> ()
"""


def refused(code: str, call: Any) -> str:
    """The text of the one diagnostic that a call raises, which has this code."""
    with pytest.raises(DiagnosticError) as raised:
        call()
    (diagnostic,) = raised.value.diagnostics
    assert str(diagnostic.code) == code
    return str(raised.value)


class TestLoading:
    @pytest.mark.parametrize("source", [KERNEL, str(KERNEL), TEXT], ids=["path", "name of a file", "text"])
    def test_sources(self, source: Path | str) -> None:
        assert load(source).name == "cuda_tile.module"

    def test_a_module_is_answered_as_it_is(self) -> None:
        module = load(TEXT)
        assert load(module) is module

    def test_bytecode_is_decoded_once(self) -> None:
        frontend_corpus = pytest.importorskip("tests.support.corpora.frontend_corpus")
        from tilewright import cutile

        made = frontend_corpus.launches()[0]
        data = cutile.compile_to_bytecode(made.kernel, made.arguments).bytecode
        found: list[Operation] = []
        threads = [threading.Thread(target=lambda: found.append(load(data))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert load(bytearray(data)) is load(memoryview(data))
        assert {module.name for module in found} == {"cuda_tile.module"}

    def test_a_missing_file(self, tmp_path: Path) -> None:
        path = tmp_path / "nothing.mlir"
        assert f"cannot read '{path}': No such file" in refused("TW0503", lambda: load(path))

    def test_a_file_that_is_neither(self, tmp_path: Path) -> None:
        path = tmp_path / "picture.png"
        path.write_bytes(b"\x89PNG\xff\xfe")
        assert "neither Tile IR bytecode nor text" in refused("TW0503", lambda: load(path))

    def test_text_that_does_not_parse_has_a_place(self, tmp_path: Path) -> None:
        path = tmp_path / "broken.mlir"
        path.write_text('"cuda_tile.module"(\n')
        text = refused("TW0001", lambda: load(path))
        assert text.startswith(f"{path}:")

    def test_a_broken_rule_has_a_place(self) -> None:
        broken = TEXT.replace("nearest_even", "approx", 1)
        assert "<string>:12:16: " in refused("TW0101", lambda: load(broken))


class TestLaunching:
    def test_results_are_written_in_place(self) -> None:
        array = np.arange(4, dtype=np.float32)
        launch(TEXT, "scale", 1, [array, 0.5])
        assert array.tolist() == [0.0, 1.0, 2.0, 3.0]

    @pytest.mark.parametrize("where", ["cpu", "interp", TARGETS["cpu"]])
    def test_targets(self, where: str | Target) -> None:
        array = np.ones(4, dtype=np.float32)
        launch(TEXT, None, (1, 1, 1), [array, 3.0], target=where)
        assert array.tolist() == [6.0] * 4

    @pytest.mark.parametrize("check", [*CHECKS, "all", "memcheck, racecheck", ["initcheck"]])
    def test_checks_do_not_change_results(self, check: str | list[str]) -> None:
        array = np.ones(4, dtype=np.float32)
        launch(TEXT, "scale", 1, [array, 3.0], check=check)
        assert array.tolist() == [6.0] * 4

    def test_an_array_that_is_too_short(self) -> None:
        array = np.ones(3, dtype=np.float32)
        text = refused("TW0402", lambda: launch(TEXT, "scale", 1, [array, 3.0], target="interp"))
        assert "<string>:11:" in text

    def test_two_tile_blocks_in_one_place(self) -> None:
        array = np.ones(4, dtype=np.float32)
        with pytest.raises(DiagnosticError) as raised:
            launch(TEXT, "scale", 2, [array, 3.0], check="racecheck")
        assert {str(d.code) for d in raised.value.diagnostics} == {"TW0406"}

    @pytest.mark.parametrize("arguments", [[], [1.0], [None, "x"]])
    def test_arguments_that_do_not_fit(self, arguments: list[Any]) -> None:
        refused("TW0401", lambda: launch(TEXT, "scale", 1, arguments))

    @pytest.mark.parametrize("package", ["numpy", "ml_dtypes"])
    def test_a_missing_package(self, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, package, None)
        text = refused("TW0506", lambda: launch(TEXT, None, 1, []))
        assert f"'{package}'" in text
        assert "hint: pip install 'tilewright[cpu]'" in text

    def test_unknown_names(self) -> None:
        arguments = [np.ones(4, dtype=np.float32), 1.0]
        assert "hint: did you mean 'cpu'?" in refused(
            "TW0501", lambda: launch(TEXT, None, 1, arguments, target="cpus")
        )
        assert "known targets: cpu" in refused("TW0501", lambda: target("zzz"))
        assert "known checks: memcheck" in refused(
            "TW0502", lambda: launch(TEXT, None, 1, arguments, check="memcheque")
        )


class TestWrongTypes:
    @pytest.mark.parametrize("arguments", [None, 5, "text", b"bytes", {1: 2}])
    def test_of_the_list_of_arguments(self, arguments: Any) -> None:
        for where in ("cpu", "interp"):
            refused("TW0401", lambda where=where: launch(TEXT, None, 1, arguments, target=where))

    @pytest.mark.parametrize("source", [5, None, [1], object()])
    def test_of_the_module(self, source: Any) -> None:
        for where in ("cpu", "interp"):
            refused("TW0510", lambda where=where: launch(source, None, 1, [], target=where))

    def test_of_names(self) -> None:
        given: Any = 5
        refused("TW0501", lambda: launch(TEXT, None, 1, [], target=given))
        refused("TW0502", lambda: launch(TEXT, None, 1, [], check=given))
        refused("TW0504", lambda: launch(TEXT, given, 1, []))

    def test_an_empty_text(self) -> None:
        for where in ("cpu", "interp"):
            assert "the text given as a module is empty" in refused(
                "TW0503", lambda where=where: launch("", None, 1, [], target=where)
            )


COUNTER = """
cuda_tile.module @m {
  global @count <i32: [0]> : tile<1xi32>
  entry @next(%out: tile<ptr<i32>>) {
    %place = get_global @count : tile<ptr<i32>>
    %old, %t0 = load_ptr_tko weak %place : tile<ptr<i32>> -> tile<i32>, token
    %one = constant <i32: 1> : tile<i32>
    %new = addi %old, %one : tile<i32>
    %t1 = store_ptr_tko weak %place, %new token=%t0 : tile<ptr<i32>>, tile<i32> -> token
    %t2 = store_ptr_tko weak %out, %new : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""


class TestGlobals:
    @pytest.mark.parametrize("where", WHERE)
    def test_of_bytecode_keep_their_values_for_each_combination_of_checks(self, where: str) -> None:
        source, out = Module.parse(COUNTER).to_bytecode(), np.zeros(1, np.int32)
        seen: list[int] = []
        for check in ("", "", "memcheck", "", "memcheck", "memcheck,initcheck"):
            launch(source, None, 1, [out], target=where, check=check)
            seen.append(int(out[0]))
        assert seen == [1, 2, 1, 3, 2, 1]

    @pytest.mark.parametrize("where", WHERE)
    def test_of_an_artifact_are_its_own(self, where: str) -> None:
        out = np.zeros(1, np.int32)
        seen: list[int] = []
        for artifact in (compile(COUNTER, target=where), compile(COUNTER, target=where)):
            for check in ("", "", "memcheck", ""):
                artifact.launch(1, [out], check=check)
                seen.append(int(out[0]))
        assert seen == [1, 2, 1, 3] * 2


class TestEntries:
    def test_one_of_several_needs_a_name(self) -> None:
        for where in WHERE:
            launch(TWO_ENTRIES, "b", 1, [], target=where)
            unnamed = partial(launch, TWO_ENTRIES, None, 1, [], target=where)
            assert "hint: entries: a, b" in refused("TW0504", unnamed)
            assert "no entry 'c'" in refused("TW0504", partial(launch, TWO_ENTRIES, "c", 1, [], target=where))

    def test_a_module_without_entries(self) -> None:
        empty = '"cuda_tile.module"() <{sym_name = "m"}> ({\n^bb0:\n}) : () -> ()'
        assert "hint: entries: none" in refused(
            "TW0504", partial(launch, empty, None, 1, [], target="interp")
        )


class TestGrids:
    @pytest.mark.parametrize(
        ("grid", "expected"),
        [(3, (3, 1, 1)), ((3,), (3, 1, 1)), ([3, 2], (3, 2, 1)), ((1, 2, 3), (1, 2, 3))],
    )
    def test_legal(self, grid: Any, expected: tuple[int, int, int]) -> None:
        assert normalise_grid(grid) == expected
        assert normalise_grid(np.int64(5)) == (5, 1, 1)

    @pytest.mark.parametrize("grid", [0, (), (1, 2, 3, 4), (1, 0), (-1,), (1 << 24,), 1.5, ("x",), None])
    def test_illegal(self, grid: Any) -> None:
        refused("TW0505", lambda: normalise_grid(grid))
