"""The phased body conversion: its phases with a back end that only watches, and the CPU back end."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from tests.lowering.tile_execution import compiled, parsed, same_on_both, tileas
from tests.lowering.tile_programs import PROGRAMS, kernel
from tests.support.samples import samples
from tests.support.stage_texts import without_places
from tilewright.driver.startup import context
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.lowering import codes
from tilewright.lowering.capability import Capability
from tilewright.lowering.cuda_tile_to_tileaa.conversion import ConvertCudaTileToTileAA
from tilewright.lowering.tileaa_to_tileas.bodies import ConvertTileAABodies
from tilewright.lowering.tileas_to_llvm.functions import ConvertTileFunctions
from tilewright.lowering.tileas_to_llvm.phases import (
    OWN_STEPS,
    PHASES,
    BackEnd,
    BodyState,
    Step,
    convert_to_llvm,
)
from tilewright.passes.analysis import AnalysisManager
from tilewright.passes.manager import PassManager
from tilewright.passes.pass_ import PassState
from tilewright.targets.cpu.back_end import ConvertTileASToLLVM, CpuBackEnd
from tilewright.targets.cpu.machine.target import CpuTarget
from tilewright.targets.cpu.text import kernels_of
from tilewright.targets.nvptx.tileas_to_nvvm.back_end import NvptxBackEnd
from tilewright.testing import sample_modules

HOST_MODULE = 'module attributes {nv_tileaa.target_spec = "host"} '


class Watcher:
    """A back end that notes which of its phases ran; some may do something."""

    name = "nothing"

    dialects = frozenset({"llvm"})
    companions = frozenset[str]()

    def __init__(self, *phases: str, **steps: Step) -> None:
        self.ran: list[str] = []
        self.extra = steps
        self.phases = phases

    def makes_code_for(self, target: Capability) -> bool:
        """The host only."""
        return target.is_host

    def steps(self) -> Mapping[str, Step]:
        """Notes its name, then does what the test wants."""
        return {name: self._step(name) for name in self.phases}

    def _step(self, name: str) -> Step:
        def step(state: BodyState) -> None:
            self.ran.append(name)
            self.extra.get(name.replace("-", "_"), lambda _: None)(state)

        return step


def run(text: str, back_end: BackEnd, index_width: int = 0) -> tuple[Operation, BodyState]:
    """A module after the phases."""
    known = context()
    module = parsed(text, known)
    passes = PassState(module, known, AnalysisManager(module))
    return module, convert_to_llvm(module, passes, back_end, index_width)


def messages_of(text: str, back_end: Watcher) -> list[str]:
    """How the conversion fails."""
    with pytest.raises(DiagnosticError) as caught:
        run(text, back_end)
    return [diagnostic.message for diagnostic in caught.value.diagnostics]


def failing(_: BodyState) -> None:
    """A step that refuses everything."""
    raise failure(codes.LEFT_BEHIND, "no")


class TestPhases:
    """What runs when, and what is said when it fails."""

    def test_in_order_and_none_twice(self) -> None:
        names = [name for name in PHASES if name not in OWN_STEPS]
        watcher = Watcher(*reversed(names))
        run(f"{HOST_MODULE}{{}}", watcher)
        assert watcher.ran == names

    def test_every_phase_has_a_step_and_every_step_a_phase(self) -> None:
        back_ends: list[BackEnd] = [CpuBackEnd(CpuTarget()), NvptxBackEnd()]
        steps = {name for back_end in back_ends for name in back_end.steps()}
        assert steps | OWN_STEPS.keys() == set(PHASES)
        assert steps.isdisjoint(OWN_STEPS)

    @pytest.mark.parametrize("width", [0, 32])
    def test_the_width_of_index(self, width: int) -> None:
        _, state = run(f"{HOST_MODULE}{{}}", Watcher(), width)
        assert state.converter.options.index_width == (width or 64)

    def test_a_phase_that_fails_is_the_last(self) -> None:
        watcher = Watcher("main", "functions", main=failing)
        assert messages_of(f"{HOST_MODULE}{{}}", watcher) == ["no"]
        assert watcher.ran == ["main"]

    def test_a_module_must_say_what_it_is_for(self) -> None:
        assert messages_of("module {}", Watcher()) == ["Failed to get ComputeCapability"]

    @pytest.mark.parametrize(
        ("back_end", "attributes", "target", "hint"),
        [
            (
                CpuBackEnd(CpuTarget()),
                'target_spec = "sm_100", nv_tileaa.compute_capability = 100 : i32',
                "sm_100",
                "host",
            ),
            (NvptxBackEnd(), 'target_spec = "host"', "host", "sm_100"),
        ],
        ids=["cpu", "nvptx"],
    )
    def test_another_target_is_refused(
        self, back_end: BackEnd, attributes: str, target: str, hint: str
    ) -> None:
        text = f"module attributes {{nv_tileaa.{attributes}}} {{}}"
        with pytest.raises(
            DiagnosticError, match=rf"(?s)does not make code for {target}.*capability={hint}$"
        ):
            run(text, back_end)


class TestLeftOver:
    """What the back end leaves."""

    def test_arithmetic_and_functions_are_cleaned_up(self) -> None:
        body = "func.func @f(%a: i32) -> i32 { %b = arith.addi %a, %a : i32 return %b : i32 }"
        module, _ = run(f"{HOST_MODULE}{{ {body} }}", Watcher())
        assert "llvm.func @f(%arg0: i32) -> i32" in module.print()
        assert "llvm.add" in module.print()

    def test_bridges_are_reconciled(self) -> None:
        body = (
            "llvm.func @f(%a: i32) -> i32 { %b = builtin.unrealized_conversion_cast %a : i32 to index "
            "%c = builtin.unrealized_conversion_cast %b : index to i32 llvm.return %c : i32 }"
        )
        module, _ = run(f"{HOST_MODULE}{{ {body} }}", Watcher())
        assert "cast" not in module.print()

    def test_a_bridge_that_stays_fails(self) -> None:
        body = (
            "llvm.func @f(%a: i32) -> i32 { %b = builtin.unrealized_conversion_cast %a : i32 to f64 "
            "%c = builtin.unrealized_conversion_cast %b : f64 to i64 "
            "%d = llvm.trunc %c : i64 to i32 llvm.return %d : i32 }"
        )
        (message, *_) = messages_of(f"{HOST_MODULE}{{ {body} }}", Watcher())
        assert "failed to legalize unresolved materialization" in message

    def test_a_survivor_fails(self) -> None:
        body = 'llvm.func @f() { %a = "nv_tileas.create_none"() : () -> !nv_tileas.async_token llvm.return }'
        messages = messages_of(f"{HOST_MODULE}{{ {body} }}", Watcher())
        assert messages == ["'nv_tileas.create_none' was left over after the conversion to LLVM"]


class TestTileASForm:
    """What the conversion of bodies to LLVM takes: `nv_tileas` and the bridge."""

    def test_operations_with_a_counterpart_are_refused(self) -> None:
        body = """
%x = "nv_tileaa.splat"(%s) : (f32) -> tensor<1x8xf32>
%y = "nv_tileaa.broadcast"(%x) : (tensor<1x8xf32>) -> tensor<4x8xf32>
%z = "nv_tileaa.permute"(%y) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
"""
        with pytest.raises(DiagnosticError) as caught:
            run(f"{HOST_MODULE}{{ {kernel('k', '%s: f32', body)} }}", Watcher("main"))
        assert [diagnostic.message for diagnostic in caught.value.diagnostics] == [
            f"'nv_tileaa.{name}' is not in TileAS form: only operations of `nv_tileaa` without a counterpart may stay"
            for name in ("broadcast", "permute")
        ]
        (*_, last) = map(str, caught.value.diagnostics)
        assert "error[TW0828]" in last
        assert "run `convert-tileaa-to-tileas` before" in last

    @pytest.mark.parametrize("name", PROGRAMS)
    def test_the_pass_of_the_processor_refuses_programs_that_were_not_converted(self, name: str) -> None:
        known = context()
        inner = PROGRAMS[name]()
        module = parsed(f"{HOST_MODULE}{{ {inner} }}", known)
        before = module.print()
        with pytest.raises(DiagnosticError, match="TW0828"):
            PassManager(known).add(ConvertTileASToLLVM()).run(module)
        assert module.print() == before


def boundary(text: str) -> Operation:
    """A module of `nv_tileaa` after the body conversion and the function boundary, read again from its text."""
    known = context()
    module = parsed(tileas(text).print(), known)
    PassManager(known).add(ConvertTileFunctions()).run(module)
    printed = module.print()
    again = parsed(printed, known)
    assert again.print() == printed
    return again


STAGES: dict[str, Callable[[str], Operation]] = {"tileaa": parsed, "tileas": tileas, "functions": boundary}


class TestOnTheCPU:
    """The whole way of a kernel."""

    @pytest.mark.parametrize("name", PROGRAMS)
    def test_every_stage_is_the_same_code(self, name: str) -> None:
        """Not only the same results: the back end writes the same LLVM IR whichever stage it starts from."""
        texts = {
            stage: without_places(compiled(make(PROGRAMS[name]())).asm["llvm"])
            for stage, make in STAGES.items()
        }
        assert texts["tileas"] == texts["tileaa"]
        assert texts["functions"] == texts["tileaa"]

    @pytest.mark.parametrize("name", PROGRAMS)
    def test_the_pass_leaves_llvm_only(self, name: str) -> None:
        known = context()
        module = parsed(boundary(PROGRAMS[name]()).print(), known)
        PassManager(known).add(ConvertTileASToLLVM()).run(module)
        assert [str(error) for error in verify(module, all_errors=True)] == []
        assert {op.kind.dialect for op in module.walk()} == {"builtin", "llvm"}
        assert parsed(module.print(), known).print() == module.print()

    @pytest.mark.parametrize("stage", STAGES)
    def test_arguments_are_known_by_their_types(self, stage: str) -> None:
        text = compiled(STAGES[stage](PROGRAMS["softmax"]())).asm["llvm"]
        (made,) = kernels_of(str(text))
        found = list(map(str, made.parameters))
        assert found == ["ptr<f32>"] * 2 + ["i32"] * 2

    def test_helpers_become_functions_of_llvm(self) -> None:
        known = context()
        helper = "func.func private @double(%a: i32) -> i32 { %b = arith.addi %a, %a : i32 return %b : i32 }"
        module = parsed(f"{HOST_MODULE}{{ {helper}\n{kernel('k', '', '')} }}", known)
        PassManager(known).add(ConvertTileFunctions()).add(ConvertTileASToLLVM()).run(module)
        assert "llvm.func @double" in module.print()
        assert "llvm.func @kernel.k(" in module.print()

    def test_helpers_compute_with_formats_of_which_kernels_hold_the_bits(self) -> None:
        helper = (
            "func.func private @f(%a: f4E2M1FN, %b: bf16) -> (i4, bf16) {\n"
            "%c = arith.bitcast %a : f4E2M1FN to i4\n%d = arith.addf %b, %b : bf16\nreturn %c, %d : i4, bf16 }"
        )
        module = parsed(f"{HOST_MODULE}{{ {helper}\n{kernel('k', '', '')} }}")
        PassManager(context()).add(ConvertTileASToLLVM()).run(module)
        text = module.print()
        assert "llvm.bitcast %arg0 : i4 to i4" in text
        assert "llvm.fadd %arg1, %arg1 : bf16" in text


def code_of(module: Operation) -> str:
    """The LLVM IR of a module, or why there is none, whatever dialect the operation is in that stands in the way."""
    try:
        return str(compiled(module).asm["llvm"])
    except DiagnosticError as error:
        messages = [diagnostic.message for diagnostic in error.diagnostics]
        return "\n".join(messages).replace("nv_tileas.", "nv_tileaa.")


def test_generated_programs_are_the_same_code_from_both_dialects() -> None:
    """Random programs of Tile IR: whatever the back end makes of them, it makes of both stages."""
    compiled, count = 0, samples(15, of=40)
    for program in sample_modules(count, seed="nv_tileas"):
        known = context()
        module = parse_module(known, str(program), implicit_module=True)
        PassManager(known).add(ConvertCudaTileToTileAA()).run(module)
        before = code_of(module)
        PassManager(known).add(ConvertTileAABodies()).run(module)
        printed = module.print()
        assert parse_module(known, printed).print() == printed
        assert code_of(module) == before, printed
        compiled += "define " in before
    assert compiled > count // 2


class TestResults:
    """What kernels compute, from both tile dialects: the same bits, and the right numbers."""

    def test_softmax(self) -> None:
        x = np.random.default_rng(0).standard_normal((5, 256)).astype(np.float32)
        (found,) = same_on_both(PROGRAMS["softmax"](), (3,), [x, 5, 256], [np.zeros_like(x)])
        wide = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
        np.testing.assert_allclose(found, wide / wide.sum(axis=1, keepdims=True), rtol=1e-5)

    def test_layer_norm(self) -> None:
        random = np.random.default_rng(1)
        x, w, b = (random.standard_normal(shape).astype(np.float32) for shape in ((4, 256), (256,), (256,)))
        (found,) = same_on_both(PROGRAMS["layer_norm"](), (2,), [x, w, b, 4, 256], [np.zeros_like(x)])
        wide = x.astype(np.float64)
        normal = (wide - wide.mean(1, keepdims=True)) / np.sqrt(wide.var(1, keepdims=True) + 1e-5)
        np.testing.assert_allclose(found, normal * w + b, rtol=1e-4, atol=1e-5)

    def test_matmul(self) -> None:
        random = np.random.default_rng(2)
        a, b = (random.standard_normal((64, 64)).astype(np.float32) for _ in range(2))
        (found,) = same_on_both(PROGRAMS["matmul"](), (2, 1), [a, b, 64], [np.zeros_like(a)])
        np.testing.assert_allclose(found, a.astype(np.float64) @ b.T, rtol=1e-4, atol=1e-4)

    def test_shuffled(self) -> None:
        x = np.arange(32, dtype=np.float32).reshape(4, 8)
        (found,) = same_on_both(PROGRAMS["shuffled"](), (1,), [x, 4, 8], [np.zeros((8, 8), np.float32)])
        turned = x.reshape(8, 4).T
        whole = np.concatenate([x, turned])
        np.testing.assert_array_equal(found, np.concatenate([whole[1:5], turned]))

    def test_the_last_stage_runs_too(self) -> None:
        x = np.arange(32, dtype=np.float32).reshape(4, 8)
        before, after = np.zeros((8, 8), np.float32), np.zeros((8, 8), np.float32)
        for make, out in ((parsed, before), (boundary, after)):
            compiled(make(PROGRAMS["shuffled"]())).launch((1,), [x, out, 4, 8])
        assert before.any()
        np.testing.assert_array_equal(before, after)
