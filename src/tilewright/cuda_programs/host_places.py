"""Source lines of a running program by the addresses of its machine code, read by the program `addr2line`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cached_property

from tilewright.cuda_programs import wire
from tilewright.ir.attribute import Location
from tilewright.ir.location import UNKNOWN, FileLineColLocation
from tilewright.ir.support.record import Record

_MAPPING = re.compile(r"([0-9a-f]+)-([0-9a-f]+) (\S+) ([0-9a-f]+) \S+ \d+\s+(/.*)")
_PLACE = re.compile(r"(.+):(\d+)(?: \(discriminator \d+\))?")
_NOT_THE_PROGRAM = re.compile(
    r"/include/(?:c\+\+|crt|cccl|x86_64|aarch64|cuda)|/cuda_runtime\.h$|\.stub\.c$|^/build/|/usr/include/"
)
"""Matches files whose lines are not shown: headers of libraries, and code that `nvcc` generates."""
_EXECUTABLE_TYPE = 2
"""The type of ELF files with fixed addresses (`ET_EXEC`): they are loaded where the file says."""


class CodeMapping(Record, frozen=True):
    """A file whose machine code is mapped in the program: the range of addresses (`end` exclusive), and
    `base`, the difference between an address in the program and the address in the file.
    """

    file: str
    begin: int
    end: int
    base: int


class HostPlaces:
    """Finds the source lines of the running process with the number ``process`` by return addresses."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._known: dict[int, tuple[Location, ...]] = {}

    def place(self, frames: wire.ProgramFrames) -> Location:
        """Return the source line of a call: the first of its frames that is in a file of the program, or the
        line that a program in Python has given; an unknown location if there is none, for example without
        debug information.
        """
        if frames.text:
            file, _, line = frames.text.rpartition(":")
            return FileLineColLocation.at(file, int(line), 1)
        for address in frames.addresses:
            for found in self._places(address):
                if found.source is not None and not _NOT_THE_PROGRAM.search(found.source[0]):
                    return found
        return UNKNOWN

    def _places(self, address: int) -> tuple[Location, ...]:
        if address not in self._known:
            self._known[address] = tuple(self._looked_up(address))
        return self._known[address]

    def _looked_up(self, address: int) -> Iterator[Location]:
        """Yield the source lines of the call before a return address, the line in the innermost inlined
        function first. Nothing is yielded for an address in no file, and without `addr2line` or debug
        information.
        """
        mapping = next((one for one in self._mappings if one.begin <= address < one.end), None)
        if mapping is None:  # a library that was loaded later
            vars(self).pop("_mappings", None)
            mapping = next((one for one in self._mappings if one.begin <= address < one.end), None)
        program = shutil.which("addr2line")
        if mapping is None or program is None:
            return
        command = [program, "-e", mapping.file, "-i", hex(address - 1 - mapping.base)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        for line in done.stdout.splitlines():
            match = _PLACE.fullmatch(line)
            if match is not None and match[1] != "??":
                yield FileLineColLocation.at(_short(match[1]), int(match[2]), 1)

    @cached_property
    def _mappings(self) -> list[CodeMapping]:
        """Return the mappings of machine code in the process, from ``/proc/PID/maps``; empty if the file
        cannot be read.
        """
        found: list[CodeMapping] = []
        bases: dict[str, int] = {}
        try:
            with open(f"/proc/{self._process}/maps", encoding="utf-8", errors="surrogateescape") as file:
                lines = file.read().splitlines()
        except OSError:
            return []
        for line in lines:
            match = _MAPPING.fullmatch(line)
            if match is None:
                continue
            begin, end, name = int(match[1], 16), int(match[2], 16), match[5]
            bases.setdefault(name, 0 if _has_fixed_addresses(name) else begin - int(match[4], 16))
            if "x" in match[3]:
                found.append(CodeMapping(name, begin, end, bases[name]))
        return found


def _has_fixed_addresses(name: str) -> bool:
    try:
        with open(name, "rb") as file:
            head = file.read(18)
    except OSError:
        return False
    return int.from_bytes(head[16:18], "little") == _EXECUTABLE_TYPE


def short_place(place: Location) -> Location:
    """Return `place` with a relative path if its file is below the current folder, as compilers print it."""
    if not isinstance(place, FileLineColLocation):
        return place
    return FileLineColLocation.at(_short(place.file), place.line, place.column)


def _short(name: str) -> str:
    relative = os.path.relpath(name)
    return name if relative.startswith(os.pardir) else relative
