"""The remaining types of ``cute_nvgpu`` (integers with a known divisor, descriptors of shared memory), and all of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tilewright.dialects.common.interfaces import PrintableTypeInterface
from tilewright.dialects.common.parametrised import TYPE_PARAMETER, Codec, Parametrised, word
from tilewright.dialects.cute_nvgpu.copy_types import COPY_TYPES
from tilewright.dialects.cute_nvgpu.enums import DescriptorSwizzle, Major
from tilewright.dialects.cute_nvgpu.mma_types import MMA_TYPES
from tilewright.ir.attribute import Type
from tilewright.ir.uniquer import InvalidParameters

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

_INTEGER = re.compile(r"i(\d{1,4})", re.ASCII)


class _Printable(PrintableTypeInterface):
    def format(self, type: Type) -> str:
        return "{}"


class ConstrainedIntType(Type):
    """``!cute_nvgpu.i32<divby 16>``: an integer of 1 to 128 bits that is known to be a multiple of a positive
    number, 1 by default.
    """

    name: ClassVar[str] = "cute_nvgpu.i"
    width: int
    divisor: int = 1
    concepts: ClassVar[tuple[type[Any], ...]] = (_Printable,)

    @property
    def spelled_name(self) -> str:
        return f"{self.name}{self.width}"

    def verify_parameters(self) -> None:
        if not 1 <= self.width <= 128:
            raise InvalidParameters(f"expected a width from 1 to 128 bits, got {self.width}")
        if self.divisor < 1:
            raise InvalidParameters(f"expected a positive divisor, got {self.divisor}")

    def print_parameters(self, printer: text_printer.Printer) -> None:
        if self.divisor != 1:
            printer.write(f"<divby {self.divisor}>")

    @classmethod
    def parse_parameters(cls, parser: text_parser.AttributeParser) -> Self:
        raise parser.error("expected a width, as in 'i32'")

    @classmethod
    def parse_with_width(cls, parser: text_parser.AttributeParser, width: int) -> Self:
        """Parse the optional ``<divby N>`` of an integer type of `width` bits, and return the type."""
        if not parser.accept("<"):
            return cls(width)
        if not parser.accept_keyword("divby"):
            raise parser.unexpected("'divby'")
        divisor = parser.parse_integer()
        parser.expect(">")
        return cls(width, divisor)


class SmemDescType(Parametrised, Type):
    """``!cute_nvgpu.smem_desc<mn, swizzle = "128B">``: the 64-bit descriptor of an operand in shared memory.
    ``major`` names the contiguous dimension, and ``swizzle`` the permutation of the bytes.
    """

    name: ClassVar[str] = "cute_nvgpu.smem_desc"
    major: Major
    swizzle: DescriptorSwizzle = DescriptorSwizzle.NONE
    codecs: ClassVar[dict[str, Codec]] = {"major": word(Major), "swizzle": word(DescriptorSwizzle)}


class SmemDescViewType(Parametrised, Type):
    """``!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<k>, !cute.layout<"4:1">>``: several descriptors of
    the type ``source``, in the order of ``layout``.
    """

    name: ClassVar[str] = "cute_nvgpu.smem_desc_view"
    source: Type
    layout: Type
    codecs: ClassVar[dict[str, Codec]] = {"source": TYPE_PARAMETER, "layout": TYPE_PARAMETER}


def parse_type(parser: text_parser.AttributeParser, mnemonic: str) -> Type | None:
    """Parse the parameters of an integer type whose mnemonic is ``i`` and a width, such as
    ``!cute_nvgpu.i32<divby 16>``, and return the `ConstrainedIntType`. ``<divby N>`` may be absent. Raises
    `ParseError` for any other mnemonic; the two blanks in the message are as in other tools.
    """
    found = _INTEGER.fullmatch(mnemonic)
    if found is not None:
        return ConstrainedIntType.parse_with_width(parser, int(found[1]))
    raise parser.error(f"unknown  type `{mnemonic}` in dialect `cute_nvgpu`")


TYPES: tuple[type[Type], ...] = (
    *MMA_TYPES,
    SmemDescType,
    SmemDescViewType,
    *COPY_TYPES,
    ConstrainedIntType,
)
