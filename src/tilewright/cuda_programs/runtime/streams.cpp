// Streams, events, and the order of work.
//
// Work runs when the program submits it, which is one of the orders that a GPU may choose. Whether the program orders
// two accesses to the same bytes is told by clocks: every stream counts its work, and knows how much of each other
// stream has ended before its own next work begins.

#include "driver.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

namespace standin {

using Clock = std::map<int, std::uint64_t>;  // the number of a stream to its work that has ended before

struct Graph;
void add_to_graph(Graph* graph, const char* name, const Frames& frames, Work work);

namespace {

constexpr int HOST = -1;

struct Stream {
    int number = 0;
    bool blocks = true;  // ordered with the default stream
    int priority = 0;
    unsigned int flags = 0;
    Clock clock;
    Graph* captured = nullptr;
};

struct Event {
    Clock clock;
    std::chrono::steady_clock::time_point time;
    bool is_recorded = false, has_time = true;
    Graph* captured = nullptr;
};

struct Past {
    Access access;
    int stream;
    std::uint64_t time;
    std::string name;
    Frames frames;
};

int next_number = 1;
std::set<Stream*>& streams() { static auto* found = new std::set<Stream*>; return *found; }
std::set<Event*>& events() { static auto* found = new std::set<Event*>; return *found; }
std::vector<Past>& history() { static auto* found = new std::vector<Past>; return *found; }
Clock& host = *new Clock;  // never destroyed: the end of the process uses it

Stream& default_stream() {
    static auto* found = new Stream;
    return *found;
}

Stream* stream_of(cudaStream_t handle) {
    if (reinterpret_cast<Address>(handle) < PAGE) return &default_stream();  // also numbers of streams in Python
    auto* stream = reinterpret_cast<Stream*>(handle);
    return streams().count(stream) ? stream : nullptr;
}

void join(Clock& clock, const Clock& other) {
    for (const auto& [number, time] : other) clock[number] = std::max(clock[number], time);
}

// Let a stream know what must end before its next work: the host's knowledge, and work of the default stream, which
// is ordered with all streams that do not say otherwise.
void begin_work(Stream& stream) {
    join(stream.clock, host);
    if (&stream == &default_stream()) {
        for (Stream* other : streams())
            if (other->blocks) join(stream.clock, other->clock);
    } else if (stream.blocks) {
        join(stream.clock, default_stream().clock);
    }
    ++stream.clock[stream.number];
}

std::string hexadecimal(Address address) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(address));
    return text;
}

void check_order(const Stream& stream, const Access& access, const char* name, const Frames& frames) {
    for (const Past& past : history()) {
        bool meets = access.begin < past.access.end && past.access.begin < access.end;
        if (!meets || (!access.writes && !past.access.writes)) continue;
        auto known = stream.clock.find(past.stream);
        if (known != stream.clock.end() && known->second >= past.time) continue;
        Address first = std::max(access.begin, past.access.begin);
        std::vector<Note> notes{{"the earlier work is submitted here", past.frames}};
        if (Allocation* one = find(first)) notes.push_back({"the memory is allocated here", one->made});
        tell(Finding::STREAM_ORDER,
             std::string(name) + (access.writes ? " writes" : " reads") + " address " + hexadecimal(first) +
                 ", and nothing orders this after " + past.name + " of another stream, which " +
                 (past.access.writes ? "writes" : "reads") + " it",
             frames, notes);
        return;
    }
}

// Join neighbouring accesses: a copy of rows has one for each row.
void merge(Accesses& accesses) {
    std::sort(accesses.begin(), accesses.end(), [](const Access& a, const Access& b) {
        return std::tie(a.writes, a.begin) < std::tie(b.writes, b.begin);
    });
    Accesses merged;
    for (const Access& one : accesses) {
        bool joins = !merged.empty() && merged.back().writes == one.writes && merged.back().end >= one.begin;
        if (joins)
            merged.back().end = std::max(merged.back().end, one.end);
        else
            merged.push_back(one);
    }
    accesses.swap(merged);
}

void remember(Stream& stream, Accesses& accesses, const char* name, const Frames& frames) {
    merge(accesses);
    for (const Access& one : accesses) check_order(stream, one, name, frames);
    for (const Access& one : accesses)
        history().push_back({one, stream.number, stream.clock[stream.number], name, frames});
}

// Forget work that everything that comes later is ordered after.
void forget_known() {
    auto& past = history();
    past.erase(std::remove_if(past.begin(), past.end(),
                              [](const Past& one) {
                                  auto known = host.find(one.stream);
                                  return known != host.end() && known->second >= one.time;
                              }),
               past.end());
}

Event* event_of(cudaEvent_t handle) {
    auto* event = reinterpret_cast<Event*>(handle);
    return events().count(event) ? event : nullptr;
}

cudaError_t record(cudaEvent_t handle, cudaStream_t stream_handle) {
    Event* event = event_of(handle);
    Stream* stream = stream_of(stream_handle);
    if (!event || !stream) return cudaErrorInvalidResourceHandle;
    if (sticky()) return sticky();
    event->captured = stream->captured;
    begin_work(*stream);
    event->clock = stream->clock;
    event->time = std::chrono::steady_clock::now();
    event->is_recorded = true;
    return cudaSuccess;
}

cudaError_t wait_for_event(cudaStream_t stream_handle, cudaEvent_t handle) {
    Event* event = event_of(handle);
    Stream* stream = stream_of(stream_handle);
    if (!event || !stream) return cudaErrorInvalidResourceHandle;
    if (sticky()) return sticky();
    if (event->captured) stream->captured = event->captured;
    if (event->is_recorded) join(stream->clock, event->clock);
    return cudaSuccess;
}

}  // namespace

cudaError_t make_stream(cudaStream_t* made, unsigned int flags, int priority) {
    if (!made) return cudaErrorInvalidValue;
    if (sticky()) return sticky();
    device();
    auto* stream = new Stream;
    stream->number = next_number++;
    stream->blocks = !(flags & cudaStreamNonBlocking);
    stream->flags = flags;
    stream->priority = priority;
    streams().insert(stream);
    *made = reinterpret_cast<cudaStream_t>(stream);
    return cudaSuccess;
}

cudaError_t make_event(cudaEvent_t* made, unsigned int flags) {
    if (!made) return cudaErrorInvalidValue;
    if (sticky()) return sticky();
    device();
    auto* event = new Event;
    event->has_time = !(flags & cudaEventDisableTiming);
    events().insert(event);
    *made = reinterpret_cast<cudaEvent_t>(event);
    return cudaSuccess;
}

cudaError_t submit(cudaStream_t handle, const char* name, const Frames& frames, Work work) {
    Stream* stream = stream_of(handle);
    if (!stream) return cudaErrorInvalidResourceHandle;
    if (sticky()) return sticky();
    if (stream->captured) {
        add_to_graph(stream->captured, name, frames, std::move(work));
        return cudaSuccess;
    }
    begin_work(*stream);
    Accesses accesses;
    copy_shared_in();
    cudaError_t error = work(accesses);
    copy_shared_out();
    if (device().checks_races) remember(*stream, accesses, name, frames);
    return error;
}

void wait_for_stream(cudaStream_t handle) {
    Stream* stream = stream_of(handle);
    if (!stream || stream->captured) return;
    join(host, stream->clock);
    forget_known();
}

void wait_for_everything() {
    for (Stream* stream : streams()) join(host, stream->clock);
    join(host, default_stream().clock);
    forget_known();
}

void call_program(const std::function<void()>& function) {
    const char* before = set_driver_function(nullptr);
    int depth = std::exchange(lock_depth(), 0);
    for (int at = 0; at < depth; ++at) lock().unlock();
    function();
    for (int at = 0; at < depth; ++at) lock().lock();
    lock_depth() = depth;
    set_driver_function(before);
}

int number_of(cudaStream_t handle) {
    Stream* stream = stream_of(handle);
    return stream ? stream->number : HOST;
}

Graph* captured_graph(cudaStream_t handle) {
    Stream* stream = stream_of(handle);
    return stream ? stream->captured : nullptr;
}

void set_captured(cudaStream_t handle, Graph* graph) { stream_of(handle)->captured = graph; }

void end_capture(Graph* graph) {
    for (Stream* stream : streams())
        if (stream->captured == graph) stream->captured = nullptr;
    for (Event* event : events())
        if (event->captured == graph) event->captured = nullptr;
}

}  // namespace standin

using namespace standin;

// --- streams

API cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return call("cudaStreamCreate", [&] { return make_stream(stream, cudaStreamDefault, 0); });
}

API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    return call("cudaStreamCreateWithFlags", [&] { return make_stream(stream, flags, 0); });
}

API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
    return call("cudaStreamCreateWithPriority", [&] { return make_stream(stream, flags, priority); });
}

API cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    return call("cudaStreamDestroy", [&]() -> cudaError_t {
        Stream* stream = stream_of(handle);
        if (!stream || stream == &default_stream()) return cudaErrorInvalidResourceHandle;
        join(default_stream().clock, stream->blocks ? stream->clock : Clock{});
        streams().erase(stream);
        delete stream;
        return sticky();
    });
}

API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return call("cudaStreamSynchronize", [&]() -> cudaError_t {
        if (!stream_of(stream)) return cudaErrorInvalidResourceHandle;
        if (stream_of(stream)->captured) return cudaErrorStreamCaptureUnsupported;
        wait_for_stream(stream);
        return sticky();
    });
}

API cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return call("cudaStreamQuery", [&]() -> cudaError_t {
        if (!stream_of(stream)) return cudaErrorInvalidResourceHandle;
        wait_for_stream(stream);
        return sticky();
    });
}

API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
    return call("cudaStreamWaitEvent", [&] { return wait_for_event(stream, event); });
}

API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
    return call("cudaStreamGetFlags", [&]() -> cudaError_t {
        if (!stream_of(stream) || !flags) return cudaErrorInvalidValue;
        *flags = stream_of(stream)->flags;
        return cudaSuccess;
    });
}

API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    return call("cudaStreamGetPriority", [&]() -> cudaError_t {
        if (!stream_of(stream) || !priority) return cudaErrorInvalidValue;
        *priority = stream_of(stream)->priority;
        return cudaSuccess;
    });
}

API cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
    return call("cudaStreamGetId", [&]() -> cudaError_t {
        if (!stream_of(stream) || !id) return cudaErrorInvalidValue;
        *id = static_cast<unsigned long long>(number_of(stream));
        return cudaSuccess;
    });
}

API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* number) {
    return call("cudaStreamGetDevice", [&]() -> cudaError_t {
        if (!stream_of(stream) || !number) return cudaErrorInvalidValue;
        *number = 0;
        return cudaSuccess;
    });
}

API cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t, unsigned int) {
    return call("cudaStreamAttachMemAsync", [] { return sticky(); });
}

API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return call("cudaLaunchHostFunc", [&]() -> cudaError_t {
        if (!function) return cudaErrorInvalidValue;
        return submit(stream, "cudaLaunchHostFunc", callers(), [=](Accesses&) {
            call_program([&] { function(data); });
            return cudaSuccess;
        });
    });
}

API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data, unsigned int) {
    return call("cudaStreamAddCallback", [&]() -> cudaError_t {
        if (!function) return cudaErrorInvalidValue;
        return submit(stream, "cudaStreamAddCallback", callers(), [=](Accesses&) {
            call_program([&] { function(stream, cudaSuccess, data); });
            return cudaSuccess;
        });
    });
}

// --- events

API cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return call("cudaEventCreate", [&] { return make_event(event, cudaEventDefault); });
}

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    return call("cudaEventCreateWithFlags", [&] { return make_event(event, flags); });
}

API cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    return call("cudaEventDestroy", [&]() -> cudaError_t {
        Event* event = event_of(handle);
        if (!event) return cudaErrorInvalidResourceHandle;
        events().erase(event);
        delete event;
        return sticky();
    });
}

API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return call("cudaEventRecord", [&] { return record(event, stream); });
}

API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
    return call("cudaEventRecordWithFlags", [&] { return record(event, stream); });
}

API cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    return call("cudaEventSynchronize", [&]() -> cudaError_t {
        Event* event = event_of(handle);
        if (!event) return cudaErrorInvalidResourceHandle;
        join(host, event->clock);
        forget_known();
        return sticky();
    });
}

API cudaError_t cudaEventQuery(cudaEvent_t handle) {
    return call("cudaEventQuery", [&]() -> cudaError_t {
        Event* event = event_of(handle);
        if (!event) return cudaErrorInvalidResourceHandle;
        join(host, event->clock);
        forget_known();
        return sticky();
    });
}

API cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    return call("cudaEventElapsedTime", [&]() -> cudaError_t {
        Event *first = event_of(begin), *last = event_of(end);
        if (!milliseconds) return cudaErrorInvalidValue;
        if (!first || !last || !first->is_recorded || !last->is_recorded || !first->has_time || !last->has_time)
            return cudaErrorInvalidResourceHandle;
        *milliseconds = std::chrono::duration<float, std::milli>(last->time - first->time).count();
        return sticky();
    });
}

API cudaError_t cudaDeviceSynchronize() {
    return call("cudaDeviceSynchronize", [] {
        device();
        wait_for_everything();
        return sticky();
    });
}
