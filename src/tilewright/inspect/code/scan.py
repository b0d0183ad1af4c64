"""Addresses and calls in x86-64 code, found without disassembly.

Instructions that name an address have few forms. Their bytes are searched everywhere, and the address of each match is
checked against the memory map; a match in the middle of another instruction almost never passes that check.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tilewright.inspect.arrays import CHUNK, Flags, Octets, Positions, signed32
from tilewright.inspect.binary.image import MemoryRegion, ProgramImage

MARGIN = 16
"""Bytes at the end of a region where no match is looked for."""

Hits = tuple[Positions, Positions]
"""Addresses of instructions, and the addresses that they mention."""


@dataclass(frozen=True)
class StringRefs:
    """Places where code passes a string and its length as two arguments: the addresses of the instructions
    (``site``), the addresses of the strings, and the lengths, as arrays with one element for each place.

    ``register`` is the number of the argument (0 for the first) with the address; the length is the next
    argument.
    """

    register: int
    site: Positions
    string: Positions
    length: Positions


class CodeScan:
    """The addresses that the code of an image mentions, computed when first asked for."""

    def __init__(self, image: ProgramImage) -> None:
        self.image = image

    @cached_property
    def calls(self) -> Hits:
        """The direct calls, as call sites and callees, through stubs of the linkage table."""
        sites, targets = self._matching(_calls)
        return sites, self.resolve(targets)

    @cached_property
    def addresses(self) -> Hits:
        """The instructions that compute an address relative to themselves (`lea`), and these addresses."""
        return self._matching(_leas)

    @cached_property
    def loads(self) -> Hits:
        """The instructions that load a word from an address relative to themselves, and the contents of the
        word; 0 where they are not in the file.
        """
        sites, slots = self._matching(_loads)
        return sites, self.held(slots)

    @cached_property
    def referenced(self) -> Positions:
        """The addresses that code refers to, sorted and without repetitions."""
        mentioned = (self.calls[1], self.addresses[1], self.loads[1])
        return np.unique(np.concatenate(mentioned))

    def mentions(self, address: int) -> list[int]:
        """Return the sorted addresses of the instructions that call `address`, compute it (`lea`), or load it
        from a word.
        """
        found: list[int] = []
        for sites, targets in (self.calls, self.addresses, self.loads):
            found += [int(site) for site in sites[targets == address]]
        return sorted(found)

    @cached_property
    def stubs(self) -> tuple[Positions, Positions]:
        """The sorted addresses of stubs that jump through a word, and their targets."""
        sites, slots = self._matching(_stubs)
        order = np.argsort(sites, kind="stable")
        return sites[order], self.held(slots[order])

    def resolve(self, targets: Positions) -> Positions:
        """Return the addresses `targets` with each stub of the linkage table replaced by the function that it
        jumps to; other addresses are unchanged.
        """
        stubs, leads = self.stubs
        if not len(stubs) or not len(targets):
            return targets
        at = np.minimum(np.searchsorted(stubs, targets), len(stubs) - 1)
        return np.where(stubs[at] == targets, leads[at], targets)

    def held(self, slots: Positions) -> Positions:
        """Return the 64-bit words at the addresses `slots`; 0 where no aligned word is in the file."""
        values = np.zeros(len(slots), np.int64)
        numbers = self.image.region_numbers(slots)
        for number in np.unique(numbers[numbers >= 0]):
            region = self.image.scanned[int(number)]
            first, words = region.aligned_words
            index = (slots - first) >> 3
            good = (numbers == number) & (index >= 0) & (index < len(words)) & ((slots - first) & 7 == 0)
            values[good] = words[index[good]].astype(np.int64)
        return values

    def _matching(self, match: Matcher) -> Hits:
        sites: list[Positions] = []
        targets: list[Positions] = []
        for region in self.image.code:
            for start in range(0, max(len(region.data) - MARGIN, 0), CHUNK):
                stop = min(start + CHUNK, len(region.data) - MARGIN)
                at, displacement_at, length = match(region.data, start, stop)
                found = region.address + at + length + signed32(region.data, displacement_at)
                known = self.image.region_numbers(found) >= 0
                sites.append(region.address + at[known])
                targets.append(found[known])
        return _joined(sites), _joined(targets)

    def string_refs(self, register: int, window: int = 40) -> StringRefs:
        """Return the strings of 1 to 255 characters that code passes together with their lengths, as
        arguments number ``register`` and the next one. The length must be set within `window` bytes of the
        address, and equal the length of the NUL-terminated string there: this makes accidental matches rare.
        """
        sites, strings = self._string_addresses(register)
        lengths = self.string_lengths(strings)
        good = (lengths > 0) & (lengths < 256)
        sites, strings, lengths = sites[good], strings[good], lengths[good]
        near = np.zeros(len(sites), np.bool_)
        for region in self.image.code:
            near |= _has_immediate(region, sites, lengths, register + 1, window)
        return StringRefs(register, sites[near], strings[near], lengths[near])

    def _string_addresses(self, register: int) -> Hits:
        relative = self._matching(lambda data, start, stop: _lea_of(data, start, stop, register))
        fixed_sites, fixed = self._fixed_addresses(register)
        return np.concatenate([relative[0], fixed_sites]), np.concatenate([relative[1], fixed])

    def _fixed_addresses(self, register: int) -> Hits:
        """Return the addresses of the instructions ``mov r32, address`` that set the register of argument
        number `register` (0 for the first) to a data address, and these data addresses. Programs that are
        linked to a fixed address below 2 GiB have such instructions.
        """
        sites: list[Positions] = []
        targets: list[Positions] = []
        opcode = MOVE_IMMEDIATE[register]
        for region in self.image.code:
            at = _sequence(region.data, 0, max(len(region.data) - MARGIN, 0), opcode)
            found = signed32(region.data, at + len(opcode))
            known = np.zeros(len(found), np.bool_)
            numbers = self.image.region_numbers(found)
            for number in np.unique(numbers[numbers >= 0]):
                if not self.image.scanned[int(number)].executable:
                    known |= numbers == number
            sites.append(region.address + at[known])
            targets.append(found[known])
        return _joined(sites), _joined(targets)

    def string_lengths(self, addresses: Positions) -> Positions:
        """Return the number of characters before the NUL of each string; 0 where there is no NUL or no data."""
        lengths = np.zeros(len(addresses), np.int64)
        numbers = self.image.region_numbers(addresses)
        for number in np.unique(numbers[numbers >= 0]):
            region = self.image.scanned[int(number)]
            if region.executable:
                continue
            ends = np.flatnonzero(region.data == 0)
            mine = numbers == number
            at = addresses[mine] - region.address
            place = np.searchsorted(ends, at)
            found = place < len(ends)
            stop = ends[np.minimum(place, len(ends) - 1)] if len(ends) else at
            lengths[mine] = np.where(found, stop - at, 0)
        return lengths

    def next_calls(self, sites: Positions, window: int = 64) -> Positions:
        """Return for each site the callee of the next call or jump that leads to code, with stubs resolved; 0
        if there is none within `window` bytes.
        """
        order = np.argsort(self._transfers[0], kind="stable")
        calls, callees = self._transfers[0][order], self._transfers[1][order]
        if not len(calls):
            return np.zeros(len(sites), np.int64)
        at = np.searchsorted(calls, sites, side="right")
        inside = at < len(calls)
        at = np.minimum(at, len(calls) - 1)
        return np.where(inside & (calls[at] - sites <= window), callees[at], 0)

    @cached_property
    def _transfers(self) -> Hits:
        jumps, targets = self._matching(_jumps)
        sites = np.concatenate([self.calls[0], jumps])
        callees = np.concatenate([self.calls[1], self.resolve(targets)])
        code = self.image.is_code(callees.astype(np.uint64))
        return sites[code], callees[code]


Match = tuple[Positions, Positions, int]
"""Positions of instructions, positions of their displacements, length of the instructions."""
Matcher = Callable[[Octets, int, int], Match]
"""Finds one form of instruction in some bytes, from a position to another."""


LEA_REGISTERS = (0x3D, 0x35, 0x15, 0x0D)
"""Second operand byte of `lea` from an address relative to the instruction, by number of argument."""
MOVE_IMMEDIATE: tuple[bytes, ...] = (b"\xbf", b"\xbe", b"\xba", b"\xb9", b"\x41\xb8")
"""`mov r32, imm32`, by number of argument."""


def _joined(parts: list[Positions]) -> Positions:
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def _sequence(data: Octets, start: int, stop: int, opcode: bytes) -> Positions:
    at = np.flatnonzero(data[start:stop] == opcode[0]).astype(np.int64) + start
    for offset in range(1, len(opcode)):
        at = at[data[at + offset] == opcode[offset]]
    return at


def _calls(data: Octets, start: int, stop: int) -> Match:
    at = _sequence(data, start, stop, b"\xe8")
    return at, at + 1, 5


def _jumps(data: Octets, start: int, stop: int) -> Match:
    at = _sequence(data, start, stop, b"\xe9")
    return at, at + 1, 5


def _relative(data: Octets, start: int, stop: int, opcode: int) -> Match:
    """Return the 64-bit instructions in ``data[start:stop]`` with `opcode` and an operand relative to the
    instruction, for any register.
    """
    at = np.flatnonzero(data[start:stop] == opcode).astype(np.int64) + start
    at = at[at > start]
    prefix = data[at - 1]
    at = at[((prefix == 0x48) | (prefix == 0x4C)) & (data[at + 1] & 0xC7 == 0x05)]
    return at - 1, at + 2, 7


def _leas(data: Octets, start: int, stop: int) -> Match:
    return _relative(data, start, stop, 0x8D)


def _loads(data: Octets, start: int, stop: int) -> Match:
    return _relative(data, start, stop, 0x8B)


def _lea_of(data: Octets, start: int, stop: int, register: int) -> Match:
    at = _sequence(data, start, stop, bytes((0x48, 0x8D, LEA_REGISTERS[register])))
    return at, at + 3, 7


def _stubs(data: Octets, start: int, stop: int) -> Match:
    """Return the instructions `jmp [address]` in ``data[start:stop]`` with an address relative to the
    instruction, the form of stubs of the linkage table.
    """
    at = _sequence(data, start, stop, b"\xff\x25")
    return at, at + 2, 6


def _has_immediate(
    region: MemoryRegion, sites: Positions, lengths: Positions, register: int, window: int
) -> Flags:
    """Return for each of `sites`, addresses of instructions, whether `mov` sets the register of argument
    number `register` to the site's element of `lengths`. The `mov` may begin from `window` bytes before the
    site to `window` + 7 bytes after it, in the same region.
    """
    opcode = MOVE_IMMEDIATE[register]
    here = np.flatnonzero((sites >= region.address) & (sites < region.address + len(region.data)))
    answer = np.zeros(len(sites), np.bool_)
    last = len(region.data) - len(opcode) - 4
    at, wanted = (sites - region.address)[here], lengths[here]
    for offset in range(-window, window + 8) if last > 0 else ():
        place = np.clip(at + offset, 0, last)
        found = np.flatnonzero(region.data[place] == opcode[0])
        for byte in range(1, len(opcode)):
            found = found[region.data[place[found] + byte] == opcode[byte]]
        found = found[signed32(region.data, place[found] + len(opcode)) == wanted[found]]
        answer[here[found]] = True
    return answer
