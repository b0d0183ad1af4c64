"""The function boundary: signatures, what kernels ask of the machine, failures."""

from __future__ import annotations

import re

import pytest

from tests.lowering.tile_execution import parsed
from tests.lowering.tile_programs import POINTER
from tilewright.dialects.nv_tileaa.attributes import KernelSpecAttr
from tilewright.driver.startup import context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.verifier import verify
from tilewright.lowering.capability import HOST, parse_capability
from tilewright.lowering.tileas_to_llvm.functions import (
    ConvertTileFunctions,
    launch_attributes,
    maximum_registers,
)
from tilewright.passes.manager import PassManager

HOST_MODULE = 'nv_tileaa.target_spec = "host"'
GPU_MODULE = (
    'nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_{0}">, '
    "nv_tileaa.compute_capability = #nv_tileaa.compute_capability<{0}>"
)


def converted(body: str, attributes: str = HOST_MODULE) -> str:
    """The text of a module after the pass, which must be valid and survive being read again."""
    known = context()
    module = parsed(f"module attributes {{{attributes}}} {{\n{body}\n}}", known)
    PassManager(known).add(ConvertTileFunctions()).run(module)
    text = module.print()
    assert [str(error) for error in verify(module, all_errors=True)] == []
    assert parsed(text, known).print() == text
    return text


def function(
    inputs: str = "", results: str = "", body: str = "", returned: str = "", attributes: str = ""
) -> str:
    """A function ``f``; ``inputs`` are types, the arguments are ``%0`` and so on."""
    types = [part.strip() for part in inputs.split(";") if part.strip()]
    head = f"^bb0({', '.join(f'%{at}: {type}' for at, type in enumerate(types))}):\n" if types else ""
    return (
        f'"nv_tileaa.func"() <{{function_type = ({", ".join(types)}) -> ({results}), sym_name = "f"}}> ({{\n{head}'
        f'{body}\n"nv_tileaa.return"({returned}) : ({results}) -> ()\n}}) {{{attributes}}} : () -> ()'
    )


def kernel(spec: str = "numWarps=4, clusterDim=[1,1,1]", attributes: str = "") -> str:
    """An empty kernel."""
    return function(attributes=attributes).replace(
        'sym_name = "f"', f'sym_name = "f", kernel_spec = #nv_tileaa.kernel_spec<{spec}>'
    )


class TestSignatures:
    """What arguments and results become."""

    def test_pointers_are_those_of_llvm_and_remember_what_they_were(self) -> None:
        text = converted(function(f"{POINTER}; i32"))
        assert f"func.func @f(%arg0: !llvm.ptr {{nv_tileaa.type = {POINTER}}}, %arg1: i32)" in text

    @pytest.mark.parametrize(
        ("attributes", "wanted"),
        [
            (HOST_MODULE, ["!llvm.ptr", "bf16", "i4"]),
            (GPU_MODULE.format(90), ["!llvm.ptr<1>", "bf16", "i4"]),
        ],
        ids=["host", "gpu"],
    )
    def test_pointers_are_those_of_the_target(self, attributes: str, wanted: list[str]) -> None:
        text = converted(function(f"{POINTER}; bf16; f4E2M1FN"), attributes)
        assert re.findall(r"%arg\d: ([^ ,)]+)", text) == wanted

    def test_bodies_stay_behind_bridges(self) -> None:
        add = f'%p = "nv_tileaa.addptr"(%0, %1) : ({POINTER}, i32) -> {POINTER}'
        text = converted(function(f"{POINTER}; i32", body=add))
        assert f"builtin.unrealized_conversion_cast %arg0 : !llvm.ptr to {POINTER}" in text
        assert f'"nv_tileaa.addptr"(%0, %arg1) : ({POINTER}, i32) -> {POINTER}' in text

    def test_results_and_calls_are_converted(self) -> None:
        call = f'"nv_tileaa.call"(%0) <{{callee = @f}}> : ({POINTER}) -> {POINTER}'
        text = converted(function(POINTER, POINTER, f"%r = {call}", "%r"))
        assert "call @f(%arg0) : (!llvm.ptr) -> !llvm.ptr" in text
        assert "return %" in text
        assert "cast" not in text

    def test_bridges_that_lead_back_go(self) -> None:
        casts = (
            f"%a = builtin.unrealized_conversion_cast %0 : {POINTER} to i64\n"
            f"%b = builtin.unrealized_conversion_cast %a : i64 to {POINTER}\n"
        )
        assert "return %arg0 : !llvm.ptr" in converted(function(POINTER, POINTER, casts, "%b"))

    def test_a_type_without_a_form_is_refused(self) -> None:
        with pytest.raises(DiagnosticError) as caught:
            converted(function("tensor<8xf32>"))
        messages = [diagnostic.message for diagnostic in caught.value.diagnostics]
        assert messages == ["failed to convert function signature type for: tensor<8xf32>"]


class TestKernels:
    """What kernels ask of the machine."""

    def test_marks(self) -> None:
        assert "attributes {cute.kernel}" in converted(kernel())
        assert "cute.kernel" not in converted(function())

    @pytest.mark.parametrize("capability", [90, 100])
    def test_gpus(self, capability: int) -> None:
        text = converted(kernel("numWarps=8, clusterDim=[2,1,1], occupancy=2"), GPU_MODULE.format(capability))
        assert "nvvm.reqntid = array<i32: 256, 1, 1>" in text
        assert "nvvm.cluster_dim = array<i32: 2, 1, 1>" in text
        assert "nvvm.blocksareclusters" in text
        assert "nvvm.minctasm = 1 : i32" in text
        assert "nvvm.maxnreg = 128 : i32" in text

    def test_what_a_function_says_itself_wins(self) -> None:
        text = converted(
            kernel("numWarps=8, clusterDim=[1,1,1], occupancy=2", "nvvm.maxnreg = 40 : i32"),
            GPU_MODULE.format(90),
        )
        assert "nvvm.maxnreg = 40 : i32" in text
        assert "128" not in text

    def test_the_host_and_no_target_ask_for_nothing(self) -> None:
        assert launch_attributes(KernelSpecAttr(), HOST) == {}
        assert "nvvm" not in converted(kernel(), "")

    @pytest.mark.parametrize(("number", "dimensions"), [(80, (2, 1, 1)), (89, (2, 1, 1)), (90, (1, 1, 1))])
    def test_no_clusters(self, number: int, dimensions: tuple[int, ...]) -> None:
        found = launch_attributes(KernelSpecAttr(cluster_dim=dimensions), parse_capability(str(number)))
        assert set(found) == {"nvvm.reqntid", "nvvm.minctasm"}

    @pytest.mark.parametrize(
        ("warps", "occupancy", "given", "registers"),
        [(4, 0, 0, 0), (4, 0, 77, 77), (4, 3, 77, 77), (4, 1, 0, 255), (4, 4, 0, 128), (32, 64, 0, 8)],
    )
    def test_registers(self, warps: int, occupancy: int, given: int, registers: int) -> None:
        spec = KernelSpecAttr(num_warps=warps, occupancy=occupancy, max_registers=given)
        assert maximum_registers(spec) == registers

    def test_marked_kernels_that_return_values_are_refused(self) -> None:
        with pytest.raises(DiagnosticError) as caught:
            converted(function("i32", "i32", "", "%0", "cute.kernel"))
        assert caught.value.diagnostics[0].message == "Kernel functions do not support return with operands"
