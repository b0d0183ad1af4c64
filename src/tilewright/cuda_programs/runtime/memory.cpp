// Memory of the device: allocations, copies, and what the device may access.

#include "standin.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace standin {

namespace {

struct Change {
    std::uint32_t kind;  // 0 to 3: an allocation of a kind; 4: freed; 5: written
    Address begin;
    std::size_t size;
    Frames frames;
    std::string name;
};

constexpr std::uint32_t FREED = 4, WRITTEN = 5;

std::size_t total = 0, used = 0;
std::vector<Shared>& shared() { static auto* found = new std::vector<Shared>; return *found; }
char* alias = nullptr;
Address next_address = BASE + PAGE;
std::map<Address, Allocation>& live() { static auto* found = new std::map<Address, Allocation>; return *found; }
std::vector<Allocation>& freed() { static auto* found = new std::vector<Allocation>; return *found; }
std::multimap<std::size_t, Address>& holes() { static auto* found = new std::multimap<std::size_t, Address>; return *found; }
std::vector<Change>& changes() { static auto* found = new std::vector<Change>; return *found; }
struct sigaction earlier;

constexpr std::size_t REMEMBERED = 4096;
const char* const NAMES[] = {"device memory", "managed memory", "pinned memory", "a variable of the device"};

std::size_t paged(std::size_t size) { return (size + PAGE - 1) / PAGE * PAGE; }

std::string bytes(std::size_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

std::string hexadecimal(Address address) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(address));
    return text;
}

bool is_for_host(Kind kind) { return kind == Kind::MANAGED || kind == Kind::PINNED; }

// Tell that the host has touched memory that only the device may access; then the access fails as without a device.
void on_fault(int signal, siginfo_t* info, void* context) {
    Address address = reinterpret_cast<Address>(info->si_addr);
    if (is_device_address(address) && device().checks_memory && lock().try_lock()) {
        sigaction(SIGSEGV, &earlier, nullptr);
        Frames frames = callers();
        Frames program;
        program.place = frames.place;
        for (int at = 1; at < frames.count; ++at) program.at[program.count++] = frames.at[at];  // without the kernel's
        if (program.count) ++program.at[0];  // the address of the access itself, and no return address
        Allocation* one = find(address);
        Allocation* old = one ? nullptr : find_freed(address);
        std::vector<Note> notes;
        if (one) notes.push_back({"the memory is allocated here", one->made});
        if (old) notes.push_back({"the memory was freed here", old->freed});
        tell(Finding::HOST_ACCESS,
             "the host accesses address " + hexadecimal(address) +
                 (one ? std::string(", which is ") + NAMES[static_cast<int>(one->kind)]
                      : old ? ", whose memory was freed" : ", which is not allocated"),
             program, notes);
        lock().unlock();
        return;
    }
    sigaction(SIGSEGV, &earlier, nullptr);
    if (earlier.sa_flags & SA_SIGINFO && earlier.sa_sigaction) earlier.sa_sigaction(signal, info, context);
}

// --- copies

struct Side {
    Address begin = 0;
    std::size_t extent = 0;  // bytes from the first to the last that are accessed
    bool is_device = false;  // the program says so by the kind of the copy
    bool is_stated = false;
    const char* role = "";
};

// Check one side of a copy, and tell what is wrong with it.
cudaError_t check_side(const char* name, const Side& side, const Frames& frames) {
    if (!side.extent) return cudaSuccess;
    Allocation* one = is_device_address(side.begin) ? find(side.begin) : nullptr;
    bool tells = device().checks_memory;
    if (!is_device_address(side.begin)) {
        if (!side.is_stated || !side.is_device) return side.begin ? cudaSuccess : cudaErrorInvalidValue;
        if (tells)
            tell(Finding::HOST_POINTER,
                 std::string(name) + ": the " + side.role + " " + hexadecimal(side.begin) +
                     " is memory of the host, and the copy's kind says that it is memory of the device",
                 frames);
        return cudaErrorInvalidValue;
    }
    if (!one) {
        Allocation* old = find_freed(side.begin);
        std::vector<Note> notes;
        if (old) notes = {{"the memory was freed here", old->freed}, {"it was allocated here", old->made}};
        if (tells)
            tell(old ? Finding::USE_AFTER_FREE : Finding::PAST_THE_END,
                 std::string(name) + ": the " + side.role + " " + hexadecimal(side.begin) +
                     (old ? " is in memory that was freed" : " is not allocated"),
                 frames, notes);
        return cudaErrorInvalidValue;
    }
    if (side.begin + side.extent > one->end()) {
        if (tells)
            tell(Finding::PAST_THE_END,
                 std::string(name) + ": the " + side.role + " ends " +
                     bytes(side.begin + side.extent - one->end()) + " behind the end of " +
                     (one->name.empty() ? "its memory" : "'" + one->name + "'") + ", which has " + bytes(one->size),
                 frames, {{"the memory is allocated here", one->made}});
        return cudaErrorInvalidValue;
    }
    if (side.is_stated && !side.is_device && !is_for_host(one->kind)) {
        if (tells)
            tell(Finding::HOST_POINTER,
                 std::string(name) + ": the " + side.role + " " + hexadecimal(side.begin) +
                     " is memory of the device, and the copy's kind says that it is memory of the host",
                 frames, {{"the memory is allocated here", one->made}});
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

void set_kind(cudaMemcpyKind kind, Side& target, Side& source) {
    target.is_stated = source.is_stated = kind != cudaMemcpyDefault;
    target.is_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    source.is_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}

std::size_t extent_of(const Pitched& one, const Box& box) {
    if (!box.width || !box.height || !box.depth) return 0;
    return one.slice * (box.depth - 1) + one.pitch * (box.height - 1) + box.width;
}

cudaError_t copy_bytes(const char* name, void* to, const void* from, std::size_t count, cudaMemcpyKind kind,
                       cudaStream_t stream, bool waits) {
    return copy(name, {to, count, 0}, {from, count, 0}, {count}, kind, stream, waits);
}

cudaError_t copy_3d(const char* name, const cudaMemcpy3DParms* parameters, cudaStream_t stream, bool waits) {
    Work work;
    Frames frames = callers();
    if (!parameters) return cudaErrorInvalidValue;
    if (cudaError_t error = copying_3d(named(name), *parameters, frames, work)) return error;
    cudaError_t error = submit(stream, named(name), frames, work);
    if (!error && waits) wait_for_stream(stream);
    return error;
}

cudaError_t copy_symbol(const char* name, const void* variable, const void* other, std::size_t count,
                        std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool to_symbol, bool waits) {
    Allocation* memory = symbol(variable);
    if (!memory) return cudaErrorInvalidSymbol;
    void* place = reinterpret_cast<void*>(memory->begin + offset);
    return to_symbol ? copy_bytes(name, place, other, count, kind, stream, waits)
                     : copy_bytes(name, const_cast<void*>(other), place, count, kind, stream, waits);
}

std::string byte(int value) { return std::string(1, static_cast<char>(value)); }

}  // namespace

Address take_pages(std::size_t size) {
    std::size_t need = paged(size) + PAGE;
    auto hole = holes().lower_bound(need);
    if (hole != holes().end() && hole->first == need && freed().size() > REMEMBERED) {
        Address found = hole->second;
        holes().erase(hole);
        return found;
    }
    if (next_address + need > BASE + total) {
        if (hole == holes().end()) return 0;
        Address found = hole->second;
        std::size_t rest = hole->first - need;
        holes().erase(hole);
        if (rest) holes().emplace(rest, found + need);
        return found;
    }
    Address found = next_address;
    next_address += need;
    return found;
}

cudaError_t free_memory(const char* name, void* pointer, bool of_host) {
    if (!pointer) return sticky();
    Address address = reinterpret_cast<Address>(pointer);
    Allocation* one = find(address);
    bool is_right = one && one->begin == address && one->kind != Kind::VARIABLE &&
                    (one->kind == Kind::PINNED && !one->pool) == of_host;
    if (!is_right) {
        if (device().checks_memory) {
            Allocation* old = one ? nullptr : find_freed(address);
            std::vector<Note> notes;
            std::string reason = "which is not allocated memory of the device";
            if (one && one->begin != address)
                reason = "which is " + bytes(address - one->begin) + " behind the beginning of an allocation";
            else if (one)
                reason = std::string("which is ") + NAMES[static_cast<int>(one->kind)];
            else if (old)
                reason = "whose memory was freed before";
            if (one) notes.push_back({"the memory is allocated here", one->made});
            if (old) notes.push_back({"the memory was freed here", old->freed});
            tell(Finding::BAD_FREE, std::string(named(name)) + " of " + hexadecimal(address) + ", " + reason, callers(), notes);
        }
        return cudaErrorInvalidValue;
    }
    wait_for_everything();
    Allocation old = *one;
    forget(old);
    give_pages(old.begin, old.size);
    return sticky();
}

void forget(Allocation old) {
    old.is_live = false;
    old.freed = callers();
    used -= old.size;
    live().erase(old.begin);
    mprotect(reinterpret_cast<void*>(old.begin), paged(old.size), PROT_NONE);
    changes().push_back({FREED, old.begin, old.size, old.freed, ""});
    freed().push_back(std::move(old));
}

void give_pages(Address begin, std::size_t size) { holes().emplace(paged(size) + PAGE, begin); }

cudaError_t allocate_into(const char* name, void** pointer, std::size_t size, Kind kind) {
    if (!pointer) return cudaErrorInvalidValue;
    if (sticky()) return sticky();
    *pointer = nullptr;
    if (!size && kind != Kind::MANAGED) return cudaSuccess;
    if (!size) return cudaErrorInvalidValue;
    Allocation* made = allocate(size, kind, named(name), callers());
    if (!made) return cudaErrorMemoryAllocation;
    *pointer = reinterpret_cast<void*>(made->begin);
    return cudaSuccess;
}

// Copy rows of bytes in a stream. A copy with the host of a program that waits ends before this returns.
cudaError_t copy(const char* name, Pitched to, Pitched from, Box box, cudaMemcpyKind kind, cudaStream_t stream,
                 bool waits) {
    Work work;
    Frames frames = callers();
    if (cudaError_t error = copying(named(name), to, from, box, kind, frames, work)) return error;
    cudaError_t error = submit(stream, named(name), frames, work);
    if (!error && waits) wait_for_stream(stream);
    return error;
}

cudaError_t fill(const char* name, Pitched to, const std::string& pattern, Box box, cudaStream_t stream) {
    Frames frames = callers();
    return submit(stream, named(name), frames, filling(named(name), to, pattern, box, frames));
}

cudaError_t copying(const char* name, Pitched to, Pitched from, Box box, cudaMemcpyKind kind, const Frames& frames,
                    Work& work) {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if ((box.height > 1 || box.depth > 1) && (to.pitch < box.width || from.pitch < box.width))
        return cudaErrorInvalidPitchValue;
    Side target{reinterpret_cast<Address>(to.pointer), extent_of(to, box), false, false, "target"};
    Side source{reinterpret_cast<Address>(from.pointer), extent_of(from, box), false, false, "source"};
    set_kind(kind, target, source);
    work = [=](Accesses& accesses) {
        for (const Side* side : {&target, &source})
            if (cudaError_t error = check_side(name, *side, frames)) return error;
        for (std::size_t z = 0; z < box.depth; ++z)
            for (std::size_t y = 0; y < box.height; ++y) {
                Address target_row = target.begin + z * to.slice + y * to.pitch;
                Address source_row = source.begin + z * from.slice + y * from.pitch;
                std::memmove(accessible(reinterpret_cast<void*>(target_row)),
                             accessible(reinterpret_cast<void*>(source_row)), box.width);
                note_write(target_row, box.width);
                accesses.push_back({target_row, target_row + box.width, true});
                accesses.push_back({source_row, source_row + box.width, false});
            }
        return cudaSuccess;
    };
    return cudaSuccess;
}

cudaError_t copying_3d(const char* name, const cudaMemcpy3DParms& p, const Frames& frames, Work& work) {
    if (p.srcArray || p.dstArray) return cudaErrorNotSupported;
    auto part = [](const cudaPitchedPtr& one, const cudaPos& at) {
        std::size_t slice = one.pitch * one.ysize;
        const char* begin = static_cast<const char*>(one.ptr) + at.z * slice + at.y * one.pitch + at.x;
        return Pitched{begin, one.pitch, slice};
    };
    Box box{p.extent.width, p.extent.height, p.extent.depth};
    return copying(name, part(p.dstPtr, p.dstPos), part(p.srcPtr, p.srcPos), box, p.kind, frames, work);
}

Work filling(const char* name, Pitched to, const std::string& pattern, Box box, const Frames& frames) {
    Side target{reinterpret_cast<Address>(to.pointer), extent_of(to, box), true, true, "target"};
    return [=](Accesses& accesses) {
        if (cudaError_t error = check_side(name, target, frames)) return error;
        for (std::size_t z = 0; z < box.depth; ++z)
            for (std::size_t y = 0; y < box.height; ++y) {
                Address row = target.begin + z * to.slice + y * to.pitch;
                char* begin = accessible(reinterpret_cast<void*>(row));
                for (std::size_t x = 0; x < box.width; ++x) begin[x] = pattern[x % pattern.size()];
                note_write(row, box.width);
                accesses.push_back({row, row + box.width, true});
            }
        return cudaSuccess;
    };
}

void map_device(int descriptor, std::size_t size) {
    total = size;
    void* wanted = reinterpret_cast<void*>(BASE);
    void* found = mmap(wanted, size, PROT_NONE, MAP_SHARED | MAP_FIXED_NOREPLACE, descriptor, 0);
    void* second = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
    if (found != wanted || second == MAP_FAILED) {
        std::fprintf(stderr, "tilewright: the addresses of the device's memory are not free in this process\n");
        std::exit(1);
    }
    alias = static_cast<char*>(second);
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, &earlier);
}

Allocation* allocate(std::size_t size, Kind kind, const std::string& made_by, const Frames& frames,
                     const std::string& name) {
    device();
    if (size > total || used + size > total) return nullptr;
    Address begin = take_pages(size);
    return begin ? allocate_at(begin, size, kind, made_by, frames, name) : nullptr;
}

Allocation* allocate_at(Address begin, std::size_t size, Kind kind, const std::string& made_by, const Frames& frames,
                        const std::string& name) {
    if (is_for_host(kind)) mprotect(reinterpret_cast<void*>(begin), paged(size), PROT_READ | PROT_WRITE);
    used += size;
    Allocation& made = live()[begin];
    made = Allocation{begin, size, kind, name, frames, {}, true, made_by};
    changes().push_back({static_cast<std::uint32_t>(kind), begin, size, frames, name});
    return &made;
}

Allocation* find(Address address) {
    auto after = live().upper_bound(address);
    if (after == live().begin()) return nullptr;
    Allocation& one = std::prev(after)->second;
    return address < one.end() ? &one : nullptr;
}

Allocation* find_freed(Address address) {
    for (auto one = freed().rbegin(); one != freed().rend(); ++one)
        if (one->begin <= address && address < one->end()) return &*one;
    return nullptr;
}

bool is_device_address(Address address) { return address >= BASE && address < BASE + total; }

char* accessible(const void* pointer) {
    Address address = reinterpret_cast<Address>(pointer);
    return is_device_address(address) ? alias + (address - BASE) : reinterpret_cast<char*>(address);
}

void note_write(Address begin, std::size_t size) {
    if (is_device_address(begin)) changes().push_back({WRITTEN, begin, size, {}, ""});
}

void put_changes(Message& message) {
    message.put(static_cast<std::uint32_t>(changes().size()));
    for (const auto& one : changes()) {
        message.put(one.kind).put(static_cast<std::uint64_t>(one.begin)).put(static_cast<std::uint64_t>(one.size));
        message.put_text(one.name).put_frames(one.frames);
    }
    changes().clear();
}

std::size_t used_of(const void* pool) {
    std::size_t sum = 0;
    for (const auto& [begin, one] : live()) sum += one.pool == pool ? one.size : 0;
    return sum;
}

void copy_shared_in() {
    for (const Shared& one : shared()) {
        std::memcpy(accessible(reinterpret_cast<void*>(one.device)), one.host, one.size);
        note_write(one.device, one.size);
    }
}

void copy_shared_out() {
    for (const Shared& one : shared())
        std::memcpy(one.host, accessible(reinterpret_cast<void*>(one.device)), one.size);
}

void tell_leaks() {
    if (!device().checks_memory || sticky()) return;
    for (const auto& [begin, one] : live())
        if (one.name.empty())  // variables have names
            tell(Finding::LEAK, bytes(one.size) + " of " + NAMES[static_cast<int>(one.kind)] + " are never freed",
                 one.made);
}

}  // namespace standin

using namespace standin;

// --- allocation

API cudaError_t cudaMalloc(void** pointer, size_t size) {
    return call("cudaMalloc", [&] { return allocate_into("cudaMalloc", pointer, size, Kind::DEVICE); });
}

API cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int) {
    return call("cudaMallocManaged",
                [&] { return allocate_into("cudaMallocManaged", pointer, size, Kind::MANAGED); });
}

API cudaError_t cudaMallocHost(void** pointer, size_t size) {
    return call("cudaMallocHost", [&] { return allocate_into("cudaMallocHost", pointer, size, Kind::PINNED); });
}

API cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int) {
    return call("cudaHostAlloc", [&] { return allocate_into("cudaHostAlloc", pointer, size, Kind::PINNED); });
}

API cudaError_t cudaFree(void* pointer) {
    return call("cudaFree", [&] {
        device();  // programs call cudaFree(0) to start the device
        return free_memory("cudaFree", pointer, false);
    });
}

API cudaError_t cudaFreeHost(void* pointer) {
    return call("cudaFreeHost", [&] { return free_memory("cudaFreeHost", pointer, true); });
}

API cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return call("cudaFreeAsync", [&]() -> cudaError_t {
        Graph* graph = captured_graph(stream);
        if (!graph) return free_memory("cudaFreeAsync", pointer, false);
        free_with_graph(graph, pointer);
        return cudaSuccess;
    });
}

API cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    return call("cudaMallocPitch", [&]() -> cudaError_t {
        if (!pitch) return cudaErrorInvalidValue;
        *pitch = (width + 511) / 512 * 512;
        return allocate_into("cudaMallocPitch", pointer, *pitch * height, Kind::DEVICE);
    });
}

API cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
    return call("cudaMalloc3D", [&]() -> cudaError_t {
        if (!pitched) return cudaErrorInvalidValue;
        pitched->pitch = (extent.width + 511) / 512 * 512;
        pitched->xsize = extent.width, pitched->ysize = extent.height;
        return allocate_into("cudaMalloc3D", &pitched->ptr, pitched->pitch * extent.height * extent.depth, Kind::DEVICE);
    });
}

API cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags) {
    return call("cudaHostRegister", [&]() -> cudaError_t {
        if (flags & cudaHostRegisterMapped) return cudaErrorNotSupported;  // its address would have to change
        return pointer && size ? cudaSuccess : cudaErrorInvalidValue;
    });
}

API cudaError_t cudaHostUnregister(void* pointer) {
    return call("cudaHostUnregister", [&] { return pointer ? cudaSuccess : cudaErrorInvalidValue; });
}

API cudaError_t cudaHostGetDevicePointer(void** found, void* pointer, unsigned int) {
    return call("cudaHostGetDevicePointer", [&]() -> cudaError_t {
        if (!found || !find(reinterpret_cast<Address>(pointer))) return cudaErrorInvalidValue;
        *found = pointer;
        return cudaSuccess;
    });
}

API cudaError_t cudaHostGetFlags(unsigned int* flags, void* pointer) {
    return call("cudaHostGetFlags", [&]() -> cudaError_t {
        Allocation* one = find(reinterpret_cast<Address>(pointer));
        if (!flags || !one || one->kind != Kind::PINNED) return cudaErrorInvalidValue;
        *flags = cudaHostAllocMapped;
        return cudaSuccess;
    });
}

API cudaError_t cudaMemGetInfo(size_t* available, size_t* all) {
    return call("cudaMemGetInfo", [&] {
        device();
        if (available) *available = total - used;
        if (all) *all = total;
        return cudaSuccess;
    });
}

API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return call("cudaPointerGetAttributes", [&]() -> cudaError_t {
        if (!attributes) return cudaErrorInvalidValue;
        Allocation* one = find(reinterpret_cast<Address>(pointer));
        *attributes = {};
        attributes->device = one ? 0 : -1;
        attributes->type = !one                          ? cudaMemoryTypeUnregistered
                           : one->kind == Kind::MANAGED ? cudaMemoryTypeManaged
                           : one->kind == Kind::PINNED  ? cudaMemoryTypeHost
                                                        : cudaMemoryTypeDevice;
        attributes->devicePointer = one ? const_cast<void*>(pointer) : nullptr;
        attributes->hostPointer = !one || is_for_host(one->kind) ? const_cast<void*>(pointer) : nullptr;
        return cudaSuccess;
    });
}

// --- copies

API cudaError_t cudaMemcpy(void* to, const void* from, size_t count, cudaMemcpyKind kind) {
    return call("cudaMemcpy", [&] { return copy_bytes("cudaMemcpy", to, from, count, kind, nullptr, true); });
}

API cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
    return call("cudaMemcpyAsync",
                [&] { return copy_bytes("cudaMemcpyAsync", to, from, count, kind, stream, false); });
}

API cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t count) {
    return call("cudaMemcpyPeer", [&] {
        return copy_bytes("cudaMemcpyPeer", to, from, count, cudaMemcpyDeviceToDevice, nullptr, true);
    });
}

API cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t count, cudaStream_t stream) {
    return call("cudaMemcpyPeerAsync", [&] {
        return copy_bytes("cudaMemcpyPeerAsync", to, from, count, cudaMemcpyDeviceToDevice, stream, false);
    });
}

API cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                             size_t height, cudaMemcpyKind kind) {
    return call("cudaMemcpy2D", [&] {
        return copy("cudaMemcpy2D", {to, to_pitch, 0}, {from, from_pitch, 0}, {width, height}, kind, nullptr, true);
    });
}

API cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                  size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return call("cudaMemcpy2DAsync", [&] {
        return copy("cudaMemcpy2DAsync", {to, to_pitch, 0}, {from, from_pitch, 0}, {width, height}, kind, stream, false);
    });
}

API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
    return call("cudaMemcpy3D", [&] { return copy_3d("cudaMemcpy3D", parameters, nullptr, true); });
}

API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    return call("cudaMemcpy3DAsync", [&] { return copy_3d("cudaMemcpy3DAsync", parameters, stream, false); });
}

API cudaError_t cudaMemcpyToSymbol(const void* variable, const void* from, size_t count, size_t offset,
                                   cudaMemcpyKind kind) {
    return call("cudaMemcpyToSymbol", [&] {
        return copy_symbol("cudaMemcpyToSymbol", variable, from, count, offset, kind, nullptr, true, true);
    });
}

API cudaError_t cudaMemcpyFromSymbol(void* to, const void* variable, size_t count, size_t offset,
                                     cudaMemcpyKind kind) {
    return call("cudaMemcpyFromSymbol", [&] {
        return copy_symbol("cudaMemcpyFromSymbol", variable, to, count, offset, kind, nullptr, false, true);
    });
}

API cudaError_t cudaMemcpyToSymbolAsync(const void* variable, const void* from, size_t count, size_t offset,
                                        cudaMemcpyKind kind, cudaStream_t stream) {
    return call("cudaMemcpyToSymbolAsync", [&] {
        return copy_symbol("cudaMemcpyToSymbolAsync", variable, from, count, offset, kind, stream, true, false);
    });
}

API cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* variable, size_t count, size_t offset,
                                          cudaMemcpyKind kind, cudaStream_t stream) {
    return call("cudaMemcpyFromSymbolAsync", [&] {
        return copy_symbol("cudaMemcpyFromSymbolAsync", variable, to, count, offset, kind, stream, false, false);
    });
}

API cudaError_t cudaGetSymbolAddress(void** found, const void* variable) {
    return call("cudaGetSymbolAddress", [&]() -> cudaError_t {
        Allocation* memory = symbol(variable);
        if (!memory || !found) return memory ? cudaErrorInvalidValue : cudaErrorInvalidSymbol;
        *found = reinterpret_cast<void*>(memory->begin);
        return cudaSuccess;
    });
}

API cudaError_t cudaGetSymbolSize(size_t* size, const void* variable) {
    return call("cudaGetSymbolSize", [&]() -> cudaError_t {
        Allocation* memory = symbol(variable);
        if (!memory || !size) return memory ? cudaErrorInvalidValue : cudaErrorInvalidSymbol;
        *size = memory->size;
        return cudaSuccess;
    });
}

// --- filling

API cudaError_t cudaMemset(void* to, int value, size_t count) {
    return call("cudaMemset", [&] { return fill("cudaMemset", {to, count, 0}, byte(value), {count}, nullptr); });
}

API cudaError_t cudaMemsetAsync(void* to, int value, size_t count, cudaStream_t stream) {
    return call("cudaMemsetAsync", [&] { return fill("cudaMemsetAsync", {to, count, 0}, byte(value), {count}, stream); });
}

API cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
    return call("cudaMemset2D",
                [&] { return fill("cudaMemset2D", {to, pitch, 0}, byte(value), {width, height}, nullptr); });
}

API cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                                  cudaStream_t stream) {
    return call("cudaMemset2DAsync",
                [&] { return fill("cudaMemset2DAsync", {to, pitch, 0}, byte(value), {width, height}, stream); });
}

API cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    return call("cudaMemset3D", [&] {
        Box box{extent.width, extent.height, extent.depth};
        return fill("cudaMemset3D", {to.ptr, to.pitch, to.pitch * to.ysize}, byte(value), box, nullptr);
    });
}

// --- advice, which changes nothing here

API cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t, cudaMemLocation, unsigned int, cudaStream_t) {
    return call("cudaMemPrefetchAsync", [&] {
        return find(reinterpret_cast<Address>(pointer)) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

API cudaError_t cudaMemAdvise(const void* pointer, size_t, cudaMemoryAdvise, cudaMemLocation) {
    return call("cudaMemAdvise", [&] {
        return find(reinterpret_cast<Address>(pointer)) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

// --- for Python

// Let the device work on bytes of the host, an array of a program in Python. Return their address on the device, or 0.
API Address tilewright_share(char* host, size_t size) {
    Guard guard;
    Allocation* made = allocate(size, Kind::DEVICE, "", {});
    if (!made) return 0;
    shared().push_back({host, made->begin, size});
    return made->begin;
}

// Release what `tilewright_share` has made: the array is no longer there.
API void tilewright_unshare(Address device) {
    Guard guard;
    for (std::size_t at = 0; at < shared().size(); ++at)
        if (shared()[at].device == device) {
            shared().erase(shared().begin() + static_cast<std::ptrdiff_t>(at));
            free_memory("the end of an array", reinterpret_cast<void*>(device), false);
            return;
        }
}

// Return the address through which the host may access memory of the device, and the bytes from there to the end.
API char* tilewright_accessible(Address address, size_t* size) {
    Guard guard;
    Allocation* one = is_device_address(address) ? find(address) : nullptr;
    if (one) *size = one->end() - address;
    return one ? accessible(reinterpret_cast<void*>(address)) : nullptr;
}

// Return the address on the device of an address that `tilewright_accessible` has returned, or 0.
API Address tilewright_device_address(const char* host) {
    Guard guard;
    return alias && host >= alias && host < alias + total ? BASE + static_cast<Address>(host - alias) : 0;
}
