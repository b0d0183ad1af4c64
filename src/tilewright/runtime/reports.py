"""What kernels tell: failures that stop a launch, and output."""

from __future__ import annotations

import ctypes
import math
import os
import sys
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from tilewright.interp.numerics.element import FORMATS, Array, ElementFormat
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.runtime import codes
from tilewright.runtime.threads import MAXIMUM
from tilewright.runtime.waiting import Stuck
from tilewright.targets.cpu.context import Site
from tilewright.targets.cpu.image import KernelImage

_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
_LINE = 64


def report_failure(kernel: KernelImage, number: int, block: int, grid: Sequence[int]) -> DiagnosticError:
    """The diagnostic for a report that a kernel left in the launch context."""
    site = kernel.sites[number]
    x, y, _ = grid
    place = (block % x, block // x % y, block // (x * y))
    where = f"in tile block {place} of kernel '{kernel.name}'"
    if site.kind == "assert":
        hint = 'the interpreter says which elements were false: target="interp"'
        return failure(
            codes.ASSERTION_FAILED, f"assertion '{site.text}' failed {where}", site.location, hint=hint
        )
    return failure(codes.CHECK_FAILED, f"{site.kind}: {site.text} {where}", site.location)


def stuck_failure(kernel: KernelImage, site: Site, stuck: Stuck) -> DiagnosticError:
    """The diagnostic for a launch in which all tile blocks wait."""
    told = f"{stuck.waiting} tile blocks of kernel '{kernel.name}' wait for others"
    if stuck.missing:
        told += f", and {stuck.missing} more cannot begin"
        hint = f"launch at most {MAXIMUM} tile blocks, so that all can run at once, or wait for earlier ones only"
    else:
        told += ", and none is left that could do what they wait for"
        hint = "see what writes the memory that the loop looks at, and which tile block reaches it"
    return failure(codes.STUCK, told, site.location, hint=hint)


class Printer:
    """Prints for the tile blocks of a kernel, each message in one piece; ``address`` is what kernels call."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self._sites = tuple(sites)
        self._lock = threading.Lock()
        self._failure: BaseException | None = None
        self._function = _CALLBACK(self._print)
        self.address: int = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def raise_failure(self) -> None:
        """Raise what went wrong while printing: an exception cannot pass through a kernel."""
        found, self._failure = self._failure, None
        if found is not None:
            raise found

    def _print(self, context: int, number: int, block: int, values: int) -> None:
        try:
            text = _text(self._sites[number], values)
            with self._lock:
                _write(text)
        except BaseException as error:
            self._failure = error


def _text(site: Site, address: int) -> str:
    from tilewright.interp.print_format import parse_format, render

    tiles: list[tuple[Array, ElementFormat]] = []
    for name, shape in zip(site.types, site.shapes, strict=True):
        format = FORMATS[name]
        size = math.prod(shape) * format.storage_bytes
        tiles.append((_tile(address, size, shape, format), format))
        address += -(-size // _LINE) * _LINE
    return render(parse_format(site.text), tiles)


def _tile(address: int, size: int, shape: Sequence[int], format: ElementFormat) -> Any:
    """Elements as kernels hand them over: a byte for each of those of which two share one in a program's memory."""
    from tilewright.interp.numerics.convert import decode_constant, decode_memory

    data = ctypes.string_at(address, size)
    if format.packed:
        return decode_constant(data, format, size).reshape(shape)
    return decode_memory(np.frombuffer(data, np.uint8), format).reshape(shape)


def _write(text: str) -> None:
    """To file descriptor 1, where device prints go; what Python has buffered for it goes first."""
    sys.stdout.flush()
    data = text.encode("utf-8", "surrogateescape")
    while data:
        data = data[os.write(1, data) :]
