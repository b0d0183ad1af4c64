// The device: its properties, limits, and errors as codes and as text.

#include "driver.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace standin {

namespace {

struct Unchecked {
    std::string name;
    cudaError_t error = cudaSuccess;
    Frames frames;
};

thread_local cudaError_t last_error = cudaSuccess;
thread_local const char* driver_function = nullptr;  // the driver's function that the program calls
std::map<const cudaError_t*, Unchecked>& unchecked() {
    static auto* found = new std::map<const cudaError_t*, Unchecked>;
    return *found;
}

struct ErrorText {
    cudaError_t error;
    const char *name, *text;
};

#define ROW(name, text) {name, #name, text}
const ErrorText ERRORS[] = {
    ROW(cudaSuccess, "no error"),
    ROW(cudaErrorInvalidValue, "invalid argument"),
    ROW(cudaErrorMemoryAllocation, "out of memory"),
    ROW(cudaErrorInitializationError, "initialization error"),
    ROW(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ROW(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    ROW(cudaErrorInvalidSymbol, "invalid device symbol"),
    ROW(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ROW(cudaErrorMissingConfiguration, "the launch has no configuration"),
    ROW(cudaErrorInvalidDeviceFunction, "invalid device function"),
    ROW(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    ROW(cudaErrorInvalidDevice, "invalid device ordinal"),
    ROW(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    ROW(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    ROW(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    ROW(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ROW(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    ROW(cudaErrorNotReady, "device not ready"),
    ROW(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    ROW(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    ROW(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    ROW(cudaErrorAssert, "device-side assert triggered"),
    ROW(cudaErrorMisalignedAddress, "misaligned address"),
    ROW(cudaErrorLaunchFailure, "unspecified launch failure"),
    ROW(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    ROW(cudaErrorNotSupported, "operation not supported"),
    ROW(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    ROW(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    ROW(cudaErrorInvalidClusterSize, "invalid cluster size"),
    ROW(cudaErrorUnknown, "unknown error"),
};
#undef ROW

const ErrorText* row_of(cudaError_t error) {
    for (const ErrorText& one : ERRORS)
        if (one.error == error) return &one;
    return nullptr;
}

// Print failing calls if the environment asks for them.
void log(const char* name, const char* error) {
    static const char* wanted = std::getenv("TILEWRIGHT_LOG_CALLS");
    if (wanted && *wanted && *wanted != '0') std::fprintf(stderr, "tilewright: %s returns %s\n", name, error);
}

void remember(const char* name, cudaError_t error, const Frames& frames) {
    log(name, cudaGetErrorName(error));
    last_error = error;
    if (error == sticky()) return;  // the finding of the kernel has told of it
    unchecked().try_emplace(&last_error, Unchecked{name, error, frames});
}

cudaError_t take_last(bool clears) {
    cudaError_t found = sticky() ? sticky() : last_error;
    unchecked().erase(&last_error);
    if (clears) last_error = cudaSuccess;
    return found;
}

constexpr auto VIRTUAL_MEMORY = static_cast<cudaDeviceAttr>(CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED);

int attribute(cudaDeviceAttr which) {
    const DeviceFacts& facts = device();
    if (which == VIRTUAL_MEMORY) return 1;  // an attribute that only the driver has
    switch (which) {
    case cudaDevAttrMaxThreadsPerBlock:
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY: return 1024;
    case cudaDevAttrMaxBlockDimZ: return 64;
    case cudaDevAttrMaxGridDimX: return 2147483647;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: return 65535;
    case cudaDevAttrMaxSharedMemoryPerBlock: return 48 << 10;
    case cudaDevAttrTotalConstantMemory: return 64 << 10;
    case cudaDevAttrWarpSize: return 32;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor: return 65536;
    case cudaDevAttrMultiProcessorCount: return facts.multiprocessors;
    case cudaDevAttrComputeCapabilityMajor: return facts.major;
    case cudaDevAttrComputeCapabilityMinor: return facts.minor;
    case cudaDevAttrL2CacheSize: return static_cast<int>(facts.l2_cache);
    case cudaDevAttrMaxThreadsPerMultiProcessor: return facts.threads;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return 32;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return static_cast<int>(facts.shared_memory);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return static_cast<int>(facts.shared_memory - 1024);
    case cudaDevAttrReservedSharedMemoryPerBlock: return 1024;
    case cudaDevAttrMaxPitch: return 2147483647;
    case cudaDevAttrTextureAlignment:
    case cudaDevAttrTexturePitchAlignment: return 512;
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrHostMemoryPoolsSupported:
    case cudaDevAttrHostNumaMemoryPoolsSupported:
    case cudaDevAttrComputePreemptionSupported: return 1;
    case cudaDevAttrAsyncEngineCount: return 2;
    case cudaDevAttrGlobalMemoryBusWidth: return 4096;
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate: return 1000000;
    default: return 0;  // what a device need not have
    }
}

void fill_properties(cudaDeviceProp& found) {
    const DeviceFacts& facts = device();
    found = {};
    std::snprintf(found.name, sizeof found.name, "%s", facts.name.c_str());
    found.totalGlobalMem = facts.memory;
    found.major = facts.major, found.minor = facts.minor;
    found.multiProcessorCount = facts.multiprocessors;
    found.sharedMemPerBlock = 48 << 10;
    found.sharedMemPerBlockOptin = facts.shared_memory - 1024;
    found.sharedMemPerMultiprocessor = facts.shared_memory;
    found.reservedSharedMemPerBlock = 1024;
    found.regsPerBlock = found.regsPerMultiprocessor = 65536;
    found.warpSize = 32;
    found.memPitch = 2147483647;
    found.maxThreadsPerBlock = 1024;
    found.maxThreadsPerMultiProcessor = facts.threads;
    found.maxBlocksPerMultiProcessor = 32;
    found.maxThreadsDim[0] = found.maxThreadsDim[1] = 1024, found.maxThreadsDim[2] = 64;
    found.maxGridSize[0] = 2147483647, found.maxGridSize[1] = found.maxGridSize[2] = 65535;
    found.totalConstMem = 64 << 10;
    found.l2CacheSize = static_cast<int>(facts.l2_cache);
    found.textureAlignment = found.texturePitchAlignment = 512;
    found.asyncEngineCount = 2;
    found.concurrentKernels = found.unifiedAddressing = found.managedMemory = found.canMapHostMemory = 1;
    found.concurrentManagedAccess = found.streamPrioritiesSupported = found.cooperativeLaunch = 1;
    found.memoryBusWidth = 4096;
}

cudaError_t check_device(int number) { return number == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

}  // namespace

cudaError_t& sticky() {
    static cudaError_t error = cudaSuccess;
    return error;
}

const char* set_driver_function(const char* name) { return std::exchange(driver_function, name); }

const char* named(const char* name) { return driver_function ? driver_function : name; }

cudaError_t call(const char* name, const std::function<cudaError_t()>& body) {
    Guard guard;
    if (!driver_function) use_primary_context();
    cudaError_t error = is_forked() ? cudaErrorInitializationError : body();
    if (error && error != cudaErrorNotReady && !driver_function) remember(name, error, callers());
    return error;
}

CUresult driver_call(const char* name, const std::function<cudaError_t()>& body) {
    Guard guard;
    const char* before = set_driver_function(name);
    cudaError_t error = is_forked() ? cudaErrorInitializationError : body();
    set_driver_function(before);
    CUresult result = driver_error(error);
    if (result && result != CUDA_ERROR_NOT_READY) log(name, driver_error_name(result));
    return result;
}

cudaError_t fail_launch(const char* name, cudaError_t error, const Frames& frames) {
    remember(name, error, frames);
    return error;
}

void tell_unchecked() {
    if (!device().checks_memory) return;
    for (const auto& [thread, one] : unchecked())
        tell(Finding::UNCHECKED_ERROR,
             "the error '" + std::string(cudaGetErrorString(one.error)) + "' of " + one.name + " is never looked at",
             one.frames);
}

// Answer a call that there is no part of the stand-in for.
cudaError_t not_provided(const char* name) {
    return call(name, [&] {
        tell(Finding::NOT_PROVIDED, std::string("the stand-in for CUDA has no ") + name, callers());
        return cudaErrorNotSupported;
    });
}

}  // namespace standin

using namespace standin;

extern "C" __attribute__((visibility("hidden"))) cudaError_t tilewright_not_provided(const char* name) {
    return not_provided(name);
}

extern "C" __attribute__((visibility("hidden"))) CUresult tilewright_driver_not_provided(const char* name) {
    return driver_call(name, [&] { return not_provided(name); });
}

// --- errors

API cudaError_t cudaGetLastError() {
    Guard guard;
    return take_last(true);
}

API cudaError_t cudaPeekAtLastError() {
    Guard guard;
    return take_last(false);
}

API const char* cudaGetErrorName(cudaError_t error) {
    const ErrorText* row = row_of(error);
    return row ? row->name : "cudaErrorUnknown";
}

API const char* cudaGetErrorString(cudaError_t error) {
    const ErrorText* row = row_of(error);
    return row ? row->text : "an error that the stand-in for the CUDA runtime has no text for";
}

// --- devices

API cudaError_t cudaGetDeviceCount(int* count) {
    return call("cudaGetDeviceCount", [&]() -> cudaError_t {
        if (!count) return cudaErrorInvalidValue;
        *count = 1;
        return cudaSuccess;
    });
}

API cudaError_t cudaGetDevice(int* number) {
    return call("cudaGetDevice", [&]() -> cudaError_t {
        if (!number) return cudaErrorInvalidValue;
        *number = 0;
        return cudaSuccess;
    });
}

API cudaError_t cudaSetDevice(int number) {
    return call("cudaSetDevice", [&] { return check_device(number); });
}

API cudaError_t cudaInitDevice(int number, unsigned int, unsigned int) {
    return call("cudaInitDevice", [&] { return check_device(number); });
}

API cudaError_t cudaChooseDevice(int* number, const cudaDeviceProp*) { return cudaGetDevice(number); }

API cudaError_t cudaSetValidDevices(int*, int) {
    return call("cudaSetValidDevices", [] { return cudaSuccess; });
}

API cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
    return call("cudaGetDeviceProperties", [&]() -> cudaError_t {
        if (!properties) return cudaErrorInvalidValue;
        if (cudaError_t error = check_device(number)) return error;
        fill_properties(*properties);
        return cudaSuccess;
    });
}

API cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int number) {
    return call("cudaDeviceGetAttribute", [&]() -> cudaError_t {
        if (!value) return cudaErrorInvalidValue;
        if (cudaError_t error = check_device(number)) return error;
        *value = attribute(which);
        return cudaSuccess;
    });
}

API cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
    return call("cudaDeviceCanAccessPeer", [&]() -> cudaError_t {
        if (!can) return cudaErrorInvalidValue;
        *can = 0;
        return cudaSuccess;
    });
}

API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return call("cudaDeviceGetStreamPriorityRange", [&] {
        if (least) *least = 0;
        if (greatest) *greatest = -5;
        return cudaSuccess;
    });
}

API cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int number) {
    return call("cudaDeviceGetPCIBusId", [&]() -> cudaError_t {
        if (!text || size < 13) return cudaErrorInvalidValue;
        if (cudaError_t error = check_device(number)) return error;
        std::snprintf(text, static_cast<std::size_t>(size), "0000:00:00.0");
        return cudaSuccess;
    });
}

API cudaError_t cudaDeviceReset() {
    return call("cudaDeviceReset", [] {
        if (has_started()) wait_for_everything();
        return cudaSuccess;
    });
}

namespace {
std::size_t limits[16] = {1024, 1 << 20, 8 << 20};
unsigned int device_flags = 0;
}  // namespace

API cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    return call("cudaDeviceSetLimit", [&]() -> cudaError_t {
        if (static_cast<unsigned>(limit) >= 16) return cudaErrorInvalidValue;
        limits[limit] = value;
        return cudaSuccess;
    });
}

API cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    return call("cudaDeviceGetLimit", [&]() -> cudaError_t {
        if (!value || static_cast<unsigned>(limit) >= 16) return cudaErrorInvalidValue;
        *value = limits[limit];
        return cudaSuccess;
    });
}

API cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    return call("cudaSetDeviceFlags", [&] {
        device_flags = flags;
        return cudaSuccess;
    });
}

API cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
    return call("cudaGetDeviceFlags", [&]() -> cudaError_t {
        if (!flags) return cudaErrorInvalidValue;
        *flags = device_flags;
        return cudaSuccess;
    });
}

API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    return call("cudaDeviceSetCacheConfig", [] { return cudaSuccess; });
}

API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    return call("cudaDeviceGetCacheConfig", [&]() -> cudaError_t {
        if (!config) return cudaErrorInvalidValue;
        *config = cudaFuncCachePreferNone;
        return cudaSuccess;
    });
}

API cudaError_t cudaDriverGetVersion(int* version) {
    return call("cudaDriverGetVersion", [&]() -> cudaError_t {
        if (!version) return cudaErrorInvalidValue;
        *version = CUDART_VERSION;
        return cudaSuccess;
    });
}

API cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

API cudaError_t cudaProfilerStart() {
    return call("cudaProfilerStart", [] { return cudaSuccess; });
}

API cudaError_t cudaProfilerStop() {
    return call("cudaProfilerStop", [] { return cudaSuccess; });
}
