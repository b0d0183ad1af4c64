"""The memory of this process that kernels may touch: to the last byte of a range, and no further."""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from tilewright.interp.memory.address_space import ProcessMemory

PAGES = 4 * mmap.PAGESIZE
NOTHING = 0

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux lists the memory of a process")


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """The first and the last page of four may not be touched, the second only be read; the ends of the third."""
    area = mmap.mmap(-1, PAGES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    held = ctypes.c_char.from_buffer(area)
    base = ctypes.addressof(held)
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    for page, permission in enumerate((NOTHING, mmap.PROT_READ, None, NOTHING)):
        if permission is not None:
            assert protect(base + page * mmap.PAGESIZE, mmap.PAGESIZE, permission) == 0
    yield base + 2 * mmap.PAGESIZE, base + 3 * mmap.PAGESIZE
    protect(base, PAGES, mmap.PROT_READ | mmap.PROT_WRITE)
    del held
    area.close()


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("size", [1, 2, 4, 8, 16])
def test_elements_end_where_the_range_ends(ends: tuple[int, int], size: int, write: bool) -> None:
    first, end = ends
    addresses = np.array(
        [end - size, end - size + 1, end, first, first - mmap.PAGESIZE, first - 2 * mmap.PAGESIZE]
    )
    found = ProcessMemory().permits(addresses, size, write=write)
    assert found.tolist() == [True, False, False, True, not write, False]
