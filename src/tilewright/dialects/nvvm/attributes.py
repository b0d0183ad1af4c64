"""Structured attributes of ``nvvm``: shapes and the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from tilewright.dialects.common.struct_attribute import (
    ATTRIBUTE,
    BOOLEAN,
    INTEGER,
    STRING,
    Codec,
    StructAttribute,
)
from tilewright.dialects.nvvm.enums import barriers, convert, memory, mma, tcgen05
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import ArrayAttr, DictionaryAttr

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser
    from tilewright.ir.text.printer import Printer


class MMAShapeAttr(StructAttribute):
    """``#nvvm.shape<m = 16, n = 8, k = 16>``: the extents of a matrix multiplication."""

    name: ClassVar[str] = "nvvm.shape"
    codecs: ClassVar[dict[str, Codec]] = {"m": INTEGER, "n": INTEGER, "k": INTEGER}
    m: int
    n: int
    k: int


class LdStMatrixShapeAttr(StructAttribute):
    """``#nvvm.ld_st_matrix_shape<m = 8, n = 8>``: the extents of a matrix in shared memory."""

    name: ClassVar[str] = "nvvm.ld_st_matrix_shape"
    codecs: ClassVar[dict[str, Codec]] = {"m": INTEGER, "n": INTEGER}
    m: int
    n: int


class NVVMTargetAttr(StructAttribute):
    """``#nvvm.target<chip = "sm_90", features = "+ptx80">``: what a ``gpu.module`` is compiled for."""

    name: ClassVar[str] = "nvvm.target"
    codecs: ClassVar[dict[str, Codec]] = {
        "O": INTEGER,
        "triple": STRING,
        "chip": STRING,
        "features": STRING,
        "flags": ATTRIBUTE,
        "link": ATTRIBUTE,
        "verifyTarget": BOOLEAN,
    }
    O: int = 2  # noqa: E741  (MLIR's name of the optimization level)
    triple: str = "nvptx64-nvidia-cuda"
    chip: str = "sm_50"
    features: str = ""
    flags: DictionaryAttr | None = None
    link: ArrayAttr | None = None
    verifyTarget: bool = True

    def print_parameters(self, printer: Printer) -> None:
        if self is not type(self)():
            super().print_parameters(printer)

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
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
