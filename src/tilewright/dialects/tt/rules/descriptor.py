"""Rules of accesses through tensor descriptors."""

from __future__ import annotations

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.tt.types import TensorDescType, bit_width, element_count
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import IntegerType, RankedTensorType
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.value import Value

MINIMUM_ROWS = 8
"""The fewest rows that the copy engine gathers or scatters."""
MINIMUM_ROW_BYTES = 32
MAXIMUM_BITS = 32


def block_of(descriptor: TensorDescType) -> RankedTensorType:
    """Return the tensor type of the blocks of a descriptor. Signed and unsigned integers become signless."""
    element = descriptor.element_type
    signless = IntegerType(element.width) if isinstance(element, IntegerType) else element
    return RankedTensorType(descriptor.shape, signless)


def check_block(descriptor: Value, tensor: Value) -> None:
    """Raise `VerifyError` unless a tensor has the element type of the blocks of the descriptor, and as many
    elements as a block. The shapes may differ.
    """
    block, found = block_of(checked_type(descriptor)), checked_type(tensor)
    if block.element_type is not found.element_type:
        raise VerifyError(
            "descriptor block and tensor element types must match, but got descriptor element type "
            f"'{block.element_type}' and tensor element type '{found.element_type}'"
        )
    wanted, given = element_count(block), element_count(found)
    if wanted != given:
        raise VerifyError(
            "descriptor block and tensor must have the same number of elements, but got descriptor block "
            f"with {wanted} elements tensor with {given} elements"
        )


def check_rows(descriptor: Value, tensor: Value, offsets: Value) -> None:
    """Raise `VerifyError` unless blocks of the descriptor are single rows, and the tensor consists of such
    rows, one for each offset: at least 8 rows of at least 32 bytes, with elements of at most 32 bits.
    """
    block, found = block_of(checked_type(descriptor)), checked_type(tensor)
    if len(block.shape) != 2:
        raise VerifyError(f"descriptor block must be a 2D tensor, but got '{block}'")
    if block.shape[0] != 1:
        raise VerifyError(f"descriptor block must have exactly 1 row, but got '{block}'")
    _check_tensor_of_rows(found, checked_type(offsets))
    if found.shape[1] != block.shape[1]:
        raise VerifyError(
            f"result tensor number of columns must match block ({block.shape[1]}), but got '{found}'"
        )
    if found.element_type is not block.element_type:
        raise VerifyError(
            f"result tensor element type must match block ('{block.element_type}'), but got '{found}'"
        )


def _check_tensor_of_rows(found: RankedTensorType, offsets: RankedTensorType) -> None:
    """Raise `VerifyError` unless `found` is a matrix with a row for each of the one-dimensional `offsets`,
    and has at least 8 rows and as many columns as the copy engine requires.
    """
    if len(offsets.shape) != 1:
        raise VerifyError(f"x offsets must be a 1D tensor, but got '{offsets}'")
    if len(found.shape) != 2:
        raise VerifyError(f"result must be a 2D tensor, but got '{found}'")
    rows, columns = found.shape
    if rows < MINIMUM_ROWS:
        raise VerifyError(f"must have at least {MINIMUM_ROWS} rows, but got {rows}")
    _check_columns(found.element_type, columns)
    if rows != offsets.shape[0]:
        raise VerifyError(
            f"result tensor must have as many rows as indices ({offsets.shape[0]}), but got '{found}'"
        )


def _check_columns(element: Type, columns: int) -> None:
    bits = bit_width(element)
    if not bits:
        raise VerifyError(f"elements of rows must be integers or floats, but got '{element}'")
    if bits > MAXIMUM_BITS:
        raise VerifyError(f"TMA dtype cannot be greater than {MAXIMUM_BITS} bits")
    fewest = MINIMUM_ROW_BYTES // bits * 8
    if columns < fewest:
        raise VerifyError(f"must have at least {fewest} columns for '{element}', but got {columns}")
