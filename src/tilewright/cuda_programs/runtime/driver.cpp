// The driver's interface: its start, errors, devices, contexts, and the addresses of its functions.

#include "driver.h"

#include <algorithm>
#include <cstdio>
#include <dlfcn.h>

struct tilewright_procedure {
    const char* name;
    int version;
    void* function;
};

// The functions of the driver by name, the versions of each in order; the build generates the table.
extern "C" const tilewright_procedure tilewright_procedures[];
extern "C" const unsigned long tilewright_procedure_count;

namespace standin {

namespace {

struct Context {
    unsigned int flags = 0;
    bool is_live = true;
};

bool is_initialised = false;
int primary_uses = 0;
thread_local std::vector<Context*> stack;

Context& primary() {
    static auto* found = new Context;
    return *found;
}

Context* current() { return stack.empty() || !stack.back()->is_live ? nullptr : stack.back(); }
Context* context_of(CUcontext handle) { return reinterpret_cast<Context*>(handle); }
CUcontext handle_of(Context* context) { return reinterpret_cast<CUcontext>(context); }

struct Renamed {
    cudaError_t error;
    CUresult result;
};

// Errors of the runtime whose number means something else to the driver.
const Renamed RENAMED[] = {
    {cudaErrorInvalidConfiguration, CUDA_ERROR_INVALID_VALUE},
    {cudaErrorInvalidPitchValue, CUDA_ERROR_INVALID_VALUE},
    {cudaErrorInvalidSymbol, CUDA_ERROR_NOT_FOUND},
    {cudaErrorInvalidMemcpyDirection, CUDA_ERROR_INVALID_VALUE},
    {cudaErrorMissingConfiguration, CUDA_ERROR_INVALID_VALUE},
    {cudaErrorInvalidDeviceFunction, CUDA_ERROR_INVALID_HANDLE},
};

struct ErrorName {
    CUresult error;
    const char *name, *text;
};

#define ROW(name, text) {name, #name, text}
const ErrorName NAMES[] = {
    ROW(CUDA_SUCCESS, "no error"),
    ROW(CUDA_ERROR_INVALID_VALUE, "invalid argument"),
    ROW(CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
    ROW(CUDA_ERROR_NOT_INITIALIZED, "initialization error"),
    ROW(CUDA_ERROR_DEINITIALIZED, "driver shutting down"),
    ROW(CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
    ROW(CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal"),
    ROW(CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid"),
    ROW(CUDA_ERROR_INVALID_CONTEXT, "invalid device context"),
    ROW(CUDA_ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device"),
    ROW(CUDA_ERROR_INVALID_PTX, "a PTX JIT compilation failed"),
    ROW(CUDA_ERROR_FILE_NOT_FOUND, "file not found"),
    ROW(CUDA_ERROR_INVALID_HANDLE, "invalid resource handle"),
    ROW(CUDA_ERROR_ILLEGAL_STATE, "the operation cannot be performed in the present state"),
    ROW(CUDA_ERROR_NOT_FOUND, "named symbol not found"),
    ROW(CUDA_ERROR_NOT_READY, "device not ready"),
    ROW(CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    ROW(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch"),
    ROW(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, "the primary context is already initialized"),
    ROW(CUDA_ERROR_CONTEXT_IS_DESTROYED, "context is destroyed"),
    ROW(CUDA_ERROR_ASSERT, "device-side assert triggered"),
    ROW(CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address"),
    ROW(CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure"),
    ROW(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "too many blocks in cooperative launch"),
    ROW(CUDA_ERROR_NOT_PERMITTED, "operation not permitted"),
    ROW(CUDA_ERROR_NOT_SUPPORTED, "operation not supported"),
    ROW(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "operation not permitted when stream is capturing"),
    ROW(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "operation failed due to a previous error during capture"),
    ROW(CUDA_ERROR_INVALID_CLUSTER_SIZE, "invalid cluster size"),
    ROW(CUDA_ERROR_UNKNOWN, "unknown error"),
};
#undef ROW

const ErrorName* row_of(CUresult error) {
    for (const ErrorName& one : NAMES)
        if (one.error == error) return &one;
    return nullptr;
}

cudaError_t check_device(CUdevice number) { return number == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

cudaError_t switch_to(Context* context) {
    if (context && !context->is_live) return runtime_error(CUDA_ERROR_CONTEXT_IS_DESTROYED);
    if (!stack.empty()) stack.pop_back();
    if (context) stack.push_back(context);
    return cudaSuccess;
}

}  // namespace

CUresult driver_error(cudaError_t error) {
    for (const Renamed& one : RENAMED)
        if (one.error == error) return one.result;
    return static_cast<CUresult>(error);
}

const char* driver_error_name(CUresult error) {
    const ErrorName* row = row_of(error);
    return row ? row->name : "CUDA_ERROR_UNKNOWN";
}

CUresult with_driver(const char* name, const std::function<cudaError_t()>& body) {
    return driver_call(name, [&] { return is_initialised ? body() : cudaErrorInitializationError; });
}

CUresult in_context(const char* name, const std::function<cudaError_t()>& body) {
    return with_driver(name, [&] { return current() ? body() : runtime_error(CUDA_ERROR_INVALID_CONTEXT); });
}

void use_primary_context() {
    is_initialised = true;
    if (!current()) switch_to(&primary());
}

CUcontext current_context() { return handle_of(current()); }

}  // namespace standin

using namespace standin;

// --- the start, errors, and the addresses of functions
// As on a GPU: nothing works before `cuInit`. Functions are found by name and version of CUDA.

API CUresult cuInit(unsigned int flags) {
    return driver_call("cuInit", [&] {
        if (flags) return cudaErrorInvalidValue;
        is_initialised = true;
        return cudaSuccess;
    });
}

API CUresult cuDriverGetVersion(int* version) {
    return driver_call("cuDriverGetVersion", [&] {
        if (!version) return cudaErrorInvalidValue;
        *version = CUDA_VERSION;
        return cudaSuccess;
    });
}

API CUresult cuGetErrorString(CUresult error, const char** text) {
    const ErrorName* row = row_of(error);
    if (text) *text = row ? row->text : nullptr;
    return row && text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuGetErrorName(CUresult error, const char** name) {
    const ErrorName* row = row_of(error);
    if (name) *name = row ? row->name : nullptr;
    return row && name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// Return the function that had a name in a version of CUDA: the newest that is not younger.
API CUresult cuGetProcAddress(const char* name, void** function, int version, cuuint64_t,
                              CUdriverProcAddressQueryResult* status) {
    return driver_call("cuGetProcAddress", [&]() -> cudaError_t {
        if (!name || !function) return cudaErrorInvalidValue;
        *function = nullptr;
        for (unsigned long at = 0; at < tilewright_procedure_count; ++at) {
            const tilewright_procedure& one = tilewright_procedures[at];
            if (std::strcmp(one.name, name) == 0 && one.version <= version) *function = one.function;
        }
        if (status) *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
        return *function || status ? cudaSuccess : runtime_error(CUDA_ERROR_NOT_FOUND);
    });
}

// Return no table: what is in these tables is not documented.
API CUresult cuGetExportTable(const void** table, const CUuuid*) {
    if (table) *table = nullptr;
    return CUDA_ERROR_NOT_FOUND;
}

// --- devices
// One device, the number 0, with the facts about the GPU that `TILEWRIGHT_GPU` names.

API CUresult cuDeviceGet(CUdevice* found, int number) {
    return with_driver("cuDeviceGet", [&] {
        if (!found) return cudaErrorInvalidValue;
        *found = 0;
        return check_device(number);
    });
}

API CUresult cuDeviceGetCount(int* count) {
    return with_driver("cuDeviceGetCount", [&] { return cudaGetDeviceCount(count); });
}

API CUresult cuDeviceGetName(char* name, int size, CUdevice number) {
    return with_driver("cuDeviceGetName", [&] {
        if (!name || size <= 0) return cudaErrorInvalidValue;
        std::snprintf(name, static_cast<std::size_t>(size), "%s", device().name.c_str());
        return check_device(number);
    });
}

API CUresult cuDeviceGetUuid(CUuuid* found, CUdevice number) {
    return with_driver("cuDeviceGetUuid", [&] {
        if (!found) return cudaErrorInvalidValue;
        std::snprintf(found->bytes, sizeof found->bytes, "%s", "tilewright");
        return check_device(number);
    });
}

API CUresult cuDeviceTotalMem(size_t* size, CUdevice number) {
    return with_driver("cuDeviceTotalMem", [&] {
        if (!size) return cudaErrorInvalidValue;
        *size = device().memory;
        return check_device(number);
    });
}

API CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice number) {
    return with_driver("cuDeviceGetAttribute", [&] {
        return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(which), number);
    });
}

API CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice number) {
    return with_driver("cuDeviceComputeCapability", [&] {
        if (!major || !minor) return cudaErrorInvalidValue;
        *major = device().major, *minor = device().minor;
        return check_device(number);
    });
}

API CUresult cuDeviceGetPCIBusId(char* text, int size, CUdevice number) {
    return with_driver("cuDeviceGetPCIBusId", [&] { return cudaDeviceGetPCIBusId(text, size, number); });
}

API CUresult cuDeviceCanAccessPeer(int* can, CUdevice from, CUdevice to) {
    return with_driver("cuDeviceCanAccessPeer", [&] { return cudaDeviceCanAccessPeer(can, from, to); });
}

// --- contexts
// The primary context, which calls of the runtime use, too; other contexts share its memory.

API CUresult cuDevicePrimaryCtxRetain(CUcontext* found, CUdevice number) {
    return with_driver("cuDevicePrimaryCtxRetain", [&] {
        if (!found) return cudaErrorInvalidValue;
        *found = handle_of(&primary());
        ++primary_uses;
        return check_device(number);
    });
}

API CUresult cuDevicePrimaryCtxRelease(CUdevice number) {
    return with_driver("cuDevicePrimaryCtxRelease", [&] {
        primary_uses = std::max(primary_uses - 1, 0);
        return check_device(number);
    });
}

API CUresult cuDevicePrimaryCtxSetFlags(CUdevice number, unsigned int flags) {
    return with_driver("cuDevicePrimaryCtxSetFlags", [&] {
        primary().flags = flags;
        return check_device(number);
    });
}

API CUresult cuDevicePrimaryCtxGetState(CUdevice number, unsigned int* flags, int* is_active) {
    return with_driver("cuDevicePrimaryCtxGetState", [&] {
        if (!flags || !is_active) return cudaErrorInvalidValue;
        *flags = primary().flags, *is_active = primary_uses > 0;
        return check_device(number);
    });
}

API CUresult cuDevicePrimaryCtxReset(CUdevice number) {
    return with_driver("cuDevicePrimaryCtxReset", [&] {
        if (cudaError_t error = check_device(number)) return error;
        return cudaDeviceReset();
    });
}

API CUresult cuCtxCreate(CUcontext* made, CUctxCreateParams*, unsigned int flags, CUdevice number) {
    return with_driver("cuCtxCreate", [&] {
        if (!made) return cudaErrorInvalidValue;
        if (cudaError_t error = check_device(number)) return error;
        auto* context = new Context{flags};
        stack.push_back(context);
        *made = handle_of(context);
        return cudaSuccess;
    });
}

API CUresult cuCtxDestroy(CUcontext context) {
    return with_driver("cuCtxDestroy", [&] {
        if (!context || context == handle_of(&primary())) return runtime_error(CUDA_ERROR_INVALID_CONTEXT);
        context_of(context)->is_live = false;  // the memory stays: other threads may have the handle
        if (!stack.empty() && stack.back() == context_of(context)) stack.pop_back();
        return cudaDeviceSynchronize();
    });
}

API CUresult cuCtxPushCurrent(CUcontext context) {
    return with_driver("cuCtxPushCurrent", [&] {
        if (!context || !context_of(context)->is_live) return runtime_error(CUDA_ERROR_INVALID_CONTEXT);
        stack.push_back(context_of(context));
        return cudaSuccess;
    });
}

API CUresult cuCtxPopCurrent(CUcontext* context) {
    return in_context("cuCtxPopCurrent", [&] {
        if (context) *context = handle_of(stack.back());
        stack.pop_back();
        return cudaSuccess;
    });
}

API CUresult cuCtxSetCurrent(CUcontext context) {
    return with_driver("cuCtxSetCurrent", [&] { return switch_to(context_of(context)); });
}

API CUresult cuCtxGetCurrent(CUcontext* context) {
    return with_driver("cuCtxGetCurrent", [&] {
        if (!context) return cudaErrorInvalidValue;
        *context = current_context();
        return cudaSuccess;
    });
}

API CUresult cuCtxGetDevice(CUdevice* number) {
    return in_context("cuCtxGetDevice", [&] { return cudaGetDevice(number); });
}

API CUresult cuCtxGetFlags(unsigned int* flags) {
    return in_context("cuCtxGetFlags", [&] {
        if (!flags) return cudaErrorInvalidValue;
        *flags = current()->flags;
        return cudaSuccess;
    });
}

API CUresult cuCtxGetId(CUcontext context, unsigned long long* number) {
    return with_driver("cuCtxGetId", [&] {
        if (!number) return cudaErrorInvalidValue;
        *number = reinterpret_cast<unsigned long long>(context ? context_of(context) : current());
        return *number ? cudaSuccess : runtime_error(CUDA_ERROR_INVALID_CONTEXT);
    });
}

API CUresult cuCtxGetApiVersion(CUcontext, unsigned int* version) {
    return with_driver("cuCtxGetApiVersion", [&] {
        if (!version) return cudaErrorInvalidValue;
        *version = 3020;
        return cudaSuccess;
    });
}

API CUresult cuCtxSynchronize() {
    return in_context("cuCtxSynchronize", [] { return cudaDeviceSynchronize(); });
}

API CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
    return in_context("cuCtxSetLimit", [&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}

API CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
    return in_context("cuCtxGetLimit", [&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}

API CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
    return in_context("cuCtxSetCacheConfig",
                      [&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}

API CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
    return in_context("cuCtxGetCacheConfig",
                      [&] { return cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(config)); });
}

API CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    return in_context("cuCtxGetStreamPriorityRange",
                      [&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

API CUresult cuProfilerStart() {
    return in_context("cuProfilerStart", [] { return cudaSuccess; });
}

API CUresult cuProfilerStop() {
    return in_context("cuProfilerStop", [] { return cudaSuccess; });
}
