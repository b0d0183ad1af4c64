"""Which element of an array has the byte at an address, for every order and distance of elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilewright.interp.memory.access_messages import _index, _row_number

BASE = np.arange(48, dtype=np.int32)
ARRAYS: dict[str, Any] = {
    "one after the other": BASE,
    "every third": BASE[::3],
    "backwards": BASE[::-1],
    "one for all": np.broadcast_to(BASE[5:6], (4,)),
    "rows": BASE.reshape(6, 8),
    "columns": BASE.reshape(6, 8).T,
    "a part": BASE.reshape(6, 8)[1:4, 2:5],
    "rows backwards": BASE.reshape(6, 8)[::-1],
    "a number": BASE[7:8].reshape(()),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_numbers_in_an_array_that_goes_on(name: str) -> None:
    array = ARRAYS[name]
    first = array.ctypes.data
    step = array.strides[0] if array.ndim == 1 else 0
    for number in (-2, -1, 0, 1, 3, 100):
        found = _row_number(array, first + number * step)
        assert found == (number if step > 0 else None)
    assert _row_number(array, first + 1) is None
    assert _row_number(None, first) is None


@pytest.mark.parametrize(
    "name", ["one after the other", "every third", "rows", "columns", "a part", "a number"]
)
def test_every_byte_of_an_element_is_the_elements(name: str) -> None:
    array = ARRAYS[name]
    for index in np.ndindex(array.shape):
        place = array.ctypes.data + sum(at * stride for at, stride in zip(index, array.strides, strict=True))
        assert [_index(array, place + byte) for byte in range(4)] == [index] * 4
    assert _index(None, 0) is None
