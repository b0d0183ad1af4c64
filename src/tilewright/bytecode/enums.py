"""Enum values on the wire: a varint, checked against the enum and the file version."""

from __future__ import annotations

from enum import Enum
from typing import Any, Generic, TypeVar

from tilewright.bytecode import codes, cursor as bytecode_cursor, output as bytecode_output
from tilewright.dialects.cuda_tile import enums as cuda_tile_enums, version as cuda_tile_version
from tilewright.ir.attribute import Attribute, EnumAttribute
from tilewright.ir.support.record import Record

_UINT32_MASK = 2**32 - 1
_Case = TypeVar("_Case", bound=Enum)


def case_versions(attribute_class: type[EnumAttribute]) -> dict[Any, cuda_tile_version.Version]:
    """Return the version that introduced each case that is newer than its enum, by case; empty for an enum
    without such cases.
    """
    if not issubclass(attribute_class, cuda_tile_enums.VersionedEnumAttribute):
        return {}
    return {**attribute_class.case_since}


class EnumEntry(Record, Generic[_Case], frozen=True):
    """A case of an enum, and its attribute."""

    case: _Case
    attribute: EnumAttribute


class EnumReader(Generic[_Case]):
    """Reads the cases of the enum of ``attribute_class`` that exist in a version."""

    __slots__ = ("_attribute_class", "_entries", "_version")

    def __init__(self, attribute_class: type[EnumAttribute], version: cuda_tile_version.Version) -> None:
        since = case_versions(attribute_class)
        cases: Any = attribute_class.enumeration
        self._attribute_class = attribute_class
        self._version = version
        self._entries: dict[int, EnumEntry[_Case]] = {
            case.value: EnumEntry(case, attribute_class(case))
            for case in cases
            if since.get(case, version) <= version
        }

    def read(self, cursor: bytecode_cursor.Cursor) -> EnumEntry[_Case]:
        """Read the number of a case and return its entry. As in the public tools, only the low 32 bits of the
        number are used. Raises `ReadError` for a number without a case in this version.
        """
        try:
            value = cursor.varint() & _UINT32_MASK
        except bytecode_cursor.ReadError as error:
            raise error.within("failed to read VarInt for enum attribute.", cursor) from None
        entry = self._entries.get(value)
        return entry if entry is not None else self._refuse(cursor, value)

    def _refuse(self, cursor: bytecode_cursor.Cursor, value: int) -> EnumEntry[_Case]:
        known: Any = self._attribute_class.enumeration
        if any(case.value == value for case in known):
            message = f"enum value {value} is not available in bytecode version {self._version}"
            raise cursor.error(codes.NOT_IN_VERSION, message)
        raise cursor.error(codes.INVALID_ATTRIBUTE, f"invalid integer value for enum type: {value}")


class EnumWriter:
    """Encodes the cases of the enum of ``attribute_class`` that exist in a version."""

    __slots__ = ("_attribute_class", "_encoded", "_version")

    def __init__(self, attribute_class: type[EnumAttribute], version: cuda_tile_version.Version) -> None:
        cases: Any = attribute_class.enumeration
        self._attribute_class = attribute_class
        self._version = version
        self._encoded: dict[Attribute, bytes] = {
            attribute_class(case): bytecode_output.encoded_varint(case.value)
            for case in cases
            if case_versions(attribute_class).get(case, version) <= version
        }

    def encode(self, attribute: Attribute) -> bytes:
        """Return the encoding of a case. Raises `WriteError` for a case that the version does not have, or
        for an attribute of another class.
        """
        encoded = self._encoded.get(attribute)
        return encoded if encoded is not None else self._refuse(attribute)

    def _refuse(self, attribute: Attribute) -> bytes:
        if not isinstance(attribute, self._attribute_class):
            raise bytecode_output.WriteError(f"expected #{self._attribute_class.name}, got {attribute}")
        since = case_versions(self._attribute_class)[attribute.value]
        message = f"enum value {attribute.value.value} is not available in bytecode version {self._version}"
        raise bytecode_output.WriteError(message, since)
