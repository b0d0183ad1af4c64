"""Properties of GPUs that programs can query: facts about products, one row each."""

from __future__ import annotations

import os

from tilewright.gpu_programs import codes
from tilewright.ir.diagnostic import failure
from tilewright.ir.support.record import Record

_KIB, _MIB, _GIB = 1 << 10, 1 << 20, 1 << 30


class GpuProduct(Record, frozen=True):
    """A GPU: its architecture, a product with this architecture, and figures of that product; sizes are in
    bytes. ``shared_memory`` is the shared memory, and ``threads`` the maximum number of resident threads, of
    one multiprocessor.
    """

    architecture: str
    product: str
    multiprocessors: int
    memory: int
    l2_cache: int
    shared_memory: int
    """The bytes of shared memory of one multiprocessor; a block can use all but 1 KiB."""
    threads: int = 2048
    """The maximum number of resident threads of one multiprocessor."""

    @property
    def capability(self) -> tuple[int, int]:
        """The compute capability: `(9, 0)` for `sm_90`."""
        digits = self.architecture.removeprefix("sm_")
        return int(digits[:-1]), int(digits[-1])

    @property
    def name(self) -> str:
        """The name of the device that programs see, such as ``NVIDIA H100 (tilewright on the CPU)``."""
        return f"NVIDIA {self.product} (tilewright on the CPU)"


_ROWS = (
    GpuProduct("sm_80", "A100", 108, 40 * _GIB, 40 * _MIB, 164 * _KIB),
    GpuProduct("sm_86", "GeForce RTX 3090", 82, 24 * _GIB, 6 * _MIB, 100 * _KIB, 1536),
    GpuProduct("sm_89", "GeForce RTX 4090", 128, 24 * _GIB, 72 * _MIB, 100 * _KIB, 1536),
    GpuProduct("sm_90", "H100", 132, 80 * _GIB, 50 * _MIB, 228 * _KIB),
    GpuProduct("sm_100", "B200", 148, 180 * _GIB, 126 * _MIB, 228 * _KIB),
    GpuProduct("sm_120", "GeForce RTX 5090", 170, 32 * _GIB, 96 * _MIB, 100 * _KIB, 1536),
    GpuProduct("sm_121", "GB10", 48, 128 * _GIB, 24 * _MIB, 100 * _KIB, 1536),
)
CHIPS = {chip.architecture: chip for chip in _ROWS}
"""The GPUs by their architecture."""
DEFAULT = "sm_100"


def chip(architecture: str) -> GpuProduct:
    """Return the GPU of an architecture such as `sm_90`.

    Raises `DiagnosticError` for an architecture that is not in the table.
    """
    found = CHIPS.get(architecture)
    if found is None:
        known = ", ".join(CHIPS)
        raise failure(codes.BAD_SETTING, f"unknown GPU '{architecture}'", hint=f"known GPUs: {known}")
    return found


def nearest(capability: str) -> str:
    """Return the name of the GPU in the table for code of the architecture `capability`: the newest that is
    not newer than the code, or the oldest. Return the default GPU if `capability` is not an architecture.
    """
    asked = _number(capability)
    if asked is None:
        return DEFAULT
    numbers = {name: int(name.removeprefix("sm_")) for name in CHIPS}
    older = [name for name, number in numbers.items() if number <= asked]
    return max(older or [min(CHIPS, key=numbers.__getitem__)], key=numbers.__getitem__)


def _number(capability: str) -> int | None:
    """Return the number of an architecture with its prefix or suffix, 90 for `sm_90a`; None for other text,
    such as ``host``.
    """
    digits = capability.removeprefix("sm_").rstrip("af")
    return int(digits) if digits != capability and digits.isdigit() else None


def usable_memory(chip: GpuProduct) -> int:
    """Return the bytes of memory that programs see: the GPU's memory, or the memory of this machine if that
    is smaller. Programs that allocate all of it then fit.
    """
    try:
        host = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on every system
        return chip.memory
    return min(host, chip.memory)
