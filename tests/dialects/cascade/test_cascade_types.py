"""Types and attributes of the cascade: text both ways, rules, capabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tilewright.dialects.common.interfaces import (
    INTERFACES,
    AtomTypeInterface,
    CopyAtomTypeInterface,
    LayoutTypeInterface,
    MaybeStaticTypeInterface,
    MmaAtomTypeInterface,
    PointerTypeInterface,
    PrintableTypeInterface,
    TmaDescriptorTypeInterface,
    ViewTypeInterface,
    concept,
)
from tilewright.dialects.cute.layout_types import IntTupleType, LayoutType, SwizzleType
from tilewright.dialects.cute.types import MemorySpace
from tilewright.dialects.nv_tileas.types import PipelineIteratorType
from tilewright.driver.startup import CHAIN, context, dialect_object
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_types import f16, f32
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.interfaces.interface import Interface
from tilewright.ir.text.parser import parse_attribute, parse_type
from tilewright.ir.uniquer import InvalidParameters
from tilewright.layouts.trees import (
    leaves,
    product,
)

CONTEXT = context()


def read(text: str) -> Any:
    return (parse_type if text.startswith("!") else parse_attribute)(CONTEXT, text)


def documented() -> Iterator[tuple[type[Attribute], str]]:
    """The example in the docstring of every class."""
    for name in CHAIN:
        dialect = dialect_object(name)
        for cls in (*dialect.types.values(), *dialect.attributes.values()):
            first = (cls.__doc__ or "").partition("\n")[0]
            for example in first.split("``")[1::2]:
                if example[:1] in "!#":
                    yield cls, example


@pytest.mark.parametrize(("cls", "text"), list(documented()), ids=lambda value: getattr(value, "name", value))
def test_examples_in_the_documentation_are_true(cls: type[Attribute], text: str) -> None:
    value = read(text)
    assert type(value) is cls
    assert read(str(value)) is value
    if cls.name != "nv_tileaa.compute_capability":
        assert str(value) == text


def test_everything_has_an_example() -> None:
    with_example = {cls for cls, _ in documented()}
    plain = {
        cls.name
        for name in CHAIN
        for cls in (*dialect_object(name).types.values(), *dialect_object(name).attributes.values())
        if cls not in with_example and not hasattr(cls, "enumeration")
    }
    assert plain == set()


def enum_attributes() -> Iterator[Any]:
    for name in CHAIN:
        yield from (a for a in dialect_object(name).attributes.values() if hasattr(a, "enumeration"))


@pytest.mark.parametrize("cls", list(enum_attributes()), ids=lambda cls: cls.name)
def test_every_case_of_an_enum_goes_through_text(cls: Any) -> None:
    for case in cls.enumeration:
        assert read(str(cls(case))) is cls(case)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("!nv_tileaa.ptr<f32>", "expected ',', got '>'"),
        ("!nv_tileaa.queue<(i32), isolate = true>", "unknown or repeated parameter 'isolate'"),
        ("!nv_tileaa.queue<(i32), isolated = true, isolated = true>", "unknown or repeated parameter"),
        ("!nv_tileaa.memref<4xf32, stride = [1]>", "expected 'strides', 'space' or 'alias_scope'"),
        ("!nv_tileaa.tiled_view<f32, []>", "expects non-empty tileSizes"),
        ("!nv_tileaa.tiled_view<f32, [4, 0]>", "expects all tile size bigger than zero"),
        ("#nv_tileaa.kernel_spec<clusterDim=[1,1]>", "expected three positive cluster extents"),
        ("#nv_tileaa.kernel_spec<numWarps=-1>", "positive number of warps"),
        ('#nv_tileaa.target_spec<"gfx90a">', "expected the name of a chip such as 'sm_90a'"),
        ('#nv_tileaa.target_spec<"sm_99">', "got 'sm_99'; chips are sm_75, sm_80, "),
        ('#nv_tileaa.target_spec<"sm_80a">', "expected the name of a chip such as 'sm_90a'"),
        ("#nv_tileaa.compute_capability<9>", "expected major . 10 . minor"),
        ("#nv_tileaa.compute_capability<99>", "chips have 75, 80, 86, "),
        ("#nv_tileaa.bounded<4, 3>", "expected lower <= upper"),
        ("#nv_tileaa.div_by<4, every 2>", "must be used in combination"),
        ("#nv_tileaa.conv_params<[1, 1, 1, 1], [1], [1], [1]>", "must be in range 1 to 3"),
        ("#nv_tileaa.mem_scope<cta>", "expected one of tl_blk, cluster, gpu, sys"),
        ("!nv_tileas.pipeline_iterator<f32, 0>", "expected a positive count and stride"),
        ("!nv_tileas.tiled_view<f32, [0], shared>", "all dimensions must be positive constants, got 0"),
        ("!nv_tileas.tiled_view<f32, [1], local>", "expected one of global, shared, register, tensor"),
        ("!cutlass.pipeline<0, 1, 1>", "expected a positive number of stages"),
        ("!cutlass.pipeline<1, 1, 0>", "at least one producer and one consumer"),
        ("!cutlass.seq_bar<0, 1>", "expected a positive number of depth"),
        ("!cutlass.seq_bar<1, 0>", "expected a positive number of groups"),
        ("#cutlass.anything", "provides no attribute parsing hook"),
        ("!cute_nvgpu.i0", "expected a width from 1 to 128 bits"),
        ("!cute_nvgpu.i32<divby 0>", "expected a positive divisor"),
        ("!cute_nvgpu.i32<by 4>", "expected 'divby'"),
        (
            "!cute_nvgpu.sm80.mma<16x8x8, i8, i8, i32>",
            "has no shape 16x8x8 for i8; it has 8x8x16, 16x8x16, 16x8x32",
        ),
        ("!cute_nvgpu.sm80.mma<16x8x16, f16, bf16, i32>", "expects an accumulator of f16 or f32"),
        ("!cute_nvgpu.sm80.mma<16x8x16, f16, f32, f32>", "of the same width"),
        ("!cute_nvgpu.sm80.mma<16x8, f16, f16, f32>", "expected M x N x K"),
        ("!cute_nvgpu.sm80.mma<16x8x16, index, f16, f32>", "expected a scalar type"),
        ("!cute_nvgpu.sm89.mma<16x8x32, i8, i8, i32>", "expects A/B of the e5m2/e4m3 type"),
        ("!cute_nvgpu.sm90.mma<128x8x16, f16, f16, f32>", "expects M of 64"),
        ("!cute_nvgpu.sm90.mma<64x8x8, f16, f16, f32>", "expects K of 16 for operands of f16"),
        ("!cute_nvgpu.sm100.mma<256x8x16, f16, f16, f32>", "expects M of 64 or 128 for num_ctas = 1"),
        ("!cute_nvgpu.sm100.mma<256x8x16, f16, f16, f32, num_ctas = 3>", "expects one or two blocks"),
        ("!cute_nvgpu.sm100.mma_bs<128x8x32, f16, f16, f32>", "expects A and B of 4, 6 or 8 bit floats"),
        ("!cute_nvgpu.SM120.mma_bs<16x8x32, f8E5M2, f8E5M2, f16>", "expects c type to be Float32"),
        (
            "!cute_nvgpu.SM120.mma_bs<16x8x32, f8E5M2, f8E5M2, f32, scale_vector = 16>",
            "unsupported block-scaled mma configuration",
        ),
        ("!cute_nvgpu.atom.universal_copy<f32, 48 b>", "expected a multiple of 32 bits"),
        ("!cute_nvgpu.atom.universal_copy<f32, 64>", "expected valid keyword"),
        ("!cute_nvgpu.atom.universal_copy<f32, fast>", "unknown parameter"),
        ("!cute_nvgpu.atom.ldsm<i8, 4, mode = MT1616>", "expects 1, 2 matrices, got 4"),
        ('!cute_nvgpu.atom.tmem_load<f32, "32x32b", repeat = 3>', "a power of two from 1 to 128"),
        ('!cute_nvgpu.atom.s2t_copy<f32, "32x128b", num_ctas = 4>', "one or two blocks"),
        ("!cute_nvgpu.atom.tma_load<f16, [512]>", "extents from 1 to 256"),
        ("!cute_nvgpu.atom.tma_load<f16, [64], num_multicast = 0>", "missing or invalid num_multicast"),
        ("!cute_nvgpu.atom.tma_store<f16, [64], mode = im2col>", "rank 3 or more for im2col"),
        ("!cute_nvgpu.tma_descriptor_im2col<f16, [64]>", "rank 3 or more for im2col"),
        ('!cute.shape<"-1">', "expected non-negative extents"),
        ('!cute.shape<"(1,_)">', "_ cannot be part of a !cute.shape"),
        ('!cute.shape<"1/2">', "1/2 cannot be part of a !cute.shape"),
        ('!cute.int_tuple<"(1,2">', "expected ',' or '\\)' in '\\(1,2', got 'its end'"),
        ('!cute.int_tuple<"1 2">', "expected the end"),
        ('!cute.int_tuple<"x">', "expected a number"),
        ('!cute.int_tuple<"?{i16}">', "expected a width and a divisor"),
        ('!cute.int_tuple<"1/0">', "expected a positive denominator"),
        ('!cute.layout<"4">', "expected SHAPE:STRIDE"),
        ('!cute.swizzle<"S<3,4,2>">', "expected a shift of at least 3"),
        ('!cute.swizzle<"3,4,3">', "expected a swizzle such as S<3,4,3>"),
        ('!cute.tile<"128:1">', "expected layouts in square brackets"),
        ('!cute.composed_layout<"S<1,4,3> o 0">', "expected INNER o OFFSET o LAYOUT"),
        ("!cute.sparse_elem<0, f16>", "expected a positive sparsity"),
        ("!cute.fast_divmod_divisor<16>", "expected 32 or 64 bits"),
        ("!cute.ptr<f16, smem, S<3,4>>", "expected ','"),
        ("!cute.nothing", "unknown type 'cute.nothing'"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        read(text)


class TestLayouts:
    SHAPES = st.recursive(
        st.integers(1, 4), lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple), max_leaves=4
    )

    @given(SHAPES, st.data())
    def test_offsets_against_counting(self, shape: Any, data: st.DataObject) -> None:
        """A number as a coordinate is its digits, least significant first, in the leaves of the shape."""
        extents = [leaf for leaf in leaves(shape) if isinstance(leaf, int)]
        strides = data.draw(st.lists(st.integers(0, 9), min_size=len(extents), max_size=len(extents)))
        remaining = iter(strides)

        def with_strides(tree: Any) -> Any:
            return tuple(map(with_strides, tree)) if isinstance(tree, tuple) else next(remaining)

        layout = LayoutType(shape, with_strides(shape))
        asked = concept(layout, LayoutTypeInterface)
        assert asked is not None
        offsets: list[int] = []
        for number in range(product(shape) or 0):
            digits, rest = list[int](), number
            for extent in extents:
                digits.append(rest % extent)
                rest //= extent
            expected = sum(digit * stride for digit, stride in zip(digits, strides, strict=True))
            assert asked.offset(layout, number) == expected
            offsets.append(expected)
        assert asked.size(layout) == len(offsets)
        assert asked.cosize(layout) == max(offsets) + 1

    def test_what_is_unknown_stays_unknown(self) -> None:
        layout = read('!cute.layout<"(4,?):(1,4)">')
        asked = concept(layout, LayoutTypeInterface)
        assert asked is not None
        assert (asked.is_static(layout), asked.size(layout), asked.cosize(layout)) == (False, None, None)
        assert asked.offset(layout, (1, 2)) == 9

    @given(st.integers(0, 3), st.integers(0, 4), st.integers(-4, 4), st.integers(0, 2**12))
    def test_swizzles_are_their_own_inverse(self, bits: int, base: int, shift: int, offset: int) -> None:
        if abs(shift) < bits:
            return
        swizzle = SwizzleType(bits, base, shift).swizzle
        assert swizzle(swizzle(offset)) == offset

    def test_a_known_swizzle(self) -> None:
        swizzle = SwizzleType(3, 4, 3).swizzle
        assert [swizzle(row * 128) for row in range(8)] == [row * 128 + row * 16 for row in range(8)]


class TestCapabilities:
    """What types answer through interfaces."""

    def test_pointers_and_views(self) -> None:
        memref = read('!cute.memref<f16, smem, align<16>, "(64,?):(?,1)">')
        pointer, view = concept(memref, PointerTypeInterface), concept(memref, ViewTypeInterface)
        assert pointer is not None
        assert view is not None
        assert (pointer.memory_space(memref), pointer.alignment(memref)) == (MemorySpace.SMEM, 16)
        assert (view.element_type(memref), view.rank(memref)) == (f16, 2)
        tile_pointer = read("!nv_tileaa.ptr<f32, 1>")
        answer = concept(tile_pointer, PointerTypeInterface)
        assert answer is not None
        assert (answer.memory_space(tile_pointer), answer.alignment(tile_pointer)) == (1, 4)

    @pytest.mark.parametrize(
        ("text", "bits"),
        [
            ("!cute_nvgpu.atom.universal_copy<f32>", 32),
            ("!cute_nvgpu.atom.universal_copy<f16, 128 b>", 128),
            ("!cute_nvgpu.atom.simt_async_copy<f32, 64>", 64),
            ("!cute_nvgpu.atom.ldsm<f16, 4>", 128),
            ('!cute_nvgpu.atom.tmem_load<f32, "32x32b", repeat = 8>', 256),
            ("!cute_nvgpu.atom.tma_load<f16, [64, 8]>", 8192),
        ],
    )
    def test_copied_bits(self, text: str, bits: int) -> None:
        atom = read(text)
        asked = concept(atom, CopyAtomTypeInterface)
        assert asked is not None
        assert asked.copied_bits(atom) == bits
        assert asked.value_shape(atom) == (bits // asked.value_type(atom).width,)

    def test_matrix_atoms(self) -> None:
        atom = read("!cute_nvgpu.sm90.mma<64x128x16, f16, f16, f32>")
        asked, machine = concept(atom, MmaAtomTypeInterface), concept(atom, AtomTypeInterface)
        assert asked is not None
        assert machine is not None
        assert (asked.operand_types(atom), asked.accumulator_type(atom)) == ((f16, f16), f32)
        assert (asked.shape(atom), machine.minimum_capability(atom)) == ((64, 128, 16), 90)

    def test_descriptors(self) -> None:
        descriptor = read("!nv_tileas.tma_desc<f32, [64, 32]>")
        asked = concept(descriptor, TmaDescriptorTypeInterface)
        assert asked is not None
        assert asked.box(descriptor) == (64, 32)

    def test_a_missing_capability_is_none(self) -> None:
        assert concept(f32, ViewTypeInterface) is None
        assert concept(read("!cute_nvgpu.i32"), PrintableTypeInterface) is not None
        layout = IntTupleType(4)
        asked = concept(layout, MaybeStaticTypeInterface)
        assert asked is not None
        assert asked.is_static(layout)

    def test_interfaces_are_listed_once_and_name_themselves(self) -> None:
        assert len(set(INTERFACES)) == len(INTERFACES)
        for interface in INTERFACES:
            assert interface.interface_class() is interface
            assert interface.__doc__
        assert all(Interface in interface.__bases__ for interface in INTERFACES)

    def test_method_counts(self) -> None:
        counts = {CopyAtomTypeInterface: 4, MmaAtomTypeInterface: 5, LayoutTypeInterface: 6}
        for interface, count in counts.items():
            assert len([name for name in vars(interface) if not name.startswith("_")]) == count


def test_reductions_divide_the_stages() -> None:
    iterator = PipelineIteratorType(f32, 6)
    assert iterator.divided(3) is PipelineIteratorType(f32, 2)
    with pytest.raises(InvalidParameters, match="cannot reduce 6 stages by 4"):
        iterator.divided(4)
