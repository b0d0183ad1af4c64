"""The body conversion to `nv_tileas`: what each operation becomes, what stays, what is refused, and that nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import compare
from tests.lowering.tile_execution import parsed, tileas
from tests.lowering.tile_programs import PROGRAMS, kernel, matmul
from tilewright.dialects.common.chips import CHIPS
from tilewright.dialects.nv_tileaa.dialect import NV_TILEAA
from tilewright.dialects.nv_tileas.dialect import NV_TILEAS
from tilewright.dialects.nv_tileas.ops_tile import ViewOp
from tilewright.driver.startup import context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import FoldResult, Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.lowering.capability import HOST
from tilewright.lowering.tileaa_to_tileas.arith_bank import GenericOpPattern
from tilewright.lowering.tileaa_to_tileas.bodies import (
    POPULATORS,
    BodyConversion,
    ConvertTileAABodies,
    body_target,
)
from tilewright.lowering.tileaa_to_tileas.bridge import BRIDGE, LEGAL
from tilewright.lowering.tileaa_to_tileas.type_conversion import TileASTypeConverter
from tilewright.passes.manager import PassManager
from tilewright.rewrite.conversion.target import Legality
from tilewright.rewrite.folding import definers_of, fold, fold_plan
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet

GOLDEN = Path(__file__).parent / "golden"


def body(text: str, arguments: str = "", capability: str = "") -> str:
    """What the body of a kernel becomes: its lines, without the kernel around them."""
    lines = tileas(kernel("k", arguments, text), capability).print().splitlines()
    start = next(at for at, line in enumerate(lines) if "nv_tileaa.func" in line) + 1 + bool(arguments)
    end = next(at for at, line in enumerate(lines) if "nv_tileaa.return" in line)
    return "\n".join(line.strip() for line in lines[start:end])


def failure_of(text: str, arguments: str = "", capability: str = "", attributes: str = "") -> list[str]:
    """The messages with which the conversion fails; the module is as it was then."""
    known = context()
    inner = kernel("k", arguments, text)
    module = parsed(f"module attributes {{{attributes}}} {{\n{inner}}}" if attributes else inner, known)
    before = module.print()
    with pytest.raises(DiagnosticError) as caught:
        PassManager(known).add(ConvertTileAABodies(capability)).run(module)
    assert module.print() == before
    return [diagnostic.message for diagnostic in caught.value.diagnostics]


def whole_set() -> RewritePatternSet:
    """All patterns of the conversion."""
    known = context()
    conversion = BodyConversion(TileASTypeConverter(known, opaque_pointers=False), HOST)
    patterns = RewritePatternSet(known)
    for populate in POPULATORS:
        populate(patterns, conversion)
    return patterns


class TestComposition:
    """What the conversion is made of."""

    def test_three_populators_run_in_a_fixed_order(self) -> None:
        assert [populate.__name__ for populate in POPULATORS] == [
            "populate_arith",
            "populate_math",
            "populate_core",
        ]

    def test_the_bank_comes_first(self) -> None:
        patterns = list(whole_set())
        assert all(isinstance(pattern, GenericOpPattern) for pattern in patterns[:43])
        assert not any(isinstance(pattern, GenericOpPattern) for pattern in patterns[43:])

    def test_no_two_patterns_are_told_apart_by_order_alone(self) -> None:
        assert FrozenRewritePatternSet(whole_set()).ties() == []

    @pytest.mark.parametrize("dialect", ["nv_tileas", "arith", "math", "func", "gpu", "scf"])
    def test_legal_dialects(self, dialect: str) -> None:
        target = body_target(TileASTypeConverter(context(), opaque_pointers=False))
        assert target.static_legality(f"{dialect}.anything") is Legality.LEGAL

    def test_every_operation_of_the_source_is_accounted_for(self) -> None:
        """Each is legal, is on the bridge, has a pattern, belongs to queues and convolutions of GPUs, or is in
        checked Tile IR only.
        """
        roots = {pattern.root_name for pattern in whole_set()}
        bridge = {op.op_kind.name for operations in BRIDGE.values() for op in operations}
        legal = {op.op_kind.name for op in LEGAL}
        left = {op.op_kind.name for op in NV_TILEAA.operations} - roots - bridge - legal
        assert {name.removeprefix("nv_tileaa.") for name in left} == {
            "conv_dot",
            "conv_tile",
            "create_queue",
            "execute",
            "queue.get",
            "queue.put",
            "queue.yield",
            "with_operands",
        }

    def test_nothing_is_both_on_the_bridge_and_converted(self) -> None:
        roots = {pattern.root_name for pattern in whole_set()}
        assert not roots & {op.op_kind.name for operations in BRIDGE.values() for op in operations}


VIEWS = {
    '"nv_tileaa.broadcast"(%a) : (tensor<1x8xf32>) -> tensor<4x8xf32>': (
        "tensor<1x8xf32>",
        "(4,8),(0,1)",
    ),
    '"nv_tileaa.expand_dims"(%a) <{axis = 0 : i32}> : (tensor<8xf32>) -> tensor<1x8xf32>': (
        "tensor<8xf32>",
        "(1,8),(0,1)",
    ),
    '"nv_tileaa.permute"(%a) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>': (
        "tensor<2x4x8xf32>",
        "(8,2,4),(1,32,8)",
    ),
    '"nv_tileaa.view"(%a) : (tensor<4x8xf32>) -> tensor<32xf32>': ("tensor<4x8xf32>", "(32),(1)"),
    '"nv_tileaa.view"(%a) : (tensor<1x1xf32>) -> f32': ("tensor<1x1xf32>", "(),()"),
}
SAME_NAMES = {
    '"nv_tileaa.addf"(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>': "nv_tileas.addf",
    "arith.addi %i, %i overflow<nsw> : tensor<8xi32>": "nv_tileas.addi",
    "math.exp %a : tensor<8xf32>": "math.exp",
    '"nv_tileaa.sqrt"(%a) : (tensor<8xf32>) -> tensor<8xf32>': "math.sqrt",
    '"nv_tileaa.rsqrt"(%a) : (tensor<8xf32>) -> tensor<8xf32>': "math.rsqrt",
    '"nv_tileaa.exp2"(%a) : (tensor<8xf32>) -> tensor<8xf32>': "math.exp2",
    '"nv_tileaa.fma"(%a, %a, %a) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>': "math.fma",
    '"nv_tileaa.fp_to_fp"(%a) : (tensor<8xf32>) -> tensor<8xf16>': "nv_tileas.truncf",
    '"nv_tileaa.fp_to_fp"(%a) : (tensor<8xf32>) -> tensor<8xf64>': "nv_tileas.extf",
    '"nv_tileaa.bitcast"(%a) : (tensor<8xf32>) -> tensor<8xi32>': "nv_tileas.bitcast",
    "arith.addf %s, %s : f32": "arith.addf",
    '"nv_tileaa.addf"(%s, %s) : (f32, f32) -> f32': "arith.addf",
    '"nv_tileaa.cancel_next_program_id"() : () -> !nv_tileaa.program_id': "nv_tileas.cancel_next_program_id",
    '"nv_tileaa.pragma"(%s) <{directives = ["x"]}> : (f32) -> f32': "nv_tileas.pragma",
    '"nv_tileaa.mulhiui"(%i, %i) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>': "nv_tileaa.mulhiui",
}
ARGUMENTS = "%a: tensor<8xf32>; %i: tensor<8xi32>; %s: f32"


class TestOperations:
    """What operations become."""

    @pytest.mark.parametrize("text", VIEWS)
    def test_shapes_become_views_with_layouts(self, text: str) -> None:
        source, layout = VIEWS[text]
        found = body(f"%r = {text}", f"%a: {source}")
        assert found.startswith('%0 = "nv_tileas.view"(%arg0)')
        assert f"nv_tileas.layout = #nv_tileas.layout<{layout}>" in found

    @pytest.mark.parametrize("text", SAME_NAMES)
    def test_arithmetic(self, text: str) -> None:
        found = body(f"%r = {text}", ARGUMENTS)
        assert len(found.splitlines()) == 1
        assert found.partition(" = ")[2].lstrip('"').startswith(SAME_NAMES[text])

    def test_overflow_flags_survive(self) -> None:
        assert "overflow<nsw>" in body("%r = arith.addi %i, %i overflow<nsw> : tensor<8xi32>", ARGUMENTS)

    @pytest.mark.parametrize("type", ["tensor<8xf32>", "f32"])
    def test_rounding_and_flushing_survive(self, type: str) -> None:
        """Also on scalars, which do not go to `arith` then: it would fold them as if rounded to nearest."""
        value = "%a" if type != "f32" else "%s"
        mode = "flush_to_zero, rounding_mode = #nv_tileaa.rounding_mode<zero>"
        found = body(
            f'%r = "nv_tileaa.mulf"({value}, {value}) <{{{mode}}}> : ({type}, {type}) -> {type}', ARGUMENTS
        )
        assert "nv_tileas.mulf" in found
        assert "flush_to_zero, rounding_mode = #nv_tileaa.rounding_mode<zero>" in found

    def test_rounding_to_nearest_is_not_said(self) -> None:
        mode = "rounding_mode = #nv_tileaa.rounding_mode<nearest_even>"
        found = body(f'%r = "nv_tileaa.mulf"(%s, %s) <{{{mode}}}> : (f32, f32) -> f32', ARGUMENTS)
        assert found == "%0 = arith.mulf %arg2, %arg2 : f32"

    def test_formats_of_one_width_go_through_f32(self) -> None:
        found = body('%r = "nv_tileaa.fp_to_fp"(%h) : (tensor<8xf16>) -> tensor<8xbf16>', "%h: tensor<8xf16>")
        first, second = found.splitlines()
        assert "nv_tileas.extf" in first
        assert "nv_tileas.truncf" in second

    @pytest.mark.parametrize(("mode", "names"), [("all", "maximumf minimumf"), ("none", "maxnumf minnumf")])
    def test_clamp(self, mode: str, names: str) -> None:
        attribute = f"propagate_nan = #nv_tileaa.propagate_nan<{mode}>"
        types = ", ".join(["tensor<8xf32>"] * 3)
        found = body(
            f'%r = "nv_tileaa.clampf"(%a, %a, %a) <{{{attribute}}}> : ({types}) -> tensor<8xf32>', ARGUMENTS
        )
        assert [line.split()[2].partition(".")[2] for line in found.splitlines()] == names.split()

    def test_constants_become_tiles(self) -> None:
        found = body(
            "%r = arith.constant dense<1.0> : tensor<8xf32>\n%q = arith.constant dense<[1, 2]> : tensor<2xi32>"
        )
        assert [line.split('"')[1] for line in found.splitlines()] == [
            "nv_tileaa.splat",
            "nv_tileaa.constant_tensor",
        ]

    def test_nothing_is_folded(self) -> None:
        """The conversion changes the form of a program and computes nothing."""
        text = "%c = arith.constant dense<2.0> : tensor<8xf32>\n"
        text += "%r = arith.divf %c, %c : tensor<8xf32>"
        assert "nv_tileas.divf" in body(text)

    def test_other_attributes_go_along(self) -> None:
        found = body(
            '%r = "nv_tileaa.view"(%a) {my.note = 3 : i32} : (tensor<8xf32>) -> tensor<2x4xf32>', ARGUMENTS
        )
        assert "my.note = 3 : i32" in found


POINTERS = "tensor<8x!nv_tileaa.ptr<f32, 1>>"
ORDER = "mem_semantic = #nv_tileaa.mem_semantic<acquire>, mem_scope = #nv_tileaa.mem_scope<gpu>"
VIEWED = "!nv_tileaa.tiled_view<!nv_tileaa.memref<64xf32, strides = [1]>, [8]>"


class TestMemory:
    """Loads and stores keep what they were promised."""

    def test_hints_of_caches_are_kept(self) -> None:
        hints = "cache_modifier = #nv_tileaa.cache_modifier<cg>, eviction_policy = #nv_tileaa.eviction_policy<first>"
        segments = "operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>"
        weak = "mem_semantic = #nv_tileaa.mem_semantic<weak>"
        found = body(
            f'%r = "nv_tileaa.load"(%p) <{{{hints}, {weak}, {segments}}}> : ({POINTERS}) -> tensor<8xf32>',
            f"%p: {POINTERS}",
        )
        assert '"nv_tileas.load"(%arg0)' in found
        assert "cache_modifier = #nv_tileaa.cache_modifier<cg>" in found
        assert "eviction_policy = #nv_tileaa.eviction_policy<first>" in found

    def test_order_of_accesses_through_pointers_is_kept(self) -> None:
        segments = "operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>"
        found = body(
            f'%r = "nv_tileaa.load"(%p) <{{{ORDER}, {segments}}}> : ({POINTERS}) -> tensor<8xf32>',
            f"%p: {POINTERS}",
        )
        assert (
            "mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<acquire>" in found
        )

    def test_tiled_accesses_that_acquire_are_relaxed_with_a_fence(self) -> None:
        text = (
            '%v = "nv_tileaa.make_memref"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> '
            ": (!nv_tileaa.ptr<f32, 1>) -> !nv_tileaa.memref<64xf32, strides = [1]>\n"
            '%w = "nv_tileaa.block_tile"(%v) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 8>}> '
            f": (!nv_tileaa.memref<64xf32, strides = [1]>) -> {VIEWED}\n"
            f'%r = "nv_tileaa.tiled_load"(%w, %n) <{{{ORDER}, operandSegmentSizes = array<i32: 1, 1, 0>}}> '
            f": ({VIEWED}, i32) -> tensor<8xf32>"
        )
        _, view, load = body(text, "%p: !nv_tileaa.ptr<f32, 1>; %n: i32").splitlines()
        assert "<{dimGroups = [array<i64: 0>]}>" in view
        assert "!nv_tileas.tiled_view<f32, [8], global>" in view
        assert "mem_semantic = #nv_tileaa.mem_semantic<relaxed>" in load
        assert "fence = #nv_tileaa.mem_semantic<acquire>" in load


class TestTargets:
    """What depends on what code is made for."""

    def test_without_a_word_it_is_the_host(self) -> None:
        assert 'nv_tileaa.target_spec = "host"' in tileas(matmul()).print()

    def test_the_option_is_written_down(self) -> None:
        text = tileas(kernel("k", "", ""), "sm_90a").print()
        assert 'nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_90a">' in text
        assert "nv_tileaa.compute_capability = #nv_tileaa.compute_capability<90>" in text

    def test_atoms(self) -> None:
        assert "atom = #nv_tileas<atom universal_fma>" in tileas(PROGRAMS["matmul"]()).print()
        assert "atom = #nv_tileas<atom in_thread>" in tileas(PROGRAMS["softmax"]()).print()
        assert "atom = #nv_tileas<atom warp_shfl_xor_f32>" in tileas(PROGRAMS["softmax"](), "sm_100").print()

    def test_marked_kernels_get_a_specification_from_hints(self) -> None:
        known = context()
        text = (
            "module attributes {tt.num_warps = 8 : i32, tt.cluster_dim = array<i32: 2, 1, 1>} {\n"
            '"nv_tileaa.func"() <{function_type = () -> (), sym_name = "k"}> ({\n"nv_tileaa.return"() : () -> ()\n'
            "}) {cute.kernel} : () -> ()\n}"
        )
        module = parsed(text, known)
        PassManager(known).add(ConvertTileAABodies()).run(module)
        assert "kernel_spec = #nv_tileaa.kernel_spec<numWarps=8, clusterDim=[2,1,1]>" in module.print()
        assert "cute.kernel" not in module.print()

    @pytest.mark.parametrize(
        "attributes",
        [
            "nv_tileaa.compute_capability = 100 : i32",
            'nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_100"',
        ],
    )
    def test_half_a_target_is_refused(self, attributes: str) -> None:
        assert failure_of("", attributes=attributes) == ["failed to get the target spec"]

    def test_a_bad_option_is_refused(self) -> None:
        assert failure_of("", capability="sm_x") == ["invalid or missing --compute-capability option"]


def factors_and_sum(factors: str, sum_: str) -> str:
    """The arguments of a kernel that multiplies square tiles of 32."""
    tiles = {"a": factors, "b": factors, "c": sum_}
    return "; ".join(f"%{name}: tensor<32x32x{element}>" for name, element in tiles.items())


def dot(
    element: str,
    operands: str = "%a, %b, %c",
    more: str = "",
    segments: str = "1, 1, 1, 0, 0",
    sum_: str = "f32",
) -> str:
    """A product of square tiles of 32."""
    signed = "#nv_tileaa.signedness<signed>"
    signs = f", signedness_a = {signed}, signedness_b = {signed}" if element == "i8" else ""
    return (
        f'%r = "nv_tileaa.dot"({operands}) <{{operandSegmentSizes = array<i32: {segments}>{signs}}}> '
        f": (tensor<32x32x{element}>, tensor<32x32x{element}>, tensor<32x32x{sum_}>{more}) -> tensor<32x32x{sum_}>"
    )


SCALED = "%a: tensor<32x32xf8E4M3FN>; %b: tensor<32x32xf8E4M3FN>; %c: tensor<32x32xf32>; %s: tensor<32x1xf8E8M0FNU>; %t: tensor<1x32xf8E8M0FNU>"


class TestFailures:
    """The texts that tools look for; nothing is changed then."""

    def scaled(self) -> str:
        more = ", tensor<32x1xf8E8M0FNU>, tensor<1x32xf8E8M0FNU>"
        return dot("f8E4M3FN", "%a, %b, %c, %s, %t", more, "1, 1, 1, 1, 1")

    def test_what_has_no_pattern(self) -> None:
        messages = failure_of(
            '%q = "nv_tileaa.create_queue"() <{depth = 2 : i32}> : () -> !nv_tileaa.queue<(f32)>'
        )
        assert messages[0] == "failed to convert nv_tileaa to nv_tileas"
        assert "'nv_tileaa.create_queue'" in messages[1]

    @pytest.mark.parametrize(
        ("capability", "atom"),
        [
            ("sm_100", "umma_bs_f8E4M3FN_f8E4M3FN_f32"),
            ("sm_90", "universal_fma_bs"),
            ("host", "universal_fma_bs"),
        ],
    )
    def test_block_scales(self, capability: str, atom: str) -> None:
        assert f"atom = #nv_tileas<atom {atom}>" in body(self.scaled(), SCALED, capability)

    @pytest.mark.parametrize(
        ("factors", "sum_", "oldest"),
        [
            ("f16", "f32", "sm_75"),
            ("i8", "i32", "sm_75"),
            ("bf16", "f32", "sm_80"),
            ("tf32", "f32", "sm_80"),
            ("f8E4M3FN", "f32", "sm_89"),
            ("f8E5M2", "f32", "sm_89"),
        ],
    )
    def test_matrix_instructions_by_chip(self, factors: str, sum_: str, oldest: str) -> None:
        text, arguments = dot(factors, sum_=sum_), factors_and_sum(factors, sum_)
        for chip in CHIPS.values():
            is_new = chip.number >= CHIPS[oldest].number
            atom = f"mma_{factors}_{factors}_{sum_}" if is_new else "universal_fma"
            assert f"atom = #nv_tileas<atom {atom}>" in body(text, arguments, chip.name)

    @pytest.mark.parametrize(
        ("factors", "chip", "atom"),
        [
            ("f32", "sm_75", "universal_fma"),
            ("f32", "sm_120f", "universal_fma"),
            ("f64", "sm_75", "universal_fma"),
            ("f64", "sm_80", "mma_f64_f64_f64"),
        ],
    )
    def test_threads_multiply_without_a_matrix_instruction(self, factors: str, chip: str, atom: str) -> None:
        found = body(dot(factors, sum_=factors), factors_and_sum(factors, factors), chip)
        assert f"atom = #nv_tileas<atom {atom}>" in found

    def test_batches_have_the_matrix_instruction(self) -> None:
        types = "tensor<2x32x32xf16>", "tensor<2x32x32xf16>", "tensor<2x32x32xf32>"
        text = f'%r = "nv_tileaa.dot"(%a, %b, %c) <{{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}}> : ({", ".join(types)}) -> {types[2]}'
        arguments = "; ".join(f"%{name}: {type}" for name, type in zip("abc", types, strict=True))
        assert "atom = #nv_tileas<atom mma_f16_f16_f32>" in body(text, arguments, "sm_90")

    @pytest.mark.parametrize(
        ("attributes", "message"),
        [
            ('features = ["x"]', "plugin has unsupported feature"),
            ("layouts = {a = 1 : i32}", "fails to assign layout"),
        ],
    )
    def test_plugins(self, attributes: str, message: str) -> None:
        assert failure_of(f'"nv_tileaa.plugin"() <{{{attributes}}}> ({{}}) : () -> ()') == [message]


class TestLayoutsOfViews:
    """What the layout of a view may be."""

    @pytest.mark.parametrize(
        ("layout", "message"),
        [
            ("(4),(1)", "a layout of the shape of 'tensor<8xf32>', got (4)"),
            ("(8),(2)", "stays in the 8 elements of 'tensor<8xf32>', got 15"),
            ("(8),(1),swizzle<1,4,3>", "a layout without a swizzle"),
        ],
    )
    def test_wrong_ones_are_refused(self, layout: str, message: str) -> None:
        text = f'%r = "nv_tileas.view"(%a) <{{nv_tileas.layout = #nv_tileas.layout<{layout}>}}> : (tensor<8xf32>) -> tensor<8xf32>'
        known = context()
        module = parse_module(known, kernel("k", "%a: tensor<8xf32>", text), implicit_module=True)
        assert any(message in str(error) for error in verify(module, all_errors=True))

    @pytest.mark.parametrize(
        ("layout", "folds"), [("(8,8),(8,1)", True), ("(8,8),(1,8)", False), ("(8,8),(0,1)", False)]
    )
    def test_only_views_that_move_nothing_fold(self, layout: str, folds: bool) -> None:
        text = f'%r = "nv_tileas.view"(%a) <{{nv_tileas.layout = #nv_tileas.layout<{layout}>}}> : (tensor<8x8xf32>) -> tensor<8x8xf32>'
        module = parsed(kernel("k", "%a: tensor<8x8xf32>", text))
        (view,) = [op for op in module.walk() if isinstance(op, ViewOp)]
        assert (folded(view) is view.source) == folds


def folded(op: Operation) -> FoldResult:
    """What the results of an operation are already; None if nothing is known."""
    plan = fold_plan(NV_TILEAS.folds[type(op)], definers_of(op))
    return None if plan is None else fold(op, plan)


@pytest.mark.parametrize(("way", "folds"), [("", True), ("{flush_to_zero}", False)])
def test_operations_with_ways_of_their_own_do_not_fold(way: str, folds: bool) -> None:
    text = "%c = arith.constant dense<2.0> : tensor<8xf32>\n"
    text += f"%r = nv_tileas.addf %c, %c {way} : tensor<8xf32>"
    (add,) = [op for op in parsed(kernel("k", "", text)).walk() if op.name == "nv_tileas.addf"]
    assert (folded(add) is not None) == folds


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, bless: bool) -> None:
    """The whole text of some programs."""
    compare(GOLDEN / f"{name}.tileas.mlir", tileas(PROGRAMS[name]()).print() + "\n", bless=bless)
