"""Array arguments: what is taken, without a copy, and what is refused with which words."""

from __future__ import annotations

import array
import gc
import weakref
from typing import Any

import numpy as np
import pytest

from tests.cutile.foreign import CUDA, Capsules, OldDlpack, OnlyDlpack, Tensor, zeros
from tilewright.cutile import LaunchError
from tilewright.cutile.arrays import array_view
from tilewright.host.addresses import BY_NUMPY_NAME, ELEMENTS, UnusableMemoryError
from tilewright.host.arrays import is_array_like
from tilewright.host.dlpack import from_capsule

FLOAT32 = (2, 32)


def view(value: Any) -> Any:
    return array_view(value, "argument 'x'")


def refusal(value: Any) -> str:
    with pytest.raises(LaunchError) as caught:
        view(value)
    text = str(caught.value)
    assert "error[TW0401]: argument 'x': " in text.splitlines()[0]
    return text


@pytest.mark.parametrize("element", [e.numpy for e in ELEMENTS])
def test_every_element_type_of_numpy_and_ml_dtypes(element: str) -> None:
    found = view(zeros((3, 4), element))
    assert found.element is BY_NUMPY_NAME[element]
    assert found.array.itemsize * 8 == found.element.bits
    assert (found.shape, found.strides) == ((3, 4), (4, 1))


def test_numpy_views_are_passed_in_place() -> None:
    base = np.arange(60, dtype=np.int16).reshape(6, 10)
    part = base[1:5:2, 3:].T
    found = view(part)
    assert found.array is part
    assert found.address == base.ctypes.data + 2 * 13
    assert (found.shape, found.strides) == ((7, 2), (1, 20))


@pytest.mark.parametrize("wrapper", [OnlyDlpack, OldDlpack])
@pytest.mark.parametrize("shape", [(), (5,), (2, 3, 4), (0, 3)])
def test_dlpack_of_both_ages(wrapper: Any, shape: tuple[int, ...]) -> None:
    base = np.full(shape, 7, np.float64)
    found = view(wrapper(base))
    assert found.shape == shape
    assert found.array.base is not None
    assert (found.array == 7).all()
    assert found.address == base.ctypes.data


def test_dlpack_says_whether_memory_may_be_written() -> None:
    base = np.zeros(4)
    found = view(OnlyDlpack(base))
    found.array[...] = 7
    assert (base == 7).all()
    base.flags.writeable = False
    assert not view(OnlyDlpack(base)).array.flags.writeable


def test_dlpack_without_version_is_read_only_unless_the_exporter_says_otherwise() -> None:
    class WithFlags(OldDlpack):
        @property
        def flags(self) -> Any:
            return self.array.flags

    class WithBuffer(OldDlpack, bytearray):
        pass

    base = np.zeros(4)
    assert not view(OldDlpack(base)).array.flags.writeable
    assert not view(Capsules(base, FLOAT32)).array.flags.writeable
    assert view(WithFlags(base)).array.flags.writeable
    assert view(WithBuffer(base)).array.flags.writeable
    base.flags.writeable = False
    with pytest.raises(LaunchError, match="does not export its memory: Cannot export readonly"):
        view(WithFlags(base))


@pytest.mark.parametrize("element", [e.numpy for e in ELEMENTS])
def test_dlpack_element_types(element: str) -> None:
    base = zeros((4, 6), element)
    producer = Capsules(
        base, BY_NUMPY_NAME[element].dlpack, shape=(2, 3), strides=(12, 2), byte_offset=base.itemsize
    )
    found = view(producer)
    assert found.array.dtype == base.dtype
    assert found.address == base.ctypes.data + base.itemsize
    base[2, 5] = base[0, 1] = np.ones((), base.dtype)
    expected = np.zeros((2, 3), base.dtype)
    expected[0, 0] = expected[1, 2] = np.ones((), base.dtype)
    assert (found.array == expected).all()


@pytest.mark.usefixtures("young_heap")
def test_dlpack_memory_lives_as_long_as_its_view() -> None:
    producer = Capsules(np.zeros(4, np.float32), FLOAT32)
    found = view(producer)
    assert found.strides == (1,)
    part = found.array[1:]
    del found
    gc.collect()
    assert producer.freed == 0
    del part
    gc.collect()
    assert producer.freed == 1


@pytest.mark.usefixtures("young_heap")
def test_dlpack_keeps_its_owner_alive() -> None:
    base = np.zeros(4)
    alive = weakref.ref(base)
    found = view(OnlyDlpack(base))
    del base
    gc.collect()
    assert alive() is not None
    del found
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize(
    ("producer", "message"),
    [
        (Capsules(np.zeros(4, np.float32), FLOAT32, device=CUDA), "device type 2"),
        (Capsules(np.zeros(4, np.float32), (5, 64)), "code 5, 64 bits"),
        (Capsules(np.zeros(4, np.float32), FLOAT32, lanes=4), "4 lanes"),
    ],
)
def test_dlpack_refusals(producer: Any, message: str) -> None:
    assert message in refusal(producer)


def test_a_used_capsule_is_refused() -> None:
    class Used:
        def __dlpack__(self) -> object:
            return "no capsule"

    with pytest.raises(UnusableMemoryError, match="did not return a fresh DLPack capsule"):
        from_capsule(Used())


@pytest.mark.parametrize("options", [{}, {"requires_grad": True}, {"exports": False}])
@pytest.mark.parametrize("element", ["float32", "bfloat16", "float8_e5m2"])
def test_torch_like_tensors(element: str, options: dict[str, Any]) -> None:
    base = zeros((4, 6), element)
    found = view(Tensor(base[:, ::2], **options))
    assert found.element is BY_NUMPY_NAME[element]
    assert (found.shape, found.strides) == ((4, 3), (6, 2))
    found.array[...] = np.ones((), base.dtype)
    assert (base == np.ones((), base.dtype)).sum() == 12


def test_torch_like_refusals() -> None:
    assert "copy it to the host: x.cpu()" in refusal(Tensor(np.zeros(3), device="cuda"))
    assert "type not supported" in refusal(Tensor(np.zeros(3), dtype="complex32", exports=False))
    assert "signs of the tensor's elements" in refusal(Tensor(np.zeros(3), is_negated=True))


@pytest.mark.parametrize("element", ["float32", "float16", "bfloat16", "int64", "bool", "float8_e4m3fn"])
def test_real_torch_tensors(element: str) -> None:
    torch: Any = pytest.importorskip("torch")
    tensor = torch.zeros((4, 6), dtype=getattr(torch, element))
    found = view(tensor.t())
    assert (found.shape, found.strides) == ((6, 4), (1, 6))
    assert (found.element.numpy, found.address) == (element, tensor.data_ptr())


def test_buffers() -> None:
    buffer = array.array("f", [1, 2, 3])
    found = view(buffer)
    found.array[1] = 9
    assert list(buffer) == [1, 9, 3]
    assert view(bytearray(8)).element.numpy == "uint8"
    assert not view(bytes(8)).array.flags.writeable


class GpuOnly:
    """What is only in GPU memory."""

    __cuda_array_interface__ = None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.zeros(3, np.complex64), "complex64"),
        (np.zeros(3, ">f4"), "not supported"),
        (np.zeros(3, "S4"), "not supported"),
        (np.zeros(3, object), "not supported"),
        (np.zeros(3)[::-1], "negative stride -1"),
        (np.ma.masked_array([1.0]), "masked"),
        (np.zeros(3, [("a", "i1"), ("b", "<i4")])["b"], "not aligned"),
        (np.frombuffer(bytearray(9), np.uint8)[1:].view(np.float64), "not aligned"),
        (GpuOnly(), "is in GPU memory"),
        ("text", "has no host memory"),
    ],
)
def test_refusals(value: Any, message: str) -> None:
    assert message in refusal(value)


def test_read_only_arrays_stay_read_only() -> None:
    value = np.zeros(3)
    value.flags.writeable = False
    assert view(value).array is value
    assert not view(OnlyDlpack(np.broadcast_to(np.zeros(1), (4,)))).array.flags.writeable


def test_a_single_element_may_have_any_stride() -> None:
    assert view(np.zeros(3)[:1][::-1]).strides == (1,)
    assert view(np.zeros((2, 3))[:0][::-1]).strides == (3, 1)


def test_what_is_looked_at_as_an_array() -> None:
    yes: list[Any] = [np.zeros(1), OnlyDlpack(np.zeros(1)), bytearray(1), GpuOnly()]
    assert all(is_array_like(value) for value in yes)
    assert not any(is_array_like(value) for value in (1, 1.0, "x", None, [1], object()))
