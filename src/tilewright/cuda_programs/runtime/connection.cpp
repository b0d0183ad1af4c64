// The worker: its start, requests, and findings.

#include "standin.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace standin {

namespace {

int channel = -1;
const char* (*place_of_program)() = nullptr;
void (*after_work)() = nullptr;
const char* (*line_of_text)(const char*) = nullptr;
// Variables of the worker's environment, instead of the program's.
std::map<std::string, std::string>& variables() {
    static auto* found = new std::map<std::string, std::string>;  // never destroyed, as the next: the end uses them
    return *found;
}
// The address of the record that findings go to.
std::string& record() { static auto* found = new std::string; return *found; }
pid_t owner = 0;
bool forked = false;
bool failed = false, ended = false;
std::uint32_t findings = 0;

struct Range {
    Address begin = 0, end = 0;
};

// The addresses of this library's code.
Range own_code() {
    static Range found = [] {
        Range own;
        dl_iterate_phdr(
            [](dl_phdr_info* info, std::size_t, void* result) {
                Address here = reinterpret_cast<Address>(&own_code);
                for (int at = 0; at < info->dlpi_phnum; ++at) {
                    const auto& header = info->dlpi_phdr[at];
                    Address begin = info->dlpi_addr + header.p_vaddr;
                    if (header.p_type == PT_LOAD && begin <= here && here < begin + header.p_memsz)
                        *static_cast<Range*>(result) = {begin, begin + header.p_memsz};
                }
                return 0;
            },
            &own);
        return own;
    }();
    return found;
}

[[noreturn]] void give_up(const char* reason) {
    std::fflush(nullptr);
    std::fprintf(stderr, "tilewright: the device cannot be started: %s\n", reason);
    _exit(1);
}

bool send_all(const char* data, std::size_t size) {
    while (size) {
        ssize_t count = send(channel, data, size, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        data += count, size -= count;
    }
    return true;
}

bool receive_all(char* data, std::size_t size) {
    while (size) {
        ssize_t count = recv(channel, data, size, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        data += count, size -= count;
    }
    return true;
}

// The environment of the worker: the target has another name, as Python would prepare for programs in Python.
std::vector<std::string> worker_environment() {
    std::vector<std::string> found;
    for (char** variable = environ; *variable; ++variable) {
        std::string text = *variable;
        if (text.rfind("LD_PRELOAD=", 0) == 0 || variables().count(text.substr(0, text.find('=')))) continue;
        if (text.rfind("TILEWRIGHT=", 0) == 0) text = "TILEWRIGHT_PROGRAM_TARGET=" + text.substr(11);
        found.push_back(text);
    }
    for (const auto& [name, value] : variables()) found.push_back(name + "=" + value);
    return found;
}

// Run the worker as the child of a child: a program that waits for its children must not find it.
void spawn(int socket, int memory) {
    const char* chosen = std::getenv("TILEWRIGHT_PYTHON");
    std::string python = chosen && *chosen ? chosen : TILEWRIGHT_PYTHON;
    std::string socket_text = std::to_string(socket), memory_text = std::to_string(memory);
    std::string parent_text = std::to_string(getpid());
    const char* arguments[] = {python.c_str(),       "-m", "tilewright.cuda_programs.worker", socket_text.c_str(),
                               memory_text.c_str(), parent_text.c_str(), nullptr};
    std::vector<std::string> variables = worker_environment();
    std::vector<char*> environment;
    for (auto& text : variables) environment.push_back(text.data());
    environment.push_back(nullptr);
    pid_t child = fork();
    if (child < 0) give_up(std::strerror(errno));
    if (child == 0) {
        if (fork() != 0) _exit(0);
        fcntl(socket, F_SETFD, 0);  // the worker has these two, and nobody else
        fcntl(memory, F_SETFD, 0);
        execve(python.c_str(), const_cast<char**>(arguments), environment.data());
        _exit(127);
    }
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
}

std::string current_record() {
    const char* found = std::getenv("TILEWRIGHT_FINDINGS");
    return found ? found : "";
}

// Let the worker know where findings go from now on, if the program has changed it.
void send_record() {
    if (current_record() == record()) return;
    record() = current_record();
    ask(Request::RECORD, Message().put_text(record()));
}

DeviceFacts start() {
    DeviceFacts facts;
    record() = current_record();
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) give_up(std::strerror(errno));
    const char* limit = std::getenv("TILEWRIGHT_DEVICE_MEMORY");
    std::size_t size = limit && *limit ? std::strtoull(limit, nullptr, 0) << 20 : std::size_t{8} << 30;
    int memory = memfd_create("tilewright device", MFD_CLOEXEC);
    if (memory < 0 || ftruncate(memory, static_cast<off_t>(size)) < 0) give_up(std::strerror(errno));
    map_device(memory, size);
    spawn(ends[1], memory);
    close(ends[1]);
    close(memory);
    channel = ends[0];
    owner = getpid();
    Reply reply = ask(Request::HELLO, Message().put<std::uint64_t>(size).put(PROTOCOL));
    if (reply.status) give_up("this program was built by another version of tilewright; build it again");
    facts.name = reply.get_text();
    facts.major = reply.get<std::int32_t>();
    facts.minor = reply.get<std::int32_t>();
    facts.multiprocessors = reply.get<std::int32_t>();
    facts.threads = reply.get<std::int32_t>();
    facts.l2_cache = reply.get<std::uint64_t>();
    facts.shared_memory = reply.get<std::uint64_t>();
    facts.checks_memory = reply.get<std::uint32_t>();
    facts.checks_races = reply.get<std::uint32_t>();
    facts.memory = size;
    return facts;
}

// At the end of the process: what is left over is told, and findings make the exit status 1.
std::uint32_t finish() {
    if (!has_started() || is_forked() || failed || ended) return 0;
    Guard guard;
    if (!place_of_program) {  // a program in Python looks at what calls return, and its objects free memory
        tell_unchecked();
        tell_leaks();
    }
    std::fflush(nullptr);
    Reply reply = ask(Request::END, Message());
    ended = true;
    return reply.get<std::uint32_t>();
}

void finish_at_exit(int status, void*) {
    if (finish() && status == 0 && !place_of_program) _exit(1);  // Python has its own way to the status
}

__attribute__((constructor)) void prepare_end() {
    on_exit(finish_at_exit, nullptr);
    pthread_atfork(nullptr, nullptr, [] { forked = has_started(); });
}

}  // namespace

Message& Message::put_text(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size()));
    data += text;
    return *this;
}

Message& Message::put_frames(const Frames& frames) {
    put(static_cast<std::uint32_t>(frames.count));
    for (int at = 0; at < frames.count; ++at) put(static_cast<std::uint64_t>(frames.at[at]));
    return put_text(frames.place);
}

std::string Reply::get_text() {
    auto size = get<std::uint32_t>();
    std::string text = at < data.size() ? data.substr(at, size) : "";
    at += size;
    return text;
}

Frames callers() {
    Frames frames;
    if (place_of_program) {
        frames.place = place_of_program();
        return frames;
    }
    void* found[MAXIMUM_FRAMES + 8];
    int count = backtrace(found, MAXIMUM_FRAMES + 8);
    Range own = own_code();
    bool is_outside = false;
    for (int at = 0; at < count && frames.count < MAXIMUM_FRAMES; ++at) {
        Address address = reinterpret_cast<Address>(found[at]);
        is_outside = is_outside || address < own.begin || address >= own.end;
        if (is_outside) frames.at[frames.count++] = address;
    }
    return frames;
}

std::string line_of_source(const char* text) { return line_of_text && text ? line_of_text(text) : ""; }

bool is_forked() { return forked; }
bool has_started() { return owner != 0; }

std::recursive_mutex& lock() {
    static auto* mutex = new std::recursive_mutex;  // never destroyed: functions of atexit may call
    return *mutex;
}

int& lock_depth() {
    static thread_local int depth = 0;
    return depth;
}

const DeviceFacts& device() {
    static const DeviceFacts* facts = new DeviceFacts(start());
    return *facts;
}

Reply ask(Request request, const Message& message) {
    if (request != Request::HELLO) device();
    if (request != Request::HELLO && request != Request::RECORD) send_record();
    Reply reply;
    struct {
        std::uint32_t request, padding;
        std::uint64_t size;
    } head{static_cast<std::uint32_t>(request), 0, message.data.size()};
    bool is_sent = !failed && !ended && send_all(reinterpret_cast<char*>(&head), sizeof head) &&
                   send_all(message.data.data(), message.data.size());
    if (is_sent && receive_all(reinterpret_cast<char*>(&head), sizeof head)) {
        reply.status = static_cast<int>(head.request);
        reply.data.resize(head.size);
        bool is_work = request == Request::LAUNCH || request == Request::FINDING || request == Request::LOAD;
        if (receive_all(reply.data.data(), head.size)) {
            if (after_work && is_work) after_work();
            return reply;
        }
    }
    if (request == Request::HELLO) give_up("the worker ended; is tilewright installed in " TILEWRIGHT_PYTHON "?");
    if (!failed && !ended) std::fprintf(stderr, "tilewright: the worker that runs the kernels has ended\n");
    failed = true;
    reply.data.clear();
    reply.status = cudaErrorUnknown;
    return reply;
}

void tell(Finding finding, const std::string& message, const Frames& frames, const std::vector<Note>& notes) {
    Message sent;
    sent.put(static_cast<std::uint32_t>(finding)).put_text(message).put_frames(frames);
    sent.put(static_cast<std::uint32_t>(notes.size()));
    for (const auto& note : notes) sent.put_text(note.text).put_frames(note.frames);
    std::fflush(stdout);
    ask(Request::FINDING, sent);
    ++findings;
}

}  // namespace standin

using namespace standin;

// --- for Python

// Let a function of the program return the place that it is at: its frames have no addresses. Another function is
// called after what may have findings.
// The third returns the line directive of a text of C++.
API void tilewright_set_program(const char* (*place)(), void (*after)(), const char* (*line)(const char*)) {
    place_of_program = place, after_work = after, line_of_text = line;
}

// Set a variable of the environment that the worker will have.
API void tilewright_set_variable(const char* name, const char* value) { variables()[name] = value; }

// Forget the error of a kernel: another program begins in this process.
API void tilewright_forget_error() { sticky() = cudaSuccess; }
