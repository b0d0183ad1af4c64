"""Copy instructions as types: the parameters of a type select the variant of its instruction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tilewright.dialects.common import interfaces, parametrised
from tilewright.dialects.cute_nvgpu import enums as cute_nvgpu_enums, mma_types as cute_nvgpu_mma_types
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import element_count
from tilewright.ir.declaration.enum_attribute import parse_case, spelling
from tilewright.ir.uniquer import InvalidParameters

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer


class _CopyAtom(interfaces.AtomTypeInterface):
    def minimum_capability(self, type: Type) -> int:
        assert isinstance(type, CopyAtomType)
        return type.capability


class _Copy(interfaces.CopyAtomTypeInterface):
    def value_shape(self, type: Type) -> tuple[int, ...]:
        return (self.copied_bits(type) // cute_nvgpu_mma_types.bits(self.value_type(type)),)

    def layouts(self, type: Type) -> tuple[Any, Any]:
        """Return (None, None): the layouts do not follow from the type, and are in the layout catalogue of
        the lowering.
        """
        return None, None

    def copied_bits(self, type: Type) -> int:
        assert isinstance(type, CopyAtomType)
        return type.copied_bits()

    def value_type(self, type: Type) -> Type:
        assert isinstance(type, CopyAtomType)
        return type.value_type


class CopyAtomType(parametrised.Parametrised, Type):
    """The base of copy instructions as types; the first parameter is the type of an element."""

    capability: ClassVar[int] = 0
    """The minimum compute capability of GPUs that have the instruction."""
    value_type: Type
    codecs: ClassVar[dict[str, parametrised.Codec]] = {"value_type": parametrised.TYPE_PARAMETER}
    concepts: ClassVar[tuple[type[Any], ...]] = (_CopyAtom, _Copy)

    def copied_bits(self) -> int:
        """Return the number of bits that one thread copies by an instruction: one element, unless a subclass
        says otherwise.
        """
        return cute_nvgpu_mma_types.bits(self.value_type)


class UniversalCopyType(CopyAtomType):
    """``!cute_nvgpu.atom.universal_copy<f32, 128 b, mem_order=relaxed, mem_scope=gpu>``: a plain load and
    store of ``vector_bits`` bits, a multiple of the element's, or of one element if None. ``allow_dsmem``
    says that the memory may belong to another block of the cluster. ``memory_order`` and ``memory_scope`` are
    None if the text does not state them.
    """

    name: ClassVar[str] = "cute_nvgpu.atom.universal_copy"
    vector_bits: int | None = None
    allow_dsmem: bool = False
    memory_order: cute_nvgpu_enums.MemoryOrder | None = None
    memory_scope: cute_nvgpu_enums.MemoryScope | None = None

    def verify_parameters(self) -> None:
        width = cute_nvgpu_mma_types.bits(self.value_type)
        if self.vector_bits is not None and (self.vector_bits <= 0 or self.vector_bits % width):
            raise InvalidParameters(f"expected a multiple of {width} bits, got {self.vector_bits}")

    def copied_bits(self) -> int:
        return self.vector_bits or cute_nvgpu_mma_types.bits(self.value_type)

    def print_parameters(self, printer: text_printer.Printer) -> None:
        printer.write("<")
        printer.print_type(self.value_type)
        if self.vector_bits is not None:
            printer.write(f", {self.vector_bits} b")
        if self.allow_dsmem:
            printer.write(", allow_dsmem")
        if self.memory_order is not None:
            printer.write(f", mem_order={spelling(self.memory_order)}")
        if self.memory_scope is not None:
            printer.write(f", mem_scope={spelling(self.memory_scope)}")
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: text_parser.AttributeParser) -> Self:
        parser.expect("<")
        value_type = parser.parse_type()
        values: dict[str, Any] = {}
        while parser.accept(","):
            cls._parse_modifier(parser, values)
        parser.expect(">")
        return cls(value_type, **values)

    @classmethod
    def _parse_modifier(cls, parser: text_parser.AttributeParser, values: dict[str, Any]) -> None:
        start = parser.position
        number = parser.optional_integer()
        name = parser.expect_keyword()
        if number is not None and name == "b":
            values["vector_bits"] = number
        elif number is None and name == "allow_dsmem":
            values["allow_dsmem"] = True
        elif number is None and name in ("mem_order", "mem_scope"):
            parser.expect("=")
            enumeration = (
                cute_nvgpu_enums.MemoryOrder if name == "mem_order" else cute_nvgpu_enums.MemoryScope
            )
            values["memory" + name[3:]] = parse_case(parser, enumeration, name)
        else:
            hint = "write '128 b', allow_dsmem, mem_order= or mem_scope="
            raise parser.error(f"unknown parameter of {cls.name}", start, hint=hint)


class SimtAsyncCopyType(CopyAtomType):
    """``!cute_nvgpu.atom.simt_async_copy<f32, 128, cache = cg>``: `cp.async` of 32, 64 or 128 bits, a
    multiple of the element's, from global to shared memory without registers. A copy that bypasses the first
    cache level (``cg``) has 128 bits.
    """

    name: ClassVar[str] = "cute_nvgpu.atom.simt_async_copy"
    capability: ClassVar[int] = 80
    vector_bits: int
    cache: cute_nvgpu_enums.CacheLevel = cute_nvgpu_enums.CacheLevel.CA
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        **CopyAtomType.codecs,
        "vector_bits": parametrised.INTEGER,
        "cache": parametrised.word(cute_nvgpu_enums.CacheLevel),
    }

    def verify_parameters(self) -> None:
        widths = (128,) if self.cache is cute_nvgpu_enums.CacheLevel.CG else (32, 64, 128)
        if self.vector_bits not in widths or self.vector_bits % cute_nvgpu_mma_types.bits(self.value_type):
            raise InvalidParameters("unsupported cp.async vector width")

    def copied_bits(self) -> int:
        return self.vector_bits


class _MatrixCopyType(CopyAtomType):
    """The base of instructions by which a warp moves `count` small matrices of the shape `mode`: 1, 2 or 4,
    or 1 or 2 for ``MT1616``.
    """

    count: int
    mode: cute_nvgpu_enums.MatrixMode = cute_nvgpu_enums.MatrixMode.M88
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        **CopyAtomType.codecs,
        "count": parametrised.INTEGER,
        "mode": parametrised.word(cute_nvgpu_enums.MatrixMode),
    }

    def verify_parameters(self) -> None:
        counts = (1, 2) if self.mode is cute_nvgpu_enums.MatrixMode.MT1616 else (1, 2, 4)
        if self.count not in counts:
            raise InvalidParameters(f"expects {', '.join(map(str, counts))} matrices, got {self.count}")

    def copied_bits(self) -> int:
        return 32 * self.count * (2 if self.mode is cute_nvgpu_enums.MatrixMode.MT1616 else 1)


class LdsmType(_MatrixCopyType):
    """``!cute_nvgpu.atom.ldsm<f16, 4, mode = MT88>``: a warp loads ``count`` matrices of the shape ``mode``
    from shared memory to registers (`ldmatrix`).
    """

    name: ClassVar[str] = "cute_nvgpu.atom.ldsm"
    capability: ClassVar[int] = 75


class StsmType(_MatrixCopyType):
    """``!cute_nvgpu.atom.stsm<f16, 4>``: a warp stores ``count`` matrices of the shape ``mode`` from
    registers to shared memory (`stmatrix`).
    """

    name: ClassVar[str] = "cute_nvgpu.atom.stsm"
    capability: ClassVar[int] = 90


class _TensorMemoryCopyType(CopyAtomType):
    """The base of accesses to tensor memory: a shape in lanes times bits, and the number of its repetitions,
    a power of two from 1 to 128.
    """

    capability: ClassVar[int] = 100
    shape: cute_nvgpu_enums.TensorMemoryShape
    repeat: int = 1
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        **CopyAtomType.codecs,
        "shape": parametrised.word(cute_nvgpu_enums.TensorMemoryShape),
        "repeat": parametrised.INTEGER,
    }

    def verify_parameters(self) -> None:
        if self.repeat not in (1, 2, 4, 8, 16, 32, 64, 128):
            raise InvalidParameters(f"expects a power of two from 1 to 128 repetitions, got {self.repeat}")

    def copied_bits(self) -> int:
        lanes, _, width = spelling(self.shape).removesuffix("b").partition("x")
        return int(lanes) * int(width) * self.repeat // 32


class TmemLoadType(_TensorMemoryCopyType):
    """``!cute_nvgpu.atom.tmem_load<f32, "32x32b", repeat = 16>``: a copy from tensor memory to registers, of
    ``shape`` (lanes times bits), ``repeat`` times.
    """

    name: ClassVar[str] = "cute_nvgpu.atom.tmem_load"


class TmemStoreType(_TensorMemoryCopyType):
    """``!cute_nvgpu.atom.tmem_store<f32, "32x32b", repeat = 16>``: a copy from registers to tensor memory, of
    ``shape`` (lanes times bits), ``repeat`` times.
    """

    name: ClassVar[str] = "cute_nvgpu.atom.tmem_store"


class S2tCopyType(CopyAtomType):
    """``!cute_nvgpu.atom.s2t_copy<f8E8M0FNU, "32x128b", num_ctas = 2>``: a copy of ``shape`` (lanes times
    bits) from shared memory to the tensor memory of ``num_ctas`` blocks, 1 or 2.
    """

    name: ClassVar[str] = "cute_nvgpu.atom.s2t_copy"
    capability: ClassVar[int] = 100
    shape: cute_nvgpu_enums.SharedToTensorShape
    num_ctas: int = 1
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        **CopyAtomType.codecs,
        "shape": parametrised.word(cute_nvgpu_enums.SharedToTensorShape),
        "num_ctas": parametrised.INTEGER,
    }

    def verify_parameters(self) -> None:
        if self.num_ctas not in (1, 2):
            raise InvalidParameters(f"expects one or two blocks, got {self.num_ctas}")


class _TmaType(CopyAtomType):
    """The base of copies by the copy engine: one thread moves a box of 1 to 5 dimensions with extents from 1
    to 256.
    """

    capability: ClassVar[int] = 90
    box: tuple[int, ...]
    codecs: ClassVar[dict[str, parametrised.Codec]] = {**CopyAtomType.codecs, "box": parametrised.EXTENTS}

    def verify_parameters(self) -> None:
        if not 1 <= len(self.box) <= 5 or any(not 0 < extent <= 256 for extent in self.box):
            raise InvalidParameters(f"expects a box of 1 to 5 extents from 1 to 256, got {list(self.box)}")

    def copied_bits(self) -> int:
        return element_count(self.box) * cute_nvgpu_mma_types.bits(self.value_type)


class TmaLoadType(_TmaType):
    """``!cute_nvgpu.atom.tma_load<f16, [64, 128], mode = two_cta>``: the copy engine copies a ``box`` of
    elements from global to shared memory. ``mode`` says which blocks receive the box, and ``num_multicast``,
    at least 1, how many blocks of a multicast.
    """

    name: ClassVar[str] = "cute_nvgpu.atom.tma_load"
    mode: cute_nvgpu_enums.TmaLoadMode = cute_nvgpu_enums.TmaLoadMode.TILED
    num_multicast: int = 1
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        **_TmaType.codecs,
        "mode": parametrised.word(cute_nvgpu_enums.TmaLoadMode),
        "num_multicast": parametrised.INTEGER,
    }

    def verify_parameters(self) -> None:
        super().verify_parameters()
        if self.num_multicast < 1:
            raise InvalidParameters("missing or invalid num_multicast for a multicast TMA load")


class TmaStoreType(_TmaType):
    """``!cute_nvgpu.atom.tma_store<f16, [64, 128]>``: the copy engine copies a ``box`` of elements from
    shared to global memory, which is tiled or, by ``mode``, in im2col form. The im2col modes need a box of at
    least 3 dimensions.
    """

    name: ClassVar[str] = "cute_nvgpu.atom.tma_store"
    mode: cute_nvgpu_enums.TmaStoreMode = cute_nvgpu_enums.TmaStoreMode.TILED
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        **_TmaType.codecs,
        "mode": parametrised.word(cute_nvgpu_enums.TmaStoreMode),
    }

    def verify_parameters(self) -> None:
        super().verify_parameters()
        if self.mode is not cute_nvgpu_enums.TmaStoreMode.TILED and len(self.box) < 3:
            raise InvalidParameters(f"expects a box of rank 3 or more for im2col, got {len(self.box)}")


class TmaReduceType(_TmaType):
    """``!cute_nvgpu.atom.tma_reduce<f16, [64, 128], add>``: combines a box of elements in shared memory with
    the elements in global memory, by ``reduction``.
    """

    name: ClassVar[str] = "cute_nvgpu.atom.tma_reduce"
    reduction: cute_nvgpu_enums.Reduction
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        **_TmaType.codecs,
        "reduction": parametrised.word(cute_nvgpu_enums.Reduction),
    }


class NonExecTmaLoadType(TmaLoadType):
    """``!cute_nvgpu.atom.non_exec_tiled_tma_load<f16, [64]>``: a load that has no barrier and coordinates yet."""

    name: ClassVar[str] = "cute_nvgpu.atom.non_exec_tiled_tma_load"


class NonExecTmaStoreType(TmaStoreType):
    """``!cute_nvgpu.atom.non_exec_tiled_tma_store<f16, [64]>``: a store that has no coordinates yet."""

    name: ClassVar[str] = "cute_nvgpu.atom.non_exec_tiled_tma_store"


class NonExecTmaReduceType(TmaReduceType):
    """``!cute_nvgpu.atom.non_exec_tiled_tma_reduce<f16, [64], add>``: a reduction that has no coordinates yet."""

    name: ClassVar[str] = "cute_nvgpu.atom.non_exec_tiled_tma_reduce"


class TmaDescriptorTiledType(parametrised.Parametrised, Type):
    """``!cute_nvgpu.tma_descriptor_tiled<f16, [64, 128]>``: describes a tensor of ``value_type`` to the copy
    engine, which copies it in boxes of the shape ``box``. The flag ``internal`` is parsed and printed only.
    """

    name: ClassVar[str] = "cute_nvgpu.tma_descriptor_tiled"
    value_type: Type
    box: tuple[int, ...]
    internal: bool = False
    codecs: ClassVar[dict[str, parametrised.Codec]] = {**_TmaType.codecs, "internal": parametrised.BOOLEAN}


class TmaDescriptorIm2colType(parametrised.Parametrised, Type):
    """``!cute_nvgpu.tma_descriptor_im2col<f16, [1, 8, 8, 64]>``: describes the input of a convolution to the
    copy engine, which copies it in im2col form, in boxes of the shape ``box``, of at least 3 dimensions.
    """

    name: ClassVar[str] = "cute_nvgpu.tma_descriptor_im2col"
    value_type: Type
    box: tuple[int, ...]
    codecs: ClassVar[dict[str, parametrised.Codec]] = dict(_TmaType.codecs)

    def verify_parameters(self) -> None:
        if len(self.box) < 3:
            raise InvalidParameters(f"expects a box of rank 3 or more for im2col, got {len(self.box)}")


COPY_TYPES: tuple[type[Type], ...] = (
    TmemLoadType,
    TmemStoreType,
    S2tCopyType,
    TmaDescriptorTiledType,
    TmaDescriptorIm2colType,
    TmaLoadType,
    TmaStoreType,
    TmaReduceType,
    UniversalCopyType,
    SimtAsyncCopyType,
    LdsmType,
    StsmType,
    NonExecTmaLoadType,
    NonExecTmaStoreType,
    NonExecTmaReduceType,
)
