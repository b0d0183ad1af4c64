"""The parent driver: one test for each statement about what it is made of, what it converts, and how it fails."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lowering.tileaa_modules import converted, failure_of, function, names, parsed
from tilewright.driver.startup import context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.lowering.tileaa_to_tileas import descriptors as driver
from tilewright.lowering.tileaa_to_tileas.arith_bank import ConstantTensorOpConversion, GenericOpPattern
from tilewright.lowering.tileaa_to_tileas.descriptors import (
    POPULATORS,
    ConvertTileAAToTileAS,
    convert,
    populate_tileaa_to_tileas,
    tileas_target,
)
from tilewright.lowering.tileaa_to_tileas.patterns import FUNCTIONS, POINTERS, STRUCTURE
from tilewright.lowering.tileaa_to_tileas.type_conversion import TileASTypeConverter
from tilewright.passes.analysis import AnalysisManager
from tilewright.passes.manager import PassManager
from tilewright.passes.pass_ import PassState
from tilewright.pdl.patterns import add_pdl
from tilewright.rewrite.conversion.target import Legality
from tilewright.rewrite.conversion.type_converter import one_converter
from tilewright.rewrite.pattern import PatternRole
from tilewright.rewrite.pattern_set import FrozenRewritePatternSet, RewritePatternSet

POINTER = "!nv_tileaa.ptr<f32, 1>"
POINTERS_TILE = f"tensor<8x{POINTER}>"
MEMORY = "!nv_tileaa.memref<?x64xf32, strides = [64, 1]>"
VIEW = f"!nv_tileaa.tiled_view<{MEMORY}, [8, 64]>"
DESCRIPTOR = "!nv_tileas.tma_desc<f32, [8, 64]>"
RETURN = '"func.return"() : () -> ()'


def whole_set() -> tuple[RewritePatternSet, TileASTypeConverter]:
    """All patterns of the driver, and their converter."""
    known = context()
    converter = TileASTypeConverter(known)
    patterns = RewritePatternSet(known)
    populate_tileaa_to_tileas(patterns, converter)
    return patterns, converter


class TestComposition:
    """What the driver is made of."""

    def test_four_populators_run_in_a_fixed_order(self) -> None:
        assert [populate.__name__ for populate in POPULATORS] == [
            "populate_structure",
            "populate_pointers",
            "populate_functions",
            "populate_arith_bank",
        ]

    def test_patterns_stand_in_the_order_of_the_table(self) -> None:
        patterns, _ = whole_set()
        roots = [pattern.root_name for pattern in patterns]
        before = roots[: roots.index("arith.cmpf")]
        assert before == [
            "nv_tileaa.block_tile",
            "nv_tileaa.make_memref",
            "nv_tileaa.get_dim_size",
            "nv_tileaa.bitcast",
            "nv_tileaa.ptr_to_int",
            "nv_tileaa.int_to_ptr",
            "func.func",
            "func.call",
            "func.return",
        ]
        assert sum(isinstance(pattern, GenericOpPattern) for pattern in patterns) == 43
        assert len(patterns) == 3 + 3 + 3 + 43 + 6

    def test_six_specialists_come_last(self) -> None:
        patterns, _ = whole_set()
        assert [type(pattern).__name__ for pattern in patterns][-6:] == [
            "MakeTiledTMADescOpHostConversion",
            "ConstantTensorOpConversion",
            "AddPtrOpConversion",
            "SplatOpHostConversion",
            "AssumeOpConversion",
            "ExtractOpHostConversion",
        ]

    def test_dedicated_patterns_are_told_from_generic_ones(self) -> None:
        patterns, _ = whole_set()
        dedicated = {type(pattern) for pattern in patterns} - {GenericOpPattern}
        assert {*STRUCTURE, *POINTERS, *FUNCTIONS, ConstantTensorOpConversion} <= dedicated
        assert len(dedicated) == 15

    def test_no_two_patterns_are_told_apart_by_order_alone(self) -> None:
        assert FrozenRewritePatternSet(whole_set()[0]).ties() == []

    def test_no_pattern_is_for_pipelines(self) -> None:
        """Those run after scheduling and layout assignment have made pipelines explicit."""
        patterns, _ = whole_set()
        assert not any("async" in str(pattern.root_name) for pattern in patterns)
        assert not any(getattr(pattern, "one_to_n", False) for pattern in patterns)

    def test_one_converter_serves_all(self) -> None:
        patterns, converter = whole_set()
        assert all(getattr(pattern, "type_converter", None) is converter for pattern in patterns)
        assert {pattern.role for pattern in patterns} == {PatternRole.TYPE_CONVERSION}

    def test_a_second_converter_in_one_pass_is_refused(self) -> None:
        known = context()
        with one_converter():
            TileASTypeConverter(known)
            with pytest.raises(DiagnosticError, match="2 type converters in one conversion"):
                TileASTypeConverter(known)


class TestTarget:
    """What may be left."""

    @pytest.mark.parametrize("dialect", ["llvm", "cute", "cute_nvgpu", "builtin", "vector"])
    def test_these_dialects_are_legal(self, dialect: str) -> None:
        target = tileas_target(TileASTypeConverter(context()))
        assert target.static_legality(f"{dialect}.anything") is Legality.LEGAL

    @pytest.mark.parametrize("dialect", ["nv_tileaa", "nv_tileas"])
    def test_both_tile_dialects_are_legal(self, dialect: str) -> None:
        target = tileas_target(TileASTypeConverter(context()))
        assert target.static_legality(f"{dialect}.anything") is Legality.LEGAL

    def test_arith_is_legal_once_values_have_tileas_form(self) -> None:
        known = context()
        target = tileas_target(TileASTypeConverter(known))
        text = function(
            '%a = "arith.addi"(%i, %i) : (i32, i32) -> i32\n'
            '%b = "arith.addi"(%t, %t) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>\n' + RETURN,
            "%i: i32; %t: tensor<4xi32>",
        )
        scalar, tile = (op for op in parsed(text, known).walk() if op.name == "arith.addi")
        assert target.legality(scalar) is Legality.LEGAL
        assert target.legality(tile) is Legality.ILLEGAL

    def test_bodies_of_reductions_stay_arith(self) -> None:
        """They compute elements, not tiles."""
        text = function(
            '%r = "nv_tileaa.reduce"(%t) <{axis = 0 : i32}> ({\n^bb0(%a: f32, %b: f32):\n'
            '%s = "arith.addf"(%a, %b) : (f32, f32) -> f32\n"nv_tileaa.yield"(%s) : (f32) -> ()\n'
            "}) : (tensor<4xf32>) -> f32\n" + RETURN,
            "%t: tensor<4xf32>",
        )
        assert names(converted(text)) == ["arith.addf", "nv_tileaa.yield", "func.return"]

    def test_nothing_is_said_of_other_dialects(self) -> None:
        target = tileas_target(TileASTypeConverter(context()))
        for name in ("scf.for", "math.exp2", "cf.br", "func.constant"):
            assert target.static_legality(name) is Legality.UNKNOWN


class TestStructure:
    """Memory objects and views."""

    BASE = f'%m = "nv_tileaa.make_memref"(%p, %n) <{{operandSegmentSizes = array<i32: 1, 0, 1, 0>}}> : ({POINTER}, index) -> {MEMORY}\n'
    ARGUMENTS = f"%p: {POINTER}; %n: index"

    def test_a_memory_object_is_made_at_a_converted_pointer(self) -> None:
        module = converted(function(self.BASE + RETURN, self.ARGUMENTS))
        made = next(op for op in module.walk() if op.name == "nv_tileaa.make_memref")
        assert [str(type) for type in made.operand_types] == ["!llvm.ptr<1>", "index"]
        assert str(made.results[0].type) == MEMORY

    def test_tiles_of_memory_become_a_view_in_global_memory(self) -> None:
        text = (
            self.BASE + f'%v = "nv_tileaa.block_tile"(%m) <{{dimGroups = [array<i64: 0>, array<i64: 1>], '
            f"tileSizes = array<i64: 8, 64>}}> : ({MEMORY}) -> {VIEW}\n" + RETURN
        )
        module = converted(function(text, self.ARGUMENTS))
        view = next(op for op in module.walk() if op.name == "nv_tileas.view")
        assert str(view.results[0].type) == "!nv_tileas.tiled_view<f32, [8, 64], global>"
        assert view.dim_groups == ((0,), (1,))

    @pytest.mark.parametrize(("dim", "becomes"), [(0, "%arg1"), (1, "%c64")])
    def test_an_extent_is_that_of_the_type_or_of_the_maker(self, dim: int, becomes: str) -> None:
        text = (
            self.BASE
            + f'%s = "nv_tileaa.get_dim_size"(%m) <{{dim = {dim} : i32}}> : ({MEMORY}) -> index\n'
            + '"func.return"(%s) : (index) -> ()'
        )
        printed = converted(function(text, self.ARGUMENTS, "index")).print()
        assert f"return {becomes} : index" in printed
        assert "get_dim_size" not in printed

    def test_an_extent_that_only_the_maker_knows_stays_a_question(self) -> None:
        text = f'%s = "nv_tileaa.get_dim_size"(%m) <{{dim = 0 : i32}}> : ({MEMORY}) -> index\n' + RETURN
        assert "nv_tileaa.get_dim_size" in names(converted(function(text, f"%m: {MEMORY}")))

    def test_memory_operations_are_left_alone(self) -> None:
        """Loads and stores keep their semantics, scope and order; bridges lead to what they use."""
        text = (
            f'%m = "nv_tileaa.make_memref"(%p, %n) <{{operandSegmentSizes = array<i32: 1, 0, 1, 0>}}> : '
            f"({POINTER}, index) -> {MEMORY}\n"
            f'%v = "nv_tileaa.block_tile"(%m) <{{dimGroups = [array<i64: 0>, array<i64: 1>], '
            f"tileSizes = array<i64: 8, 64>}}> : ({MEMORY}) -> {VIEW}\n"
            f'%x, %t = "nv_tileaa.tiled_load"(%v, %i, %i) <{{mem_scope = #nv_tileaa.mem_scope<gpu>, '
            "mem_semantic = #nv_tileaa.mem_semantic<acquire>, operandSegmentSizes = array<i32: 1, 2, 0>}> : "
            f"({VIEW}, i32, i32) -> (tensor<8x64xf32>, !nv_tileaa.mem_token)\n" + RETURN
        )
        module = converted(function(text, self.ARGUMENTS + "; %i: i32"))
        load = next(op for op in module.walk() if op.name == "nv_tileaa.tiled_load")
        assert str(load.attributes["mem_semantic"]) == "#nv_tileaa.mem_semantic<acquire>"
        assert str(load.attributes["mem_scope"]) == "#nv_tileaa.mem_scope<gpu>"
        assert "builtin.unrealized_conversion_cast" in names(module)


class TestPointers:
    """Bits and pointers."""

    @pytest.mark.parametrize(
        ("body", "becomes"),
        [
            (
                f'%r = "nv_tileaa.ptr_to_int"(%p) : ({POINTER}) -> i64',
                "llvm.ptrtoint %arg0 : !llvm.ptr<1> to i64",
            ),
            (
                f'%r = "nv_tileaa.int_to_ptr"(%i) : (i64) -> {POINTER}',
                "llvm.inttoptr %arg1 : i64 to !llvm.ptr<1>",
            ),
            (
                f'%r = "nv_tileaa.addptr"(%p, %i) : ({POINTER}, i64) -> {POINTER}',
                "llvm.getelementptr %arg0[%arg1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32",
            ),
            (
                f'%r = "nv_tileaa.assume"(%p) <{{predicates = [#nv_tileaa.div_by<16>]}}> : ({POINTER}) -> {POINTER}',
                '"nv_tileaa.assume"(%arg0) <{predicates = [#nv_tileaa.div_by<16>]}> : (!llvm.ptr<1>) -> !llvm.ptr<1>',
            ),
            (
                f'%r = "nv_tileaa.splat"(%p) : ({POINTER}) -> {POINTERS_TILE}',
                f'"nv_tileaa.splat"(%arg0) : (!llvm.ptr<1>) -> {POINTERS_TILE}',
            ),
            (
                f'%r = "nv_tileaa.extract"(%t, %i) : ({POINTERS_TILE}, i64) -> {POINTER}',
                f'"nv_tileaa.extract"(%arg2, %arg1) : ({POINTERS_TILE}, i64) -> !llvm.ptr<1>',
            ),
            (
                '%r = "nv_tileaa.bitcast"(%f) : (tensor<8xf32>) -> tensor<8xi32>',
                "nv_tileas.bitcast %arg3 : tensor<8xf32> to tensor<8xi32>",
            ),
        ],
        ids=["ptr_to_int", "int_to_ptr", "addptr", "assume", "splat", "extract", "bitcast"],
    )
    def test_what_each_becomes(self, body: str, becomes: str) -> None:
        arguments = f"%p: {POINTER}; %i: i64; %t: {POINTERS_TILE}; %f: tensor<8xf32>"
        assert becomes in converted(function(f"{body}\n{RETURN}", arguments)).print()

    def test_a_pointer_to_something_else_is_the_pointer(self) -> None:
        text = (
            f'%r = "nv_tileaa.bitcast"(%p) : ({POINTER}) -> !nv_tileaa.ptr<i32, 1>\n'
            '%q = "nv_tileaa.ptr_to_int"(%r) : (!nv_tileaa.ptr<i32, 1>) -> i64\n' + RETURN
        )
        module = converted(function(text, f"%p: {POINTER}"))
        assert names(module) == ["llvm.ptrtoint", "func.return"]

    def test_a_cast_never_changes_the_memory_of_a_pointer(self) -> None:
        text = function(
            f'%r = "nv_tileaa.bitcast"(%p) : (!llvm.ptr<3>) -> {POINTER}\n' + RETURN, "%p: !llvm.ptr<3>"
        )
        error, before, after = failure_of(text)
        assert before == after
        notes = [str(note) for diagnostic in error.diagnostics for note in diagnostic.notes]
        assert any("are pointers to different memories" in note for note in notes)

    def test_an_index_offset_becomes_an_integer(self) -> None:
        text = f'%r = "nv_tileaa.addptr"(%p, %n) : ({POINTER}, index) -> {POINTER}\n' + RETURN
        found = names(converted(function(text, f"%p: {POINTER}; %n: index")))
        assert found == ["arith.index_cast", "llvm.getelementptr", "func.return"]

    @pytest.mark.parametrize(
        ("pointee", "element"),
        [
            ("f8E4M3FN", "i8"),
            ("tf32", "f32"),
            ("bf16", "bf16"),
            ("f4E2M1FN", "i8"),
            ("i1", "i8"),
            (POINTER, "!llvm.ptr<1>"),
        ],
    )
    def test_offsets_count_elements_as_they_are_in_memory(self, pointee: str, element: str) -> None:
        pointer = f"!nv_tileaa.ptr<{pointee}, 3>"
        text = f'%r = "nv_tileaa.addptr"(%p, %i) : ({pointer}, i32) -> {pointer}\n' + RETURN
        module = converted(function(text, f"%p: {pointer}; %i: i32"))
        address: Any = next(op for op in module.walk() if op.name == "llvm.getelementptr")
        assert str(address.elem_type) == element
        assert str(address.res.type) == "!llvm.ptr<3>"

    def test_offsets_do_not_count_what_memory_cannot_hold(self) -> None:
        pointer = "!nv_tileaa.ptr<!nv_tileaa.mem_token, 1>"
        text = f'%r = "nv_tileaa.addptr"(%p, %i) : ({pointer}, i32) -> {pointer}\n' + RETURN
        error, before, after = failure_of(function(text, f"%p: {pointer}; %i: i32"))
        assert before == after
        notes = [str(note) for diagnostic in error.diagnostics for note in diagnostic.notes]
        assert any("!nv_tileaa.mem_token has no size in memory" in note for note in notes)

    @pytest.mark.parametrize(
        "body",
        [
            f'%r = "nv_tileaa.addptr"(%t, %n) : ({POINTERS_TILE}, tensor<8xi32>) -> {POINTERS_TILE}',
            f'%r = "nv_tileaa.ptr_to_int"(%t) : ({POINTERS_TILE}) -> tensor<8xi64>',
            f'%r = "nv_tileaa.bitcast"(%t) : ({POINTERS_TILE}) -> tensor<8x!nv_tileaa.ptr<i32, 1>>',
            '%r = "nv_tileaa.splat"() <{value = 1 : i32}> : () -> tensor<8xi32>',
        ],
    )
    def test_tiles_are_in_tileas_form_already(self, body: str) -> None:
        text = function(f"{body}\n{RETURN}", f"%t: {POINTERS_TILE}; %n: tensor<8xi32>")
        assert converted(text).print() == parsed(text, context()).print()


class TestFunctions:
    """Signatures, calls and returns change together."""

    TEXT = (
        '"builtin.module"() ({\n'
        f'"func.func"() <{{function_type = ({POINTER}) -> {POINTER}, sym_name = "g", sym_visibility = "private"}}> ({{\n'
        "}) : () -> ()\n"
        f'"func.func"() <{{function_type = ({POINTER}) -> {POINTER}, sym_name = "f"}}> ({{\n^bb0(%p: {POINTER}):\n'
        f'%q = "func.call"(%p) <{{callee = @g}}> : ({POINTER}) -> {POINTER}\n'
        f'"cf.br"(%q)[^bb1] : ({POINTER}) -> ()\n^bb1(%r: {POINTER}):\n'
        f'"func.return"(%r) : ({POINTER}) -> ()\n}}) : () -> ()\n}}) : () -> ()\n'
    )

    def test_block_arguments_and_terminators_are_converted_with_the_signature(self) -> None:
        printed = converted(self.TEXT).print()
        assert "func.func private @g(!llvm.ptr<1>) -> !llvm.ptr<1>" in printed
        assert "func.func @f(%arg0: !llvm.ptr<1>) -> !llvm.ptr<1>" in printed
        assert "call @g(%arg0) : (!llvm.ptr<1>) -> !llvm.ptr<1>" in printed

    def test_a_signature_without_conversion_fails(self) -> None:
        text = function(RETURN, "%t: tensor<?xf32>")
        error, before, after = failure_of(text)
        assert before == after
        assert any("signature" in str(note) for d in error.diagnostics for note in d.notes)

    def test_kernels_keep_their_signature(self) -> None:
        """`nv_tileaa.func` is converted at the function boundary, later: the ABI of kernels is decided there."""
        text = (
            '"builtin.module"() ({\n'
            f'"nv_tileaa.func"() <{{function_type = ({POINTER}, i32) -> (), '
            'kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k"}> ({\n'
            f"^bb0(%p: {POINTER}, %i: i32):\n"
            f'%q = "nv_tileaa.addptr"(%p, %i) : ({POINTER}, i32) -> {POINTER}\n'
            '"nv_tileaa.return"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n'
        )
        module = converted(text)
        assert names(module) == [
            "builtin.unrealized_conversion_cast",
            "llvm.getelementptr",
            "nv_tileaa.return",
        ]
        assert f"function_type = ({POINTER}, i32) -> ()" in module.print()


class TestDescriptors:
    """Descriptors of the copy engine, and how the conversion fails."""

    def test_a_descriptor_is_made_of_a_converted_view(self) -> None:
        text = (
            f'%v = "nv_tileaa.block_tile"(%m) <{{dimGroups = [array<i64: 0>, array<i64: 1>], '
            f"tileSizes = array<i64: 8, 64>}}> : ({MEMORY}) -> {VIEW}\n"
            f'%d = "nv_tileas.make_tiled_tma_desc"(%v, %a, %b) <{{swizzle_mode = #nv_tileas.swizzle_mode<"128B">}}>'
            f" : ({VIEW}, i32, i32) -> {DESCRIPTOR}\n" + RETURN
        )
        module = converted(function(text, f"%m: {MEMORY}; %a: i32; %b: i32"))
        made: Any = next(op for op in module.walk() if op.name == "nv_tileas.make_tiled_tma_desc")
        assert str(made.view.type) == "!nv_tileas.tiled_view<f32, [8, 64], global>"
        assert str(made.attributes["swizzle_mode"]) == '#nv_tileas.swizzle_mode<"128B">'

    def test_failure_has_the_fixed_text_and_changes_nothing(self) -> None:
        text = function(
            '%a = "ub.poison"() <{value = #ub.poison}> : () -> tensor<?xf32>\n'
            '%b = "arith.negf"(%a) : (tensor<?xf32>) -> tensor<?xf32>\n'
            '%c = "arith.constant"() <{value = dense<1> : tensor<4xi32>}> : () -> tensor<4xi32>\n' + RETURN
        )
        error, before, after = failure_of(text)
        assert error.diagnostics[0].message == "expect lower MakeTiledTMADescOp"
        assert "failed to legalize operation 'arith.negf'" in error.diagnostics[1].message
        assert before == after
        assert driver.FAILED == "expect lower MakeTiledTMADescOp"

    def test_arithmetic_on_tiles_without_a_counterpart_is_named(self) -> None:
        text = function(
            '%s, %c = "arith.addui_extended"(%t, %t) : (tensor<4xi32>, tensor<4xi32>) -> '
            "(tensor<4xi32>, tensor<4xi1>)\n" + RETURN,
            "%t: tensor<4xi32>",
        )
        error, _, _ = failure_of(text)
        notes = [str(note) for diagnostic in error.diagnostics for note in diagnostic.notes]
        assert any("no pattern is rooted at 'arith.addui_extended'" in note for note in notes)


PDL = """
module {
  pdl.pattern @negation : benefit(9) {
    %type = pdl.type
    %value = pdl.operand : %type
    %root = pdl.operation "arith.negf" (%value : !pdl.value) -> (%type : !pdl.type)
    pdl.rewrite %root {
      %new = pdl.operation "NAME" (%value : !pdl.value) -> (%type : !pdl.type)
      pdl.replace %root with %new
    }
  }
}
"""


class TestPDL:
    """Patterns as PDL are compiled before anything is converted."""

    TEXT = function(
        '%c = "arith.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>\n'
        '%r = "arith.negf"(%t) : (tensor<2xf32>) -> tensor<2xf32>\n' + RETURN,
        "%t: tensor<2xf32>",
    )

    def run(self, name: str) -> Operation:
        """Convert with the PDL pattern beside the others."""
        known = context()
        module = parsed(self.TEXT, known)
        converter = TileASTypeConverter(known)
        patterns = RewritePatternSet(known)
        populate_tileaa_to_tileas(patterns, converter)
        pattern = parse_module(known, PDL.replace("NAME", name))
        assert verify(pattern) == []
        add_pdl(patterns, pattern)
        state = PassState(module, known, AnalysisManager(module))
        try:
            convert(module, state, patterns, converter)
        except DiagnosticError:
            assert module.print() == parsed(self.TEXT, known).print()
            raise
        return module

    def test_compiled_patterns_run_beside_the_others(self) -> None:
        found = names(self.run("nv_tileaa.optimization_barrier"))
        assert found == ["nv_tileaa.constant_tensor", "nv_tileaa.optimization_barrier", "func.return"]

    def test_failing_to_compile_is_a_hard_failure(self) -> None:
        """Going on without the pattern would change what the conversion does."""
        with pytest.raises(
            DiagnosticError, match="failed to lower PDL pattern module to the PDL Interpreter"
        ):
            self.run("nv_tileaa.no_such_operation")


def test_the_pass_is_deterministic_and_done_after_one_run() -> None:
    known = context()
    module = converted(TestFunctions.TEXT)
    once = module.print()
    again = parse_module(known, once)
    PassManager(known).add(ConvertTileAAToTileAS()).run(again)
    assert again.print() == once
