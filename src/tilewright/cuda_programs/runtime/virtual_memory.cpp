// The driver's interface: addresses that the program reserves, and memory that it maps there.

#include "driver.h"

#include <set>

namespace standin {

namespace {

constexpr std::size_t GRANULARITY = 2 << 20;  // as on a GPU

// Memory without an address: its contents while it is not mapped.
struct Physical {
    std::size_t size = 0;
    std::string contents;
    bool is_mapped = false, is_released = false;
};

struct Reservation {
    Address pages = 0;
    std::size_t size = 0, all = 0;  // bytes that the program has asked for, and bytes of the pages
    std::map<Address, Physical*> mapped;
};

std::set<Physical*>& memories() { static auto* found = new std::set<Physical*>; return *found; }
std::map<Address, Reservation>& reservations() {
    static auto* found = new std::map<Address, Reservation>;
    return *found;
}

Physical* memory_of(CUmemGenericAllocationHandle handle) {
    auto* memory = reinterpret_cast<Physical*>(handle);
    return memories().count(memory) ? memory : nullptr;
}

// Return the reservation that contains a range, or null.
Reservation* reservation_of(Address begin, std::size_t size) {
    auto after = reservations().upper_bound(begin);
    if (after == reservations().begin()) return nullptr;
    auto& [first, found] = *std::prev(after);
    return begin + size <= first + found.size ? &found : nullptr;
}

void drop_if_unused(Physical* memory) {
    if (memory->is_mapped || !memory->is_released) return;
    memories().erase(memory);
    delete memory;
}

cudaError_t map_memory(Address begin, std::size_t size, Physical* memory) {
    Reservation* found = reservation_of(begin, size);
    if (!found || !memory || memory->size != size) return cudaErrorInvalidValue;
    if (memory->is_mapped) return cudaErrorNotSupported;  // memory has one address here
    if (find(begin)) return cudaErrorInvalidValue;
    allocate_at(begin, size, Kind::DEVICE, "cuMemMap", callers());
    if (!memory->contents.empty()) {
        std::memcpy(accessible(reinterpret_cast<void*>(begin)), memory->contents.data(), size);
        note_write(begin, size);
    }
    found->mapped[begin] = memory;
    memory->is_mapped = true;
    return cudaSuccess;
}

cudaError_t unmap_memory(Address begin, std::size_t size) {
    Reservation* found = reservation_of(begin, size);
    if (!found) return cudaErrorInvalidValue;
    wait_for_everything();
    for (auto one = found->mapped.lower_bound(begin); one != found->mapped.end() && one->first < begin + size;) {
        Physical* memory = one->second;
        memory->contents.assign(accessible(reinterpret_cast<void*>(one->first)), memory->size);
        forget(*find(one->first));
        memory->is_mapped = false;
        drop_if_unused(memory);
        one = found->mapped.erase(one);
    }
    return cudaSuccess;
}

}  // namespace

}  // namespace standin

using namespace standin;

// --- virtual memory
// Memory of the device with one address at a time, and without access of the host

API CUresult cuMemGetAllocationGranularity(size_t* size, const CUmemAllocationProp* wanted,
                                           CUmemAllocationGranularity_flags) {
    return with_driver("cuMemGetAllocationGranularity", [&] {
        if (!size || !wanted) return cudaErrorInvalidValue;
        *size = GRANULARITY;
        return cudaSuccess;
    });
}

API CUresult cuMemAddressReserve(CUdeviceptr* found, size_t size, size_t alignment, CUdeviceptr, unsigned long long) {
    return with_driver("cuMemAddressReserve", [&] {
        device();
        if (!found || !size || size % GRANULARITY) return cudaErrorInvalidValue;
        std::size_t all = size + (alignment > PAGE ? alignment : 0);
        Address pages = take_pages(all);
        if (!pages) return cudaErrorMemoryAllocation;
        Address begin = alignment > PAGE ? (pages + alignment - 1) / alignment * alignment : pages;
        reservations()[begin] = {pages, size, all, {}};
        *found = static_cast<CUdeviceptr>(begin);
        return cudaSuccess;
    });
}

API CUresult cuMemAddressFree(CUdeviceptr begin, size_t size) {
    return with_driver("cuMemAddressFree", [&] {
        auto found = reservations().find(static_cast<Address>(begin));
        bool is_whole = found != reservations().end() && found->second.size == size;
        if (!is_whole || !found->second.mapped.empty()) return cudaErrorInvalidValue;
        give_pages(found->second.pages, found->second.all);
        reservations().erase(found);
        return cudaSuccess;
    });
}

API CUresult cuMemCreate(CUmemGenericAllocationHandle* made, size_t size, const CUmemAllocationProp* wanted,
                         unsigned long long) {
    return with_driver("cuMemCreate", [&] {
        if (!made || !wanted || !size || size % GRANULARITY) return cudaErrorInvalidValue;
        if (wanted->location.type != CU_MEM_LOCATION_TYPE_DEVICE || wanted->requestedHandleTypes)
            return cudaErrorNotSupported;
        auto* memory = new Physical{size, "", false, false};
        memories().insert(memory);
        *made = reinterpret_cast<CUmemGenericAllocationHandle>(memory);
        return cudaSuccess;
    });
}

API CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
    return with_driver("cuMemRelease", [&] {
        Physical* memory = memory_of(handle);
        if (!memory || memory->is_released) return cudaErrorInvalidValue;
        memory->is_released = true;
        drop_if_unused(memory);
        return cudaSuccess;
    });
}

API CUresult cuMemMap(CUdeviceptr begin, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                      unsigned long long) {
    return with_driver("cuMemMap", [&] {
        return offset ? cudaErrorInvalidValue : map_memory(static_cast<Address>(begin), size, memory_of(handle));
    });
}

API CUresult cuMemUnmap(CUdeviceptr begin, size_t size) {
    return with_driver("cuMemUnmap", [&] { return unmap_memory(static_cast<Address>(begin), size); });
}

API CUresult cuMemSetAccess(CUdeviceptr begin, size_t size, const CUmemAccessDesc* access, size_t count) {
    return with_driver("cuMemSetAccess", [&] {
        bool is_reserved = reservation_of(static_cast<Address>(begin), size) != nullptr;
        return is_reserved && access && count ? cudaSuccess : cudaErrorInvalidValue;
    });
}

API CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation*, CUdeviceptr pointer) {
    return with_driver("cuMemGetAccess", [&] {
        if (!flags || !find(static_cast<Address>(pointer))) return cudaErrorInvalidValue;
        *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        return cudaSuccess;
    });
}
