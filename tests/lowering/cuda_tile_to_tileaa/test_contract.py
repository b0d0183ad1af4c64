"""What goes in, what comes out, and what is said when it does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lowering.cuda_tile_to_tileaa.lowered import (
    CONTEXT,
    check,
    failure_of,
    kernel,
    lowered,
)
from tests.support.samples import samples
from tilewright.dialects.common.chips import CHIPS
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.ops import preview
from tilewright.driver.startup import startup
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.text.parser import parse_module
from tilewright.lowering.capability import HOST, Capability, parse_capability
from tilewright.lowering.cuda_tile_to_tileaa import conversion
from tilewright.lowering.cuda_tile_to_tileaa.conversion import (
    ConvertCudaTileToTileAA,
    ConvertCudaTileToTileAAAlias,
)
from tilewright.lowering.cuda_tile_to_tileaa.pattern import TileAALowering, TilePattern
from tilewright.lowering.cuda_tile_to_tileaa.type_conversion import TileAATypeConverter
from tilewright.passes.manager import PassManager
from tilewright.rewrite.conversion.target import Legality
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.testing import sample_modules

SINGLETONS = {"trunci", "rsqrt", "maxi", "itof", "global", "fma", "assume", "constant"}


def lowering() -> TileAALowering:
    return TileAALowering(TileAATypeConverter(CONTEXT))


def roots(populate: Callable[[RewritePatternSet, TileAALowering], None]) -> list[str]:
    patterns = RewritePatternSet(CONTEXT)
    populate(patterns, lowering())
    return [str(pattern.root_name) for pattern in patterns]


class TestPatterns:
    """What the set is made of."""

    def test_every_operation_has_a_pattern(self) -> None:
        known = set(roots(conversion.populate_cuda_tile_to_tileaa))
        refused = {op.op_kind.name for op in preview.OPERATIONS}
        assert {op.op_kind.name for op in CUDA_TILE.operations} - known == refused

    def test_parts_come_in_order_and_singletons_are_apart(self) -> None:
        parts = [
            roots(populate)
            for populate in (
                conversion.populate_part_a,
                conversion.populate_part_b,
                conversion.populate_part_c,
                conversion.populate_singletons,
            )
        ]
        assert [name for part in parts for name in part] == roots(conversion.populate_cuda_tile_to_tileaa)
        assert {name.removeprefix("cuda_tile.") for name in parts[3]} == SINGLETONS
        assert [name.removeprefix("cuda_tile.") for name in parts[2]] == [
            "mmaf",
            "mmai",
            "mmaf_scaled",
            "reduce",
            "scan",
        ]

    def test_all_patterns_share_one_converter(self) -> None:
        patterns = RewritePatternSet(CONTEXT)
        made = lowering()
        conversion.populate_cuda_tile_to_tileaa(patterns, made)
        assert {id(p.type_converter) for p in patterns if isinstance(p, TilePattern)} == {id(made.converter)}

    def test_six_dialects_are_legal_and_poison_is_dynamic(self) -> None:
        target = conversion.tileaa_target(lowering().converter)
        for dialect in ("arith", "nv_tileaa", "func", "gpu", "scf", "math"):
            assert target.static_legality(f"{dialect}.anything") is Legality.LEGAL
        assert target.static_legality("ub.poison") is None
        assert all(target.static_legality(op.op_kind.name) is Legality.ILLEGAL for op in CUDA_TILE.operations)


class TestOption:
    """``compute-capability``."""

    @pytest.mark.parametrize(
        ("text", "wanted"),
        [
            ("host", HOST),
            ("sm_100", Capability(CHIPS["sm_100"])),
            ("sm_90a", Capability(CHIPS["sm_90a"])),
            ("120", Capability(CHIPS["sm_120"])),
        ],
    )
    def test_what_it_may_be(self, text: str, wanted: Capability) -> None:
        assert parse_capability(text) == wanted

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "sm_",
            "sm_x",
            "-1",
            "9",
            "gfx90a",
            "sm_100aa",
            "sm_20",
            "sm_99",
            "sm_80a",
            "sm_90f",
            "sm_sm_90",
        ],
    )
    def test_what_it_may_not_be(self, text: str) -> None:
        error = failure_of(kernel(""), text)
        assert error.diagnostics[0].message == "invalid or missing --compute-capability option"
        assert "one of sm_75, sm_80, sm_86," in error.diagnostics[0].hints[0]

    def test_both_spellings_are_published(self) -> None:
        published = startup().passes
        assert published["convert-cuda-tile-to-tileaa"] is ConvertCudaTileToTileAA
        assert published["convert-cudatile-to-tileaa"] is ConvertCudaTileToTileAAAlias


class TestFailure:
    """Texts, and that nothing has changed."""

    def test_what_has_no_form_is_named(self) -> None:
        error = failure_of(kernel("%a = gdc_wait_tko -> token"), "sm_80")
        assert "sm_80 cannot do 'cuda_tile.gdc_wait_tko', which GPUs have from sm_90 on" in str(error)

    def test_copies_of_several_devices_are_refused_below_the_chips_that_have_them(self) -> None:
        whole = "tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>"
        cut = f"partition_view<tile=(64), {whole}>"
        body = f"""%z = constant <i32: 0> : tile<i32>
        %a = make_tensor_view %p, shape = [64], strides = [1] : tile<ptr<f32, <multicast>>> -> {whole}
        %v = make_partition_view %a : {cut}
        %r, %t = multimem_load_reduce_view_tko weak %v[%z]  : {cut}, tile<i32> -> tile<64xf32>, token
        """
        error = failure_of(kernel(body, "%p: tile<ptr<f32, <multicast>>>"), "sm_80")
        assert "sm_80 cannot do" in str(error)
        assert "multimem_load_reduce_view_tko" in str(error)

    def test_the_fixed_text_comes_first(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(conversion, "populate_part_b", lambda patterns, lowering: None)
        error = failure_of(kernel("%a = make_token : token"))
        assert error.diagnostics[0].message == "failed to convert cuda_tile to nv_tileaa"
        assert "failed to legalize operation 'cuda_tile.module'" in error.diagnostics[1].message

    def test_exits_come_back_when_something_else_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(conversion, "populate_part_c", lambda patterns, lowering: None)
        body = """
          loop {
            break
          }
          %x = constant <f32: 1.0> : tile<8xf32>
          %r = reduce %x dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32> (%a: tile<f32>, %b: tile<f32>) {
            %c = addf %a, %b : tile<f32>
            yield %c : tile<f32>
          }
        """
        error = failure_of(kernel(body))
        assert "failed to legalize operation 'cuda_tile.reduce'" in error.diagnostics[1].message

    def test_a_module_needs_something_around_it(self) -> None:
        alone = parse_module(CONTEXT, kernel(""))
        manager = PassManager(CONTEXT, "cuda_tile.module")
        manager.add(ConvertCudaTileToTileAA())
        with pytest.raises(DiagnosticError, match="TW0801"):
            manager.run(alone)


class TestModules:
    """Modules and kernels."""

    def test_the_contents_of_one_module_go_into_the_one_around_it(self) -> None:
        module = lowered(kernel(""))
        assert [op.name for op in module.regions[0].block] == ["nv_tileaa.func"]

    def test_several_modules_stay_apart(self) -> None:
        text = kernel("").replace("@kernels", "@a") + kernel("").replace("@kernels", "@b")
        module = lowered(text)
        assert [op.name for op in module.regions[0].block] == ["builtin.module", "builtin.module"]
        check(module)

    def test_hints_for_the_chip_make_the_specification(self) -> None:
        text = """cuda_tile.module @m { entry @k() optimization_hints=<
            default = {num_cta_in_cga = 2}, sm_100 = {num_cta_in_cga = 4, occupancy = 3}> { return } }"""
        assert "occupancy" not in check(lowered(text))
        for chip in ("sm_100", "sm_100a"):
            made = check(lowered(text, chip))
            assert "occupancy=3" in made.replace(" = ", "=")
            assert "numCtas" not in made  # one block runs each tile block


def test_random_programs_are_lowered() -> None:
    """All of them: valid, the text reads back, nothing of Tile IR is left."""
    for number, module in enumerate(sample_modules(samples(40, of=120), seed="lowering")):
        assert check(lowered(module)), number
