"""Compiling to an artifact: sources, stages, launches."""

from __future__ import annotations

import pytest

import tilewright
from tests.house.tree import ROOT
from tilewright.driver.artifact import Artifact, MissingStageError
from tilewright.driver.compile import compile
from tilewright.driver.sources import load
from tilewright.driver.stages import STAGES, CompileOptions, through
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.targets.stage import Stage

np = pytest.importorskip("numpy")
pytest.importorskip("llvmlite")

KERNEL = ROOT / "tests" / "house" / "data" / "kernel.mlir"
TEXT = KERNEL.read_text()
BYTECODE = tilewright.Module.parse(TEXT).to_bytecode()


class TestSources:
    @pytest.mark.parametrize(
        "source",
        [KERNEL, str(KERNEL), TEXT, BYTECODE, bytearray(BYTECODE), load(TEXT), tilewright.Module.parse(TEXT)],
        ids=["path", "name", "text", "bytes", "bytearray", "operation", "module"],
    )
    def test_each(self, source: object) -> None:
        artifact = compile(source)  # pyright: ignore
        assert isinstance(artifact, Artifact)
        assert not tilewright.diff(str(artifact.asm["tileir"]), BYTECODE)

    def test_a_kernel_from_a_frontend(self) -> None:
        class Kernel:
            bytecode = BYTECODE
            symbol = "scale"

        assert compile(Kernel()).entry == "scale"

    def test_a_cutile_kernel(self) -> None:
        pytest.importorskip("cuda.tile")
        from tests.cutile import kernels
        from tilewright import cutile

        x = np.zeros(16, np.float32)
        artifact = compile(cutile.compile_to_bytecode(kernels.one, (x,)))
        assert artifact.entry is not None
        assert f"@{artifact.entry}" in str(artifact.asm["tileir"])
        with pytest.raises(DiagnosticError, match="compile_to_bytecode"):
            compile(kernels.one)

    def test_later_changes_of_a_module_do_not_matter(self) -> None:
        module = tilewright.Module.parse(TEXT)
        artifact = compile(module)
        module.body.operations[0].erase()
        assert "entry @scale" in str(artifact.asm["tileir"])

    @pytest.mark.parametrize("source", [3, None, [], object()])
    def test_refusals(self, source: object) -> None:
        with pytest.raises(DiagnosticError, match="TW0510"):
            compile(source)  # pyright: ignore

    def test_an_invalid_module(self) -> None:
        module = tilewright.Module.parse(TEXT)
        entry = module.body.operations[0]
        entry.regions[0].block.ops[-1].erase()
        with pytest.raises(DiagnosticError, match="TW01"):
            compile(module)

    def test_the_bytecode_cache_is_not_changed(self) -> None:
        before = str(load(BYTECODE))
        compile(BYTECODE, options=CompileOptions(pipeline="canonicalize"))
        assert str(load(BYTECODE)) == before

    def test_unknown_targets(self) -> None:
        with pytest.raises(DiagnosticError, match="TW0501"):
            compile(TEXT, target="nothing")


class TestStages:
    def test_the_mapping(self) -> None:
        asm = compile(TEXT).asm
        assert list(asm) == [
            "tileir",
            "bytecode",
            "tileaa",
            "tileas",
            "plan",
            "plan-json",
            "llvm",
            "asm",
            "object",
        ]
        assert len(asm) == 9
        assert "tileir" in asm
        assert "ptx" not in asm
        assert asm.get("ptx") is None
        assert asm["tileir"] is asm["tileir"]
        assert asm["bytecode"] == BYTECODE

    def test_stages_that_are_not_there_say_so(self) -> None:
        with pytest.raises(MissingStageError) as raised:
            _ = compile(TEXT).asm["tileia"]
        assert isinstance(raised.value, KeyError)
        assert "did you mean 'tileir'" in str(raised.value)
        assert "available stages: tileir, bytecode, tileaa" in str(raised.value)

    @pytest.mark.parametrize("stage", ["tileir", "tileaa", "tileas", "llvm"])
    def test_every_text_is_an_input(self, stage: str) -> None:
        """What comes after a stage is the same when that stage is read back."""
        first = compile(TEXT)
        again = compile(str(first.asm[stage]))
        assert again.input == stage
        for name in again.asm:
            assert again.asm[name] == first.asm[name], name

    def test_stages_before_the_input(self) -> None:
        lowered = compile(str(compile(TEXT).asm["tileaa"]))
        assert list(lowered.asm) == ["tileaa", "tileas", "plan", "plan-json", "llvm", "asm", "object"]
        with pytest.raises(MissingStageError, match="given as 'tileaa', which comes after it"):
            _ = lowered.asm["bytecode"]

    def test_llvm_ir_that_was_changed(self) -> None:
        """A product becomes a sum, in the text of the last stage that is text."""
        text = str(compile(TEXT).asm["llvm"])
        x = np.arange(4, dtype=np.float32)
        compile(text.replace("fmul", "fadd")).launch(1, [x, 1.5])
        assert x.tolist() == [1.5, 3.5, 5.5, 7.5]

    def test_llvm_ir_that_does_not_fit(self) -> None:
        text = str(compile(TEXT).asm["llvm"])
        with pytest.raises(DiagnosticError, match="TW0932"):
            _ = compile(text.replace("fmul", "fool")).asm["asm"]
        with pytest.raises(DiagnosticError, match="TW0935"):
            _ = compile(text, options=CompileOptions(cpu="aarch64")).asm["asm"]
        with pytest.raises(DiagnosticError, match="TW0936"):
            compile(text.replace("tilewright.kernels", "other")).launch(1, [0, 1.0])
        with pytest.raises(DiagnosticError, match="given as the text of 'llvm'"):
            compile(text, options=CompileOptions(pipeline="canonicalize"))
        with pytest.raises(MissingStageError, match="is text"):
            compile(text).module("llvm")

    def test_levels_of_the_optimizer(self) -> None:
        texts = [str(compile(TEXT, options=CompileOptions(opt_level=n)).asm["tileaa"]) for n in (0, 1)]
        assert len(texts[0]) > len(texts[1])
        assert "make_token" in str(compile(TEXT).asm["tileir"])

    def test_processors(self) -> None:
        asm = compile(TEXT, options=CompileOptions(cpu="aarch64")).asm
        assert 'target triple = "aarch64' in str(asm["llvm"])
        assert "fmul\tv" in str(asm["asm"])
        with pytest.raises(DiagnosticError, match="TW0930"):
            _ = compile(TEXT, options=CompileOptions(cpu="abacus")).asm["llvm"]
        with pytest.raises(DiagnosticError, match="TW0950"):
            compile(TEXT, options=CompileOptions(cpu="aarch64")).launch(1, [0, 1.0])

    def test_timings(self) -> None:
        artifact = compile(TEXT)
        _ = artifact.asm["asm"]
        assert list(artifact.timings) == [
            "read",
            "optimize",
            "convert to tileaa",
            "convert to tileas",
            "convert to llvm",
            "write llvm",
            "write asm",
        ]

    def test_options(self) -> None:
        options = CompileOptions(pipeline="canonicalize,cse", bytecode_version=(13, 4), debug_info=True)
        artifact = compile(TEXT, options=options)
        assert "make_token" not in str(artifact.asm["tileir"])
        assert "loc(" in str(artifact.asm["tileir"])
        assert artifact.asm["bytecode"][8:10] == bytes([13, 4])
        assert set(artifact.timings) == {"read", "pipeline", "write tileir", "write bytecode"}

    def test_a_failing_pipeline(self) -> None:
        with pytest.raises(DiagnosticError, match="nothing"):
            compile(TEXT, options=CompileOptions(pipeline="nothing"))

    def test_rows_are_all_it_takes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A stage made by passes from another one: the other one stays as it is."""
        monkeypatch.setitem(STAGES, "clean", Stage("clean", "", "", "tileir", through("canonicalize")))
        artifact = compile(TEXT)
        assert "make_token" not in str(artifact.asm["clean"])
        assert "make_token" in str(artifact.asm["tileir"])
        assert artifact.module("clean") is artifact.module("clean")


class TestLaunch:
    @pytest.mark.parametrize("target", ["cpu", "interp"])
    @pytest.mark.parametrize("isolate", [False, True])
    def test_results(self, target: str, isolate: bool) -> None:
        x = np.arange(4, dtype=np.float32)
        artifact = compile(TEXT, target=target, options=CompileOptions(isolate=isolate))
        artifact.launch(1, [x, 1.5])
        artifact.launch((1, 1, 1), [x, 0.5], entry="scale", check="memcheck")
        assert x.tolist() == [0.0, 3.0, 6.0, 9.0]
        again = artifact.prepare(1, [x, 1.0], threads=2 if target == "cpu" else None)
        again()
        again()
        assert x.tolist() == [0.0, 12.0, 24.0, 36.0]

    @pytest.mark.parametrize("stage", ["tileaa", "tileas", "llvm"])
    def test_from_a_lower_stage(self, stage: str) -> None:
        x = np.arange(4, dtype=np.float32)
        compile(str(compile(TEXT).asm[stage])).launch(1, [x, 1.5])
        assert x.tolist() == [0.0, 3.0, 6.0, 9.0]

    def test_unknown_entries(self) -> None:
        for target in ("cpu", "interp"):
            with pytest.raises(DiagnosticError, match=r"TW0504.*no entry 'other'"):
                compile(TEXT, target=target).launch(1, [], entry="other")
        with pytest.raises(DiagnosticError, match="TW0504"):
            tilewright.launch(BYTECODE, "other", 1, [])
