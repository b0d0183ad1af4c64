"""Programs with `cuda.core`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from tests.cuda_programs.python.in_device import line, line_with, place_of
from tilewright.runtime.findings.record import FindingRecord

core: Any = import_module("cuda.core")
NAME = "core_programs.py"
CODE = """
template <typename T> __global__ void add(const T* a, const T* b, T* sum, size_t count) {
    size_t at = threadIdx.x + blockIdx.x * blockDim.x;
    for (; at < count; at += gridDim.x * blockDim.x) sum[at] = a[at] + b[at];
}
"""
COUNT = 1000


def begun() -> tuple[Any, Any]:
    device = core.Device()
    device.set_current()
    return device, device.create_stream()


def kernel_of(device: Any, form: str) -> Any:
    program = core.Program(
        CODE, code_type="c++", options=core.ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
    )
    return program.compile(form, name_expressions=("add<float>",)).get_kernel("add<float>")


def filled(values: Any, device: Any, stream: Any) -> Any:
    """Return memory of the device with values, which go there over pinned memory."""
    pinned = core.LegacyPinnedMemoryResource().allocate(values.nbytes)
    np.from_dlpack(pinned).view(values.dtype)[:] = values
    made = device.allocate(values.nbytes, stream=stream)
    made.copy_from(pinned, stream=stream)
    return made


def read(buffer: Any, like: Any, stream: Any) -> Any:
    pinned = core.LegacyPinnedMemoryResource().allocate(buffer.size)
    buffer.copy_to(pinned, stream=stream)
    stream.sync()
    return np.from_dlpack(pinned).view(like.dtype).copy()


def run_add(record: FindingRecord, form: str) -> None:
    device, stream = begun()
    values = np.arange(COUNT, dtype=np.float32)
    a, b = filled(values, device, stream), filled(values, device, stream)
    total = device.allocate(values.nbytes, stream=stream)
    core.launch(
        stream, core.LaunchConfig(grid=4, block=64), kernel_of(device, form), a, b, total, np.uint64(COUNT)
    )
    assert (read(total, values, stream) == 2 * values).all()
    record.gather()
    assert record.findings == []


def program_from_machine_code(record: FindingRecord) -> None:
    run_add(record, "cubin")


def program_from_ptx(record: FindingRecord) -> None:
    run_add(record, "ptx")


def program_behind_the_end(record: FindingRecord) -> None:
    device, stream = begun()
    values = np.arange(COUNT, dtype=np.float32)
    a, total = filled(values, device, stream), device.allocate(4 * COUNT - 4, stream=stream)
    kernel, config = kernel_of(device, "cubin"), core.LaunchConfig(grid=4, block=64)
    core.launch(stream, config, kernel, a, a, total, np.uint64(COUNT))
    place = line() - 1
    record.gather()
    assert [str(one.code) for one in record.findings] == ["TW1254"]
    assert "0 bytes behind the end of an allocation of 3996 bytes" in record.findings[0].message
    assert place_of(record.findings[0].location) == (NAME, line_with(__file__, "for (; at"))
    assert place_of(record.findings[0].notes[-1].location) == (NAME, place)


def program_linked(record: FindingRecord) -> None:
    device, stream = begun()
    options = core.ProgramOptions(arch=f"sm_{device.arch}", relocatable_device_code=True)
    units = (
        'extern __device__ int twice(int); extern "C" __global__ void run(int* x) { *x = twice(*x); }',
        "__device__ int twice(int x) { return 2 * x; }",
    )
    codes = [core.Program(unit, code_type="c++", options=options).compile("ptx") for unit in units]
    linked = core.Linker(*codes, options=core.LinkerOptions(arch=f"sm_{device.arch}")).link("cubin")
    assert isinstance(linked, core.ObjectCode)
    values = np.full(1, 21, np.int32)
    buffer = filled(values, device, stream)
    core.launch(stream, core.LaunchConfig(grid=1, block=1), linked.get_kernel("run"), buffer)
    assert read(buffer, values, stream).tolist() == [42]


def program_link_time_optimisation(record: FindingRecord) -> None:
    device, stream = begun()
    options = core.ProgramOptions(arch=f"sm_{device.arch}", link_time_optimization=True)
    unit = 'extern "C" __global__ void run(int* x) { *x += 1; }'
    code = core.Program(unit, code_type="c++", options=options).compile("ltoir")
    chosen = core.LinkerOptions(arch=f"sm_{device.arch}", link_time_optimization=True)
    kernel = core.Linker(code, options=chosen).link("cubin").get_kernel("run")
    values = np.full(1, 41, np.int32)
    buffer = filled(values, device, stream)
    core.launch(stream, core.LaunchConfig(grid=1, block=1), kernel, buffer)
    assert read(buffer, values, stream).tolist() == [42]


def program_events(record: FindingRecord) -> None:
    _, stream = begun()
    begin, end = (stream.record(options={"timing_enabled": True}) for _ in range(2))
    end.sync()
    assert end - begin >= 0
