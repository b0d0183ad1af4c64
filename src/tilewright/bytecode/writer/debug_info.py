"""Writing the debug section: the way back of `tilewright.bytecode.reader.debug_info`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tilewright.bytecode.output import Output, WriteError
from tilewright.bytecode.reader import debug_info
from tilewright.bytecode.writer.pools import EntryPool, StringPool, write_table
from tilewright.dialects.cuda_tile.attributes import (
    DICompileUnitAttr,
    DIFileAttr,
    DILexicalBlockAttr,
    DILocation,
    DISubprogramAttr,
)
from tilewright.dialects.cuda_tile.version import V13_5, Version
from tilewright.ir.attribute import Attribute, Location
from tilewright.ir.location import CallSiteLocation, FileLineColLocation, UnknownLocation

_UINT32_LIMIT = 1 << 32
_SCOPES = (DISubprogramAttr, DILexicalBlockAttr)
_EMPTY_TABLE = (b"\0",)
"""The only entry of a table that would be empty, which the public tools misread."""
_UNSCOPED = (UnknownLocation, FileLineColLocation)
"""Locations that are stored as unknown: bytecode can represent a position only with a debug scope."""


class DebugPool:
    """The debug section of a file that is being written: its debug attributes, and the rows of each function.
    A row is the number of the debug attribute that is the location of the function or of an operation in it.
    """

    def __init__(self, strings: StringPool, version: Version) -> None:
        self._strings = strings
        self._version = version
        self._pool = EntryPool()
        self._numbers: dict[Attribute, int] = {}
        self._depth = 0
        self._runs: list[list[int]] = []
        self.last_run: list[int] = []
        """The rows of the last function, to which the numbers of its operations' locations are appended in
        pre-order.
        """

    def begin_function(self, location: Location) -> int:
        """Begin the rows of a function with the number of its own location; return the number of the function
        in the debug section, from 1. Raises `WriteError` for a location that bytecode cannot represent.
        """
        self.last_run = [self.number(location)]
        self._runs.append(self.last_run)
        return len(self._runs)

    def number(self, location: Location) -> int:
        """Return the number of a location, counted from 1, writing it if it is new. An unknown location, and
        a position without a debug scope, have the number 0. Raises `WriteError` for other locations that
        bytecode cannot represent.
        """
        if isinstance(location, _UNSCOPED):
            return 0
        found = self._numbers.get(location)
        if found is not None:
            return found
        for link in self._new_callers(location):
            self._numbers[link] = self._encode(link)
        return self._numbers[location]

    def write(self, output: Output) -> None:
        """Append the payload of the debug section to ``output``."""
        output.varint(len(self._runs))
        output.pad(debug_info.RUN_BYTES)
        start = 0
        for run in self._runs:
            output.data += start.to_bytes(debug_info.RUN_BYTES, "little")
            start += len(run)
        output.varint(start)
        output.pad(debug_info.ROW_BYTES)
        for run in self._runs:
            output.data += b"".join([row.to_bytes(debug_info.ROW_BYTES, "little") for row in run])
        write_table(output, self._pool.entries or _EMPTY_TABLE, debug_info.OFFSET_BYTES)

    def _new_callers(self, attribute: Attribute) -> list[Attribute]:
        """Return the attribute and its callers that are not written yet, the outermost first.

        The callees are numbered on the way. Chains are as long as the recursion in the program, so they are
        walked in a loop.
        """
        chain: list[Attribute] = []
        while not isinstance(attribute, _UNSCOPED) and attribute not in self._numbers:
            chain.append(attribute)
            if not isinstance(attribute, CallSiteLocation):
                break
            self._nested_number(attribute.callee)
            attribute = attribute.caller
        return chain[::-1]

    def _reference(
        self, attribute: Attribute, wanted: type[Attribute] | tuple[type[Attribute], ...], output: Output
    ) -> None:
        """Write the number of a debug attribute that another attribute refers to.

        Raises `WriteError` if it is not of the class `wanted`.
        """
        if not isinstance(attribute, wanted):
            raise WriteError(f"a {type(attribute).__name__} cannot stand in debug information here")
        output.varint(self._nested_number(attribute))

    def _nested_number(self, attribute: Attribute) -> int:
        """Return the number of a debug attribute that another one contains, writing it if it is new. Raises
        `WriteError` if attributes are nested too deep.
        """
        if self._depth >= debug_info.MAXIMUM_DEPTH:
            raise WriteError(f"debug attributes nest deeper than {debug_info.MAXIMUM_DEPTH} levels")
        found = self._numbers.get(attribute)
        if found is not None:
            return found
        self._depth += 1
        try:
            return self._new_number(attribute)
        finally:
            self._depth -= 1

    def _new_number(self, attribute: Attribute) -> int:
        if isinstance(attribute, Location):
            return self.number(attribute)
        number = self._numbers[attribute] = self._encode(attribute)
        return number

    def _encode(self, attribute: Attribute) -> int:
        encoding = _ENCODERS.get(attribute.__class__)
        if encoding is None:
            found = attribute.__class__.__name__.replace("Location", "Loc")
            raise WriteError(f"unsupported location, got {found}, expected DILocAttr or CallSiteLoc")
        tag, encode = encoding
        output = Output()
        output.varint(tag)
        encode(self, attribute, output)
        return self._pool.add(bytes(output.data)) + 1

    def compile_unit(self, attribute: DICompileUnitAttr, output: Output) -> None:
        """Write a compile unit: the reference to its file."""
        self._reference(attribute.file, DIFileAttr, output)

    def file(self, attribute: DIFileAttr, output: Output) -> None:
        """Write a file: the indices of its name and its directory."""
        output.varint(self._strings.index(attribute.file_name))
        output.varint(self._strings.index(attribute.directory))

    def lexical_block(self, attribute: DILexicalBlockAttr, output: Output) -> None:
        """Write a lexical block: scope, file, line and column."""
        self._reference(attribute.scope, _SCOPES, output)
        self._reference(attribute.file, DIFileAttr, output)
        _number(attribute.line, output)
        _number(attribute.column, output)

    def position(self, attribute: DILocation, output: Output) -> None:
        """Write a position: scope, file name, line and column."""
        self._reference(attribute.scope, _SCOPES, output)
        output.varint(self._strings.index(attribute.location.file))
        _number(attribute.location.line, output)
        _number(attribute.location.column, output)

    def subprogram(self, attribute: DISubprogramAttr, output: Output) -> None:
        """Write a subprogram: file, line, names, compile unit, scope line and flags."""
        self._reference(attribute.file, DIFileAttr, output)
        _number(attribute.line, output)
        output.varint(self._strings.index(attribute.label))
        output.varint(self._strings.index(attribute.linkage_name))
        self._reference(attribute.compile_unit, DICompileUnitAttr, output)
        _number(attribute.scope_line, output)
        self._subprogram_flags(attribute.flags or 0, output)

    def _subprogram_flags(self, flags: int, output: Output) -> None:
        if flags & ~debug_info.DECLARATION:
            raise WriteError(f"unrecognized flag bits (0x{flags:X}) of a DISubprogramAttr")
        if self._version >= V13_5:
            output.varint(flags)
        elif flags:
            message = f"parameter 'flags' requires bytecode version {V13_5}+, but targeting {self._version}"
            raise WriteError(message, V13_5)

    def call_site(self, attribute: CallSiteLocation, output: Output) -> None:
        """Write a call site: callee, then caller. The caller is in the pool already, so only its number is
        written.
        """
        self._reference(attribute.callee, Location, output)
        output.varint(self.number(attribute.caller))


def _number(value: int, output: Output) -> None:
    if not 0 <= value < _UINT32_LIMIT:
        raise WriteError(f"{value} is no unsigned 32-bit integer")
    output.varint(value)


_ENCODERS: Mapping[type[Attribute], tuple[int, Callable[[DebugPool, Any, Output], None]]] = {
    DICompileUnitAttr: (1, DebugPool.compile_unit),
    DIFileAttr: (2, DebugPool.file),
    DILexicalBlockAttr: (3, DebugPool.lexical_block),
    DILocation: (4, DebugPool.position),
    DISubprogramAttr: (5, DebugPool.subprogram),
    CallSiteLocation: (debug_info.CALL_SITE, DebugPool.call_site),
}
