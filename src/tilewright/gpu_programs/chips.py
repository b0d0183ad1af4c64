"""What a program is told about the GPU it asks for: facts about products, one row each."""

from __future__ import annotations

import os

from tilewright.gpu_programs import codes
from tilewright.ir.diagnostic import failure
from tilewright.ir.support.record import Record

_KIB, _MIB, _GIB = 1 << 10, 1 << 20, 1 << 30


class GpuProduct(Record, frozen=True):
    """A GPU: its architecture, a product that has it, and figures of that product; sizes are in bytes."""

    architecture: str
    product: str
    multiprocessors: int
    memory: int
    l2_cache: int
    shared_memory: int
    """Of one multiprocessor; a block can use all but a KiB."""
    threads: int = 2048
    """The most that one multiprocessor holds."""

    @property
    def capability(self) -> tuple[int, int]:
        """The compute capability."""
        digits = self.architecture.removeprefix("sm_")
        return int(digits[:-1]), int(digits[-1])

    @property
    def name(self) -> str:
        """What a program is told that the device is called."""
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
"""By architecture."""
DEFAULT = "sm_100"


def chip(architecture: str) -> GpuProduct:
    """The GPU of an architecture.  Raises `DiagnosticError` for one that there is no row for."""
    found = CHIPS.get(architecture)
    if found is None:
        known = ", ".join(CHIPS)
        raise failure(codes.BAD_SETTING, f"unknown GPU '{architecture}'", hint=f"known GPUs: {known}")
    return found


def nearest(capability: str) -> str:
    """The GPU of the table that is most like one that code is made for: the newest that is no newer; for others the default."""
    asked = _number(capability)
    if asked is None:
        return DEFAULT
    numbers = {name: int(name.removeprefix("sm_")) for name in CHIPS}
    older = [name for name, number in numbers.items() if number <= asked]
    return max(older or [min(CHIPS, key=numbers.__getitem__)], key=numbers.__getitem__)


def _number(capability: str) -> int | None:
    """90 of `sm_90a`; None for what is no architecture."""
    digits = capability.removeprefix("sm_").rstrip("af")
    return int(digits) if digits != capability and digits.isdigit() else None


def usable_memory(chip: GpuProduct) -> int:
    """Bytes of memory: no more than this machine has, so that programs which take what there is stay sensible."""
    try:
        host = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on every system
        return chip.memory
    return min(host, chip.memory)
