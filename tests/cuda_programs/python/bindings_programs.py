"""Programs with `cuda.bindings`, whose kernels NVRTC compiles, and with CuPy's kernels in CUDA C++."""

from __future__ import annotations

import ctypes
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from tests.cuda_programs.python.in_device import line, line_with, place_of, refusal
from tilewright.cpp.compiler import file_bytecode
from tilewright.cpp.options import CppOptions
from tilewright.runtime.findings.record import FindingRecord

cupy: Any = import_module("cupy")
driver: Any = import_module("cuda.bindings.driver")
nvrtc: Any = import_module("cuda.bindings.nvrtc")
runtime: Any = import_module("cuda.bindings.runtime")
NAME = "bindings_programs.py"
CODE = """
template <typename T> __global__ void scale(T* data, T factor, int count) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) data[at] *= factor;
}
extern "C" __global__ void reverse(int* data) {
    __shared__ int part[64];
    part[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = part[63 - threadIdx.x];
}
"""


def checked(result: Any) -> Any:
    error, *values = result
    assert not error, error
    return values[0] if len(values) == 1 else values


def compiled(expression: bytes, options: list[bytes], code: str = CODE) -> tuple[Any, bytes]:
    """Return the program and the symbol of a kernel."""
    program = checked(nvrtc.nvrtcCreateProgram(code.encode(), b"code.cu", 0, [], []))
    checked(nvrtc.nvrtcAddNameExpression(program, expression))
    checked(nvrtc.nvrtcCompileProgram(program, len(options), options))
    return program, checked(nvrtc.nvrtcGetLoweredName(program, expression))


def loaded(expression: bytes) -> Any:
    """Return a kernel of `CODE`, from what NVRTC has for machine code."""
    checked(runtime.cudaFree(0))
    program, symbol = compiled(expression, [b"-arch=sm_90"])
    size = checked(nvrtc.nvrtcGetCUBINSize(program))
    code = b" " * size
    checked(nvrtc.nvrtcGetCUBIN(program, code))
    return checked(driver.cuModuleGetFunction(checked(driver.cuModuleLoadData(code)), symbol))


def on_device(values: Any) -> int:
    address = checked(runtime.cudaMalloc(values.nbytes))
    there = runtime.cudaMemcpyKind.cudaMemcpyHostToDevice
    checked(runtime.cudaMemcpy(address, values.ctypes.data, values.nbytes, there))
    return int(address)


def on_host(address: int, like: Any) -> Any:
    values = np.zeros_like(like)
    back = runtime.cudaMemcpyKind.cudaMemcpyDeviceToHost
    checked(runtime.cudaMemcpy(values.ctypes.data, address, values.nbytes, back))
    return values


def codes_of(record: FindingRecord) -> list[str]:
    record.gather()
    return [str(one.code) for one in record.findings]


def program_nvrtc_and_runtime(record: FindingRecord) -> None:
    values = np.arange(100, dtype=np.float64)
    address, kernel = on_device(values), loaded(b"scale<double>")
    arguments = (address, 3.0, 100), (ctypes.c_void_p, ctypes.c_double, ctypes.c_int)
    checked(driver.cuLaunchKernel(kernel, 4, 1, 1, 32, 1, 1, 0, 0, arguments, 0))
    assert (on_host(address, values) == 3 * values).all()
    checked(runtime.cudaFree(address))
    assert checked(runtime.cudaGetDeviceCount()) == 1
    assert checked(runtime.cudaGetDeviceProperties(0)).major == 9


def program_a_missing_barrier_with_its_line(record: FindingRecord) -> None:
    address, kernel = on_device(np.arange(64, dtype=np.int32)), loaded(b"reverse")
    checked(driver.cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, 0, ((address,), (ctypes.c_void_p,)), 0))
    place = line() - 1
    assert codes_of(record) == ["TW1265"]
    found = record.findings[0]
    read = line_with(__file__, "data[threadIdx.x] = part")
    places = [place_of(one.location) for one in (found, *found.notes)]
    assert places == [(NAME, read), (NAME, read - 1), (NAME, place)]


def program_tile_code_of_nvrtc(record: FindingRecord) -> None:
    code = """
#include <cuda_tile.h>
namespace ct = cuda::tiles;
extern "C" __tile_global__ void add(float* x, float* y) {
    auto at = ct::iota<ct::tile<int, ct::shape<16>>>();
    ct::store(y + at, ct::load(x + at) + 1.0f);
}
"""
    from tilewright.cpp.toolchain import find

    include = [f"-I{folder}".encode() for folder in find().include]
    checked(runtime.cudaFree(0))
    program, symbol = compiled(b"add", [b"--enable-tile", b"-std=c++20", b"-arch=sm_100", *include], code)
    size = checked(nvrtc.nvrtcGetTileIRSize(program))
    bytecode = b" " * size
    checked(nvrtc.nvrtcGetTileIR(program, bytecode))
    kernel = checked(driver.cuModuleGetFunction(checked(driver.cuModuleLoadData(bytecode)), symbol))
    values = np.arange(16, dtype=np.float32)
    x, y = on_device(values), on_device(values)
    arguments = (x, y), (ctypes.c_void_p, ctypes.c_void_p)
    checked(driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0))
    assert (on_host(y, values) == values + 1).all()


def program_errors_of_the_runtime(record: FindingRecord) -> None:
    (error,) = runtime.cudaMemcpy(0, 0, 4, runtime.cudaMemcpyKind.cudaMemcpyHostToDevice)
    assert error == runtime.cudaError_t.cudaErrorInvalidValue
    assert checked(runtime.cudaGetErrorString(error)) == b"invalid argument"


def program_cupy_kernel(record: FindingRecord) -> None:
    kernel = cupy.RawKernel(CODE, "reverse")
    values = cupy.arange(64, dtype=cupy.int32)
    kernel((1,), (64,), (values,))
    assert codes_of(record) == ["TW1265"]
    assert kernel.max_threads_per_block == 1024
    kernel.max_dynamic_shared_size_bytes = 60_000
    assert kernel.attributes["max_dynamic_shared_size_bytes"] >= 60_000


def program_cupy_module(record: FindingRecord) -> None:
    module = cupy.RawModule(code=CODE, name_expressions=["scale<float>", "scale<int>"])
    values = cupy.ones((4, 6), dtype=cupy.float32)
    module.get_function("scale<float>")((1,), (32,), (values[1:], np.float32(2), 6))
    assert values.get().tolist() == [[1.0] * 6, [2.0] * 6, *[[1.0] * 6] * 2]
    half = values.sum(axis=0)
    assert half.data.ptr != values.data.ptr
    numbers = cupy.arange(5)
    module.get_function("scale<int>")((1,), (32,), (numbers.astype("int32"), np.int32(2), np.int32(5)))
    assert codes_of(record) == []


def program_cupy_arrays_with_another_package(record: FindingRecord) -> None:
    kernel, values = loaded(b"scale<float>"), cupy.arange(10, dtype=cupy.float32)
    arguments = (values.data.ptr, 2.0, 10), (ctypes.c_void_p, ctypes.c_float, ctypes.c_int)
    checked(driver.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0))
    assert (values == 2 * cupy.arange(10)).all()
    address = values.data.ptr
    del values
    arguments = (address, 2.0, 10), (ctypes.c_void_p, ctypes.c_float, ctypes.c_int)
    checked(driver.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0))
    assert codes_of(record) == ["TW1254"]
    assert "this is memory that was freed" in record.findings[0].message


def program_cupy_wrong_arguments(record: FindingRecord) -> None:
    kernel, values = cupy.RawKernel(CODE, "reverse"), cupy.arange(64, dtype=cupy.int32)
    cases: list[tuple[tuple[Any, ...], str]] = [
        ((values, 4), "has 1 parameters, and is given 2 arguments"),
        ((np.float32(1),), "argument 0 has 4 bytes, and its parameter 8"),
        ((np.zeros(3),), "an array of NumPy with 3 elements"),
    ]
    for arguments, words in cases:
        found = refusal(lambda: kernel((1,), (64,), arguments))  # noqa: B023  # called at once
        assert words in found.message
        assert place_of(found.location) == (NAME, line() - 2)


def program_cupy_code_with_an_error(record: FindingRecord) -> None:
    kernel = cupy.RawKernel(
        """
extern "C" __global__ void wrong(int* data) {
    data[0] = missing_name;
}
""",
        "wrong",
    )
    place = line() - 5
    assert place_of(refusal(kernel.compile).location) == (NAME, place)


def program_a_file_of_cpp_keeps_its_lines(record: FindingRecord) -> None:
    """Its text stands here, too, but the file is what tilewright compiles."""
    text = """
#include <cuda_tile.h>
__tile_global__ void wrong(int* data) { *data = missing_name; }
"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "wrong.cu")
        path.write_text(text, encoding="utf-8")
        found = refusal(lambda: file_bytecode(path, CppOptions(compiler="nvrtc")))
    assert "missing_name" in found.message
    assert place_of(found.location) == ("wrong.cu", 3)
