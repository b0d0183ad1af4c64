"""Programs that pass CUDA tensors of PyTorch to kernels of their own."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tests.cuda_programs.python.in_device import refusal
from tilewright.runtime.findings.record import FindingRecord

torch: Any = import_module("torch")
cupy: Any = import_module("cupy")
CODE = """
extern "C" __global__ void twice(float* data, int count) {
    if (threadIdx.x < count) data[threadIdx.x] *= 2;
}
"""


def program_addresses_of_tensors(record: FindingRecord) -> None:
    kernel, values = cupy.RawKernel(CODE, "twice"), torch.arange(8.0, device="cuda")
    kernel((1,), (32,), (values[2:].data_ptr(), 6))
    assert values.tolist() == [0, 1, 4, 6, 8, 10, 12, 14]
    values += 1
    kernel((1,), (32,), (values.data_ptr(), 8))
    assert values.tolist() == [2, 4, 10, 14, 18, 22, 26, 30]
    record.gather()
    assert record.findings == []


def program_an_address_after_its_tensor(record: FindingRecord) -> None:
    kernel, address = cupy.RawKernel(CODE, "twice"), torch.ones(8, device="cuda").data_ptr()
    kernel((1,), (32,), (address, 8))
    record.gather()
    assert "this is memory that was freed" in record.findings[0].message


def program_arrays_and_tensors(record: FindingRecord) -> None:
    values = cupy.ones(8, dtype=cupy.float32)
    cupy.RawKernel(CODE, "twice")((1,), (32,), (values, 8))
    tensor = torch.from_dlpack(values)
    assert tensor.is_cuda
    tensor += 1
    assert values.tolist() == [3] * 8


def program_extensions_with_cuda_sources(record: FindingRecord) -> None:
    extensions: Any = import_module("torch.utils.cpp_extension")
    found = refusal(lambda: extensions.load_inline("extension", "", cuda_sources=CODE, functions=["twice"]))
    assert str(found.code) == "TW1300"
    assert "load_inline" in found.message
