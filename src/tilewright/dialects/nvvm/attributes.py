"""Structured attributes of ``nvvm``: shapes and the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from tilewright.dialects.common import struct_attribute
from tilewright.dialects.nvvm.enums import barriers, convert, memory, mma, tcgen05
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer


class MMAShapeAttr(struct_attribute.StructAttribute):
    """``#nvvm.shape<m = 16, n = 8, k = 16>``: the extents of a matrix multiplication."""

    name: ClassVar[str] = "nvvm.shape"
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {
        "m": struct_attribute.INTEGER,
        "n": struct_attribute.INTEGER,
        "k": struct_attribute.INTEGER,
    }
    m: int
    n: int
    k: int


class LdStMatrixShapeAttr(struct_attribute.StructAttribute):
    """``#nvvm.ld_st_matrix_shape<m = 8, n = 8>``: the extents of a matrix in shared memory."""

    name: ClassVar[str] = "nvvm.ld_st_matrix_shape"
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {
        "m": struct_attribute.INTEGER,
        "n": struct_attribute.INTEGER,
    }
    m: int
    n: int


class NVVMTargetAttr(struct_attribute.StructAttribute):
    """``#nvvm.target<chip = "sm_90", features = "+ptx80">``: the chip and the options of the compilation of a
    ``gpu.module``. Every field has a default; if all have it, the text is ``#nvvm.target``.
    """

    name: ClassVar[str] = "nvvm.target"
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {
        "O": struct_attribute.INTEGER,
        "triple": struct_attribute.STRING,
        "chip": struct_attribute.STRING,
        "features": struct_attribute.STRING,
        "flags": struct_attribute.ATTRIBUTE,
        "link": struct_attribute.ATTRIBUTE,
        "verifyTarget": struct_attribute.BOOLEAN,
    }
    O: int = 2  # noqa: E741  (MLIR's name of the optimization level)
    triple: str = "nvptx64-nvidia-cuda"
    chip: str = "sm_50"
    features: str = ""
    flags: DictionaryAttr | None = None
    link: ArrayAttr | None = None
    verifyTarget: bool = True

    def print_parameters(self, printer: text_printer.Printer) -> None:
        if self is not type(self)():
            super().print_parameters(printer)

    @classmethod
    def parse_parameters(cls, parser: text_parser.AttributeParser) -> Self:
        return super().parse_parameters(parser) if parser.at("<") else cls()


ATTRIBUTES: tuple[type[Attribute], ...] = (
    *barriers.ENUM_ATTRIBUTES,
    *memory.ENUM_ATTRIBUTES,
    *convert.ENUM_ATTRIBUTES,
    *mma.ENUM_ATTRIBUTES,
    *tcgen05.ENUM_ATTRIBUTES,
    MMAShapeAttr,
    LdStMatrixShapeAttr,
    NVVMTargetAttr,
)
"""All attributes of the dialect."""
