// The driver's interface: modules, libraries, kernels, launches and the linker.

#include "driver.h"
#include "images.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

namespace standin {

namespace {

std::set<Module*>& loaded() { static auto* found = new std::set<Module*>; return *found; }

Module* module_of(const void* handle) {
    auto* module = const_cast<Module*>(static_cast<const Module*>(handle));
    return loaded().count(module) ? module : nullptr;
}

// Load code: PTX, a fat binary, or Tile IR.
template <typename Handle> cudaError_t load_code(Handle* made, const std::string& code) {
    if (!made) return cudaErrorInvalidValue;
    if (code.empty()) return cudaErrorInvalidKernelImage;
    auto module = std::make_unique<Module>();
    module->data = code;
    if (cudaError_t error = load(*module)) return error;
    *made = reinterpret_cast<Handle>(module.get());
    loaded().insert(module.release());
    return cudaSuccess;
}

template <typename Handle> cudaError_t load_file(Handle* made, const char* name) {
    std::ifstream file(name ? name : "", std::ios::binary);
    if (!file) return runtime_error(CUDA_ERROR_FILE_NOT_FOUND);
    return load_code(made, std::string(std::istreambuf_iterator<char>(file), {}));
}

cudaError_t unload(const void* handle) {
    Module* module = module_of(handle);
    if (!module) return cudaErrorInvalidResourceHandle;
    wait_for_everything();
    forget_kernels(*module);
    for (auto& [name, memory] : module->variables) {
        memory->kind = Kind::DEVICE;  // the program cannot free variables, and this can
        free_memory("cuModuleUnload", reinterpret_cast<void*>(memory->begin), false);
    }
    loaded().erase(module);
    delete module;
    return cudaSuccess;
}

template <typename Handle> cudaError_t kernel_named(Handle* found, const void* handle, const char* name) {
    Module* module = module_of(handle);
    if (!found || !name) return cudaErrorInvalidValue;
    if (!module) return cudaErrorInvalidResourceHandle;
    Kernel* kernel = kernel_in(*module, name);
    *found = reinterpret_cast<Handle>(kernel);
    return kernel ? know(*kernel) : runtime_error(CUDA_ERROR_NOT_FOUND);
}

template <typename Handle> cudaError_t list_kernels(Handle* into, unsigned int count, const void* handle) {
    Module* module = module_of(handle);
    if (!into || !module) return module ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    for (unsigned int at = 0; at < count && at < module->symbols.size(); ++at)
        if (cudaError_t error = kernel_named(&into[at], handle, module->symbols[at].c_str())) return error;
    return cudaSuccess;
}

cudaError_t count_kernels(unsigned int* count, const void* handle) {
    Module* module = module_of(handle);
    if (!count || !module) return module ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    *count = static_cast<unsigned int>(module->symbols.size());
    return cudaSuccess;
}

cudaError_t variable_named(CUdeviceptr* address, std::size_t* size, const void* handle, const char* name) {
    Module* module = module_of(handle);
    if (!module || !name) return module ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    auto found = module->variables.find(name);
    if (found == module->variables.end()) return runtime_error(CUDA_ERROR_NOT_FOUND);
    if (address) *address = static_cast<CUdeviceptr>(found->second->begin);
    if (size) *size = found->second->size;
    return cudaSuccess;
}

cudaError_t parameter(const void* function, std::size_t number, std::size_t* offset, std::size_t* size) {
    Kernel* kernel = kernel_of(function);
    if (!kernel || !offset) return kernel ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    if (number >= kernel->parameters.size()) return cudaErrorInvalidValue;
    *offset = kernel->parameters[number].offset;
    if (size) *size = kernel->parameters[number].size;
    return cudaSuccess;
}

cudaError_t count_parameters(const void* function, std::size_t* count) {
    Kernel* kernel = kernel_of(function);
    if (!kernel || !count) return kernel ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    *count = kernel->parameters.size();
    return cudaSuccess;
}

cudaError_t name_of(const char** name, const void* function) {
    Kernel* kernel = kernel_of(function);
    if (!kernel || !name) return kernel ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
    *name = kernel->symbol.c_str();
    return cudaSuccess;
}

cudaError_t attribute_of(int* value, CUfunction_attribute which, const void* function) {
    cudaFuncAttributes found{};
    if (!value) return cudaErrorInvalidValue;
    if (cudaError_t error = cudaFuncGetAttributes(&found, function)) return error;
    switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = found.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = static_cast<int>(found.sharedSizeBytes); break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = found.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = found.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = found.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = found.maxDynamicSharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *value = -1; break;
    default: *value = 0;  // what the simulator has no figure for
    }
    return cudaSuccess;
}

cudaError_t set_attribute(const void* function, CUfunction_attribute which, int value) {
    return cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(which), value);
}

// Return where each argument of a launch lies: the program gives the places, or one buffer.
cudaError_t arguments_of(const Kernel& kernel, void** places, void** extra, std::vector<void*>& found) {
    if (places) found.assign(places, places + kernel.parameters.size());
    char* buffer = nullptr;
    std::size_t size = 0;
    for (; extra && *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<char*>(extra[1]);
        if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) size = *static_cast<std::size_t*>(extra[1]);
    }
    for (const Parameter& one : kernel.parameters) {
        if (!buffer) break;
        if (one.offset + one.size > size) return cudaErrorInvalidValue;
        found.push_back(buffer + one.offset);
    }
    return found.size() == kernel.parameters.size() ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t launch_driver(const void* function, const Launch& launch, CUstream stream, void** places, void** extra) {
    std::vector<void*> arguments;
    Kernel* kernel = kernel_of(function);
    if (!kernel) return cudaErrorInvalidResourceHandle;
    if (cudaError_t error = know(*kernel)) return error;
    if (cudaError_t error = arguments_of(*kernel, places, extra, arguments)) return error;
    return launch_now(function, launch, arguments.data(), stream, callers());
}

cudaError_t best_block(int* grid, int* block, CUfunction function, CUoccupancyB2DSize size_of, std::size_t shared,
                       int limit) {
    cudaFuncAttributes facts{};
    if (!grid || !block) return cudaErrorInvalidValue;
    if (cudaError_t error = cudaFuncGetAttributes(&facts, function)) return error;
    int most = limit > 0 ? std::min(limit, facts.maxThreadsPerBlock) : facts.maxThreadsPerBlock;
    int best = 0;
    for (int threads = most; threads > 0; threads = (threads - 1) / 32 * 32) {
        int blocks = 0;
        std::size_t bytes = size_of ? size_of(threads) : shared;
        if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, bytes)) continue;
        if (blocks * threads > best) best = blocks * threads, *block = threads, *grid = blocks * device().multiprocessors;
    }
    return best ? cudaSuccess : cudaErrorInvalidValue;
}

// --- the linker

struct Link {
    std::vector<std::string> texts;
    std::string made;
};

std::set<Link*>& links() { static auto* found = new std::set<Link*>; return *found; }

Link* link_of(CUlinkState handle) {
    auto* link = reinterpret_cast<Link*>(handle);
    return links().count(link) ? link : nullptr;
}

cudaError_t add_code(Link* link, const std::string& code) {
    if (!link) return cudaErrorInvalidResourceHandle;
    std::string text = ptx_of(code);
    if (text.empty()) return runtime_error(CUDA_ERROR_NO_BINARY_FOR_GPU);
    link->texts.push_back(text);
    return cudaSuccess;
}

}  // namespace

}  // namespace standin

using namespace standin;

// --- modules
// PTX, fat binaries with PTX, and bytecode of Tile IR; machine code is refused (TW1369).

API CUresult cuModuleLoadData(CUmodule* module, const void* code) {
    return in_context("cuModuleLoadData", [&] { return load_code(module, image_at(code)); });
}

API CUresult cuModuleLoadDataEx(CUmodule* module, const void* code, unsigned int, CUjit_option*, void**) {
    return in_context("cuModuleLoadDataEx", [&] { return load_code(module, image_at(code)); });
}

API CUresult cuModuleLoadFatBinary(CUmodule* module, const void* code) {
    return in_context("cuModuleLoadFatBinary", [&] { return load_code(module, image_at(code)); });
}

API CUresult cuModuleLoad(CUmodule* module, const char* file) {
    return in_context("cuModuleLoad", [&] { return load_file(module, file); });
}

API CUresult cuModuleUnload(CUmodule module) {
    return in_context("cuModuleUnload", [&] { return unload(module); });
}

API CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    return in_context("cuModuleGetFunction", [&] { return kernel_named(function, module, name); });
}

API CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule module) {
    return in_context("cuModuleGetFunctionCount", [&] { return count_kernels(count, module); });
}

API CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int count, CUmodule module) {
    return in_context("cuModuleEnumerateFunctions", [&] { return list_kernels(functions, count, module); });
}

API CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* size, CUmodule module, const char* name) {
    return in_context("cuModuleGetGlobal", [&] { return variable_named(address, size, module, name); });
}

API CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
    return with_driver("cuModuleGetLoadingMode", [&] {
        if (!mode) return cudaErrorInvalidValue;
        *mode = CU_MODULE_EAGER_LOADING;
        return cudaSuccess;
    });
}

// --- libraries
// The same, without a context.

API CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option*, void**, unsigned int,
                               CUlibraryOption*, void**, unsigned int) {
    return with_driver("cuLibraryLoadData", [&] { return load_code(library, image_at(code)); });
}

API CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option*, void**, unsigned int,
                                   CUlibraryOption*, void**, unsigned int) {
    return with_driver("cuLibraryLoadFromFile", [&] { return load_file(library, file); });
}

API CUresult cuLibraryUnload(CUlibrary library) {
    return with_driver("cuLibraryUnload", [&] { return unload(library); });
}

API CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
    return with_driver("cuLibraryGetKernel", [&] { return kernel_named(kernel, library, name); });
}

API CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary library) {
    return with_driver("cuLibraryGetKernelCount", [&] { return count_kernels(count, library); });
}

API CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int count, CUlibrary library) {
    return with_driver("cuLibraryEnumerateKernels", [&] { return list_kernels(kernels, count, library); });
}

API CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
    return in_context("cuLibraryGetModule", [&] {
        if (!module || !module_of(library)) return cudaErrorInvalidResourceHandle;
        *module = reinterpret_cast<CUmodule>(library);
        return cudaSuccess;
    });
}

API CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* size, CUlibrary library, const char* name) {
    return in_context("cuLibraryGetGlobal", [&] { return variable_named(address, size, library, name); });
}

API CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* size, CUlibrary library, const char* name) {
    return with_driver("cuLibraryGetManaged", [&] { return variable_named(address, size, library, name); });
}

// --- facts about kernels
// Answers; the number of registers is always 32.

API CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
    return in_context("cuKernelGetFunction", [&] {
        if (!function || !kernel_of(kernel)) return cudaErrorInvalidResourceHandle;
        *function = reinterpret_cast<CUfunction>(kernel);
        return cudaSuccess;
    });
}

API CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
    return with_driver("cuKernelGetLibrary", [&] {
        Kernel* found = kernel_of(kernel);
        if (!library || !found) return cudaErrorInvalidResourceHandle;
        *library = reinterpret_cast<CUlibrary>(found->module);
        return cudaSuccess;
    });
}

API CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
    return with_driver("cuFuncGetModule", [&] {
        Kernel* found = kernel_of(function);
        if (!module || !found) return cudaErrorInvalidResourceHandle;
        *module = reinterpret_cast<CUmodule>(found->module);
        return cudaSuccess;
    });
}

API CUresult cuKernelGetName(const char** name, CUkernel kernel) {
    return with_driver("cuKernelGetName", [&] { return name_of(name, kernel); });
}

API CUresult cuFuncGetName(const char** name, CUfunction function) {
    return with_driver("cuFuncGetName", [&] { return name_of(name, function); });
}

API CUresult cuKernelGetParamInfo(CUkernel kernel, size_t number, size_t* offset, size_t* size) {
    return with_driver("cuKernelGetParamInfo", [&] { return parameter(kernel, number, offset, size); });
}

API CUresult cuFuncGetParamInfo(CUfunction function, size_t number, size_t* offset, size_t* size) {
    return with_driver("cuFuncGetParamInfo", [&] { return parameter(function, number, offset, size); });
}

API CUresult cuKernelGetParamCount(CUkernel kernel, size_t* count) {
    return with_driver("cuKernelGetParamCount", [&] { return count_parameters(kernel, count); });
}

API CUresult cuFuncGetParamCount(CUfunction function, size_t* count) {
    return with_driver("cuFuncGetParamCount", [&] { return count_parameters(function, count); });
}

API CUresult cuKernelGetAttribute(int* value, CUfunction_attribute which, CUkernel kernel, CUdevice) {
    return with_driver("cuKernelGetAttribute", [&] { return attribute_of(value, which, kernel); });
}

API CUresult cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction function) {
    return with_driver("cuFuncGetAttribute", [&] { return attribute_of(value, which, function); });
}

API CUresult cuKernelSetAttribute(CUfunction_attribute which, int value, CUkernel kernel, CUdevice) {
    return with_driver("cuKernelSetAttribute", [&] { return set_attribute(kernel, which, value); });
}

API CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value) {
    return with_driver("cuFuncSetAttribute", [&] { return set_attribute(function, which, value); });
}

API CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache, CUdevice) {
    return with_driver("cuKernelSetCacheConfig", [&] { return cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferNone); });
}

API CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache) {
    return with_driver("cuFuncSetCacheConfig", [&] { return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone); });
}

API CUresult cuFuncLoad(CUfunction function) {
    return with_driver("cuFuncLoad", [&] { return kernel_of(function) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

API CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
    return with_driver("cuFuncIsLoaded", [&] {
        if (!state || !kernel_of(function)) return cudaErrorInvalidResourceHandle;
        *state = CU_FUNCTION_LOADING_STATE_LOADED;
        return cudaSuccess;
    });
}

// --- launches
// As `cudaLaunchKernel`: at once; clusters and cooperative launches are possible.

API CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                            unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                            CUstream stream, void** arguments, void** extra) {
    return in_context("cuLaunchKernel", [&] {
        Launch launch{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, {0, 0, 0}, shared, false};
        return launch_driver(function, launch, stream, arguments, extra);
    });
}

API CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                       unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                       unsigned int block_z, unsigned int shared, CUstream stream, void** arguments) {
    return in_context("cuLaunchCooperativeKernel", [&] {
        Launch launch{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, {0, 0, 0}, shared, true};
        return launch_driver(function, launch, stream, arguments, nullptr);
    });
}

API CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
    return in_context("cuLaunchKernelEx", [&] {
        if (!config) return cudaErrorInvalidValue;
        const CUlaunchConfig& c = *config;
        cudaLaunchConfig_t same{{c.gridDimX, c.gridDimY, c.gridDimZ}, {c.blockDimX, c.blockDimY, c.blockDimZ},
                                c.sharedMemBytes, c.hStream, reinterpret_cast<cudaLaunchAttribute*>(c.attrs), c.numAttrs};
        return launch_driver(function, launch_of(same), c.hStream, arguments, extra);
    });
}

// --- occupancy
// Counts by threads and shared memory, not by registers.

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* count, CUfunction function, int threads, size_t shared) {
    return in_context("cuOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
        return cudaOccupancyMaxActiveBlocksPerMultiprocessor(count, function, threads, shared);
    });
}

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* count, CUfunction function, int threads,
                                                                  size_t shared, unsigned int) {
    return in_context("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", [&] {
        return cudaOccupancyMaxActiveBlocksPerMultiprocessor(count, function, threads, shared);
    });
}

API CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks, int threads) {
    return in_context("cuOccupancyAvailableDynamicSMemPerBlock", [&] {
        return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads);
    });
}

API CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function, CUoccupancyB2DSize size_of,
                                              size_t shared, int limit) {
    return in_context("cuOccupancyMaxPotentialBlockSize",
                      [&] { return best_block(grid, block, function, size_of, shared, limit); });
}

API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                       CUoccupancyB2DSize size_of, size_t shared, int limit,
                                                       unsigned int) {
    return in_context("cuOccupancyMaxPotentialBlockSizeWithFlags",
                      [&] { return best_block(grid, block, function, size_of, shared, limit); });
}

API CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function, const CUlaunchConfig* config) {
    return in_context("cuOccupancyMaxPotentialClusterSize", [&] {
        if (!size || !config || !kernel_of(function)) return cudaErrorInvalidValue;
        *size = device().major >= 9 ? 8 : 1;
        return cudaSuccess;
    });
}

// --- the linker
// Joins PTX of several modules.

API CUresult cuLinkCreate(unsigned int, CUjit_option*, void**, CUlinkState* made) {
    return in_context("cuLinkCreate", [&] {
        if (!made) return cudaErrorInvalidValue;
        auto* link = new Link;
        links().insert(link);
        *made = reinterpret_cast<CUlinkState>(link);
        return cudaSuccess;
    });
}

API CUresult cuLinkAddData(CUlinkState state, CUjitInputType, void* data, size_t size, const char*, unsigned int,
                           CUjit_option*, void**) {
    return in_context("cuLinkAddData",
                      [&] { return add_code(link_of(state), std::string(static_cast<const char*>(data), size)); });
}

API CUresult cuLinkAddFile(CUlinkState state, CUjitInputType, const char* name, unsigned int, CUjit_option*, void**) {
    return in_context("cuLinkAddFile", [&] {
        std::ifstream file(name ? name : "", std::ios::binary);
        if (!file) return runtime_error(CUDA_ERROR_FILE_NOT_FOUND);
        return add_code(link_of(state), std::string(std::istreambuf_iterator<char>(file), {}));
    });
}

API CUresult cuLinkComplete(CUlinkState state, void** code, size_t* size) {
    return in_context("cuLinkComplete", [&] {
        Link* link = link_of(state);
        if (!link || !code) return link ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
        link->made = linked(link->texts);
        *code = link->made.data();
        if (size) *size = link->made.size();
        return cudaSuccess;
    });
}

API CUresult cuLinkDestroy(CUlinkState state) {
    return in_context("cuLinkDestroy", [&] {
        Link* link = link_of(state);
        if (!link) return cudaErrorInvalidResourceHandle;
        links().erase(link);
        delete link;
        return cudaSuccess;
    });
}
