// Pools of memory, for the runtime and the driver.

#include "driver.h"

#include <algorithm>
#include <set>

namespace standin {

namespace {

struct Pool {
    Kind kind = Kind::DEVICE;
    std::map<int, std::uint64_t> values;
    std::size_t most = 0;  // bytes that were used at a time
};

std::set<const void*>& pools() { static auto* found = new std::set<const void*>; return *found; }

Pool* make_pool(Kind kind) {
    auto* made = new Pool{kind, {}, 0};
    pools().insert(made);
    return made;
}

// Return the pool that memory without one comes from.
Pool* default_pool(Kind kind) {
    static auto* found = new std::map<Kind, Pool*>;
    if (!(*found)[kind]) (*found)[kind] = make_pool(kind);
    return (*found)[kind];
}

Pool* current = nullptr;

Pool* current_pool() { return current ? current : default_pool(Kind::DEVICE); }

Pool* pool_of(cudaMemPool_t handle) {
    auto* pool = reinterpret_cast<Pool*>(handle);
    return pools().count(pool) ? pool : nullptr;
}

cudaMemPool_t handle_of(Pool* pool) { return reinterpret_cast<cudaMemPool_t>(pool); }

cudaError_t allocate_from(const char* name, void** pointer, std::size_t size, Pool* pool, cudaStream_t stream) {
    if (!pool || number_of(stream) < 0) return cudaErrorInvalidValue;
    if (cudaError_t error = allocate_into(name, pointer, size, pool->kind)) return error;
    if (Allocation* made = find(reinterpret_cast<Address>(*pointer))) made->pool = pool;
    pool->most = std::max(pool->most, used_of(pool));
    return cudaSuccess;
}

bool is_of_bytes(cudaMemPoolAttr which) { return which >= cudaMemPoolAttrReleaseThreshold; }

cudaError_t set(Pool* pool, cudaMemPoolAttr which, void* value) {
    if (!pool || !value) return cudaErrorInvalidValue;
    pool->values[which] = is_of_bytes(which) ? *static_cast<std::uint64_t*>(value) : *static_cast<int*>(value);
    if (which == cudaMemPoolAttrReservedMemHigh || which == cudaMemPoolAttrUsedMemHigh) pool->most = used_of(pool);
    return cudaSuccess;
}

cudaError_t get(Pool* pool, cudaMemPoolAttr which, void* value) {
    if (!pool || !value) return cudaErrorInvalidValue;
    std::uint64_t found = pool->values.count(which) ? pool->values[which] : which <= cudaMemPoolReuseAllowInternalDependencies;
    if (which == cudaMemPoolAttrReservedMemCurrent || which == cudaMemPoolAttrUsedMemCurrent) found = used_of(pool);
    if (which == cudaMemPoolAttrReservedMemHigh || which == cudaMemPoolAttrUsedMemHigh) found = pool->most;
    if (is_of_bytes(which))
        *static_cast<std::uint64_t*>(value) = found;
    else
        *static_cast<int*>(value) = static_cast<int>(found);
    return cudaSuccess;
}

cudaError_t kind_at(cudaMemLocationType place, cudaMemAllocationType type, Kind& kind) {
    bool is_host = place == cudaMemLocationTypeHost || place == cudaMemLocationTypeHostNuma ||
                   place == cudaMemLocationTypeHostNumaCurrent;
    kind = type == cudaMemAllocationTypeManaged ? Kind::MANAGED : is_host ? Kind::PINNED : Kind::DEVICE;
    return cudaSuccess;
}

}  // namespace

}  // namespace standin

using namespace standin;

API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int number) {
    return call("cudaDeviceGetDefaultMemPool", [&] {
        if (!pool) return cudaErrorInvalidValue;
        *pool = handle_of(default_pool(Kind::DEVICE));
        return number ? cudaErrorInvalidDevice : cudaSuccess;
    });
}

API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int number) {
    return call("cudaDeviceGetMemPool", [&] {
        if (!pool) return cudaErrorInvalidValue;
        *pool = handle_of(current_pool());
        return number ? cudaErrorInvalidDevice : cudaSuccess;
    });
}

API cudaError_t cudaDeviceSetMemPool(int number, cudaMemPool_t pool) {
    return call("cudaDeviceSetMemPool", [&] {
        if (number || !pool_of(pool)) return cudaErrorInvalidValue;
        current = pool_of(pool);
        return cudaSuccess;
    });
}

API cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* wanted) {
    return call("cudaMemPoolCreate", [&] {
        Kind kind;
        if (!pool || !wanted) return cudaErrorInvalidValue;
        if (wanted->handleTypes) return cudaErrorNotSupported;  // memory is not shared between processes
        if (cudaError_t error = kind_at(wanted->location.type, wanted->allocType, kind)) return error;
        *pool = handle_of(make_pool(kind));
        return cudaSuccess;
    });
}

API cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
    return call("cudaMemPoolDestroy", [&] {
        Pool* pool = pool_of(handle);
        if (!pool) return cudaErrorInvalidValue;
        if (pool == current) current = nullptr;
        pools().erase(pool);  // its allocations keep its address
        return cudaSuccess;
    });
}

API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
    return call("cudaMemPoolSetAttribute", [&] { return set(pool_of(pool), which, value); });
}

API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
    return call("cudaMemPoolGetAttribute", [&] { return get(pool_of(pool), which, value); });
}

API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc*, size_t) {
    return call("cudaMemPoolSetAccess", [&] { return pool_of(pool) ? cudaSuccess : cudaErrorInvalidValue; });
}

API cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation*) {
    return call("cudaMemPoolGetAccess", [&] {
        if (!flags || !pool_of(pool)) return cudaErrorInvalidValue;
        *flags = cudaMemAccessFlagsProtReadWrite;
        return cudaSuccess;
    });
}

API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
    return call("cudaMemPoolTrimTo", [&] { return pool_of(pool) ? cudaSuccess : cudaErrorInvalidValue; });
}

API cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
    return call("cudaMallocAsync",
                [&] { return allocate_from("cudaMallocAsync", pointer, size, current_pool(), stream); });
}

API cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return call("cudaMallocFromPoolAsync",
                [&] { return allocate_from("cudaMallocFromPoolAsync", pointer, size, pool_of(pool), stream); });
}

// Facts about the memory of graphs, which has no pool of its own here.
API cudaError_t cudaDeviceGetGraphMemAttribute(int number, cudaGraphMemAttributeType, void* value) {
    return call("cudaDeviceGetGraphMemAttribute", [&] {
        if (!value) return cudaErrorInvalidValue;
        *static_cast<std::uint64_t*>(value) = 0;
        return number ? cudaErrorInvalidDevice : cudaSuccess;
    });
}

API cudaError_t cudaDeviceSetGraphMemAttribute(int number, cudaGraphMemAttributeType, void* value) {
    return call("cudaDeviceSetGraphMemAttribute", [&] {
        if (!value) return cudaErrorInvalidValue;
        return number ? cudaErrorInvalidDevice : cudaSuccess;
    });
}

API cudaError_t cudaDeviceGraphMemTrim(int number) {
    return call("cudaDeviceGraphMemTrim", [&] { return number ? cudaErrorInvalidDevice : cudaSuccess; });
}

// --- the driver
// As `cudaMemPoolCreate` and `cudaMallocAsync`; memory that a capture frees lives as long as its graph.

API CUresult cuDeviceGetGraphMemAttribute(CUdevice number, CUgraphMem_attribute which, void* value) {
    return with_driver("cuDeviceGetGraphMemAttribute", [&] {
        return cudaDeviceGetGraphMemAttribute(number, static_cast<cudaGraphMemAttributeType>(which), value);
    });
}

API CUresult cuDeviceSetGraphMemAttribute(CUdevice number, CUgraphMem_attribute which, void* value) {
    return with_driver("cuDeviceSetGraphMemAttribute", [&] {
        return cudaDeviceSetGraphMemAttribute(number, static_cast<cudaGraphMemAttributeType>(which), value);
    });
}

API CUresult cuDeviceGraphMemTrim(CUdevice number) {
    return with_driver("cuDeviceGraphMemTrim", [&] { return cudaDeviceGraphMemTrim(number); });
}

API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice number) {
    return with_driver("cuDeviceGetDefaultMemPool", [&] { return cudaDeviceGetDefaultMemPool(pool, number); });
}

API CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice number) {
    return with_driver("cuDeviceGetMemPool", [&] { return cudaDeviceGetMemPool(pool, number); });
}

API CUresult cuDeviceSetMemPool(CUdevice number, CUmemoryPool pool) {
    return with_driver("cuDeviceSetMemPool", [&] { return cudaDeviceSetMemPool(number, pool); });
}

API CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* place, CUmemAllocationType type) {
    return with_driver("cuMemGetDefaultMemPool", [&] {
        Kind kind;
        if (!pool || !place) return cudaErrorInvalidValue;
        auto location = static_cast<cudaMemLocationType>(place->type);
        if (cudaError_t error = kind_at(location, static_cast<cudaMemAllocationType>(type), kind)) return error;
        *pool = handle_of(default_pool(kind));
        return cudaSuccess;
    });
}

API CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* place, CUmemAllocationType type) {
    return cuMemGetDefaultMemPool(pool, place, type);
}

API CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* wanted) {
    return with_driver("cuMemPoolCreate", [&] {
        static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps));
        return cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps*>(wanted));
    });
}

API CUresult cuMemPoolDestroy(CUmemoryPool pool) {
    return with_driver("cuMemPoolDestroy", [&] { return cudaMemPoolDestroy(pool); });
}

API CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void* value) {
    return with_driver("cuMemPoolSetAttribute",
                       [&] { return cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(which), value); });
}

API CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void* value) {
    return with_driver("cuMemPoolGetAttribute",
                       [&] { return cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(which), value); });
}

API CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc*, size_t) {
    return with_driver("cuMemPoolSetAccess", [&] { return cudaMemPoolSetAccess(pool, nullptr, 0); });
}

API CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation*) {
    return with_driver("cuMemPoolGetAccess", [&] {
        return cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags*>(flags), pool, nullptr);
    });
}

API CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t size) {
    return with_driver("cuMemPoolTrimTo", [&] { return cudaMemPoolTrimTo(pool, size); });
}

API CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t size, CUstream stream) {
    return in_context("cuMemAllocAsync",
                      [&] { return cudaMallocAsync(reinterpret_cast<void**>(pointer), size, stream); });
}

API CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t size, CUmemoryPool pool, CUstream stream) {
    return in_context("cuMemAllocFromPoolAsync", [&] {
        return cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), size, pool, stream);
    });
}

API CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
    return in_context("cuMemFreeAsync", [&] { return cudaFreeAsync(pointer_of(pointer), stream); });
}
