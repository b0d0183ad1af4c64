"""Matrix instructions as types: the parameters of a type select the variant of its instruction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from tilewright.dialects.common import interfaces, parametrised
from tilewright.dialects.cute_nvgpu.enums import Major
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.uniquer import InvalidParameters
from tilewright.ir.value import Value
from tilewright.layouts.matrix_instructions import INSTRUCTIONS, Multiplication, multiplication

Shape = tuple[int, ...]
FLOATS_8 = (builtin_types.f8E4M3FN, builtin_types.f8E5M2)
FLOATS_8_6_4 = (
    builtin_types.f8E4M3FN,
    builtin_types.f8E5M2,
    builtin_types.FloatType("f6E2M3FN"),
    builtin_types.FloatType("f6E3M2FN"),
    builtin_types.f4E2M1FN,
)
SCALES = (builtin_types.f8E8M0FNU, builtin_types.f8E4M3FN)
_UMMA_M = {1: (64, 128), 2: (128, 256)}
"""The supported values of M of a `tcgen05` product, by the number of blocks that work together."""


class _MmaAtom(interfaces.AtomTypeInterface):
    def minimum_capability(self, type: Type) -> int:
        assert isinstance(type, MmaAtomType | UniversalFmaType)
        found = instruction_of(type) if isinstance(type, MmaAtomType) else None
        return type.capability if found is None else found.instruction.since


class _Mma(interfaces.MmaAtomTypeInterface):
    def operand_types(self, type: Type) -> tuple[Type, Type]:
        assert isinstance(type, MmaAtomType)
        return type.a, type.b

    def accumulator_type(self, type: Type) -> Type:
        assert isinstance(type, MmaAtomType)
        return type.accumulator

    def shape(self, type: Type) -> tuple[int, int, int]:
        assert isinstance(type, MmaAtomType)
        m, n, k = type.shape
        return m, n, k

    def partition(self, type: Type, operand: str) -> Any:
        """Return None for every operand: the partition does not follow from the type, and is in the layout
        catalogue of the lowering.
        """
        return None

    def check_operands(self, type: Type, operands: Sequence[Value]) -> None:
        """Do nothing: the operations check their operands, because only they have the types of the views."""


class MmaAtomType(parametrised.Parametrised, Type):
    """The base of matrix instructions as types: ``<16x8x16, f16, f16, f32>`` is M x N x K, then the element
    types of A, B and the accumulator.
    """

    capability: ClassVar[int] = 0
    """The minimum compute capability of GPUs that have the instruction."""
    shape: Shape
    a: Type
    b: Type
    accumulator: Type
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        "shape": parametrised.DIMENSIONS,
        "a": parametrised.TYPE_PARAMETER,
        "b": parametrised.TYPE_PARAMETER,
        "accumulator": parametrised.TYPE_PARAMETER,
    }
    concepts: ClassVar[tuple[type[Any], ...]] = (_MmaAtom, _Mma)

    def verify_parameters(self) -> None:
        if len(self.shape) != 3:
            raise InvalidParameters(f"expected M x N x K, got {_text(self.shape)}")
        self.check_types()
        self.check_shape()

    def check_types(self) -> None:
        """Raise `InvalidParameters` unless A and B have elements of the same width, and their products may be
        summed in the accumulator type.
        """
        check_accumulator(self.a, self.accumulator)
        if bits(self.a) != bits(self.b):
            raise InvalidParameters(f"expects A and B of the same width, got {self.a} and {self.b}")

    def check_shape(self) -> None:
        """Raise `InvalidParameters` unless the instruction exists in this shape. Subclasses implement it; the
        base raises `NotImplementedError`.
        """
        raise NotImplementedError


PTX_NAMES: dict[Type, str] = {
    builtin_types.i8: "s8",
    builtin_types.IntegerType(8, "unsigned"): "u8",
    builtin_types.i32: "s32",
    builtin_types.f8E4M3FN: "e4m3",
    builtin_types.f8E5M2: "e5m2",
}
"""Types of elements that PTX calls otherwise; integers without a sign are signed."""


def ptx_name(type: Type) -> str:
    """Return PTX's name of an element type, such as ``s8`` for i8; the type's own spelling if PTX has the
    same.
    """
    return PTX_NAMES.get(type, str(type))


def instruction_of(atom: MmaAtomType) -> Multiplication | None:
    """Return the `mma.sync` instruction with the shape and the element types of an atom; None if there is
    none, as for instructions of other units.
    """
    types = "_".join(map(ptx_name, (atom.a, atom.b, atom.accumulator)))
    return multiplication(f"mma_m{'{}n{}k{}'.format(*atom.shape)}_{types}")


def bits(type: Type) -> int:
    """Return the bits that an element takes in memory: 32 for TF32, else its width. Raises
    `InvalidParameters` for a type that is neither an integer nor a float.
    """
    if type is builtin_types.tf32:
        return 32
    if not isinstance(type, builtin_types.IntegerType | builtin_types.FloatType):
        raise InvalidParameters(f"expected a scalar type, got {type}")
    return type.width


def check_accumulator(operand: Type, accumulator: Type) -> None:
    """Raise `InvalidParameters` unless products of an operand type may be summed in an accumulator type: i32
    for integers, f64 for f64, f16 or f32 for f16 and types of 8 bits, f32 for other floats.
    """
    if isinstance(operand, builtin_types.IntegerType):
        allowed: tuple[Type, ...] = (builtin_types.i32,)
    elif operand is builtin_types.f64:
        allowed = (builtin_types.f64,)
    else:
        allowed = (
            (builtin_types.f16, builtin_types.f32)
            if operand is builtin_types.f16 or bits(operand) == 8
            else (builtin_types.f32,)
        )
    if accumulator not in allowed:
        words = " or ".join(map(str, allowed))
        raise InvalidParameters(
            f"expects an accumulator of {words} for operands of {operand}, got {accumulator}"
        )


def _text(shape: Shape) -> str:
    return "x".join(map(str, shape))


def _require_shape(type: MmaAtomType, *allowed: Shape) -> None:
    if type.shape not in allowed:
        words = ", ".join(map(_text, allowed))
        raise InvalidParameters(f"{type.name} has no shape {_text(type.shape)} for {type.a}; it has {words}")


class Sm80MmaType(MmaAtomType):
    """``!cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>``: a product by one warp with operands in registers
    (`mma.sync`).
    """

    name: ClassVar[str] = "cute_nvgpu.sm80.mma"
    capability: ClassVar[int] = 80

    def check_shape(self) -> None:
        _require_shape(self, *(row.shape for row in INSTRUCTIONS if ptx_name(self.a) in row.factors))


class Sm80SparseMmaType(MmaAtomType):
    """``!cute_nvgpu.sm80.sparse_mma<16x8x32, f16, f16, f32>``: a product by one warp with a sparse A: two of
    four elements along K are stored. M is 16, N is 8, and K elements of A have 256 or 512 bits.
    """

    name: ClassVar[str] = "cute_nvgpu.sm80.sparse_mma"
    capability: ClassVar[int] = 80

    def check_shape(self) -> None:
        width = bits(self.a)
        _require_shape(self, (16, 8, 256 // width), (16, 8, 512 // width))


class Sm89MmaType(MmaAtomType):
    """``!cute_nvgpu.sm89.mma<16x8x32, f8E4M3FN, f8E5M2, f32>``: a product of 8-bit floats, f8E4M3FN or
    f8E5M2, whose types may differ, summed in f32.
    """

    name: ClassVar[str] = "cute_nvgpu.sm89.mma"
    capability: ClassVar[int] = 89

    def check_types(self) -> None:
        if self.a not in FLOATS_8 or self.b not in FLOATS_8:
            raise InvalidParameters("expects A/B of the e5m2/e4m3 type")
        if self.accumulator is not builtin_types.f32:
            raise InvalidParameters(f"expects an accumulator of f32, got {self.accumulator}")

    def check_shape(self) -> None:
        _require_shape(self, *(row.shape for row in INSTRUCTIONS if ptx_name(self.a) in row.factors))


class _SharedOperands(MmaAtomType):
    """The base of instructions that read operands from shared memory. `a_major` and `b_major` name the
    dimension of A and B that is contiguous: K, or M or N.
    """

    a_major: Major = Major.K
    b_major: Major = Major.K
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        **MmaAtomType.codecs,
        "a_major": parametrised.word(Major),
        "b_major": parametrised.word(Major),
    }

    def check_columns(self) -> None:
        """Raise `InvalidParameters` unless N is a multiple of 8 up to 256."""
        columns = self.shape[1]
        if not 8 <= columns <= 256 or columns % 8:
            raise InvalidParameters(f"expects N from 8 to 256 in steps of 8, got {columns}")

    def check_depth(self, depth: int) -> None:
        """Raise `InvalidParameters` unless K is ``depth``."""
        if self.shape[2] != depth:
            raise InvalidParameters(f"expects K of {depth} for operands of {self.a}, got {self.shape[2]}")


class Sm90MmaType(_SharedOperands):
    """``!cute_nvgpu.sm90.mma<64x128x16, f16, f16, f32>``: a product by one warp group; A is in registers or
    in shared memory, B in shared memory. M is 64, N a multiple of 8 up to 256, and K elements of A have 256
    bits.
    """

    name: ClassVar[str] = "cute_nvgpu.sm90.mma"
    capability: ClassVar[int] = 90

    def check_shape(self) -> None:
        if self.shape[0] != 64:
            raise InvalidParameters(f"expects M of 64, got {self.shape[0]}")
        self.check_columns()
        self.check_depth(256 // bits(self.a))


class Sm100MmaType(_SharedOperands):
    """``!cute_nvgpu.sm100.mma<128x256x16, f16, f16, f32>``: a product by ``num_ctas`` blocks, 1 or 2, with
    the accumulator in tensor memory. M is 64 or 128 for one block, 128 or 256 for two; N is a multiple of 8
    up to 256, and K elements of A have 256 bits.
    """

    name: ClassVar[str] = "cute_nvgpu.sm100.mma"
    capability: ClassVar[int] = 100
    sparsity: ClassVar[int] = 1
    num_ctas: int = 1
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        **_SharedOperands.codecs,
        "num_ctas": parametrised.INTEGER,
    }

    def check_shape(self) -> None:
        rows = _UMMA_M.get(self.num_ctas)
        if rows is None:
            raise InvalidParameters(f"expects one or two blocks, got {self.num_ctas}")
        if self.shape[0] not in rows:
            words = " or ".join(map(str, rows))
            raise InvalidParameters(
                f"expects M of {words} for num_ctas = {self.num_ctas}, got {self.shape[0]}"
            )
        self.check_columns()
        self.check_depth(self.sparsity * self.depth())

    def depth(self) -> int:
        """Return K of the dense instruction, in elements."""
        return 256 // bits(self.a)


class Sm100SparseMmaType(Sm100MmaType):
    """``!cute_nvgpu.sm100.mma_sp<128x256x32, f16, f16, f32>``: a product with the accumulator in tensor
    memory and a sparse A: two of four elements along K are stored, so that K is twice the K of
    `Sm100MmaType`.
    """

    name: ClassVar[str] = "cute_nvgpu.sm100.mma_sp"
    sparsity: ClassVar[int] = 2


def check_block_scaled(type: MmaAtomType, scale: Type, scale_vector: int) -> None:
    """Raise `InvalidParameters` unless A and B of an instruction are floats of 4, 6 or 8 bits, the
    accumulator is f32, and ``scale`` is f8E8M0FNU with ``scale_vector`` 32. If A and B are both f4E2M1FN,
    f8E8M0FNU and f8E4M3FN with ``scale_vector`` 16 are valid, too.
    """
    if type.a not in FLOATS_8_6_4 or type.b not in FLOATS_8_6_4:
        raise InvalidParameters(f"expects A and B of 4, 6 or 8 bit floats, got {type.a} and {type.b}")
    if type.accumulator is not builtin_types.f32:
        raise InvalidParameters("expects c type to be Float32")
    pair = (scale, scale_vector)
    four_bits = type.a is type.b is builtin_types.f4E2M1FN
    allowed = (
        ((builtin_types.f8E8M0FNU, 16), (builtin_types.f8E4M3FN, 16), (builtin_types.f8E8M0FNU, 32))
        if four_bits
        else ((builtin_types.f8E8M0FNU, 32),)
    )
    if pair not in allowed:
        raise InvalidParameters(
            f"unsupported block-scaled mma configuration: one {scale} for {scale_vector} elements of {type.a}"
        )


class Sm100BlockScaledMmaType(Sm100MmaType):
    """``!cute_nvgpu.sm100.mma_bs<128x256x64, f4E2M1FN, f4E2M1FN, f32, scale = f8E4M3FN, scale_vector = 16>``:
    a product with the accumulator in tensor memory, and with one scale factor for each ``scale_vector``
    elements of A and B along K. A and B are floats of 4, 6 or 8 bits, and the accumulator is f32. K is 64 if
    A and B are f4E2M1FN, else 32.
    """

    name: ClassVar[str] = "cute_nvgpu.sm100.mma_bs"
    scale: Type = builtin_types.f8E8M0FNU
    scale_vector: int = 32
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        **Sm100MmaType.codecs,
        "scale": parametrised.TYPE_PARAMETER,
        "scale_vector": parametrised.INTEGER,
    }

    def check_types(self) -> None:
        check_block_scaled(self, self.scale, self.scale_vector)

    def depth(self) -> int:
        return 64 if self.a is self.b is builtin_types.f4E2M1FN else 32


class Sm100SparseBlockScaledMmaType(Sm100BlockScaledMmaType):
    """``!cute_nvgpu.sm100.mma_bs_sp<128x64x64, f8E4M3FN, f8E4M3FN, f32>``: block scales and a sparse A: two
    of four elements along K are stored; K is twice the K of `Sm100BlockScaledMmaType`.
    """

    name: ClassVar[str] = "cute_nvgpu.sm100.mma_bs_sp"
    sparsity: ClassVar[int] = 2


class Sm120BlockScaledMmaType(MmaAtomType):
    """``!cute_nvgpu.SM120.mma_bs<16x8x32, f8E4M3FN, f8E4M3FN, f32>``: a product by one warp, with operands
    and block scales in registers. The shape is 16x8x64 if A and B are f4E2M1FN, else 16x8x32.
    """

    name: ClassVar[str] = "cute_nvgpu.SM120.mma_bs"
    capability: ClassVar[int] = 120
    scale: Type = builtin_types.f8E8M0FNU
    scale_vector: int = 32
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        **MmaAtomType.codecs,
        "scale": parametrised.TYPE_PARAMETER,
        "scale_vector": parametrised.INTEGER,
    }

    def check_types(self) -> None:
        check_block_scaled(self, self.scale, self.scale_vector)

    def check_shape(self) -> None:
        four_bits = self.a is self.b is builtin_types.f4E2M1FN
        _require_shape(self, (16, 8, 64) if four_bits else (16, 8, 32))


class UniversalFmaType(parametrised.Parametrised, Type):
    """``!cute_nvgpu.atom.universal_fma<f32>``: one multiply and add per thread."""

    name: ClassVar[str] = "cute_nvgpu.atom.universal_fma"
    capability: ClassVar[int] = 0
    value_type: Type
    codecs: ClassVar[dict[str, parametrised.Codec]] = {"value_type": parametrised.TYPE_PARAMETER}
    concepts: ClassVar[tuple[type[Any], ...]] = (_MmaAtom,)


MMA_TYPES: tuple[type[Type], ...] = (
    UniversalFmaType,
    Sm80MmaType,
    Sm80SparseMmaType,
    Sm89MmaType,
    Sm90MmaType,
    Sm100MmaType,
    Sm100SparseMmaType,
    Sm100BlockScaledMmaType,
    Sm100SparseBlockScaledMmaType,
    Sm120BlockScaledMmaType,
)
