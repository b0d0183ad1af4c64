"""Diagnostic codes of programs with the stand-in for CUDA: C++, and Python (TW136x)."""

from __future__ import annotations

from tilewright.ir.codes import code

HOST_POINTER = code(
    1360,
    "memory of the host where memory of the device is needed",
    "A kernel or a copy was given a pointer to memory of the host: a local variable, or memory of `malloc` or `new`. "
    "A GPU cannot access it. Allocate the memory with `cudaMalloc` and copy, or with `cudaMallocManaged` or "
    "`cudaMallocHost`. For a copy, check the order of the arguments and the kind.",
)
USE_AFTER_FREE = code(
    1361,
    "memory of the device is used after it was freed",
    "A kernel or a copy uses memory that `cudaFree` has released. The notes have the lines that allocated and freed it.",
)
BAD_FREE = code(
    1362,
    "memory of the device is freed wrongly",
    "The pointer was freed before, is not the beginning of an allocation, or was allocated by a function that another "
    "function frees: `cudaFree` for `cudaMalloc` and `cudaMallocManaged`, `cudaFreeHost` for `cudaMallocHost` and "
    "`cudaHostAlloc`.",
)
PAST_THE_END = code(
    1363,
    "a copy past the end of memory of the device",
    "A copy or `cudaMemset` touches bytes behind the end of an allocation. Sizes are in bytes: multiply the number of "
    "elements by `sizeof`.",
)
UNCHECKED_ERROR = code(
    1364,
    "an error of the CUDA runtime that the program never looks at",
    "A call or a launch failed, and the program ended without `cudaGetLastError` or `cudaPeekAtLastError`. What follows "
    "worked on wrong data. Check what each call returns, and call `cudaGetLastError` after launches.",
)
LEAK = code(
    1365,
    "memory of the device is never freed",
    "The memory was still allocated when the program ended. This is a warning: the driver frees it.",
)
STREAM_ORDER = code(
    1366,
    "work in two streams is not ordered",
    "Two streams access the same bytes, at least one writes, and nothing orders the two: on a GPU they may run at the "
    "same time. Record an event behind the first and let the other stream wait for it (`cudaStreamWaitEvent`), or "
    "synchronise.",
)
HOST_ACCESS = code(
    1367,
    "the host accesses memory of the device",
    "The host reads or writes memory of `cudaMalloc`, which only kernels and copies may access. On a machine with a GPU "
    "the program crashes at this line, as it does here. Copy the memory with `cudaMemcpy`, or allocate it with "
    "`cudaMallocManaged`.",
)
NOT_PROVIDED = code(
    1368,
    "a call that the stand-in for the CUDA runtime and driver does not have",
    "The program calls a function of the CUDA runtime or driver that has no meaning here so far. It returns "
    "`cudaErrorNotSupported` or `CUDA_ERROR_NOT_SUPPORTED`. Two guides list what there is: calls of the CUDA runtime, and "
    "calls of the CUDA driver.",
)
NO_DEVICE_CODE = code(
    1369,
    "an executable has no code that can be run here",
    "Kernels are run from PTX and from Tile IR. An executable that was built by another compiler may have machine code "
    "for GPUs only, or compressed code. Build it with `tilewright nvcc`, or with `nvcc -no-compress` and PTX: "
    "`-gencode arch=compute_90,code=compute_90`.",
)
NO_NVCC = code(
    1370,
    "tilewright nvcc cannot find what it needs",
    "C++ programs are compiled by `nvcc` of CUDA 13.3 or later, with the host compiler `g++`. "
    "`pip install nvidia-cuda-nvcc nvidia-nvvm nvidia-cuda-runtime nvidia-cuda-crt nvidia-cuda-cccl` brings nvcc and the "
    "headers. Programs in Python that call the driver or the runtime need `g++` and the headers of `nvidia-cuda-runtime`. "
    "`tilewright doctor` shows what is found.",
)
NOT_BUILT = code(
    1371,
    "the stand-in for the CUDA runtime cannot be built",
    "The stand-in is C++ in this package, which the host compiler builds when it is first needed. The message has what "
    "the compiler printed.",
)
