"""The shared LLVM type converter: one test per row of its table, then one per sentence about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from tests.lowering.native import lowered
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.dialects.func.ops import FuncOp
from tilewright.dialects.llvm.types import LLVMPointerType, LLVMStructType, LLVMVoidType
from tilewright.driver.startup import PASSES, context
from tilewright.ir.arithmetic.float_format import FLOAT_FORMATS
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import FunctionType, IndexType, MemRefType, f32, i64
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.lowering.llvm_types.address_spaces import OF_CUTE, OF_RESIDENCY, LlvmAddressSpace
from tilewright.lowering.llvm_types.converter import SIGNATURE_FAILURE, LLVMOptions, LLVMTypeConverter
from tilewright.lowering.upstream_to_llvm.func import ConvertFuncToLLVM
from tilewright.passes.manager import PassManager
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion.bridges import reconcile_casts, require_no_casts
from tilewright.rewrite.conversion.type_converter import REFUSED, Converted
from tilewright.rewrite.rewriter import Rewriter


def types_of(*texts: str) -> list[Type]:
    """Types by their text."""
    module = parse_module(context(), f"func.func private @f({', '.join(texts)})\n", implicit_module=True)
    (function,) = module.regions[0].blocks[0]
    assert isinstance(function, FuncOp)
    return list(function.function_type.inputs)


def converter(**options: object) -> LLVMTypeConverter:
    return LLVMTypeConverter(context(), LLVMOptions(**options))


def form(text: str, **options: object) -> str | None:
    """The text of what a type becomes."""
    (type,) = types_of(text)
    found = converter(**options).convert_type(type)
    return None if found is None else str(found)


class TestTable:
    """The rows of the table of converted types."""

    @pytest.mark.parametrize("width", [1, 7, 8, 32, 64, 128])
    @pytest.mark.parametrize("sign", ["", "s", "u"])
    def test_an_integer_keeps_its_width(self, width: int, sign: str) -> None:
        assert form(f"{sign}i{width}") == f"i{width}"

    @pytest.mark.parametrize(("options", "wanted"), [({}, "i64"), ({"index_width": 32}, "i32")])
    def test_index_has_the_width_of_the_option(self, options: dict[str, int], wanted: str) -> None:
        assert form("index", **options) == wanted

    @pytest.mark.parametrize("spelling", sorted(FLOAT_FORMATS))
    def test_a_float_keeps_its_semantics_or_its_bits(self, spelling: str) -> None:
        own = {"f16", "bf16", "f32", "f64", "f80", "f128"}
        wanted = spelling if spelling in own else f"i{FLOAT_FORMATS[spelling].bits}"
        assert form(spelling) == ("f32" if spelling == "tf32" else wanted)

    @pytest.mark.parametrize(
        ("vector", "wanted"),
        [
            ("vector<4xf32>", "vector<4xf32>"),
            ("vector<4xindex>", "vector<4xi64>"),
            ("vector<8xf8E4M3FN>", "vector<8xi8>"),
            ("vector<f32>", "vector<1xf32>"),
            ("vector<2x3x4xi16>", "!llvm.array<2 x array<3 x vector<4xi16>>>"),
            ("vector<[4]xf32>", "vector<[4]xf32>"),
            ("vector<2x[4]xf32>", "!llvm.array<2 x vector<[4]xf32>>"),
            ("vector<[2]x4xf32>", None),
        ],
    )
    def test_a_vector_is_a_vector_of_its_converted_element_type(
        self, vector: str, wanted: str | None
    ) -> None:
        assert form(vector) == wanted

    def test_a_function_type_has_converted_arguments_and_results(self) -> None:
        (type,) = types_of("(index, vector<2x2xf32>) -> (i32, index)")
        shared = converter()
        assert str(shared.convert_type(type)) == (
            "!llvm.func<struct<(i32, i64)> (i64, array<2 x vector<2xf32>>)>"
        )

    def test_a_value_of_a_function_type_is_a_pointer(self) -> None:
        """The table of the converter has the function type, MLIR's converter a pointer.

        The choice: types as such are converted as the table says; what stands for a value (arguments, results,
        members of structs, functions as arguments of functions) is a pointer as in MLIR, because LLVM has no other.
        """
        (type,) = types_of("(index, (i32) -> i32) -> ((i32) -> ())")
        shared = converter()
        assert str(shared.convert_value_type(type)) == "!llvm.ptr"
        assert str(shared.convert_type(type)) == "!llvm.func<ptr (i64, ptr)>"
        (pair,) = types_of("tuple<(i32) -> i32, i32>")
        assert str(shared.convert_type(pair)) == "!llvm.struct<(ptr, i32)>"
        (wrong,) = types_of("(vector<[2]x4xf32>) -> ()")
        assert shared.convert_type(wrong) is None
        assert shared.convert_value_type(wrong) is None

    @pytest.mark.parametrize(
        ("memref", "wanted"),
        [
            ("memref<f32>", "!llvm.struct<(ptr, ptr, i64)>"),
            ("memref<?x4xf32>", "!llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>"),
            ("memref<4xf32, 3>", "!llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>"),
            (
                "memref<4xf32, #gpu.address_space<workgroup>>",
                "!llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>",
            ),
            ('memref<4xf32, "somewhere">', None),
            ("memref<4x4xf32, affine_map<(a, b) -> (a, a + b)>>", None),
            ("memref<2xtensor<2xf32>>", None),
        ],
    )
    def test_a_ranked_memref_is_a_descriptor(self, memref: str, wanted: str | None) -> None:
        assert form(memref) == wanted

    def test_the_fields_of_a_descriptor_have_64_bits_whatever_the_index_width(self) -> None:
        wanted = "!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>"
        assert form("memref<4xf32>", index_width=32) == wanted

    @pytest.mark.parametrize(
        ("memref", "wanted"),
        [("memref<*xf32>", "!llvm.struct<(i64, ptr)>"), ("memref<*xf32, 1>", "!llvm.struct<(i64, ptr<1>)>")],
    )
    def test_an_unranked_memref_is_a_rank_and_a_pointer(self, memref: str, wanted: str) -> None:
        assert form(memref) == wanted

    def test_a_tileaa_memref_is_of_the_same_descriptor_family(self) -> None:
        text = "!nv_tileaa.memref<?x32xf32, strides = [?, 1], space = 3>"
        assert form(text) == "!llvm.struct<(ptr<3>, ptr<3>, i64, array<2 x i64>, array<2 x i64>)>"

    def test_a_cute_memref_is_an_address_and_a_layout(self) -> None:
        text = '!cute.memref<f16, smem, align<16>, "(64,(8,?)):(1,(64,?))">'
        assert form(text) == "!llvm.struct<(ptr<3>, struct<(i32, i32, struct<(i32, i32, i32, i32)>)>)>"

    @pytest.mark.parametrize(
        ("view", "space"),
        [
            ("!nv_tileaa.tiled_view<!nv_tileaa.memref<64x64xf32, strides = [64, 1]>, [64, 32]>", "<1>"),
            ("!nv_tileas.tiled_view<f32, [64, 32], shared>", "<3>"),
            ("!nv_tileas.tiled_view<f32, [64, 32], register>", ""),
            ("!nv_tileas.tiled_view<f32, [64, 32], tensor>", "<6>"),
            ("!cuda_tile.tensor_view<?x32xf32, strides=[?,1]>", "<1>"),
        ],
    )
    def test_a_tiled_view_is_a_base_pointer_and_packed_layout(self, view: str, space: str) -> None:
        assert form(view) == f"!llvm.struct<(ptr{space}, i32, i32, array<3 x i32>)>"

    @pytest.mark.parametrize(
        "token",
        [
            "!nv_tileas.async_token",
            "!nv_tileaa.mem_token",
            "!nv_tileas.producer_token",
            "!nv_tileas.consumer_token",
            "!cuda_tile.token",
        ],
    )
    def test_tokens_are_i32(self, token: str) -> None:
        assert form(token) == "i32"

    @pytest.mark.parametrize(
        ("text", "wanted"),
        [
            ('!cute.shape<"(4,8)">', "!llvm.struct<(i32, i32)>"),
            ('!cute.stride<"(1,(4,?))">', "!llvm.struct<(i32, struct<(i32, i32)>)>"),
            ('!cute.coord<"?{i64}">', "i64"),
            ('!cute.layout<"(4,8):(1,4)">', "!llvm.struct<(i32, i32, i32, i32)>"),
            ('!cute.layout<"8:1">', "!llvm.struct<(i32, i32)>"),
            ('!cute.swizzle<"S<3,4,3>">', "!llvm.struct<(i32, i32, i32)>"),
            (
                '!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">',
                "!llvm.struct<(struct<(i32, i32, i32)>, i32, struct<(i32, i32, i32, i32)>)>",
            ),
            (
                '!cute.composed_layout<"(4,8):(1,4) o ?{i64} o 8:1">',
                "!llvm.struct<(struct<(i32, i32, i32, i32)>, i64, struct<(i32, i32)>)>",
            ),
            (
                '!cute.tile<"[128:1;(8,4):(4,1);_]">',
                "!llvm.struct<(struct<(i32, i32)>, struct<(i32, i32, i32, i32)>, struct<()>)>",
            ),
            ("!cute_nvgpu.atom.universal_copy<f32>", "!llvm.struct<()>"),
            ("!cute_nvgpu.atom.tma_load<f16, [64, 128]>", "!llvm.struct<(ptr, ptr<3>)>"),
            ("!cute_nvgpu.sm100.mma<128x256x16, f16, f16, f32>", "!llvm.struct<(i1)>"),
            ("!cute_nvgpu.smem_desc<k>", "i64"),
            ("!cute.ptr<f16, tmem>", "!llvm.ptr<6>"),
        ],
    )
    def test_layouts_shapes_strides_swizzles_and_atoms_are_structs_or_integers(
        self, text: str, wanted: str
    ) -> None:
        assert form(text) == wanted

    @pytest.mark.parametrize(
        ("text", "wanted"),
        [
            ("tuple<i32, index>", "!llvm.struct<(i32, i64)>"),
            ("none", "!llvm.struct<()>"),
            ("complex<f32>", "!llvm.struct<(f32, f32)>"),
            ("tuple<tensor<2xf32>>", None),
            ("tensor<2xf32>", None),
        ],
    )
    def test_tuple_and_none_are_a_struct_or_an_empty_marker(self, text: str, wanted: str | None) -> None:
        assert form(text) == wanted

    @pytest.mark.parametrize("text", ["!llvm.ptr<3>", "!llvm.struct<(i32, ptr)>", "!llvm.array<4 x i8>"])
    def test_llvm_types_are_what_they_are(self, text: str) -> None:
        (type,) = types_of(text)
        assert converter().convert_type(type) is type


class TestHooks:
    """The five hooks of the tile dialects are asked before everything else."""

    @pytest.mark.parametrize(
        ("text", "wanted"),
        [
            ("!cuda_tile.tile<4x8xf32>", "!llvm.struct<(array<32 x f32>)>"),
            ("!cuda_tile.tile<i32>", "!llvm.struct<(i32)>"),
            ("!cuda_tile.tile<2x!cuda_tile.ptr<f32>>", "!llvm.struct<(array<2 x ptr<1>>)>"),
            ("!nv_tileas.pipeline_iterator<tensor<8xf32>, 3>", "!llvm.struct<(i32, i32)>"),
            (
                "!cuda_tile.partition_view<tile=(8x4), tensor_view<?x32xf32, strides=[?,1]>>",
                "!llvm.struct<(struct<(ptr<1>, i32, i32, array<3 x i32>)>, array<2 x i32>)>",
            ),
        ],
    )
    def test_a_hook_converts_its_type(self, text: str, wanted: str) -> None:
        assert form(text) == wanted

    @pytest.mark.parametrize(
        ("hook", "text"),
        [
            ("convert_tile_type", "!cuda_tile.tile<4xf32>"),
            ("convert_token_type", "!cuda_tile.token"),
            ("convert_pipeline_iterator_type", "!nv_tileas.pipeline_iterator<tensor<8xf32>, 3>"),
            ("convert_tensor_view_type", "!cuda_tile.tensor_view<32xf32, strides=[1]>"),
            (
                "convert_partition_view_type",
                "!cuda_tile.partition_view<tile=(8), tensor_view<32xf32, strides=[1]>>",
            ),
        ],
    )
    def test_the_first_callback_that_recognises_a_type_wins(self, hook: str, text: str) -> None:
        own = type("Own", (LLVMTypeConverter,), {hook: lambda self, type: LLVMPointerType(7)})
        (given_type,) = types_of(text)
        assert own(context()).convert_type(given_type) is LLVMPointerType(7)

    def test_a_hook_that_refuses_is_the_last_word(self) -> None:
        class Refusing(LLVMTypeConverter):
            def convert_tile_type(self, type: TileType) -> Converted:
                return REFUSED

        (tile,) = types_of("!cuda_tile.tile<4xf32>")
        assert Refusing(context()).convert_type(tile) is None


class TestAddressSpaces:
    """Memory spaces stay distinct all the way to LLVM pointers."""

    def test_the_numbers(self) -> None:
        assert {name.lower(): space.value for name, space in LlvmAddressSpace.__members__.items()} == {
            "generic": 0,
            "register": 0,
            "global": 1,
            "internal": 2,
            "shared": 3,
            "constant": 4,
            "local": 5,
            "tensor": 6,
            "shared_cluster": 7,
        }

    def test_every_space_of_a_dialect_has_a_number(self) -> None:
        assert set(OF_RESIDENCY) == set(type(next(iter(OF_RESIDENCY))))
        assert set(OF_CUTE) == set(type(next(iter(OF_CUTE))))

    def test_address_space_casts_must_be_explicit(self) -> None:
        """Both bridges refuse to carry a memref, a pointer or a barrier into another memory."""
        shared = converter()
        memref, other = types_of("memref<4xf32, 3>", "memref<4xf32, 1>")
        descriptor = shared.convert_type(other)
        pointers = LLVMPointerType(3), LLVMPointerType(1)
        for bridge, source, target in (
            (shared.materialize_target, memref, descriptor),
            (shared.materialize_source, shared.convert_type(memref), other),
            (shared.materialize_target, *pointers),
        ):
            block = Block([source])
            with pytest.raises(DiagnosticError, match="the address space would change from 3 to 1") as caught:
                bridge(Rewriter(block), target, (block.arguments[0],), UNKNOWN)
            assert [str(d.code) for d in caught.value.diagnostics] == ["TW0707"]
            assert caught.value.diagnostics[0].hints
            assert block.ops == []

    def test_a_cast_that_is_written_is_a_cast(self) -> None:
        text = """func.func @f(%m: memref<4xf32>) -> memref<4xf32, 3> {
          %0 = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, 3>
          return %0 : memref<4xf32, 3>
        }"""
        module = lowered(text, ["convert-to-llvm"])
        casts = [op for op in module.walk() if op.name == "llvm.addrspacecast"]
        assert [str(op.results[0].type) for op in casts] == ["!llvm.ptr<3>"] * 2


class TestMaterialization:
    """Bridges are casts; those that survive fail the module."""

    def test_both_hooks_produce_unrealized_conversion_casts(self) -> None:
        shared = converter()
        block = Block([IndexType(), i64])
        old, new = block.arguments
        rewriter = Rewriter(block)
        target = shared.materialize_target(rewriter, i64, (old,), UNKNOWN)
        source = shared.materialize_source(rewriter, IndexType(), (new,), UNKNOWN)
        assert [op.name for op in block] == ["builtin.unrealized_conversion_cast"] * 2
        assert target is not None
        assert source is not None
        assert (target.type, source.type) == (i64, IndexType())

    def test_the_fields_of_a_memref_become_a_descriptor(self) -> None:
        shared = converter()
        (memref,) = types_of("memref<?xf32>")
        descriptor = shared.convert_type(memref)
        block = Block([LLVMPointerType(0)] * 2 + [i64] * 3)
        made = shared.materialize_target(Rewriter(block), descriptor, tuple(block.arguments), UNKNOWN)
        assert made is not None
        assert made.type is descriptor
        assert [op.name for op in block] == ["llvm.mlir.poison", *["llvm.insertvalue"] * 5]

    def test_a_bare_pointer_becomes_the_descriptor_of_its_memref(self) -> None:
        shared = converter(bare_pointers=True)
        (memref,) = types_of("memref<4x8xf32>")
        block = Block([LLVMPointerType(0)])
        made = shared.materialize_source(Rewriter(block), memref, tuple(block.arguments), UNKNOWN)
        assert made is not None
        assert made.type is memref
        numbers = [op.attributes["value"].value for op in block if op.name == "llvm.mlir.constant"]
        assert numbers == [0, 4, 8, 8, 1]

    def test_the_reconciliation_erases_them_once_everything_is_converted(self) -> None:
        text = "func.func @f(%i: index) -> index {\n  %0 = arith.addi %i, %i : index\n  return %0 : index\n}"
        halfway = lowered(text, ["convert-arith-to-llvm"])
        assert casts_in(halfway) == 2
        with pytest.raises(DiagnosticError, match="failed to legalize unresolved materialization") as caught:
            require_no_casts(halfway)
        assert {str(d.code) for d in caught.value.diagnostics} == {"TW0703"}
        done = lowered(text, ["convert-arith-to-llvm", "convert-func-to-llvm", "reconcile-unrealized-casts"])
        assert casts_in(done) == 0
        assert reconcile_casts(done) == []


def casts_in(module: Operation) -> int:
    return sum(op.name == "builtin.unrealized_conversion_cast" for op in module.walk())


def signature(text: str, **options: object) -> str:
    (type,) = types_of(text)
    assert isinstance(type, FunctionType)
    return str(converter(**options).convert_function_signature(type).type)


class TestFunctionSignature:
    """Function signatures do more than translate type by type."""

    def test_a_memref_argument_is_the_fields_of_its_descriptor(self) -> None:
        assert signature("(memref<?x4xf32>, i32) -> ()") == (
            "!llvm.func<void (ptr, ptr, i64, i64, i64, i64, i64, i32)>"
        )
        assert signature("(memref<*xf32>) -> ()") == "!llvm.func<void (i64, ptr)>"
        assert signature("(!nv_tileaa.memref<4xf32, strides = [1]>) -> ()") == (
            "!llvm.func<void (ptr<1>, ptr<1>, i64, i64, i64)>"
        )

    def test_with_bare_pointers_a_memref_argument_is_its_aligned_pointer(self) -> None:
        text = "(memref<8x4xf32, 1>, i32) -> memref<4xf32>"
        assert signature(text, bare_pointers=True) == "!llvm.func<ptr (ptr<1>, i32)>"

    def test_several_results_are_a_struct(self) -> None:
        assert signature("() -> (i32, f32)") == "!llvm.func<struct<(i32, f32)> ()>"
        assert signature("() -> ()") == f"!llvm.func<{str(LLVMVoidType())[6:]} ()>"

    @pytest.mark.parametrize(
        ("text", "offending", "options"),
        [
            ("(i32, tensor<4xf32>) -> ()", "tensor<4xf32>", {}),
            ("() -> (i32, tensor<2xi8>)", "tensor<2xi8>", {}),
            ("(memref<?xf32>) -> ()", "memref<?xf32>", {"bare_pointers": True}),
            ("(memref<*xf32>) -> ()", "memref<*xf32>", {"bare_pointers": True}),
        ],
    )
    def test_the_wording_of_a_failure_is_fixed(
        self, text: str, offending: str, options: dict[str, bool]
    ) -> None:
        assert SIGNATURE_FAILURE == "failed to convert function signature type for: "
        with pytest.raises(DiagnosticError) as caught:
            signature(text, **options)
        (error,) = caught.value.diagnostics
        assert error.message == f"failed to convert function signature type for: {offending}"
        assert str(error.code) == "TW0704"
        assert error.hints

    def test_a_function_that_cannot_be_converted_fails_its_pass_and_stays(self) -> None:
        known = context()
        text = "func.func @f(%t: tensor<4xf32>, %i: index) {\n  return\n}\n"
        module = parse_module(known, text, implicit_module=True)
        before = str(module)
        manager = PassManager(known)
        manager.add(ConvertFuncToLLVM())
        with pytest.raises(DiagnosticError, match=r"TW0704.*signature type for: tensor<4xf32>"):
            manager.run(module)
        assert str(module) == before

    def test_call_sites_pass_what_functions_take(self) -> None:
        text = """func.func private @g(memref<4xf32>, memref<*xf32>) -> memref<4xf32>
        func.func @f(%m: memref<4xf32>, %u: memref<*xf32>) -> memref<4xf32> {
          %0 = call @g(%m, %u) : (memref<4xf32>, memref<*xf32>) -> memref<4xf32>
          return %0 : memref<4xf32>
        }"""
        module = lowered(text, ["convert-func-to-llvm"])
        (call,) = [op for op in module.walk() if op.name == "llvm.call"]
        assert [str(v.type) for v in call.operands] == ["!llvm.ptr"] * 2 + ["i64"] * 4 + ["!llvm.ptr"]

    def test_the_bare_pointer_abi_holds_at_call_sites(self) -> None:
        text = """func.func private @g(memref<4xf32>) -> memref<4xf32> attributes {llvm.bareptr}
        func.func @f(%m: memref<4xf32>) -> memref<4xf32> attributes {llvm.bareptr} {
          %0 = call @g(%m) : (memref<4xf32>) -> memref<4xf32>
          return %0 : memref<4xf32>
        }"""
        module = lowered(text, ["convert-to-llvm"])
        (call,) = [op for op in module.walk() if op.name == "llvm.call"]
        (back,) = [op for op in module.walk() if op.name == "llvm.return"]
        types = [*call.operand_types, *call.result_types, *back.operand_types]
        assert types == [LLVMPointerType(0)] * 3


UPSTREAM_TO_LLVM = [
    name for name, place in PASSES.items() if "upstream_to_llvm" in place and name.endswith("-to-llvm")
]


@dataclass(frozen=True)
class TwoConverters(Pass):
    """Builds a converter for its body and another one for its clean-up."""

    name: ClassVar[str] = "two-converters"

    def run(self, op: Operation, state: PassState) -> None:
        LLVMTypeConverter(state.context)
        LLVMTypeConverter(state.context, LLVMOptions(bare_pointers=True))


class TestOneConverter:
    """A pass constructs exactly one converter."""

    def test_a_second_converter_in_one_pass_is_an_error(self) -> None:
        known = context()
        module = parse_module(known, "module {\n}\n")
        manager = PassManager(known)
        manager.add(TwoConverters())
        with pytest.raises(DiagnosticError, match="TW0706"):
            manager.run(module)

    @pytest.mark.parametrize("name", UPSTREAM_TO_LLVM)
    def test_each_conversion_pass_claims_one(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        built: list[LLVMTypeConverter] = []
        original = LLVMTypeConverter.__init__

        def counting(self: LLVMTypeConverter, *arguments: object, **named: object) -> None:
            original(self, *arguments, **named)
            built.append(self)

        monkeypatch.setattr(LLVMTypeConverter, "__init__", counting)
        lowered("func.func @f() {\n  return\n}", [name])
        assert len(built) == 1


def test_descriptors_are_llvm_structs() -> None:
    """Every descriptor of a memref is a literal struct of known fields."""
    shared = converter()
    for rank in range(4):
        found = shared.convert_type(MemRefType((2,) * rank, f32))
        assert isinstance(found, LLVMStructType)
        assert len(found.body or ()) == (5 if rank else 3)
