// Code that programs load by its address alone, and the compilers of the program: NVRTC and nvJitLink. They are NVIDIA's
// own libraries; where they would return machine code, the program gets the PTX or the Tile IR that it is made from.

#include "images.h"
#include "standin.h"

#include <cstdint>
#include <cstring>
#include <dlfcn.h>

namespace standin {

namespace {

const char TILE_IR[] = "\x7fTileIR";
const char ELF[] = "\x7f" "ELF";
constexpr std::size_t TILE_IR_HEAD = 12, ELF_HEAD = 64;
constexpr unsigned ALIGNED = 0x80;
const char SEPARATOR[] = "\n// linked with the code of another module\n";

bool begins(const char* code, const char* magic) { return std::strncmp(code, magic, std::strlen(magic)) == 0; }

std::size_t read_number(const unsigned char* code, std::size_t& at) {
    std::size_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        unsigned char byte = code[at++];
        value |= static_cast<std::size_t>(byte & 0x7f) << shift;
        if (byte < 0x80) break;
    }
    return value;
}

// Return the size of bytecode, whose sections have their sizes.
std::size_t size_of_tile_ir(const char* text) {
    auto* code = reinterpret_cast<const unsigned char*>(text);
    std::size_t at = TILE_IR_HEAD;
    while (unsigned kind = code[at++]) {
        std::size_t length = read_number(code, at);
        if (kind & ALIGNED) {
            std::size_t alignment = read_number(code, at);
            if (alignment) at = (at + alignment - 1) / alignment * alignment;
        }
        at += length;
    }
    return at;
}

std::size_t size_of_fat_binary(const char* code) {
    auto* header = reinterpret_cast<const FatHeader*>(code);
    return header->size + header->bytes;
}

bool is_fat_binary(const char* code) { return reinterpret_cast<const FatHeader*>(code)->magic == IMAGE_MAGIC; }

// --- the libraries of the compilers

struct Library {
    std::string path;
    void* handle = nullptr;
};

std::map<std::string, Library>& libraries() {
    static auto* found = new std::map<std::string, Library>;
    return *found;
}

void* function_of(const char* library, const char* name) {
    Guard guard;
    Library& one = libraries()[library];
    if (!one.handle && !one.path.empty()) one.handle = dlopen(one.path.c_str(), RTLD_NOW | RTLD_LOCAL);
    return one.handle ? dlsym(one.handle, name) : nullptr;
}

// Call a function of NVRTC or nvJitLink. The error is that of a missing library: an internal one.
template <typename... Arguments> int call_library(const char* library, int error, const char* name, Arguments... arguments) {
    using Function = int (*)(Arguments...);
    auto function = reinterpret_cast<Function>(function_of(library, name));
    return function ? function(arguments...) : error;
}

template <typename... Arguments> int nvrtc(const char* name, Arguments... arguments) {
    constexpr int NVRTC_ERROR_INTERNAL_ERROR = 11;
    return call_library("nvrtc", NVRTC_ERROR_INTERNAL_ERROR, name, arguments...);
}

template <typename... Arguments> int jit_link(const char* name, Arguments... arguments) {
    constexpr int NVJITLINK_ERROR_INTERNAL = 6;
    return call_library("nvJitLink", NVJITLINK_ERROR_INTERNAL, name, arguments...);
}

// Set the size of the code that a program of NVRTC was compiled to, and the function that returns the code.
int code_of(void* program, std::size_t& size, const char*& get) {
    size = 0;
    get = "nvrtcGetTileIR";
    if (int error = nvrtc("nvrtcGetCUBINSize", program, &size)) return error;
    if (!size) return 0;  // compiled for no GPU: the program asks for PTX
    std::size_t tile_ir = 0;
    if (nvrtc("nvrtcGetTileIRSize", program, &tile_ir) == 0 && tile_ir) {
        size = tile_ir;
        return 0;
    }
    get = "nvrtcGetPTX";
    return nvrtc("nvrtcGetPTXSize", program, &size);
}

// A linker of nvJitLink: PTX is kept, and other input goes to NVIDIA's linker.
struct Linker {
    void* real = nullptr;
    std::vector<std::string> texts;
    bool has_other = false;
    std::string made;
};

constexpr int LINKED_PTX_MISSING = 4;  // NVJITLINK_ERROR_INVALID_INPUT

int add(Linker& linker, int type, const char* data, std::size_t size, const char* name) {
    std::string text = ptx_of(std::string(data, size));
    if (!text.empty()) {
        linker.texts.push_back(text);
        return 0;
    }
    linker.has_other = true;
    return jit_link("nvJitLinkAddData", linker.real, type, static_cast<const void*>(data), size, name);
}

int complete(Linker& linker) {
    if (linker.has_other) {
        std::size_t size = 0;
        if (int error = jit_link("nvJitLinkComplete", linker.real)) return error;
        if (int error = jit_link("nvJitLinkGetLinkedPtxSize", linker.real, &size)) return error;
        std::string text(size, '\0');
        if (int error = jit_link("nvJitLinkGetLinkedPtx", linker.real, text.data())) return error;
        linker.texts.push_back(text.c_str());
    }
    linker.made = linked(linker.texts);
    return linker.made.empty() ? LINKED_PTX_MISSING : 0;
}

}  // namespace

std::string image_at(const void* code) {
    auto* text = static_cast<const char*>(code);
    if (!text) return "";
    if (begins(text, TILE_IR)) return std::string(text, size_of_tile_ir(text));
    if (begins(text, ELF)) return std::string(text, ELF_HEAD);
    auto* wrapper = reinterpret_cast<const FatBinary*>(text);
    if (wrapper->magic == FAT_MAGIC) text = wrapper->data;
    return is_fat_binary(text) ? std::string(text, size_of_fat_binary(text)) : std::string(text);
}

std::string ptx_of(const std::string& code) {
    bool is_other = code.size() < sizeof(FatHeader) || begins(code.c_str(), TILE_IR) || begins(code.c_str(), ELF) ||
                    is_fat_binary(code.data()) || code.find(".version") == std::string::npos;
    return is_other ? "" : std::string(code.c_str());  // up to a zero at its end
}

std::string linked(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : SEPARATOR) + text;
    return all;
}

}  // namespace standin

using namespace standin;

// Set the path of NVIDIA's library; the generated functions of its name call it.
API void tilewright_set_library(const char* library, const char* path) {
    Guard guard;
    libraries()[library].path = path;
}

extern "C" __attribute__((visibility("hidden"))) void* tilewright_library_function(const char* library,
                                                                                  const char* name) {
    return function_of(library, name);
}

// --- NVRTC

// Create a program whose lines are those of the Python file that its text stands in.
API int nvrtcCreateProgram(void** program, const char* text, const char* name, int count, const char* const* headers,
                           const char* const* names) {
    std::string source = line_of_source(text) + (text ? text : "");
    return nvrtc("nvrtcCreateProgram", program, source.c_str(), name, count, headers, names);
}

// Compile with the lines of instructions, which findings need.
API int nvrtcCompileProgram(void* program, int count, const char* const* options) {
    std::vector<const char*> all(options, options + count);
    bool has_lines = false;
    for (const char* option : all)
        for (const char* one : {"-lineinfo", "--generate-line-info", "-G", "--device-debug"})
            has_lines = has_lines || std::strcmp(option, one) == 0;
    if (!has_lines) all.push_back("-lineinfo");
    return nvrtc("nvrtcCompileProgram", program, static_cast<int>(all.size()), all.data());
}

API int nvrtcGetCUBINSize(void* program, size_t* size) {
    const char* get;
    return code_of(program, *size, get);
}

API int nvrtcGetCUBIN(void* program, char* into) {
    const char* get;
    std::size_t size;
    if (int error = code_of(program, size, get)) return error;
    return nvrtc(get, program, into);
}

// --- nvJitLink

API int nvJitLinkCreate(void** made, std::uint32_t count, const char** options) {
    auto* linker = new Linker;
    std::vector<const char*> all(options, options + count);
    bool is_lto = false, is_ptx = false;
    for (const char* option : all) {
        is_lto = is_lto || std::strcmp(option, "-lto") == 0;
        is_ptx = is_ptx || std::strcmp(option, "-ptx") == 0;
    }
    if (is_lto && !is_ptx) all.push_back("-ptx");
    *made = linker;
    return jit_link("nvJitLinkCreate", &linker->real, static_cast<std::uint32_t>(all.size()), all.data());
}

API int nvJitLinkDestroy(void** handle) {
    auto* linker = static_cast<Linker*>(*handle);
    int error = linker->real ? jit_link("nvJitLinkDestroy", &linker->real) : 0;
    delete linker;
    *handle = nullptr;
    return error;
}

API int nvJitLinkAddData(void* handle, int type, const void* data, size_t size, const char* name) {
    return add(*static_cast<Linker*>(handle), type, static_cast<const char*>(data), size, name);
}

API int nvJitLinkAddFile(void* handle, int type, const char* file) {
    static_cast<Linker*>(handle)->has_other = true;
    return jit_link("nvJitLinkAddFile", static_cast<Linker*>(handle)->real, type, file);
}

API int nvJitLinkComplete(void* handle) { return complete(*static_cast<Linker*>(handle)); }

API int nvJitLinkGetLinkedCubinSize(void* handle, size_t* size) {
    *size = static_cast<Linker*>(handle)->made.size() + 1;
    return 0;
}

API int nvJitLinkGetLinkedCubin(void* handle, void* into) {
    const std::string& made = static_cast<Linker*>(handle)->made;
    std::memcpy(into, made.c_str(), made.size() + 1);
    return 0;
}

API int nvJitLinkGetLinkedPtxSize(void* handle, size_t* size) { return nvJitLinkGetLinkedCubinSize(handle, size); }
API int nvJitLinkGetLinkedPtx(void* handle, char* into) { return nvJitLinkGetLinkedCubin(handle, into); }

API int nvJitLinkGetErrorLogSize(void* handle, size_t* size) {
    return jit_link("nvJitLinkGetErrorLogSize", static_cast<Linker*>(handle)->real, size);
}

API int nvJitLinkGetErrorLog(void* handle, char* into) {
    return jit_link("nvJitLinkGetErrorLog", static_cast<Linker*>(handle)->real, into);
}

API int nvJitLinkGetInfoLogSize(void* handle, size_t* size) {
    return jit_link("nvJitLinkGetInfoLogSize", static_cast<Linker*>(handle)->real, size);
}

API int nvJitLinkGetInfoLog(void* handle, char* into) {
    return jit_link("nvJitLinkGetInfoLog", static_cast<Linker*>(handle)->real, into);
}

API int nvJitLinkVersion(unsigned int* major, unsigned int* minor) {
    return jit_link("nvJitLinkVersion", major, minor);
}
