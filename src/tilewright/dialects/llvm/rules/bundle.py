"""Rules of operand bundles, and of other operands that an attribute divides."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import StringAttr
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.value import Value


def check_sizes(sizes: Sequence[int], name: str, operands: Sequence[Value], field: str) -> None:
    """Raise `VerifyError` unless the sizes in an attribute add up to the operands that they divide."""
    if any(size < 0 for size in sizes):
        raise VerifyError(f"'{name}' attribute cannot have negative elements")
    if sum(sizes) != len(operands):
        raise VerifyError(
            f"{field} count ({len(operands)}) does not match with the total size ({sum(sizes)}) "
            f"specified in attribute '{name}'"
        )


def check_bundle_sizes(sizes: Sequence[int], operands: Sequence[Value]) -> None:
    """Raise `VerifyError` unless the sizes of operand bundles add up to their operands."""
    check_sizes(sizes, "op_bundle_sizes", operands, "op_bundle_operands")


def check_bundles(sizes: Sequence[int], operands: Sequence[Value], tags: Sequence[Attribute] | None) -> None:
    """Raise `VerifyError` unless each operand bundle has its operands and a tag."""
    check_bundle_sizes(sizes, operands)
    tags = tags or ()
    if not all(isinstance(tag, StringAttr) for tag in tags):
        raise VerifyError("operand bundle tag must be a StringAttr", prefix=False)
    if len(sizes) != len(tags):
        words = f"expected {len(sizes)} operand bundle tags, but actually got {len(tags)}"
        raise VerifyError(words, prefix=False)
