"""Diagnostics in memory images: 208 bytes with four arguments inside, more of them and everything else outside.

A message is a sequence of pieces (numbers and strings); its text is their concatenation.  Code, hints
and byte offset have no place in the layouts: images keep them in one more note (tileiras-13.1), whose first argument is
the placeholder that prints nothing, or in the metadata (mlir-upstream).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.abi.image import module, reader as image_reader, segments, writer as image_writer
from tilewright.abi.image.views import checked_count, malformed
from tilewright.abi.layout import POINTER_SIZE, Profile, Struct
from tilewright.abi.layouts import diagnostic as layouts
from tilewright.ir import codes as ir_codes, context as ir_context
from tilewright.ir.diagnostic import Diagnostic, Severity

Piece = int | str
CLASSES = {Severity.NOTE: 1, Severity.WARNING: 2, Severity.ERROR: 3, Severity.REMARK: 4}
"""The number of each severity in profile tileiras-13.1."""
PLACEHOLDER, INTEGER, OWNED_STRING = 1, 2, 4
UPSTREAM_INTEGER, UPSTREAM_STRING = 2, 3
NO_NUMBER = -1
"""The number written to an image in place of a code, or a byte offset, that a diagnostic does not have."""
NOTE_DEPTH = 50
"""The maximum nesting depth of notes: deeper notes are not written, and count as damage when read."""
_MASK64 = (1 << 64) - 1


def write_diagnostic(
    diagnostic: Diagnostic, profile: Profile = Profile.TILEIRAS, pieces: Sequence[Piece] | None = None
) -> image_writer.MemoryImage:
    """Write a diagnostic to a new address space; the root ``diagnostic`` of the result is its address.

    ``pieces`` are the arguments that make up its message, by default the message as one string. Raises
    `ValueError` if they do not print as the message, and `DiagnosticError` for notes nested too deep.
    """
    if pieces is not None and "".join(map(str, pieces)) != diagnostic.message:
        raise ValueError(f"the pieces {pieces!r} do not make up the message {diagnostic.message!r}")
    if _depth(diagnostic) > NOTE_DEPTH:
        raise image_writer.not_representable(f"a diagnostic has notes of notes more than {NOTE_DEPTH} deep")
    writer = _WRITERS[profile](profile)
    root = writer.whole(diagnostic, pieces)
    return image_writer.MemoryImage(writer.image, profile, {"diagnostic": root})


def _depth(diagnostic: Diagnostic) -> int:
    depth, level = 0, diagnostic.notes
    while level and depth <= NOTE_DEPTH:
        depth, level = depth + 1, [note for parent in level for note in parent.notes]
    return depth


def read_diagnostic(image: image_writer.MemoryImage, context: ir_context.Context) -> Diagnostic:
    """Return the diagnostic in an image that `write_diagnostic` made; its locations are parsed in
    ``context``. Raises `DiagnosticError` if the image is damaged.
    """
    return _READERS[image.profile](image, context).whole(image.roots["diagnostic"])


class _Writer:
    argument: Struct
    kinds: tuple[int, int, int]

    def __init__(self, profile: Profile) -> None:
        self.modules = module.WRITERS[profile]()
        self.image = self.modules.image
        self.objects = self.image.add_segment("diagnostics")

    def whole(self, diagnostic: Diagnostic, pieces: Sequence[Piece] | None) -> int:
        raise NotImplementedError

    def put(self, address: int, data: bytes) -> None:
        start = address - self.objects.base
        self.objects.data[start : start + len(data)] = data

    def new(self, data: bytes) -> int:
        address = self.objects.allocate(len(data))
        self.put(address, data)
        return address

    def arguments(self, pieces: Sequence[Piece | None]) -> list[dict[str, int]]:
        placeholder, integer, string = self.kinds
        found: list[dict[str, int]] = []
        for piece in pieces:
            if piece is None:
                found.append({"kind": placeholder})
            elif isinstance(piece, int):
                found.append({"kind": integer, "value": piece & _MASK64})
            else:
                address, length = self.modules.texts.add_text(piece)
                found.append({"kind": string, "value": address, "aux": length})
        return found

    def spilled(self, arguments: Sequence[dict[str, int]]) -> int:
        return self.new(b"".join(self.argument.encode(argument) for argument in arguments))

    def vector(self, words: Sequence[int]) -> dict[str, int]:
        data = b"".join(word.to_bytes(POINTER_SIZE, "little") for word in words)
        begin = self.new(data) if words else 0
        return {"begin": begin, "end": begin + len(data), "capacity_end": begin + len(data)}


def _numbers(diagnostic: Diagnostic) -> list[Piece]:
    """Return the parts of a diagnostic without a field in the layouts: the number of the code, the byte
    offset (each `NO_NUMBER` if missing), and the hints. The list is empty if the diagnostic has none of them.
    """
    code = diagnostic.code.number if diagnostic.code else NO_NUMBER
    offset = diagnostic.offset if diagnostic.offset is not None else NO_NUMBER
    has_any = diagnostic.code or diagnostic.offset is not None or diagnostic.hints
    return [code, offset, *diagnostic.hints] if has_any else []


class _TileirasWriter(_Writer):
    argument = layouts.ARGUMENT
    kinds = (PLACEHOLDER, INTEGER, OWNED_STRING)

    def whole(self, diagnostic: Diagnostic, pieces: Sequence[Piece] | None) -> int:
        struct = layouts.DIAGNOSTIC
        address = self.objects.allocate(struct.size)
        values = self._values(diagnostic, address, pieces)
        self.put(address, struct.encode(values, sink=address + struct.offset("alive"), alive=1))
        return address

    def _values(
        self, diagnostic: Diagnostic, address: int, pieces: Sequence[Piece | None] | None
    ) -> dict[str, Any]:
        arguments = self.arguments([diagnostic.message] if pieces is None else pieces)
        notes = [self._note(note) for note in diagnostic.notes]
        extra = _numbers(diagnostic)
        if extra:
            notes.append(self._extra_note(extra))
        inside = len(arguments) <= layouts.INLINE_ARGUMENTS
        inline = arguments if inside else []
        return {
            "location": self.modules.location(diagnostic.location),
            "severity": CLASSES[diagnostic.severity],
            "op_prefix": 1,
            "arguments": address + layouts.DIAGNOSTIC.offset("inline_arguments")
            if inside
            else self.spilled(arguments),
            "arguments_size": len(arguments),
            "arguments_capacity": max(layouts.INLINE_ARGUMENTS, len(arguments)),
            "inline_arguments": [*inline, *[{}] * (layouts.INLINE_ARGUMENTS - len(inline))],
            "notes": self.vector(notes),
        }

    def _note(self, note: Diagnostic, pieces: Sequence[Piece | None] | None = None) -> int:
        address = self.objects.allocate(layouts.NOTE.size)
        self.put(address, layouts.NOTE.encode(self._values(note, address, pieces)))
        return address

    def _extra_note(self, numbers: list[Piece]) -> int:
        return self._note(Diagnostic(Severity.NOTE, ""), [None, *numbers])


class _UpstreamWriter(_Writer):
    argument = layouts.UPSTREAM_ARGUMENT
    kinds = (UPSTREAM_INTEGER, UPSTREAM_INTEGER, UPSTREAM_STRING)

    def whole(self, diagnostic: Diagnostic, pieces: Sequence[Piece] | None) -> int:
        struct = layouts.UPSTREAM_DIAGNOSTIC
        address = self.objects.allocate(struct.size)
        engine = self.new(bytes(POINTER_SIZE))
        held = self._values(diagnostic, address + struct.offset("diagnostic"), pieces)
        self.put(address, struct.encode(engine=engine, diagnostic=held, engaged=1))
        return address

    def _values(self, diagnostic: Diagnostic, address: int, pieces: Sequence[Piece] | None) -> dict[str, Any]:
        arguments = self.arguments([diagnostic.message] if pieces is None else pieces)
        room = layouts.INLINE_ARGUMENTS
        inside = len(arguments) <= room
        inline = arguments if inside else []
        offset = layouts.UPSTREAM_NOTE.offset("arguments") + 16
        return {
            "location": self.modules.location(diagnostic.location),
            "severity": int(diagnostic.severity),
            "arguments": {
                "data": address + offset if inside else self.spilled(arguments),
                "size": len(arguments),
                "capacity": max(room, len(arguments)),
                "inline": [*inline, *[{}] * (room - len(inline))],
            },
            "notes": self.vector([self._note(note) for note in diagnostic.notes]),
            "metadata": self._metadata(diagnostic, address),
        }

    def _metadata(self, diagnostic: Diagnostic, address: int) -> dict[str, int]:
        arguments = self.arguments(_numbers(diagnostic))
        data = self.spilled(arguments) if arguments else address + layouts.UPSTREAM_NOTE.size
        return {"data": data, "size": len(arguments), "capacity": len(arguments)}

    def _note(self, note: Diagnostic) -> int:
        address = self.objects.allocate(layouts.UPSTREAM_NOTE.size)
        self.put(address, layouts.UPSTREAM_NOTE.encode(self._values(note, address, None)))
        return address


class _ImageReader:
    note: Struct
    argument: Struct
    strings: frozenset[int]
    integer: int

    def __init__(self, image: image_writer.MemoryImage, context: ir_context.Context) -> None:
        self.memory: segments.ReadableMemory = image.image
        self.profile = image.profile
        self.context = context
        self._seen: set[int] = set()

    def whole(self, address: int) -> Diagnostic:
        return self.diagnostic(address, 0)

    def diagnostic(self, address: int, depth: int) -> Diagnostic:
        if depth > NOTE_DEPTH or address in self._seen:
            raise malformed(f"notes inside notes without end at {address:#x}")
        self._seen.add(address)
        values: dict[str, Any] = segments.read_struct(self.memory, self.note, address)
        severity, first, count, numbers = self._diagnostic_fields(values)
        message = "".join(str(piece) for piece in self.pieces(first, count) if piece is not None)
        notes = self._notes(values["notes"])
        if notes and numbers is None:
            numbers = self._extra(notes)
        location = image_reader.location_at(self.memory, self.profile, self.context, values["location"])
        found = Diagnostic(severity, message, location)
        found.notes = [self.diagnostic(note, depth + 1) for note in notes]
        _set_numbers(found, numbers or [])
        return found

    def _diagnostic_fields(self, values: dict[str, Any]) -> tuple[Severity, int, int, list[Piece] | None]:
        """Return, from the fields of a diagnostic: severity, address of the first argument, number of
        arguments, and the result of `_numbers`; None for the last if the profile stores it elsewhere.
        """
        raise NotImplementedError

    def _extra(self, notes: list[int]) -> list[Piece] | None:
        """If the last of ``notes`` stores the result of `_numbers`, remove this note and return the result;
        otherwise return None. ``notes`` are addresses and not empty.
        """
        return None

    def _notes(self, vector: dict[str, int]) -> list[int]:
        stored = (vector["end"] - vector["begin"]) // POINTER_SIZE
        count = checked_count(stored, "notes", vector["begin"], "list")
        return [segments.read_word(self.memory, vector["begin"] + POINTER_SIZE * at) for at in range(count)]

    def pieces(self, first: int, count: int) -> list[Piece | None]:
        """Read ``count`` arguments from address ``first`` on; None stands for the placeholder."""
        found: list[Piece | None] = []
        for position in range(checked_count(count, "arguments", first, "list")):
            at = first + self.argument.size * position
            held: dict[str, Any] = segments.read_struct(self.memory, self.argument, at)
            found.append(self._piece(held, at))
        return found

    def _piece(self, held: dict[str, int], at: int) -> Piece | None:
        kind, value = held["kind"], held["value"]
        if kind in self.strings:
            return segments.read_text(self.memory, value, held["aux"], "an argument of a diagnostic")
        if kind == self.integer:
            return value - (1 << 64) if value >> 63 else value
        if kind == PLACEHOLDER and self.profile is Profile.TILEIRAS:
            return None
        raise malformed(f"the argument at {at:#x} is of kind {kind}, which images do not have")


def _set_numbers(diagnostic: Diagnostic, numbers: list[Piece]) -> None:
    if not numbers:
        return
    code, offset, *hints = numbers
    if not isinstance(code, int) or not isinstance(offset, int):
        raise malformed("code and offset of a diagnostic are no numbers")
    diagnostic.code = None if code == NO_NUMBER else ir_codes.CATALOGUE.get(code)
    if diagnostic.code is None and code != NO_NUMBER:
        raise malformed(f"there is no diagnostic code {code}")
    diagnostic.offset = None if offset == NO_NUMBER else offset
    diagnostic.hints = [str(hint) for hint in hints]


class _TileirasReader(_ImageReader):
    note, argument = layouts.NOTE, layouts.ARGUMENT
    strings = frozenset({OWNED_STRING, 5})
    integer = INTEGER

    def _diagnostic_fields(self, values: dict[str, Any]) -> tuple[Severity, int, int, list[Piece] | None]:
        classes = {number: severity for severity, number in CLASSES.items()}
        severity = classes.get(values["severity"])
        if severity is None:
            raise malformed(f"a diagnostic has class {values['severity']}, which does not exist")
        return severity, values["arguments"], values["arguments_size"], None

    def _extra(self, notes: list[int]) -> list[Piece] | None:
        values: dict[str, Any] = segments.read_struct(self.memory, self.note, notes[-1])
        pieces = self.pieces(values["arguments"], values["arguments_size"])
        if not pieces or pieces[0] is not None:
            return None
        notes.pop()
        return [piece for piece in pieces if piece is not None]


class _UpstreamReader(_ImageReader):
    note, argument = layouts.UPSTREAM_NOTE, layouts.UPSTREAM_ARGUMENT
    strings = frozenset({UPSTREAM_STRING})
    integer = UPSTREAM_INTEGER

    def whole(self, address: int) -> Diagnostic:
        return self.diagnostic(address + layouts.UPSTREAM_DIAGNOSTIC.offset("diagnostic"), 0)

    def _diagnostic_fields(self, values: dict[str, Any]) -> tuple[Severity, int, int, list[Piece] | None]:
        number = values["severity"]
        if number not in Severity.__members__.values():
            raise malformed(f"a diagnostic has severity {number}, which does not exist")
        metadata, arguments = values["metadata"], values["arguments"]
        found = self.pieces(metadata["data"], metadata["size"])
        numbers = [piece for piece in found if piece is not None]
        return Severity(number), arguments["data"], arguments["size"], numbers


_WRITERS: dict[Profile, type[_Writer]] = {
    Profile.TILEIRAS: _TileirasWriter,
    Profile.UPSTREAM: _UpstreamWriter,
}
_READERS: dict[Profile, type[_ImageReader]] = {
    Profile.TILEIRAS: _TileirasReader,
    Profile.UPSTREAM: _UpstreamReader,
}
