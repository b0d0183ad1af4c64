"""From tile functions to machine code: targets, legality, LLVM, other processors."""

from __future__ import annotations

import gc
import io
import threading

import pytest

pytest.importorskip("llvmlite")

import tilewright
from tests.house.tree import run_python
from tilewright.driver.startup import context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.runtime import llvm as native
from tilewright.targets.cpu import back_end
from tilewright.targets.cpu.machine import compile, worker
from tilewright.targets.cpu.machine.host import PROCESSORS, host, obstacle, processor, vector_bytes
from tilewright.targets.cpu.machine.legality import check_intrinsics
from tilewright.targets.cpu.machine.target import CpuTarget
from tilewright.targets.cpu.text import kernels_of

TILE = "!nv_tileaa.ptr<f32, 1>"
SUM = f"""
"nv_tileaa.func"() <{{function_type = ({TILE}, {TILE}) -> (), sym_name = "memcpy",
                      kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>}}> ({{
^bb0(%a: {TILE}, %b: {TILE}):
  %zero = arith.constant 0 : i32
  %end = arith.constant 64 : i32
  %at = "nv_tileaa.make_range"(%zero, %end) : (i32, i32) -> tensor<64xi32>
  %as = "nv_tileaa.splat"(%a) : ({TILE}) -> tensor<64x{TILE}>
  %bs = "nv_tileaa.splat"(%b) : ({TILE}) -> tensor<64x{TILE}>
  %ap = "nv_tileaa.addptr"(%as, %at) : (tensor<64x{TILE}>, tensor<64xi32>) -> tensor<64x{TILE}>
  %bp = "nv_tileaa.addptr"(%bs, %at) : (tensor<64x{TILE}>, tensor<64xi32>) -> tensor<64x{TILE}>
  %x:2 = "nv_tileaa.load"(%ap) <{{mem_semantic = #nv_tileaa.mem_semantic<weak>,
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}}> : (tensor<64x{TILE}>) -> (tensor<64xf32>, !nv_tileaa.mem_token)
  %y = arith.addf %x#0, %x#0 : tensor<64xf32>
  %t = "nv_tileaa.store"(%bp, %y, %x#1) <{{mem_semantic = #nv_tileaa.mem_semantic<weak>,
      operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}}>
      : (tensor<64x{TILE}>, tensor<64xf32>, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
  "nv_tileaa.return"() : () -> ()
}}) : () -> ()
"""
"""A kernel with the name of a function of the C library."""

WIDE = (
    "define <16 x float> @f(<16 x float> %x) {\n  %y = fadd <16 x float> %x, %x\n  ret <16 x float> %y\n}\n"
)


def parsed(text: str) -> Operation:
    return parse_module(context(), text, implicit_module=True)


def llvm_ir(text: str, cpu: str) -> str:
    """The LLVM IR of a module of tile functions for a processor."""
    options = tilewright.CompileOptions(cpu=cpu)
    return str(tilewright.compile(tilewright.Module(parsed(text)), options=options).asm["llvm"])


class TestTargets:
    def test_the_host_is_a_value(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("TILEWRIGHT_CPU", raising=False)
        assert host() == processor() == processor("host")
        assert host().vector_bytes == vector_bytes(host())
        assert host().features == ",".join(sorted(host().features.split(","), key=lambda word: word[1:]))

    @pytest.mark.parametrize("name", PROCESSORS)
    def test_every_named_processor_makes_code(self, name: str) -> None:
        target = processor(name)
        assert ".text" in compile.assembly(WIDE, target) or "__TEXT" in compile.assembly(WIDE, target)
        assert target.vector_bytes == vector_bytes(target)

    def test_unknown_processors(self) -> None:
        with pytest.raises(DiagnosticError, match="did you mean 'x86-64-v3'"):
            processor("x86-64-v33")

    def test_the_environment_names_what_host_stands_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TILEWRIGHT_CPU", "x86-64-v2")
        assert processor() == processor("host") == PROCESSORS["x86-64-v2"]
        assert processor("aarch64") == PROCESSORS["aarch64"]
        assert "+avx" not in llvm_ir(SUM, "host")
        for nothing in ("", "host"):
            monkeypatch.setenv("TILEWRIGHT_CPU", nothing)
            assert processor() == host()
        monkeypatch.setenv("TILEWRIGHT_CPU", "x86-64-v33")
        with pytest.raises(DiagnosticError, match=r"TW0930.*unknown processor TILEWRIGHT_CPU='x86-64-v33'"):
            processor()
        with pytest.raises(DiagnosticError, match="TW0930"):
            compile.object_code(WIDE, CpuTarget("z80-unknown-none"))

    def test_features(self) -> None:
        assert processor("x86-64-v3").has("avx2")
        assert not processor("x86-64-v3").has("avx512f")
        assert not CpuTarget(features="-avx2,+avx").has("avx2")

    def test_what_runs_here(self) -> None:
        assert obstacle(host()) == ""
        assert obstacle(host().replace(vector_bytes=16)) == ""
        other = "x86-64-v2" if "aarch64" in host().triple else "aarch64"
        assert "this machine is" in obstacle(processor(other))
        assert "this processor is" in obstacle(host().replace(cpu="another"))
        assert "lacks flying" in obstacle(host().replace(features=host().features + ",+flying"))


class TestCode:
    def test_the_steps(self) -> None:
        target = processor("x86-64-v3")
        text = llvm_ir(SUM, "x86-64-v3")
        assert [kernel.name for kernel in kernels_of(text)] == ["memcpy"]
        assert "define void @kernel.memcpy(" in text
        assert 'target triple = "x86_64-unknown-linux-gnu"' in text
        assembly = compile.assembly(text, target)
        assert "kernel.memcpy:" in assembly
        assert "vaddps" in assembly
        assert compile.object_code(text, target)[:4] == b"\x7fELF"

    def test_another_architecture(self) -> None:
        target = processor("aarch64")
        assembly = compile.assembly(llvm_ir(SUM, "aarch64"), target)
        assert "fadd\tv" in assembly
        assert ".4s" in assembly

    def test_the_same_bytes_every_time(self) -> None:
        target = processor("x86-64-v4")

        def made() -> bytes:
            return compile.object_code(llvm_ir(SUM, "x86-64-v4"), target)

        first = made()
        found: list[bytes] = []
        threads = [threading.Thread(target=lambda: found.append(made())) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [first] * 3

    def test_the_collector_is_as_before(self) -> None:
        compile.object_code(WIDE, host())
        assert gc.isenabled()

    def test_a_missing_form_names_the_operation(self) -> None:
        op = '%t = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token\n'
        text = SUM.replace('  "nv_tileaa.return"', '  "gpu.barrier"() : () -> ()\n  "nv_tileaa.return"')
        assert op not in text
        with pytest.raises(DiagnosticError, match=r"TW0903.*operation 'gpu.barrier' has no form on the CPU"):
            llvm_ir(text, "x86-64-v3")

    def test_a_crash_of_the_back_end_is_a_diagnostic(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(module: Operation, target: CpuTarget, *, records_times: bool) -> None:
            raise KeyError("lost")

        monkeypatch.setattr(back_end, "emit_module", fail)
        with pytest.raises(DiagnosticError, match=r"TW0606.*KeyError: 'lost'"):
            llvm_ir(SUM, "host")


INTRINSIC = """
llvm.func @f(%a: vector<16xf32>, %b: vector<32xbf16>) -> vector<16xf32> {
  %c = llvm.call_intrinsic "NAME"(%a, %b, %b) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
  llvm.return %c : vector<16xf32>
}
"""


class TestLegality:
    """LLVM ends the process for what it cannot select; so it must not come to that."""

    def test_intrinsics_need_their_features(self) -> None:
        module = parsed(INTRINSIC.replace("NAME", "llvm.x86.avx512bf16.dpbf16ps.512"))
        check_intrinsics(module, processor("znver4"))
        for name in ("x86-64-v4", "aarch64"):
            with pytest.raises(DiagnosticError, match=r"TW0931.*needs 'avx512bf16'"):
                check_intrinsics(module, processor(name))

    @pytest.mark.parametrize("name", ["llvm.x86.unheard.of", "llvm.nvvm.barrier0", "llvm.arm.neon.vmla"])
    def test_unknown_intrinsics_of_processors(self, name: str) -> None:
        with pytest.raises(DiagnosticError, match=r"TW0931.*feature is unknown"):
            check_intrinsics(parsed(INTRINSIC.replace("NAME", name)), host())

    @pytest.mark.parametrize(
        "text", ["define void @f() { ret i32 %x }", "define i32 @f() { ret void }", "nonsense", WIDE + WIDE]
    )
    def test_llvm_refuses(self, text: str) -> None:
        with pytest.raises(DiagnosticError, match="TW0932"):
            compile.object_code(text, host())

    def test_a_process_of_its_own(self) -> None:
        assert compile.isolated(WIDE, host()) == compile.object_code(WIDE, host())
        made = compile.isolated(WIDE, host(), compile.CompilerOutput.ASSEMBLY)
        assert made.decode() == compile.assembly(WIDE, host())
        with pytest.raises(DiagnosticError, match=r"TW0932.: LLVM refuses the module"):
            compile.isolated("nonsense", host())

    def test_what_ends_llvm_does_not_end_us(self) -> None:
        """An intrinsic of another processor, past our own checks."""
        text = (
            "declare void @llvm.aarch64.isb(i32)\n"
            "define void @f() {\n  call void @llvm.aarch64.isb(i32 15)\n  ret void\n}\n"
        )
        with pytest.raises(
            DiagnosticError, match=r"TW0933.: LLVM ended its process by signal .*Cannot select"
        ):
            compile.isolated(text, processor("x86-64-v3"))


def test_options_of_llvm(monkeypatch: pytest.MonkeyPatch) -> None:
    assert native.llvm_options() == native.DEFAULT_OPTIONS
    monkeypatch.setenv(native.OPTIONS_VARIABLE, "")
    assert native.llvm_options() == ()
    shown = run_python("from tilewright.runtime.llvm import llvm; print(llvm().get_process_triple())")
    assert shown.strip()


ADDS = "define i32 @f(i32 %x) {\n  %y = add i32 %x, 77\n  ret i32 %y\n}\n"


@pytest.mark.parametrize("product", ["object", "assembly"])
def test_the_process_that_compiles(product: str, monkeypatch: pytest.MonkeyPatch) -> None:
    target = host()
    arguments = [product, target.triple, target.cpu, target.features]
    monkeypatch.setattr(worker.sys, "stdin", io.TextIOWrapper(io.BytesIO(ADDS.encode())))
    made = io.BytesIO()
    monkeypatch.setattr(worker.sys, "stdout", io.TextIOWrapper(made))
    assert worker.main(arguments) == 0
    whole = (
        compile.object_code(ADDS, target) if product == "object" else compile.assembly(ADDS, target).encode()
    )
    assert made.getvalue() == whole


def test_the_process_that_compiles_says_why_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = host()
    monkeypatch.setattr(
        worker.sys, "stdin", io.TextIOWrapper(io.BytesIO(ADDS.replace("ret i32", "ret i64").encode()))
    )
    assert worker.main(["object", target.triple, target.cpu, target.features]) == compile.REFUSED
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") >= 1
    assert "i32" in said.err


@pytest.mark.parametrize(
    ("kernel", "symbol"), [("k", "k"), ("a%b", "a%25b"), ("a\0b", "a%00b"), ("%00\0", "%2500%00")]
)
def test_symbols_of_kernels(kernel: str, symbol: str) -> None:
    assert compile.symbol_of(kernel) == compile.PREFIX + symbol
