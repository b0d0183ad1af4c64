"""Functions so short that their bytes show their behaviour (x86-64): empty ones, constants, strings, fields.

`endbr64`, which some compilers emit first, is skipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tilewright.inspect.binary.image import ProgramImage

LANDING_PAD = bytes.fromhex("f30f1efa")
RETURNS = (b"\xc3", b"\xf3\xc3")
LEA_RESULT = bytes.fromhex("488d05")
MOVE_RESULT = b"\xb8"
MOVE_LOW_BYTE = b"\xb0"
MOVE_LENGTH = b"\xba"
BODY_SIZE = 32


class BodyKind(Enum):
    """The behaviour of a short function: it does nothing, returns a constant, a fixed string, or a string
    that the object holds, or does something else (`OTHER`); `UNKNOWN` if its code is not in the file.
    """

    EMPTY = "returns at once"
    CONSTANT = "returns a constant"
    STRING = "returns a fixed string"
    FIELD_STRING = "returns a string that the object holds"
    OTHER = "does something"
    UNKNOWN = "is not in the file"


@dataclass(frozen=True, slots=True)
class ShortBody:
    """The behaviour of a function with few instructions: its ``kind``, and what goes with it.

    ``text`` is the string that it returns, at ``string_address``; ``number`` is the constant, or the offset
    of the field. They are empty or 0 for other kinds.
    """

    kind: BodyKind
    text: str = ""
    number: int = 0
    string_address: int = 0


def body_at(image: ProgramImage, address: int) -> ShortBody:
    """Return the behaviour of the function at an address, as far as its first bytes show it: `UNKNOWN` if
    there is no code at the address, `OTHER` if the bytes have none of the known forms.
    """
    region = image.region_at(address)
    if region is None or not region.executable:
        return ShortBody(BodyKind.UNKNOWN)
    code = image.read(address, BODY_SIZE)
    if not code:
        return ShortBody(BodyKind.UNKNOWN)
    skipped = len(LANDING_PAD) if code.startswith(LANDING_PAD) else 0
    return _read_body(image, code[skipped:], address + skipped)


def _read_body(image: ProgramImage, code: bytes, address: int) -> ShortBody:
    if code.startswith(RETURNS):
        return ShortBody(BodyKind.EMPTY)
    constant = _constant(code)
    if constant is not None:
        return ShortBody(BodyKind.CONSTANT, number=constant)
    return _string(image, code, address) or _field(code) or ShortBody(BodyKind.OTHER)


def _constant(code: bytes) -> int | None:
    """Return n for `xor eax, eax; ret` (0), `mov eax, n; ret` or `mov al, n; ret`; None for other code."""
    if code[:3] in (b"\x31\xc0\xc3", b"\x33\xc0\xc3"):
        return 0
    if code[:1] == MOVE_RESULT and code[5:6] == b"\xc3":
        return int.from_bytes(code[1:5], "little")
    return code[1] if code[:1] == MOVE_LOW_BYTE and code[2:3] == b"\xc3" else None


def _string(image: ProgramImage, code: bytes, address: int) -> ShortBody | None:
    """Return the behaviour of `lea rax, text; mov edx, length; ret`, with the first two instructions in
    either order, or with the address as an immediate. Return None for other code, and if the bytes of the
    text are not printable.
    """
    for string_at, length_at in ((0, 7), (5, 0)):
        if code[string_at : string_at + 3] == LEA_RESULT and code[length_at : length_at + 1] == MOVE_LENGTH:
            displacement = int.from_bytes(code[string_at + 3 : string_at + 7], "little", signed=True)
            target = address + string_at + 7 + displacement
            return _text(image, code, length_at, target, 12)
    if code[:1] == MOVE_RESULT and code[5:6] == MOVE_LENGTH:
        return _text(image, code, 5, int.from_bytes(code[1:5], "little"), 10)
    return None


def _text(image: ProgramImage, code: bytes, length_at: int, target: int, end: int) -> ShortBody | None:
    length = int.from_bytes(code[length_at + 1 : length_at + 5], "little")
    if code[end : end + 1] != b"\xc3":
        return None
    text = image.text(target, length)
    return None if text is None else ShortBody(BodyKind.STRING, text, string_address=target)


def _field(code: bytes) -> ShortBody | None:
    """Return the behaviour of `mov rax, [rdi + n]; mov rdx, [rdi + n + 8]; ret`, with the loads in either
    order: the function returns a string that the object holds at offset n, which is one byte. Return None for
    other code.
    """
    if code[:3] == b"\x48\x8b\x47" and code[4:7] == b"\x48\x8b\x57" and code[8:9] == b"\xc3":
        return ShortBody(BodyKind.FIELD_STRING, number=code[3]) if code[7] == code[3] + 8 else None
    if code[:3] == b"\x48\x8b\x57" and code[4:7] == b"\x48\x8b\x47" and code[8:9] == b"\xc3":
        return ShortBody(BodyKind.FIELD_STRING, number=code[7]) if code[3] == code[7] + 8 else None
    return None


class Bodies:
    """The behaviours of the functions of `image`, indexed by address, as `body_at` returns them; each is
    determined once.
    """

    def __init__(self, image: ProgramImage) -> None:
        self.image = image
        self._known: dict[int, ShortBody] = {}

    def __getitem__(self, address: int) -> ShortBody:
        found = self._known.get(address)
        if found is None:
            found = self._known[address] = body_at(self.image, address)
        return found
