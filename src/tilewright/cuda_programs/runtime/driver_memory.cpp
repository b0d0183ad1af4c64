// The driver's interface: memory, pointers, copies and fills.

#include "driver.h"

#include <algorithm>

namespace standin {

namespace {

cudaError_t copy_linear(const char* name, Address to, Address from, std::size_t count, cudaMemcpyKind kind,
                        CUstream stream, bool waits) {
    if (!count) return cudaSuccess;
    return copy(name, {reinterpret_cast<void*>(to), count, 0}, {reinterpret_cast<void*>(from), count, 0}, {count},
                kind, stream, waits);
}

Address address_of(const void* pointer) { return reinterpret_cast<Address>(pointer); }

// Return one side of a copy of rows; a pointer of null for an array of textures.
Pitched side_of(CUmemorytype type, const void* host, CUdeviceptr device, std::size_t x, std::size_t y, std::size_t z,
                std::size_t pitch, std::size_t height) {
    if (type == CU_MEMORYTYPE_ARRAY) return {};
    std::size_t slice = pitch * height;
    Address base = type == CU_MEMORYTYPE_HOST ? address_of(host) : static_cast<Address>(device);
    return {reinterpret_cast<void*>(base + z * slice + y * pitch + x), pitch, slice};
}

cudaMemcpyKind kind_of(CUmemorytype to, CUmemorytype from) {
    if (to == CU_MEMORYTYPE_UNIFIED || from == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
    if (to == CU_MEMORYTYPE_HOST)
        return from == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
    return from == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

// Return the bytes from row to row: rows follow each other where the program gives none.
std::size_t pitch_of(std::size_t given, std::size_t width) { return given ? given : width; }

cudaError_t copy_rows(const char* name, const CUDA_MEMCPY2D* p, CUstream stream, bool waits) {
    if (!p) return cudaErrorInvalidValue;
    Pitched to = side_of(p->dstMemoryType, p->dstHost, p->dstDevice, p->dstXInBytes, p->dstY, 0,
                         pitch_of(p->dstPitch, p->WidthInBytes), 0);
    Pitched from = side_of(p->srcMemoryType, p->srcHost, p->srcDevice, p->srcXInBytes, p->srcY, 0,
                           pitch_of(p->srcPitch, p->WidthInBytes), 0);
    if (!to.pointer || !from.pointer) return cudaErrorNotSupported;
    return copy(name, to, from, {p->WidthInBytes, p->Height}, kind_of(p->dstMemoryType, p->srcMemoryType), stream,
                waits);
}

cudaError_t copy_slices(const char* name, const CUDA_MEMCPY3D* p, CUstream stream, bool waits) {
    if (!p) return cudaErrorInvalidValue;
    Pitched to = side_of(p->dstMemoryType, p->dstHost, p->dstDevice, p->dstXInBytes, p->dstY, p->dstZ,
                         pitch_of(p->dstPitch, p->WidthInBytes), std::max(p->dstHeight, p->Height));
    Pitched from = side_of(p->srcMemoryType, p->srcHost, p->srcDevice, p->srcXInBytes, p->srcY, p->srcZ,
                           pitch_of(p->srcPitch, p->WidthInBytes), std::max(p->srcHeight, p->Height));
    if (!to.pointer || !from.pointer) return cudaErrorNotSupported;
    return copy(name, to, from, {p->WidthInBytes, p->Height, p->Depth},
                kind_of(p->dstMemoryType, p->srcMemoryType), stream, waits);
}

template <typename T> std::string pattern_of(T value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
CUresult set(const char* name, CUdeviceptr to, T value, std::size_t count, CUstream stream) {
    return in_context(name, [&] {
        std::size_t size = count * sizeof(T);
        return fill(name, {pointer_of(to), size, 0}, pattern_of(value), {size}, stream);
    });
}

template <typename T>
CUresult set_rows(const char* name, CUdeviceptr to, std::size_t pitch, T value, std::size_t width, std::size_t height,
                  CUstream stream) {
    return in_context(name, [&] {
        return fill(name, {pointer_of(to), pitch, 0}, pattern_of(value), {width * sizeof(T), height}, stream);
    });
}

bool is_of_host(const Allocation& one) { return one.kind == Kind::MANAGED || one.kind == Kind::PINNED; }

template <typename T> cudaError_t give(void* into, T value) {
    *static_cast<T*>(into) = value;
    return cudaSuccess;
}

cudaError_t attribute_of(void* into, CUpointer_attribute which, CUdeviceptr pointer) {
    Allocation* one = find(static_cast<Address>(pointer));
    if (!into) return cudaErrorInvalidValue;
    if (which == CU_POINTER_ATTRIBUTE_MAPPED) return give(into, static_cast<unsigned int>(one != nullptr));
    if (!one) return cudaErrorInvalidValue;
    switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return give(into, current_context());
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        return give(into, one->kind == Kind::PINNED ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return give(into, pointer);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        return is_of_host(*one) ? give(into, pointer_of(pointer)) : cudaErrorInvalidValue;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: return give(into, static_cast<unsigned long long>(one->begin));
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: return give(into, static_cast<unsigned int>(one->kind == Kind::MANAGED));
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return give(into, 0);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: return give(into, static_cast<CUdeviceptr>(one->begin));
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return give(into, one->size);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: return give(into, 0u);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: return give(into, 0u);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: return give(into, 0ull);
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: return give(into, static_cast<CUmemoryPool>(nullptr));
    default: return cudaErrorNotSupported;
    }
}

}  // namespace

}  // namespace standin

using namespace standin;

// --- allocation
// As `cudaMalloc`, `cudaMallocManaged`, `cudaMallocHost`, `cudaFree` and `cudaHostRegister`.

API CUresult cuMemGetInfo(size_t* available, size_t* all) {
    return in_context("cuMemGetInfo", [&] { return cudaMemGetInfo(available, all); });
}

API CUresult cuMemAlloc(CUdeviceptr* pointer, size_t size) {
    return in_context("cuMemAlloc", [&] {
        return size ? cudaMalloc(reinterpret_cast<void**>(pointer), size) : cudaErrorInvalidValue;
    });
}

API CUresult cuMemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height, unsigned int) {
    return in_context("cuMemAllocPitch",
                      [&] { return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height); });
}

API CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t size, unsigned int flags) {
    return in_context("cuMemAllocManaged",
                      [&] { return cudaMallocManaged(reinterpret_cast<void**>(pointer), size, flags); });
}

API CUresult cuMemAllocHost(void** pointer, size_t size) {
    return in_context("cuMemAllocHost", [&] { return cudaMallocHost(pointer, size); });
}

API CUresult cuMemHostAlloc(void** pointer, size_t size, unsigned int flags) {
    return in_context("cuMemHostAlloc", [&] { return cudaHostAlloc(pointer, size, flags); });
}

API CUresult cuMemFree(CUdeviceptr pointer) {
    return in_context("cuMemFree", [&] { return cudaFree(pointer_of(pointer)); });
}

API CUresult cuMemFreeHost(void* pointer) {
    return in_context("cuMemFreeHost", [&] { return cudaFreeHost(pointer); });
}

API CUresult cuMemHostRegister(void* pointer, size_t size, unsigned int flags) {
    return in_context("cuMemHostRegister", [&] { return cudaHostRegister(pointer, size, flags); });
}

API CUresult cuMemHostUnregister(void* pointer) {
    return in_context("cuMemHostUnregister", [&] { return cudaHostUnregister(pointer); });
}

API CUresult cuMemHostGetDevicePointer(CUdeviceptr* found, void* pointer, unsigned int flags) {
    return in_context("cuMemHostGetDevicePointer", [&] {
        return cudaHostGetDevicePointer(reinterpret_cast<void**>(found), pointer, flags);
    });
}

API CUresult cuMemHostGetFlags(unsigned int* flags, void* pointer) {
    return in_context("cuMemHostGetFlags", [&] { return cudaHostGetFlags(flags, pointer); });
}

// --- facts about pointers
// Answers for memory of the calls above.

API CUresult cuMemGetAddressRange(CUdeviceptr* begin, size_t* size, CUdeviceptr pointer) {
    return in_context("cuMemGetAddressRange", [&] {
        Allocation* one = find(static_cast<Address>(pointer));
        if (!one) return runtime_error(CUDA_ERROR_NOT_FOUND);
        if (begin) *begin = static_cast<CUdeviceptr>(one->begin);
        if (size) *size = one->size;
        return cudaSuccess;
    });
}

API CUresult cuPointerGetAttribute(void* into, CUpointer_attribute which, CUdeviceptr pointer) {
    return with_driver("cuPointerGetAttribute", [&] { return attribute_of(into, which, pointer); });
}

API CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* which, void** into, CUdeviceptr pointer) {
    return with_driver("cuPointerGetAttributes", [&] {
        if (!which || !into) return cudaErrorInvalidValue;
        for (unsigned int at = 0; at < count; ++at)
            if (attribute_of(into[at], which[at], pointer) && into[at]) {  // 0 for memory that is not the device's
                bool is_number = which[at] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE ||
                                 which[at] == CU_POINTER_ATTRIBUTE_IS_MANAGED ||
                                 which[at] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
                if (which[at] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
                    give(into[at], -2);
                else if (is_number)
                    give(into[at], 0u);
                else
                    give(into[at], static_cast<void*>(nullptr));
            }
        return cudaSuccess;
    });
}

API CUresult cuPointerSetAttribute(const void*, CUpointer_attribute, CUdeviceptr pointer) {
    return with_driver("cuPointerSetAttribute", [&] {
        return find(static_cast<Address>(pointer)) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

// --- copies
// As `cudaMemcpy`: at once, and both sides are checked; not for arrays of textures.

API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t count) {
    return in_context("cuMemcpy",
                      [&] { return copy_linear("cuMemcpy", to, from, count, cudaMemcpyDefault, nullptr, true); });
}

API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t count, CUstream stream) {
    return in_context("cuMemcpyAsync",
                      [&] { return copy_linear("cuMemcpyAsync", to, from, count, cudaMemcpyDefault, stream, false); });
}

API CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t count) {
    return in_context("cuMemcpyHtoD", [&] {
        return copy_linear("cuMemcpyHtoD", to, address_of(from), count, cudaMemcpyHostToDevice, nullptr, true);
    });
}

API CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t count, CUstream stream) {
    return in_context("cuMemcpyHtoDAsync", [&] {
        return copy_linear("cuMemcpyHtoDAsync", to, address_of(from), count, cudaMemcpyHostToDevice, stream, false);
    });
}

API CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t count) {
    return in_context("cuMemcpyDtoH", [&] {
        return copy_linear("cuMemcpyDtoH", address_of(to), from, count, cudaMemcpyDeviceToHost, nullptr, true);
    });
}

API CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t count, CUstream stream) {
    return in_context("cuMemcpyDtoHAsync", [&] {
        return copy_linear("cuMemcpyDtoHAsync", address_of(to), from, count, cudaMemcpyDeviceToHost, stream, false);
    });
}

API CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t count) {
    return in_context("cuMemcpyDtoD", [&] {
        return copy_linear("cuMemcpyDtoD", to, from, count, cudaMemcpyDeviceToDevice, nullptr, true);
    });
}

API CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t count, CUstream stream) {
    return in_context("cuMemcpyDtoDAsync", [&] {
        return copy_linear("cuMemcpyDtoDAsync", to, from, count, cudaMemcpyDeviceToDevice, stream, false);
    });
}

API CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t count) {
    return in_context("cuMemcpyPeer", [&] {
        return copy_linear("cuMemcpyPeer", to, from, count, cudaMemcpyDeviceToDevice, nullptr, true);
    });
}

API CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t count, CUstream stream) {
    return in_context("cuMemcpyPeerAsync", [&] {
        return copy_linear("cuMemcpyPeerAsync", to, from, count, cudaMemcpyDeviceToDevice, stream, false);
    });
}

API CUresult cuMemcpy2D(const CUDA_MEMCPY2D* parameters) {
    return in_context("cuMemcpy2D", [&] { return copy_rows("cuMemcpy2D", parameters, nullptr, true); });
}

API CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* parameters) {
    return in_context("cuMemcpy2DUnaligned",
                      [&] { return copy_rows("cuMemcpy2DUnaligned", parameters, nullptr, true); });
}

API CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* parameters, CUstream stream) {
    return in_context("cuMemcpy2DAsync", [&] { return copy_rows("cuMemcpy2DAsync", parameters, stream, false); });
}

API CUresult cuMemcpy3D(const CUDA_MEMCPY3D* parameters) {
    return in_context("cuMemcpy3D", [&] { return copy_slices("cuMemcpy3D", parameters, nullptr, true); });
}

API CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* parameters, CUstream stream) {
    return in_context("cuMemcpy3DAsync", [&] { return copy_slices("cuMemcpy3DAsync", parameters, stream, false); });
}

API CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count, CUmemcpyAttributes*,
                                size_t*, size_t, CUstream stream) {
    return in_context("cuMemcpyBatchAsync", [&] {
        if (!to || !from || !sizes) return cudaErrorInvalidValue;
        for (size_t at = 0; at < count; ++at)
            if (cudaError_t error = copy_linear("cuMemcpyBatchAsync", to[at], from[at], sizes[at], cudaMemcpyDefault,
                                                stream, false))
                return error;
        return cudaSuccess;
    });
}

// --- filling
// As `cudaMemset`: at once, with elements of 1, 2 or 4 bytes.

API CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
    return set("cuMemsetD8", to, value, count, nullptr);
}

API CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
    return set("cuMemsetD16", to, value, count, nullptr);
}

API CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) {
    return set("cuMemsetD32", to, value, count, nullptr);
}

API CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
    return set("cuMemsetD8Async", to, value, count, stream);
}

API CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
    return set("cuMemsetD16Async", to, value, count, stream);
}

API CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
    return set("cuMemsetD32Async", to, value, count, stream);
}

API CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
    return set_rows("cuMemsetD2D8", to, pitch, value, width, height, nullptr);
}

API CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height) {
    return set_rows("cuMemsetD2D16", to, pitch, value, width, height, nullptr);
}

API CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height) {
    return set_rows("cuMemsetD2D32", to, pitch, value, width, height, nullptr);
}

// --- advice, which changes nothing here
// Changes nothing.

API CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t, CUmemLocation, unsigned int, CUstream) {
    return in_context("cuMemPrefetchAsync", [&] {
        return find(static_cast<Address>(pointer)) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

API CUresult cuMemAdvise(CUdeviceptr pointer, size_t, CUmem_advise, CUmemLocation) {
    return in_context("cuMemAdvise", [&] {
        return find(static_cast<Address>(pointer)) ? cudaSuccess : cudaErrorInvalidValue;
    });
}
