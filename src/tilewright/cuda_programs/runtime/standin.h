// The stand-in for the CUDA runtime: declarations that its files share.
//
// Memory of the device is a file in memory that this process and the worker, which runs the kernels, map at one
// address. So pointers are equal in both, also pointers that a program stores in memory of the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#define API extern "C" __attribute__((visibility("default")))

namespace standin {

using Address = std::uintptr_t;

constexpr Address BASE = 0x40000000000;  // where the simulator's window of global memory begins
constexpr std::size_t PAGE = 4096;
constexpr int MAXIMUM_FRAMES = 12;

// --- places in the program

// The return addresses of the callers outside of this library, the innermost first.
struct Frames {
    Address at[MAXIMUM_FRAMES];
    int count = 0;
    std::string place;  // file and line of a program that is not compiled, such as "main.py:3"
};

Frames callers();

// Return the line directive for a text of C++ that stands in a file of a program in Python, or an empty text.
std::string line_of_source(const char* text);

// --- messages to the worker

class Message {
  public:
    template <typename T> Message& put(T value) {
        data.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    Message& put_text(const std::string& text);
    Message& put_frames(const Frames& frames);
    std::string data;
};

class Reply {
  public:
    template <typename T> T get() {
        T value{};
        if (at + sizeof value <= data.size()) std::memcpy(&value, data.data() + at, sizeof value);
        at += sizeof value;
        return value;
    }
    std::string get_text();
    int status = 0;
    std::string data;

  private:
    std::size_t at = 0;
};

constexpr std::uint32_t PROTOCOL = 2;  // raised with every change of the messages; `wire.py` has it, too

enum class Request : std::uint32_t { HELLO = 1, LOAD, PLACE, KERNEL, LAUNCH, FINDING, END, RECORD };

// Send a request and return the reply. The first request starts the worker.
Reply ask(Request request, const Message& message);

// --- findings

enum class Finding : std::uint32_t {
    HOST_POINTER = 1360,
    USE_AFTER_FREE = 1361,
    BAD_FREE = 1362,
    PAST_THE_END = 1363,
    UNCHECKED_ERROR = 1364,
    LEAK = 1365,
    STREAM_ORDER = 1366,
    HOST_ACCESS = 1367,
    NOT_PROVIDED = 1368,
};

struct Note {
    std::string text;
    Frames frames;
};

void tell(Finding finding, const std::string& message, const Frames& frames, const std::vector<Note>& notes = {});

// --- the state of the process

struct DeviceFacts {
    std::string name;
    int major = 0, minor = 0, multiprocessors = 0, threads = 0;
    std::size_t memory = 0, l2_cache = 0, shared_memory = 0;
    bool checks_memory = false, checks_races = false;
};

// The lock of the library; every call of the program holds it.
std::recursive_mutex& lock();
int& lock_depth();  // how often this thread holds it

class Guard {
  public:
    Guard() { lock().lock(), ++lock_depth(); }
    ~Guard() { --lock_depth(), lock().unlock(); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
};

// The facts about the device. Starts the worker.
const DeviceFacts& device();

bool is_forked();
bool has_started();

// --- errors

// Run the body of a call under the lock, and remember its error.
cudaError_t call(const char* name, const std::function<cudaError_t()>& body);

// Return the name of the function that the program calls: `name`, or the driver's function that has called it.
const char* named(const char* name);

// Remember the error of a launch, which no call returns to the program.
cudaError_t fail_launch(const char* name, cudaError_t error, const Frames& frames);

// An error of a kernel: every later call returns it.
cudaError_t& sticky();

// Tell of an error that the program never looked at.
void tell_unchecked();

// --- memory

enum class Kind : std::uint32_t { DEVICE, MANAGED, PINNED, VARIABLE };

struct Allocation {
    Address begin = 0;
    std::size_t size = 0;
    Kind kind = Kind::DEVICE;
    std::string name;
    Frames made, freed;
    bool is_live = true;
    std::string made_by;
    const void* pool = nullptr;

    Address end() const { return begin + size; }
};

// Return new memory of the device, or null if there is not enough.
Allocation* allocate(std::size_t size, Kind kind, const std::string& made_by, const Frames& frames,
                     const std::string& name = "");

// The same in two steps: whole pages, with a page behind them that nothing has, or 0; and an allocation in such pages.
Address take_pages(std::size_t size);
Allocation* allocate_at(Address begin, std::size_t size, Kind kind, const std::string& made_by, const Frames& frames,
                        const std::string& name = "");
void forget(Allocation old);
void give_pages(Address begin, std::size_t size);

// Return the live allocation that contains an address, or null.
Allocation* find(Address address);

// Return the latest freed allocation that contained an address, or null.
Allocation* find_freed(Address address);

bool is_device_address(Address address);

// Return the bytes of the live allocations of a pool.
std::size_t used_of(const void* pool);

// Set a pointer to new memory of the device, or release such memory; `name` is the function that the program calls.
cudaError_t allocate_into(const char* name, void** pointer, std::size_t size, Kind kind);
cudaError_t free_memory(const char* name, void* pointer, bool of_host);

// Bytes of the host that work of the device finds in memory of the device, and changes there.
struct Shared {
    char* host;
    Address device;
    std::size_t size;
};

void copy_shared_in();
void copy_shared_out();

// Return a pointer through which this process may access memory, also memory that only the device may access.
char* accessible(const void* pointer);

// Append what the worker must know of the memory since the last time.
void put_changes(Message& message);

void note_write(Address begin, std::size_t size);
void tell_leaks();
void map_device(int descriptor, std::size_t size);

// --- the order of work

struct Access {
    Address begin = 0, end = 0;
    bool writes = false;
};

using Accesses = std::vector<Access>;
using Work = std::function<cudaError_t(Accesses&)>;

// Run work in a stream, or add it to the graph that the stream captures.
cudaError_t submit(cudaStream_t stream, const char* name, const Frames& frames, Work work);

// Call a function of the program without the lock: it may wait for other threads.
void call_program(const std::function<void()>& function);

// Let the host know that all work of a stream has ended.
void wait_for_stream(cudaStream_t stream);
void wait_for_everything();

// Return the number of the stream as a launch needs it, or a negative number for a handle that is none.
int number_of(cudaStream_t stream);

// Rows of bytes that a copy takes, and where they lie.
struct Box {
    std::size_t width = 0, height = 1, depth = 1;
};

struct Pitched {
    const void* pointer = nullptr;
    std::size_t pitch = 0, slice = 0;  // bytes from row to row, and from slice to slice
};

// Set the work of a copy, which checks both sides when it runs.
cudaError_t copying(const char* name, Pitched to, Pitched from, Box box, cudaMemcpyKind kind, const Frames& frames,
                    Work& work);
cudaError_t copying_3d(const char* name, const cudaMemcpy3DParms& parameters, const Frames& frames, Work& work);
Work filling(const char* name, Pitched to, const std::string& pattern, Box box, const Frames& frames);

// The same as a whole: make the work and submit it. A copy that waits has ended when this returns.
cudaError_t copy(const char* name, Pitched to, Pitched from, Box box, cudaMemcpyKind kind, cudaStream_t stream,
                 bool waits);
cudaError_t fill(const char* name, Pitched to, const std::string& pattern, Box box, cudaStream_t stream);

// Return the graph that a stream captures, or null.
struct Graph;
Graph* captured_graph(cudaStream_t stream);

// Free memory when a graph and all that was made from it have ended.
void free_with_graph(Graph* graph, void* pointer);

cudaError_t make_stream(cudaStream_t* made, unsigned int flags, int priority);
cudaError_t make_event(cudaEvent_t* made, unsigned int flags);

struct Launch {
    dim3 grid{1, 1, 1}, block{1, 1, 1}, cluster{0, 0, 0};
    std::size_t shared = 0;
    bool is_cooperative = false;
};

// --- modules and kernels

struct FatBinary {  // as nvcc lays it out
    int magic, version;
    const char* data;
    void* more;
};

struct FatHeader {
    std::uint32_t magic;
    std::uint16_t version, size;
    std::uint64_t bytes;
};

constexpr int FAT_MAGIC = 0x466243b1;
constexpr std::uint32_t IMAGE_MAGIC = 0xba55ed50;

struct Module {
    const void* image = nullptr;  // a fat binary in the wrapper of nvcc; null for other modules
    std::string data;             // the code of a module that the program loads itself
    std::int32_t number = -1;     // of the worker; -1 before it is loaded
    cudaError_t error = cudaSuccess;
    std::map<std::string, Allocation*> variables;
    std::vector<std::string> symbols;  // of its kernels
    std::map<std::string, struct Kernel*> kernels;  // those that the program has asked for by their symbol
};

struct Parameter {
    std::uint32_t offset = 0, size = 0;
};

struct Kernel {
    Module* module = nullptr;
    std::string symbol, name;
    bool is_known = false, is_tile = false;
    std::vector<Parameter> parameters;
    std::uint32_t shared = 0, local = 0, maximum_threads = 1024, registers = 0, constant = 0;
    std::uint32_t maximum_shared = 48 << 10;
};

// Let the worker load a module, or tell of a kernel.
cudaError_t load(Module& module);
cudaError_t know(Kernel& kernel);

// Return the kernel of a function of the host or of a handle, or null.
Kernel* kernel_of(const void* function);

// Return the kernel with a symbol in a module that is loaded, or null. Its address is its handle.
Kernel* kernel_in(Module& module, const std::string& symbol);
void forget_kernels(const Module& module);

cudaError_t launch_now(const void* function, const Launch& launch, void** arguments, cudaStream_t stream,
                       const Frames& frames);

// Return a launch as a configuration describes it.
Launch launch_of(const cudaLaunchConfig_t& config);

// Check a launch, and return its work; the arguments are copied.
cudaError_t prepare(const void* function, const Launch& launch, void** arguments, const Frames& frames, Work& work,
                    std::string& name);

// Return the memory of a variable of the device by the variable of the host, or null.
Allocation* symbol(const void* variable);

}  // namespace standin
