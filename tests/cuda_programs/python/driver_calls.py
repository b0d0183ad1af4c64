"""Programs that call the driver through ctypes, and write their kernels in PTX."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from tests.cuda_programs.python.in_device import SETTINGS, line, place_of
from tilewright.cuda_programs import python_programs
from tilewright.runtime.findings.record import FindingRecord

NAME = "driver_calls.py"
HEADER = ".version 8.0\n.target sm_90\n.address_size 64\n"
KERNELS = (
    HEADER
    + """
.global .align 4 .u32 table[4] = {1, 2, 3, 4};
.visible .entry scale(.param .u64 data, .param .f32 factor, .param .u32 count)
{
  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %d<4>; .reg .f32 %f<4>;
  ld.param.u64 %d1, [data]; ld.param.f32 %f1, [factor]; ld.param.u32 %r1, [count];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p, %r5, %r1;
  @%p bra END;
  mad.wide.u32 %d2, %r5, 4, %d1;
  ld.global.f32 %f2, [%d2]; mul.f32 %f3, %f2, %f1; st.global.f32 [%d2], %f3;
END: ret;
}
.visible .entry neighbours(.param .u64 data)
{
  .reg .b32 %r<6>; .reg .b64 %d<4>;
  .shared .align 4 .b32 part[64];
  ld.param.u64 %d1, [data];
  mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, part; add.u32 %r3, %r3, %r2;
  st.shared.u32 [%r3], %r1;
  xor.b32 %r4, %r2, 128; mov.u32 %r5, part; add.u32 %r4, %r4, %r5;
  ld.shared.u32 %r5, [%r4];
  cvt.u64.u32 %d2, %r2; add.u64 %d3, %d1, %d2; st.global.u32 [%d3], %r5;
  ret;
}
"""
)
CALLS_TWICE = """
.extern .func (.param .b32 result) twice (.param .b32 value);
.visible .entry doubled(.param .u64 data)
{
  .reg .b32 %r<3>; .reg .b64 %d<2>;
  ld.param.u64 %d1, [data]; ld.global.u32 %r1, [%d1];
  { .param .b32 value; .param .b32 result; st.param.b32 [value], %r1;
    call.uni (result), twice, (value); ld.param.b32 %r2, [result]; }
  st.global.u32 [%d1], %r2; ret;
}
"""
TWICE = """
.visible .func (.param .b32 result) twice (.param .b32 value)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [value]; add.u32 %r2, %r1, %r1; st.param.b32 [result], %r2; ret;
}
"""
device = python_programs.stand_in(SETTINGS)
driver: Any = device.library
INVALID_VALUE, OUT_OF_MEMORY, NOT_INITIALIZED, INVALID_CONTEXT = 1, 2, 3, 201
INVALID_IMAGE, INVALID_HANDLE, NOT_FOUND, ILLEGAL_ADDRESS, NOT_SUPPORTED = 200, 400, 500, 700, 801


def begin() -> None:
    context = ctypes.c_void_p()
    device.call("cuInit", 0)
    device.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    device.call("cuCtxSetCurrent", context)


def allocated(size: int) -> ctypes.c_uint64:
    found = ctypes.c_uint64()
    device.call("cuMemAlloc_v2", ctypes.byref(found), ctypes.c_size_t(size))
    return found


def uploaded(values: Any) -> ctypes.c_uint64:
    found = allocated(values.nbytes)
    device.call("cuMemcpyHtoD_v2", found, ctypes.c_void_p(values.ctypes.data), ctypes.c_size_t(values.nbytes))
    return found


def downloaded(address: ctypes.c_uint64, like: Any) -> Any:
    found = np.zeros_like(like)
    device.call("cuMemcpyDtoH_v2", ctypes.c_void_p(found.ctypes.data), address, ctypes.c_size_t(found.nbytes))
    return found


def module(text: str = KERNELS) -> ctypes.c_void_p:
    found = ctypes.c_void_p()
    device.call("cuModuleLoadData", ctypes.byref(found), text.encode())
    return found


def function(of: ctypes.c_void_p, name: str) -> ctypes.c_void_p:
    found = ctypes.c_void_p()
    device.call("cuModuleGetFunction", ctypes.byref(found), of, name.encode())
    return found


def launched(kernel: ctypes.c_void_p, blocks: int, threads: int, *values: Any) -> int:
    places = (ctypes.c_void_p * len(values))(*(ctypes.addressof(one) for one in values))
    return int(driver.cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, None, places, None))


def codes_of(record: FindingRecord) -> list[str]:
    record.gather()
    return [str(one.code) for one in record.findings]


def program_without_a_beginning(record: FindingRecord) -> None:
    found = ctypes.c_uint64()
    assert driver.cuMemAlloc_v2(ctypes.byref(found), ctypes.c_size_t(4)) == NOT_INITIALIZED
    device.call("cuInit", 0)
    assert driver.cuMemAlloc_v2(ctypes.byref(found), ctypes.c_size_t(4)) == INVALID_CONTEXT
    begin()
    assert driver.cuMemAlloc_v2(ctypes.byref(found), ctypes.c_size_t(1 << 50)) == OUT_OF_MEMORY
    assert driver.cuMemAlloc_v2(ctypes.byref(found), ctypes.c_size_t(0)) == INVALID_VALUE


def program_device(record: FindingRecord) -> None:
    name, value, major, minor = (
        ctypes.create_string_buffer(64),
        ctypes.c_int(),
        ctypes.c_int(),
        ctypes.c_int(),
    )
    device.call("cuDeviceGetName", name, 64, 0)
    device.call("cuDeviceGetAttribute", ctypes.byref(value), 10, 0)
    device.call("cuDeviceComputeCapability", ctypes.byref(major), ctypes.byref(minor), 0)
    assert b"tilewright" in name.value
    assert (value.value, major.value, minor.value) == (32, 9, 0)
    text = ctypes.c_char_p()
    assert driver.cuGetErrorName(700, ctypes.byref(text)) == 0
    assert text.value == b"CUDA_ERROR_ILLEGAL_ADDRESS"
    assert driver.cuGetErrorName(12345, ctypes.byref(text)) == INVALID_VALUE


def program_procedures(record: FindingRecord) -> None:
    found, status = ctypes.c_void_p(), ctypes.c_int()

    def ask(name: bytes, version: int) -> int:
        return int(
            driver.cuGetProcAddress_v2(
                name, ctypes.byref(found), version, ctypes.c_uint64(0), ctypes.byref(status)
            )
        )

    assert ask(b"cuMemAlloc", 12000) == 0
    assert found.value == ctypes.cast(driver.cuMemAlloc_v2, ctypes.c_void_p).value
    assert ask(b"cuMemAlloc", 2000) == 0
    assert (found.value, status.value) == (None, 1)
    assert ask(b"cuEventDestroy", 2000) == 0, "it had the same parameters"
    assert found.value == ctypes.cast(driver.cuEventDestroy_v2, ctypes.c_void_p).value
    assert ask(b"cuNone", 13000) == 0
    assert (found.value, status.value) == (None, 1)


def program_memory(record: FindingRecord) -> None:
    values = np.arange(100, dtype=np.uint32)
    address, begin_, size = uploaded(values), ctypes.c_uint64(), ctypes.c_size_t()
    inside = ctypes.c_uint64(address.value + 40)
    device.call("cuMemsetD32_v2", inside, ctypes.c_uint(7), ctypes.c_size_t(5))
    device.call("cuMemGetAddressRange_v2", ctypes.byref(begin_), ctypes.byref(size), inside)
    assert (begin_.value, size.value) == (address.value, 400)
    values[10:15] = 7
    assert (downloaded(address, values) == values).all()
    kind = ctypes.c_uint()
    device.call("cuPointerGetAttribute", ctypes.byref(kind), 2, address)
    assert kind.value == 2
    assert driver.cuPointerGetAttribute(ctypes.byref(kind), 2, ctypes.c_uint64(1)) == INVALID_VALUE
    device.call("cuMemFree_v2", address)
    assert codes_of(record) == []
    assert driver.cuMemFree_v2(address) == INVALID_VALUE
    place = line() - 1
    assert (codes_of(record), place_of(record.findings[0].location)) == (["TW1362"], (NAME, place))
    assert record.findings[0].message.startswith("cuMemFree of ")


def program_a_copy_past_the_end(record: FindingRecord) -> None:
    values = np.zeros(10, np.uint8)
    address = allocated(6)
    assert (
        driver.cuMemcpyHtoD_v2(address, ctypes.c_void_p(values.ctypes.data), ctypes.c_size_t(10))
        == INVALID_VALUE
    )
    assert codes_of(record) == ["TW1363"]
    assert record.findings[0].message.startswith("cuMemcpyHtoD: the target ends 4 bytes behind")


def program_pools(record: FindingRecord) -> None:
    pool, address, used = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_uint64()
    device.call("cuDeviceGetDefaultMemPool", ctypes.byref(pool), 0)
    device.call("cuMemAllocFromPoolAsync", ctypes.byref(address), ctypes.c_size_t(1000), pool, None)
    device.call("cuMemPoolGetAttribute", pool, 7, ctypes.byref(used))
    assert used.value == 1000
    device.call("cuMemFreeAsync", address, None)
    device.call("cuMemPoolGetAttribute", pool, 7, ctypes.byref(used))
    assert used.value == 0
    device.call("cuMemPoolGetAttribute", pool, 8, ctypes.byref(used))
    assert used.value == 1000


def program_virtual_memory(record: FindingRecord) -> None:
    size, pages, second, handle = (
        ctypes.c_size_t(2 << 20),
        ctypes.c_uint64(),
        ctypes.c_uint64(),
        ctypes.c_uint64(),
    )
    wanted = (ctypes.c_int * 8)(1, 0, 1, 0)  # pinned memory at the device
    access = (ctypes.c_int * 3)(1, 0, 3)
    device.call(
        "cuMemAddressReserve", ctypes.byref(pages), ctypes.c_size_t(4 << 20), size, ctypes.c_uint64(0), 0
    )
    device.call("cuMemCreate", ctypes.byref(handle), size, wanted, ctypes.c_uint64(0))
    device.call("cuMemMap", pages, size, ctypes.c_size_t(0), handle, ctypes.c_uint64(0))
    device.call("cuMemSetAccess", pages, size, access, ctypes.c_size_t(1))
    device.call("cuMemsetD32_v2", pages, ctypes.c_uint(7), ctypes.c_size_t(100))
    assert driver.cuMemMap(pages, size, ctypes.c_size_t(0), handle, ctypes.c_uint64(0)) == NOT_SUPPORTED
    device.call("cuMemUnmap", pages, size)
    second.value = pages.value + size.value
    device.call("cuMemMap", second, size, ctypes.c_size_t(0), handle, ctypes.c_uint64(0))
    device.call("cuMemRelease", handle)
    assert (downloaded(second, np.zeros(100, np.uint32)) == 7).all()
    assert driver.cuMemAddressFree(pages, ctypes.c_size_t(4 << 20)) == INVALID_VALUE
    device.call("cuMemUnmap", second, size)
    device.call("cuMemAddressFree", pages, ctypes.c_size_t(4 << 20))
    assert codes_of(record) == []
    assert driver.cuMemsetD32_v2(second, ctypes.c_uint(7), ctypes.c_size_t(1)) == INVALID_VALUE
    assert codes_of(record) == ["TW1361"]


def program_launches(record: FindingRecord) -> None:
    values = np.arange(100, dtype=np.float32)
    address, kernel = uploaded(values), function(module(), "scale")
    assert launched(kernel, 4, 32, address, ctypes.c_float(3), ctypes.c_uint(100)) == 0
    assert (downloaded(address, values) == 3 * values).all()
    # the same by one buffer, as the parameters lie in memory
    packed = ctypes.create_string_buffer(
        address.value.to_bytes(8, "little") + np.float32(0.5).tobytes() + np.uint32(100).tobytes(), 16
    )
    size = ctypes.c_size_t(16)
    extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(packed), 2, ctypes.addressof(size), 0)
    device.call("cuLaunchKernel", kernel, 4, 1, 1, 32, 1, 1, 0, None, None, extra)
    assert (downloaded(address, values) == 1.5 * values).all()
    size.value = 12
    assert driver.cuLaunchKernel(kernel, 4, 1, 1, 32, 1, 1, 0, None, None, extra) == INVALID_VALUE
    assert launched(kernel, 4, 2000, address, ctypes.c_float(3), ctypes.c_uint(100)) == INVALID_VALUE
    assert codes_of(record) == []


def program_modules(record: FindingRecord) -> None:
    loaded, found, address = module(), ctypes.c_void_p(), ctypes.c_uint64()
    count, offset, size = ctypes.c_uint(), ctypes.c_size_t(), ctypes.c_size_t()
    assert driver.cuModuleGetFunction(ctypes.byref(found), loaded, b"other") == NOT_FOUND
    device.call("cuModuleGetFunctionCount", ctypes.byref(count), loaded)
    device.call("cuFuncGetParamInfo", function(loaded, "scale"), 2, ctypes.byref(offset), ctypes.byref(size))
    assert (count.value, offset.value, size.value) == (2, 12, 4)
    device.call("cuModuleGetGlobal_v2", ctypes.byref(address), ctypes.byref(size), loaded, b"table")
    assert (downloaded(address, np.zeros(4, np.uint32)) == [1, 2, 3, 4]).all()
    kernel = function(loaded, "scale")
    device.call("cuModuleUnload", loaded)
    assert launched(kernel, 1, 1, address, ctypes.c_float(3), ctypes.c_uint(1)) == INVALID_HANDLE
    assert driver.cuModuleUnload(loaded) == INVALID_HANDLE
    assert codes_of(record) == []


def program_machine_code(record: FindingRecord) -> None:
    found = ctypes.c_void_p()
    assert driver.cuModuleLoadData(ctypes.byref(found), b"\x7fELF" + bytes(60)) == INVALID_IMAGE
    place = line() - 1
    assert codes_of(record) == ["TW1369"]
    assert driver.cuModuleLoadData(ctypes.byref(found), b"no code") == INVALID_IMAGE
    assert place_of(record.findings[0].location) == (NAME, place)


def program_linked_modules(record: FindingRecord) -> None:
    state, code, size = ctypes.c_void_p(), ctypes.c_char_p(), ctypes.c_size_t()
    device.call("cuLinkCreate_v2", 0, None, None, ctypes.byref(state))
    for text in (HEADER + CALLS_TWICE, HEADER + TWICE):
        data = text.encode()
        device.call("cuLinkAddData_v2", state, 1, data, ctypes.c_size_t(len(data)), b"unit", 0, None, None)
    device.call("cuLinkComplete", state, ctypes.byref(code), ctypes.byref(size))
    loaded = ctypes.c_void_p()
    device.call("cuModuleLoadData", ctypes.byref(loaded), code)
    device.call("cuLinkDestroy", state)
    values = np.full(1, 21, np.uint32)
    address = uploaded(values)
    assert launched(function(loaded, "doubled"), 1, 1, address) == 0
    assert downloaded(address, values)[0] == 42


def program_streams_and_events(record: FindingRecord) -> None:
    stream, first, last, time = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_float()
    device.call("cuStreamCreate", ctypes.byref(stream), 1)
    device.call("cuEventCreate", ctypes.byref(first), 0)
    device.call("cuEventCreate", ctypes.byref(last), 0)
    device.call("cuEventRecord", first, stream)
    device.call("cuEventRecord", last, stream)
    device.call("cuEventSynchronize", last)
    device.call("cuEventElapsedTime_v2", ctypes.byref(time), first, last)
    assert time.value >= 0
    device.call("cuStreamDestroy_v2", stream)
    assert driver.cuStreamSynchronize(stream) == INVALID_HANDLE


def program_two_streams_without_order(record: FindingRecord) -> None:
    values = np.zeros(8, np.uint32)
    address, streams = uploaded(values), [ctypes.c_void_p(), ctypes.c_void_p()]
    for stream in streams:
        device.call("cuStreamCreate", ctypes.byref(stream), 1)
    for stream in streams:
        device.call("cuMemsetD32Async", address, ctypes.c_uint(1), ctypes.c_size_t(8), stream)
    assert codes_of(record) == ["TW1366"]


def program_graph(record: FindingRecord) -> None:
    values = np.ones(32, np.float32)
    address, kernel = uploaded(values), function(module(), "scale")
    stream, graph, executable = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    device.call("cuStreamCreate", ctypes.byref(stream), 1)
    device.call("cuStreamBeginCapture_v2", stream, 0)
    factor, count = ctypes.c_float(2), ctypes.c_uint(32)
    places = (ctypes.c_void_p * 3)(*(ctypes.addressof(one) for one in (address, factor, count)))
    device.call("cuLaunchKernel", kernel, 1, 1, 1, 32, 1, 1, 0, stream, places, None)
    device.call("cuStreamEndCapture", stream, ctypes.byref(graph))
    assert (downloaded(address, values) == 1).all()
    device.call("cuGraphInstantiateWithFlags", ctypes.byref(executable), graph, ctypes.c_uint64(0))
    for _ in range(3):
        device.call("cuGraphLaunch", executable, stream)
    assert (downloaded(address, values) == 8).all()


def program_a_host_pointer(record: FindingRecord) -> None:
    values = np.ones(32, np.float32)
    kernel, address = function(module(), "scale"), ctypes.c_uint64(values.ctypes.data)
    arguments = (address, ctypes.c_float(2), ctypes.c_uint(32))
    assert launched(kernel, 1, 32, *arguments) == 0
    assert driver.cuCtxSynchronize() == ILLEGAL_ADDRESS
    assert codes_of(record) == ["TW1254"]
    assert "this is memory of the host" in record.findings[0].message


def program_behind_the_end(record: FindingRecord) -> None:
    address, kernel = uploaded(np.ones(32, np.float32)), function(module(), "scale")
    launched(kernel, 2, 32, address, ctypes.c_float(2), ctypes.c_uint(33))
    assert driver.cuCtxSynchronize() == ILLEGAL_ADDRESS
    assert codes_of(record) == ["TW1254"]
    assert "0 bytes behind the end of an allocation of 128 bytes" in record.findings[0].message


def program_memory_that_was_freed(record: FindingRecord) -> None:
    address, kernel = uploaded(np.ones(32, np.float32)), function(module(), "scale")
    device.call("cuMemFree_v2", address)
    place = line() - 1
    launched(kernel, 1, 32, address, ctypes.c_float(2), ctypes.c_uint(32))
    assert driver.cuCtxSynchronize() == ILLEGAL_ADDRESS
    assert "this is memory that was freed" in record.findings[0].message
    assert codes_of(record) == ["TW1254"]
    notes = [(one.message, place_of(one.location)) for one in record.findings[0].notes]
    assert ("the memory was freed here", (NAME, place)) in notes


def program_a_missing_barrier(record: FindingRecord) -> None:
    values = np.zeros(64, np.uint32)
    address, kernel = uploaded(values), function(module(), "neighbours")
    assert launched(kernel, 1, 64, address) == 0
    assert codes_of(record) == ["TW1265"]


def program_a_call_that_is_not_there(record: FindingRecord) -> None:
    found = ctypes.c_uint64()
    assert driver.cuTexObjectCreate(ctypes.byref(found), None, None, None) == NOT_SUPPORTED
    assert codes_of(record) == ["TW1368"]
    assert "cuTexObjectCreate" in record.findings[0].message
