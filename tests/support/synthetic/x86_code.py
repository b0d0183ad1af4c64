"""A few x86-64 instructions as bytes: enough to write the functions that inspections look for."""

from __future__ import annotations

REGISTERS = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", *(f"r{n}" for n in range(8, 16)))


def number(register: str) -> int:
    return REGISTERS.index(register)


def displacement(value: int) -> bytes:
    return value.to_bytes(4, "little", signed=True)


class Code:
    """Bytes of one function at a known address."""

    def __init__(self, address: int) -> None:
        self.address = address
        self.bytes = bytearray()

    @property
    def here(self) -> int:
        return self.address + len(self.bytes)

    def raw(self, text: str) -> Code:
        """Bytes in hexadecimal."""
        self.bytes += bytes.fromhex(text)
        return self

    def _relative(self, opcode: bytes, target: int, after: int = 0) -> Code:
        length = len(opcode) + 4 + after
        self.bytes += opcode + displacement(target - (self.here + length))
        return self

    def lea(self, register: str, target: int) -> Code:
        """lea register, [rip + target]"""
        n = number(register)
        return self._relative(bytes((0x4C if n > 7 else 0x48, 0x8D, 0x05 | (n & 7) << 3)), target)

    def move(self, register: str, value: int) -> Code:
        """mov r32, value"""
        n = number(register)
        self.bytes += (b"\x41" if n > 7 else b"") + bytes((0xB8 | n & 7,)) + value.to_bytes(4, "little")
        return self

    def move_wide(self, register: str, value: int) -> Code:
        """movabs r64, value"""
        n = number(register)
        self.bytes += bytes((0x49 if n > 7 else 0x48, 0xB8 | n & 7)) + value.to_bytes(8, "little")
        return self

    def load(self, register: str, target: int) -> Code:
        """mov r64, [rip + target]"""
        n = number(register)
        return self._relative(bytes((0x4C if n > 7 else 0x48, 0x8B, 0x05 | (n & 7) << 3)), target)

    def store(self, target: int, register: str) -> Code:
        """mov [rip + target], r64"""
        n = number(register)
        return self._relative(bytes((0x4C if n > 7 else 0x48, 0x89, 0x05 | (n & 7) << 3)), target)

    def test_byte(self, target: int) -> Code:
        """movzx eax, byte ptr [rip + target]; test al, al"""
        return self._relative(b"\x0f\xb6\x05", target).raw("84c0")

    def jump_if_not_zero(self, distance: int) -> Code:
        """jne, over some bytes"""
        return self.raw("75").raw(f"{distance:02x}")

    def call(self, target: int) -> Code:
        return self._relative(b"\xe8", target)

    def jump(self, target: int) -> Code:
        return self._relative(b"\xe9", target)

    def ret(self) -> Code:
        return self.raw("c3")

    def load_field(self, register: str, base: str, offset: int) -> Code:
        """mov r32, [base + offset]"""
        self.bytes += bytes((0x8B, 0x40 | number(register) << 3 | number(base), offset))
        return self

    def load_byte(self, register: str, base: str, offset: int) -> Code:
        """movzx r32, byte ptr [base + offset]"""
        self.bytes += bytes((0x0F, 0xB6, 0x40 | number(register) << 3 | number(base), offset))
        return self

    def mask(self, register: str, value: int) -> Code:
        """and r32, value"""
        if register == "rax":
            self.bytes += b"\x25" + value.to_bytes(4, "little")
        else:
            self.bytes += bytes((0x81, 0xE0 | number(register))) + value.to_bytes(4, "little")
        return self
