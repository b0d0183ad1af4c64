"""String pools under the walking XOR-3 cipher, and the words that index them.

Byte ``i`` of a pool is XORed with ``3 * i mod 256``, counted from the start of the pool; doing it again undoes it.
3 is odd, so the key runs through all 256 values before it repeats.  It hides text from a casual look and nothing more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tilewright.abi.layout import Buffer

KEY_STEP = 3
KEY_PERIOD = 256
KEY = bytes(KEY_STEP * i % KEY_PERIOD for i in range(KEY_PERIOD))
"""The key for 256 bytes, from a position that is a multiple of 256; it repeats after them."""

OFFSET_MASK = 0x1FFFF
"""The bits of an offset word that contain the offset (plus 1) into the pool; the 15 bits above are state of
the printer.
"""

REGISTER_PREFIXES = ("%p", "%rs", "%r", "%rd", "%f", "%fd", "%rq")
"""The register names at the start of the register pool."""


def xor3(data: Buffer, position: int = 0) -> bytes:
    """Return bytes that start at ``position`` of their pool, encrypted or decrypted; both are the same
    function.
    """
    start = position % KEY_PERIOD
    length = len(data)
    key = (KEY * ((start + length) // KEY_PERIOD + 1))[start : start + length]
    number = int.from_bytes(data, "little") ^ int.from_bytes(key, "little")
    return number.to_bytes(length, "little")


def strings(pool: Buffer) -> Iterator[tuple[int, bytes]]:
    """Yield the NUL-terminated strings of a decrypted pool with their offsets; an unterminated rest is left out."""
    data, start = bytes(pool), 0
    while (end := data.find(b"\0", start)) >= 0:
        yield start, data[start:end]
        start = end + 1


def build(entries: Iterable[bytes]) -> tuple[bytes, dict[bytes, int]]:
    """Return an encrypted pool of NUL-terminated strings, and the offset in bytes of each; an entry that is
    repeated has the offset of its first copy. Raises `ValueError` for an entry that contains a NUL.
    """
    plain = bytearray()
    offsets: dict[bytes, int] = {}
    for entry in entries:
        if b"\0" in entry:
            raise ValueError(f"{entry!r} contains the terminator")
        offsets.setdefault(entry, len(plain))
        plain += entry + b"\0"
    return xor3(plain), offsets


@dataclass(frozen=True)
class MnemonicPool:
    """A decrypted pool of mnemonics, with two tables that have one 32-bit word for each opcode.

    The low 17 bits of an opcode's word in ``offset_words`` are the offset of the mnemonic in ``text``, in
    bytes, plus 1; 0 means that the opcode has no mnemonic. Its word in ``companion_words`` is the upper half
    of the same 64-bit entry.
    """

    text: bytes
    offset_words: tuple[int, ...]
    companion_words: tuple[int, ...]

    def mnemonic(self, opcode: int) -> bytes | None:
        """Return the mnemonic of an opcode, without the NUL; None if it has none. Raises `IndexError` for an
        unknown opcode, or if its offset is outside of the pool.
        """
        word = self.offset_words[opcode]
        offset = word & OFFSET_MASK
        if (word | self.companion_words[opcode] << 32) == 0 or offset == 0:
            return None
        start = offset - 1
        end = self.text.find(b"\0", start)
        if start >= len(self.text) or end < 0:
            raise IndexError(
                f"opcode {opcode}: offset {start} lies outside the pool of {len(self.text)} bytes"
            )
        return self.text[start:end]


@dataclass(frozen=True)
class RegisterPool:
    """A decrypted pool with the names of single registers, their offsets in it, and the prefixes of the other
    register classes.
    """

    text: bytes
    offsets: tuple[int, ...]
    prefixes: tuple[str, ...] = REGISTER_PREFIXES

    def name(self, register: int) -> str:
        """Return the name of a register number: the class in the top 4 bits, the number in the other 28.

        Class 0 holds registers with names of their own, counted from 1. The name in class ``k`` is
        ``prefixes[k - 1]`` and the number, such as ``%r5``. Raises `IndexError` for an unknown class, and an
        unknown number of class 0.
        """
        kind, number = register >> 28, register & 0xFFFFFFF
        if kind == 0:
            if not 1 <= number <= len(self.offsets):
                raise IndexError(f"there is no register {number} among {len(self.offsets)} names")
            start = self.offsets[number - 1]
            return self.text[start : self.text.index(b"\0", start)].decode("ascii")
        if kind > len(self.prefixes):
            raise IndexError(f"register class {kind} is not one of 0..{len(self.prefixes)}")
        return f"{self.prefixes[kind - 1]}{number}"
