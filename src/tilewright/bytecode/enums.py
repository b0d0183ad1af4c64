"""Enum values on the wire: a varint, checked against the enum and the file version."""

from __future__ import annotations

from enum import Enum
from typing import Any, Generic, NamedTuple, TypeVar

from tilewright.bytecode.codes import INVALID_ATTRIBUTE, NOT_IN_VERSION
from tilewright.bytecode.cursor import Cursor, ReadError
from tilewright.dialects.cuda_tile.enums import VersionedEnumAttribute
from tilewright.dialects.cuda_tile.version import Version
from tilewright.ir.attribute import EnumAttribute

_UINT32_MASK = 2**32 - 1
_Case = TypeVar("_Case", bound=Enum)


class Entry(NamedTuple, Generic[_Case]):
    """A case with its attribute."""

    case: _Case
    attribute: EnumAttribute


class EnumReader(Generic[_Case]):
    """Reads the cases of one enum that exist in one version."""

    __slots__ = ("_attribute_class", "_entries", "_version")

    def __init__(self, attribute_class: type[EnumAttribute], version: Version) -> None:
        since: dict[Any, Version] = {}
        if issubclass(attribute_class, VersionedEnumAttribute):
            since.update(attribute_class.case_since)
        cases: Any = attribute_class.enumeration
        self._attribute_class = attribute_class
        self._version = version
        self._entries: dict[int, Entry[_Case]] = {
            case.value: Entry(case, attribute_class(case))
            for case in cases
            if since.get(case, version) <= version
        }

    def read(self, cursor: Cursor) -> Entry[_Case]:
        """The case whose number comes next; the public tools keep 32 bits of it, and so does this."""
        try:
            value = cursor.varint() & _UINT32_MASK
        except ReadError as error:
            raise error.within("failed to read VarInt for enum attribute.", cursor) from None
        entry = self._entries.get(value)
        return entry if entry is not None else self._refuse(cursor, value)

    def _refuse(self, cursor: Cursor, value: int) -> Entry[_Case]:
        known: Any = self._attribute_class.enumeration
        if any(case.value == value for case in known):
            message = f"enum value {value} is not available in bytecode version {self._version}"
            raise cursor.error(NOT_IN_VERSION, message)
        raise cursor.error(INVALID_ATTRIBUTE, f"invalid integer value for enum type: {value}")
