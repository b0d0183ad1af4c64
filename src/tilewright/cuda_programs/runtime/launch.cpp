// Modules, kernels and launches.

#include "standin.h"

#include <algorithm>
#include <cstdio>

namespace standin {

namespace {

struct Variable {
    Module* module = nullptr;
    std::string name;
    void** managed = nullptr;
};

struct Configuration {
    Launch launch;
    cudaStream_t stream = nullptr;
    Frames frames;
};

std::map<const void*, std::unique_ptr<Kernel>>& kernels() {
    static auto* found = new std::map<const void*, std::unique_ptr<Kernel>>;
    return *found;
}
std::map<const void*, Variable>& variables() { static auto* found = new std::map<const void*, Variable>; return *found; }
std::vector<std::unique_ptr<Module>>& modules() {
    static auto* found = new std::vector<std::unique_ptr<Module>>;
    return *found;
}
thread_local std::vector<Configuration> configurations;
thread_local const Configuration* configured = nullptr;

// Place the variables of a module in memory of the device.
cudaError_t place(Module& module, Reply& reply, const Frames& frames) {
    Message addresses;
    auto count = reply.get<std::uint32_t>();
    addresses.put(module.number).put(count);
    for (std::uint32_t at = 0; at < count; ++at) {
        std::string name = reply.get_text();
        auto size = reply.get<std::uint64_t>();
        bool is_managed = reply.get<std::uint32_t>();
        Allocation* made = allocate(size, is_managed ? Kind::MANAGED : Kind::VARIABLE, "", frames, name);
        if (!made) return cudaErrorMemoryAllocation;
        if (is_managed) made->made_by = name;
        module.variables[name] = made;
        addresses.put(static_cast<std::uint64_t>(made->begin));
    }
    Message all;
    put_changes(all);
    all.data += addresses.data;
    return static_cast<cudaError_t>(ask(Request::PLACE, all).status);
}

cudaError_t check(const Kernel& kernel, const Launch& launch) {
    auto count = [](const dim3& one) { return static_cast<std::uint64_t>(one.x) * one.y * one.z; };
    const dim3 &grid = launch.grid, &block = launch.block;
    bool fits = grid.x && grid.y && grid.z && grid.x < 1u << 31 && grid.y < 1u << 16 && grid.z < 1u << 16;
    bool is_block = block.x && block.y && block.z && block.z <= 64 && count(block) <= kernel.maximum_threads;
    if (!fits || !is_block || (kernel.is_tile && count(block) != 1)) return cudaErrorInvalidConfiguration;
    if (launch.shared + kernel.shared > kernel.maximum_shared) return cudaErrorInvalidValue;
    const dim3& cluster = launch.cluster;
    if (cluster.x && (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z))
        return cudaErrorInvalidClusterSize;
    return cudaSuccess;
}

cudaError_t run(const Kernel& kernel, const Launch& launch, const std::string& arguments, const Frames& frames,
                Accesses& accesses) {
    Message message;
    put_changes(message);
    message.put(kernel.module->number).put_text(kernel.symbol);
    for (const dim3& one : {launch.grid, launch.block, launch.cluster}) message.put(one.x).put(one.y).put(one.z);
    message.put(static_cast<std::uint64_t>(launch.shared)).put<std::uint32_t>(launch.is_cooperative);
    message.put_frames(frames).put_text(arguments);
    Reply reply = ask(Request::LAUNCH, message);
    std::string printed = reply.get_text();
    std::fwrite(printed.data(), 1, printed.size(), stdout);
    auto count = reply.get<std::uint32_t>();
    for (std::uint32_t at = 0; at < count; ++at) {
        Access one;
        one.begin = reply.get<std::uint64_t>();
        one.end = reply.get<std::uint64_t>();
        one.writes = reply.get<std::uint32_t>();
        accesses.push_back(one);
    }
    if (reply.status) sticky() = static_cast<cudaError_t>(reply.status);
    return cudaSuccess;  // as on a GPU, where the kernel runs later
}

// Launch for the stub of a kernel: no call returns the error to the program.
cudaError_t launch_from_stub(const void* function, const Launch& launch, void** arguments, cudaStream_t stream) {
    Guard guard;
    Frames frames = callers();
    if (configured) frames = configured->frames;
    cudaError_t error = is_forked() ? cudaErrorInitializationError
                                    : launch_now(function, launch, arguments, stream, frames);
    configured = nullptr;
    Kernel* kernel = kernel_of(function);
    std::string name = "the launch of '" + (kernel ? kernel->name.empty() ? kernel->symbol : kernel->name : "?") + "'";
    return error ? fail_launch(name.c_str(), error, frames) : error;
}

std::uint32_t blocks_of_multiprocessor(const Kernel& kernel, int threads, std::size_t shared) {
    std::size_t warps = (threads + 31) / 32 * 32, need = kernel.shared + shared + 1024;
    std::size_t by_threads = warps ? device().threads / warps : 0, by_shared = device().shared_memory / need;
    return static_cast<std::uint32_t>(std::min<std::size_t>({by_threads, by_shared, 32}));
}

// Run a function of a kernel that the worker has said everything of.
template <typename Body> cudaError_t with_kernel(const char* name, const void* function, Body body) {
    return call(name, [&]() -> cudaError_t {
        Kernel* kernel = kernel_of(function);
        if (!kernel) return cudaErrorInvalidDeviceFunction;
        if (cudaError_t error = know(*kernel)) return error;
        return body(*kernel);
    });
}

// Append the code of a module to a message; return whether it has some.
bool put_image(const Module& module, Message& message) {
    message.data += module.data;
    auto* wrapper = static_cast<const FatBinary*>(module.image);
    if (!wrapper || wrapper->magic != FAT_MAGIC) return !module.data.empty();
    auto* header = reinterpret_cast<const FatHeader*>(wrapper->data);
    if (header->magic != IMAGE_MAGIC) return false;
    message.data.append(wrapper->data, header->size + header->bytes);
    return true;
}

}  // namespace

cudaError_t load(Module& module) {
    if (module.number >= 0 || module.error) return module.error;
    Frames frames = callers();
    Message message;
    message.put_frames(frames);
    if (!put_image(module, message)) return module.error = cudaErrorInvalidKernelImage;
    Reply reply = ask(Request::LOAD, message);
    if (reply.status) return module.error = static_cast<cudaError_t>(reply.status);
    module.number = reply.get<std::int32_t>();
    module.error = place(module, reply, frames);
    module.symbols.resize(reply.get<std::uint32_t>());
    for (std::string& symbol : module.symbols) symbol = reply.get_text();
    return module.error;
}

// Read what the worker says of the kernel.
cudaError_t know(Kernel& kernel) {
    if (kernel.is_known) return cudaSuccess;
    if (cudaError_t error = load(*kernel.module)) return error;
    Message message;
    message.put(kernel.module->number).put_text(kernel.symbol);
    Reply reply = ask(Request::KERNEL, message);
    if (reply.status) return static_cast<cudaError_t>(reply.status);
    kernel.name = reply.get_text();
    kernel.is_tile = reply.get<std::uint32_t>();
    kernel.shared = reply.get<std::uint32_t>();
    kernel.maximum_threads = reply.get<std::uint32_t>();
    kernel.parameters.resize(reply.get<std::uint32_t>());
    std::uint32_t at = 0;
    for (Parameter& one : kernel.parameters) {
        one.size = reply.get<std::uint32_t>();
        auto align = reply.get<std::uint32_t>();
        one.offset = at = (at + align - 1) / align * align;
        at += one.size;
    }
    kernel.is_known = true;
    return cudaSuccess;
}

Kernel* kernel_of(const void* function) {
    auto found = kernels().find(function);
    if (found != kernels().end()) return found->second.get();
    for (auto& [host, kernel] : kernels())
        if (kernel.get() == function) return kernel.get();
    return nullptr;
}

cudaError_t launch_now(const void* function, const Launch& launch, void** arguments, cudaStream_t stream,
                       const Frames& frames) {
    Work work;
    std::string name;
    if (sticky()) return sticky();
    if (cudaError_t error = prepare(function, launch, arguments, frames, work, name)) return error;
    return submit(stream, name.c_str(), frames, work);
}

Launch launch_of(const cudaLaunchConfig_t& config) {
    Launch launch{config.gridDim, config.blockDim, {0, 0, 0}, config.dynamicSmemBytes, false};
    for (unsigned int at = 0; at < config.numAttrs; ++at) {
        const cudaLaunchAttribute& one = config.attrs[at];
        if (one.id == cudaLaunchAttributeClusterDimension)
            launch.cluster = dim3(one.val.clusterDim.x, one.val.clusterDim.y, one.val.clusterDim.z);
        if (one.id == cudaLaunchAttributeCooperative) launch.is_cooperative = one.val.cooperative;
    }
    return launch;
}

Kernel* kernel_in(Module& module, const std::string& symbol) {
    Kernel*& found = module.kernels[symbol];
    bool is_there = std::find(module.symbols.begin(), module.symbols.end(), symbol) != module.symbols.end();
    if (found || !is_there) return found;
    auto made = std::make_unique<Kernel>();
    made->module = &module;
    made->symbol = symbol;
    found = made.get();
    kernels()[found] = std::move(made);
    return found;
}

void forget_kernels(const Module& module) {
    for (const auto& [symbol, kernel] : module.kernels) kernels().erase(kernel);
}

cudaError_t prepare(const void* function, const Launch& launch, void** arguments, const Frames& frames, Work& work,
                    std::string& name) {
    Kernel* kernel = kernel_of(function);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (cudaError_t error = know(*kernel)) return error;
    if (cudaError_t error = check(*kernel, launch)) return error;
    std::string packed;
    for (std::size_t at = 0; at < kernel->parameters.size(); ++at) {
        packed.resize(kernel->parameters[at].offset);
        packed.append(static_cast<const char*>(arguments[at]), kernel->parameters[at].size);
    }
    name = "kernel '" + kernel->name + "'";
    work = [=](Accesses& accesses) { return run(*kernel, launch, packed, frames, accesses); };
    return cudaSuccess;
}

Allocation* symbol(const void* variable) {
    auto found = variables().find(variable);
    if (found == variables().end() || load(*found->second.module)) return nullptr;
    auto& placed = found->second.module->variables;
    auto one = placed.find(found->second.name);
    return one == placed.end() ? nullptr : one->second;
}

}  // namespace standin

using namespace standin;

// --- what the code that nvcc generates calls

API void** __cudaRegisterFatBinary(void* image) {
    Guard guard;
    modules().push_back(std::make_unique<Module>());
    modules().back()->image = image;
    return reinterpret_cast<void**>(modules().back().get());
}

API void __cudaRegisterFatBinaryEnd(void**) {}
API void __cudaUnregisterFatBinary(void**) {}

API void __cudaRegisterFunction(void** module, const char* host, char*, const char* symbol, int, uint3*, uint3*, dim3*,
                                dim3*, int*) {
    Guard guard;
    auto& kernel = kernels()[host];
    kernel = std::make_unique<Kernel>();
    kernel->module = reinterpret_cast<Module*>(module);
    kernel->symbol = symbol;
}

API void __cudaRegisterVar(void** module, char* host, char*, const char* name, int, size_t, int, int) {
    Guard guard;
    variables()[host] = {reinterpret_cast<Module*>(module), name, nullptr};
}

API void __cudaRegisterManagedVar(void** module, void** host, char*, const char* name, int, size_t, int, int) {
    Guard guard;
    variables()[host] = {reinterpret_cast<Module*>(module), name, host};
}

API char __cudaInitModule(void** handle) {
    Guard guard;
    auto* module = reinterpret_cast<Module*>(handle);
    for (auto& [host, variable] : variables())
        if (variable.module == module && variable.managed)
            if (Allocation* memory = symbol(host)) {
                *variable.managed = reinterpret_cast<void*>(memory->begin);
                variables()[*variable.managed] = {module, variable.name, nullptr};
            }
    return 1;
}

API unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st* stream) {
    configurations.push_back({{grid, block, {0, 0, 0}, shared, false}, stream, callers()});
    return 0;
}

API cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
    if (configurations.empty()) return cudaErrorMissingConfiguration;
    static thread_local Configuration last;
    last = configurations.back();
    configurations.pop_back();
    configured = &last;
    *grid = last.launch.grid, *block = last.launch.block, *shared = last.launch.shared;
    *static_cast<cudaStream_t*>(stream) = last.stream;
    return cudaSuccess;
}

API cudaError_t __cudaGetKernel(cudaKernel_t* found, const void* function) {
    Guard guard;
    Kernel* kernel = kernel_of(function);
    *found = reinterpret_cast<cudaKernel_t>(kernel);
    return kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                                   cudaStream_t stream) {
    return launch_from_stub(kernel, {grid, block, {0, 0, 0}, shared, false}, arguments, stream);
}

API cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                                        cudaStream_t stream) {
    return launch_from_stub(kernel, {grid, block, {0, 0, 0}, shared, false}, arguments, stream);
}

// --- launches

API cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                                 cudaStream_t stream) {
    return call("cudaLaunchKernel",
                [&] { return launch_now(function, {grid, block, {0, 0, 0}, shared, false}, arguments, stream, callers()); });
}

API cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                            size_t shared, cudaStream_t stream) {
    return call("cudaLaunchCooperativeKernel",
                [&] { return launch_now(function, {grid, block, {0, 0, 0}, shared, true}, arguments, stream, callers()); });
}

API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
    return call("cudaLaunchKernelExC", [&]() -> cudaError_t {
        if (!config) return cudaErrorInvalidValue;
        return launch_now(function, launch_of(*config), arguments, config->stream, callers());
    });
}

API cudaError_t cudaGetKernel(cudaKernel_t* found, const void* function) {
    return call("cudaGetKernel", [&] { return __cudaGetKernel(found, function); });
}

// --- facts about kernels

API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    return with_kernel("cudaFuncGetAttributes", function, [&](Kernel& kernel) {
        *attributes = {};
        attributes->sharedSizeBytes = kernel.shared;
        attributes->maxThreadsPerBlock = static_cast<int>(kernel.maximum_threads);
        attributes->numRegs = 32;
        attributes->ptxVersion = attributes->binaryVersion = device().major * 10 + device().minor;
        attributes->maxDynamicSharedSizeBytes = static_cast<int>(kernel.maximum_shared - kernel.shared);
        return cudaSuccess;
    });
}

API cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    return with_kernel("cudaFuncSetAttribute", function, [&](Kernel& kernel) -> cudaError_t {
        if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
        std::size_t wanted = static_cast<std::size_t>(value) + kernel.shared;
        if (value < 0 || wanted > device().shared_memory - 1024) return cudaErrorInvalidValue;
        kernel.maximum_shared = std::max<std::uint32_t>(kernel.maximum_shared, static_cast<std::uint32_t>(wanted));
        return cudaSuccess;
    });
}

API cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
    return with_kernel("cudaFuncSetCacheConfig", function, [](Kernel&) { return cudaSuccess; });
}

API cudaError_t cudaFuncGetName(const char** name, const void* function) {
    return with_kernel("cudaFuncGetName", function, [&](Kernel& kernel) {
        *name = kernel.symbol.c_str();
        return cudaSuccess;
    });
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* count, const void* function, int threads,
                                                                       size_t shared, unsigned int) {
    return with_kernel("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", function,
                       [&](Kernel& kernel) -> cudaError_t {
                           if (!count || threads <= 0) return cudaErrorInvalidValue;
                           *count = static_cast<int>(blocks_of_multiprocessor(kernel, threads, shared));
                           return cudaSuccess;
                       });
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* count, const void* function, int threads,
                                                              size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(count, function, threads, shared, 0);
}

API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int) {
    return with_kernel("cudaOccupancyAvailableDynamicSMemPerBlock", function, [&](Kernel& kernel) -> cudaError_t {
        if (!bytes || blocks <= 0) return cudaErrorInvalidValue;
        std::size_t part = device().shared_memory / blocks, need = kernel.shared + 1024;
        *bytes = part > need ? std::min<std::size_t>(part - need, kernel.maximum_shared) : 0;
        return cudaSuccess;
    });
}
