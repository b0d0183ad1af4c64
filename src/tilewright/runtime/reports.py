"""The reports of kernels: failures that stop a launch, and output."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from tilewright.dialects.nv_tileaa.check_messages import HAS_VALUES, operand_words, with_values
from tilewright.interp.numerics.element import FORMATS, ElementFormat, NumpyArray
from tilewright.ir.attribute import Location
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.support.option_spelling import option
from tilewright.ir.support.print_conversions import write_out
from tilewright.runtime import codes, context as runtime_context, description
from tilewright.runtime.context import ReportSite
from tilewright.runtime.workers import threads as workers_threads, waiting

_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
_LINE = 64


_STOPPED = "tilewright_stopped"
"""The attribute of exceptions that ended a launch in the middle of a tile block: the place of the loop."""


def report_failure(
    kernel: description.KernelImage,
    number: int,
    block: int,
    grid: Sequence[int],
    words: str = "",
) -> DiagnosticError:
    """Return the diagnostic for the report that tile block `block` left at site `number` of the kernel.

    ``words`` are the message of a check, with its values; by default they are unknown.
    """
    site = kernel.sites[number]
    where = _where(kernel, block, grid)
    if site.kind == "assert":
        hint = f"the interpreter says which elements were false: {option('target', 'interp')}"
        return failure(
            codes.ASSERTION_FAILED, f"{where}: assertion '{site.text}' failed", site.location, hint=hint
        )
    if site.kind in codes.OF_CHECKS:
        text = f"{where}: {words or with_values(site.text)}"
        return failure(codes.OF_CHECKS[site.kind], text, site.location, hint=hint_of(site))
    return failure(codes.CHECK_FAILED, f"{where}: {site.kind}: {site.text}", site.location)


def hint_of(site: ReportSite) -> str:
    """Return the hint for a finding of a check."""
    hint, *_ = site.types
    return hint


def condition_words(site: ReportSite, details: Sequence[int], array: Callable[[int], str]) -> str:
    """Return the message of a check that failed, with its element and values.

    ``details`` are words: the row-major number of the element in the condition, and the values; further words
    are ignored. `array` returns the name of the array at an address.
    """
    element, *words = details
    (shape,) = site.shapes
    where = f" at {element_words(shape, element)}" if shape else ""
    values = [_number(word, type) for word, type in zip(words, site.types[1:], strict=False)]
    if HAS_VALUES not in site.text:
        return site.text + where + operand_words(values)
    index, limit, address = values
    return with_values(site.text, (index, limit, array(int(address)))) + where


def element_words(shape: Sequence[int], element: int) -> str:
    """Return a phrase for an element of a tile by its row-major number: ``element [1, 2]``."""
    index: Any = np.unravel_index(element, tuple(shape))
    return f"element [{', '.join(str(int(at)) for at in index)}]"


def _number(word: int, type: str) -> float:
    """Return the number in a 64-bit word, which `type` says how to read: as f64, i64 or ui64."""
    data = (word % (1 << 64)).to_bytes(8, "little")
    return (
        float(np.frombuffer(data, "<f8")[0])
        if type == runtime_context.FLOAT_WORD
        else int.from_bytes(data, "little", signed=type == runtime_context.SIGNED_WORD)
    )


def _where(kernel: description.KernelImage, block: int, grid: Sequence[int]) -> str:
    x, y, _ = grid
    place = (block % x, block // x % y, block // (x * y))
    return f"kernel '{kernel.title}' in tile block {place}"


def note_place(
    error: BaseException, kernel: description.KernelImage, number: int, block: int, grid: Sequence[int]
) -> None:
    """Add a note to an exception that ended a launch: tile block `block` of the grid, and the loop at site
    `number` that it was in. Nothing is added if the site is no loop, or if the exception has such a note.
    """
    site = kernel.sites[number]
    if site.kind != "loop" or stopped_at(error) is not None:
        return
    setattr(error, _STOPPED, site.location)
    source = site.location.source
    loop = f", in the loop at {source[0]}:{source[1]}" if source is not None else ""
    error.add_note(f"it ended {_where(kernel, block, grid)}{loop}")


def stopped_at(error: BaseException) -> Location | None:
    """Return the location of the loop in which a tile block was when an exception ended the launch; None if
    it was in no loop.
    """
    return getattr(error, _STOPPED, None)


def stuck_failure(kernel: description.KernelImage, site: ReportSite, stuck: waiting.Stuck) -> DiagnosticError:
    """Return the diagnostic for a launch in which all running tile blocks wait in the loop at `site`.
    ``stuck`` has the numbers of those that wait and of those that cannot begin.
    """
    told = f"{stuck.waiting} tile blocks of kernel '{kernel.title}' wait for others"
    if stuck.missing:
        told += f", and {stuck.missing} more cannot begin"
        hint = f"launch at most {workers_threads.MAXIMUM} tile blocks, so that all can run at once, or wait for earlier ones only"
    else:
        told += ", and no running one can end the wait"
        hint = "see what writes the memory that the loop looks at, and which tile block reaches it"
    return failure(codes.STUCK, told, site.location, hint=hint)


class KernelPrinter:
    """Prints for the tile blocks of a kernel, each message in one piece; ``address`` is the function that kernels call.

    The launching thread writes: `sys.stdout` may depend on the thread.
    """

    def __init__(self, sites: Sequence[ReportSite]) -> None:
        self._sites = tuple(sites)
        self._crews: dict[int, workers_threads.Crew] = {}
        self._function = _CALLBACK(self._print)
        self.address: int = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    @contextmanager
    def printing(self, context: int, crew: workers_threads.Crew) -> Generator[None]:
        """Let the threads of a launch, whose context has the address `context`, print during a ``with``
        block.
        """
        self._crews[context] = crew
        try:
            yield
        finally:
            del self._crews[context]

    def _print(self, context: int, number: int, block: int, values: int) -> None:
        """Print the text of the print at site `number`, whose values are at the address `values`, on the
        launching thread of the launch with the context address `context`. If the text cannot be made, the
        exception is raised on that thread: an exception cannot pass through a kernel.
        """
        crew = self._crews[context]
        try:
            text = _text(self._sites[number], values)
        except BaseException as error:
            crew.call_in_launcher(partial(_raise, error))
        else:
            crew.call_in_launcher(partial(write_out, text))


def _raise(error: BaseException) -> None:
    raise error


def _text(site: ReportSite, address: int) -> str:
    from tilewright.interp.values import render
    from tilewright.ir.support.print_conversions import parse_format

    tiles: list[tuple[NumpyArray, ElementFormat]] = []
    for name, shape in zip(site.types, site.shapes, strict=True):
        format = FORMATS[name]
        size = math.prod(shape) * format.storage_bytes
        tiles.append((_tile(address, size, shape, format), format))
        address += -(-size // _LINE) * _LINE
    return render(parse_format(site.text), tiles)


def _tile(address: int, size: int, shape: Sequence[int], format: ElementFormat) -> Any:
    """Return the tile of shape `shape` whose elements are the `size` bytes at `address`, as an array of the
    interpreter. Elements that share a byte in a program's memory have a byte each here.
    """
    from tilewright.interp.numerics.convert import decode_constant, decode_memory

    data = ctypes.string_at(address, size)
    if format.packed:
        return decode_constant(data, format, size).reshape(shape)
    return decode_memory(np.frombuffer(data, np.uint8), format).reshape(shape)
