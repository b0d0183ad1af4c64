"""Memory that a synthetic program is written into: areas with fixed addresses, filled from the front."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.support.synthetic.x86_code import Code

CODE, TEXT, DATA, ZERO, HEAP = 0x401000, 0x500000, 0x600000, 0x800000, 0x7F00000000
ZERO_SIZE = 0x10000


class Area:
    """Memory that grows."""

    def __init__(self, address: int) -> None:
        self.address = address
        self.bytes = bytearray()

    @property
    def here(self) -> int:
        return self.address + len(self.bytes)

    def put(self, data: bytes, alignment: int = 1) -> int:
        """Append bytes; answers their address."""
        self.bytes += bytes(-self.here % alignment)
        address = self.here
        self.bytes += data
        return address

    def words(self, *values: int) -> int:
        """Append 64-bit words at a multiple of 8."""
        return self.put(b"".join((value & (1 << 64) - 1).to_bytes(8, "little") for value in values), 8)

    def fill(self, address: int, data: bytes) -> None:
        """Replace bytes that were appended before."""
        at = address - self.address
        assert 0 <= at <= len(self.bytes) - len(data)
        self.bytes[at : at + len(data)] = data


class Memory:
    """The areas of a program, and what is handed out from them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.code, self.text, self.data, self.heap = Area(CODE), Area(TEXT), Area(DATA), Area(HEAP)
        self._zero = ZERO
        self._strings: dict[str, int] = {}
        self.functions: list[int] = []

    def zero(self, size: int = 8) -> int:
        """Zeroed memory that the file does not hold."""
        address = self._zero
        self._zero += -(-size // 8) * 8
        assert self._zero < ZERO + ZERO_SIZE
        return address

    def string(self, text: str) -> int:
        """A NUL-terminated string in read-only data; equal ones once."""
        if text not in self._strings:
            self._strings[text] = self.text.put(text.encode("ascii") + b"\0")
        return self._strings[text]

    def function(self, write: Callable[[Code], object]) -> int:
        """A function at a multiple of 16."""
        self.code.bytes += b"\xcc" * (-self.code.here % 16)
        code = Code(self.code.here)
        write(code)
        self.functions.append(code.address)
        return self.code.put(bytes(code.bytes))

    def some_function(self) -> int:
        """A function with a body that means nothing."""
        offset = self.random.randrange(0x30, 0x7F)
        return self.function(
            lambda code: code.raw(f"5348 89fb 488b43{offset:02x} 4801c0 488943{offset:02x} 5b c3")
        )

    def empty_function(self) -> int:
        return self.function(lambda code: code.ret())

    def noise(self, words: int) -> None:
        """Words of data that are neither addresses nor zero."""
        values = [self.random.getrandbits(63) | 1 << 62 for _ in range(words)]
        self.data.words(*values)

    def table(self, slots: Sequence[int], prefix: Sequence[int] = (0, 0)) -> int:
        """Code pointers behind their prefix words; answers the address of slot 0."""
        return self.data.words(*prefix, *slots) + 8 * len(prefix)
