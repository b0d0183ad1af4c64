// The driver's interface: streams, events and graphs.

#include "driver.h"

namespace standin {

namespace {

cudaStreamCaptureMode mode_of(CUstreamCaptureMode mode) { return static_cast<cudaStreamCaptureMode>(mode); }

cudaError_t capture_info(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* number, CUgraph* graph,
                         const CUgraphNode** nodes, std::size_t* count) {
    cudaStreamCaptureStatus found;
    if (!status) return cudaErrorInvalidValue;
    if (cudaError_t error = cudaStreamIsCapturing(stream, &found)) return error;
    *status = static_cast<CUstreamCaptureStatus>(found);
    Graph* captured = captured_graph(stream);
    if (number) *number = reinterpret_cast<cuuint64_t>(captured);
    if (graph) *graph = reinterpret_cast<CUgraph>(captured);
    if (nodes) *nodes = nullptr;
    if (count) *count = 0;
    return cudaSuccess;
}

cudaError_t add_kernel(CUgraphNode* made, CUgraph graph, const CUgraphNode* after, std::size_t count,
                       const CUDA_KERNEL_NODE_PARAMS* p) {
    if (!p) return cudaErrorInvalidValue;
    if (p->extra) return cudaErrorNotSupported;
    void* function = p->func ? static_cast<void*>(p->func) : static_cast<void*>(p->kern);
    cudaKernelNodeParams same{};
    same.func = function;
    same.gridDim = dim3(p->gridDimX, p->gridDimY, p->gridDimZ);
    same.blockDim = dim3(p->blockDimX, p->blockDimY, p->blockDimZ);
    same.sharedMemBytes = p->sharedMemBytes;
    same.kernelParams = p->kernelParams;
    return cudaGraphAddKernelNode(made, graph, after, count, &same);
}

cudaError_t add_fill(CUgraphNode* made, CUgraph graph, const CUgraphNode* after, std::size_t count,
                     const CUDA_MEMSET_NODE_PARAMS* p) {
    if (!p) return cudaErrorInvalidValue;
    cudaMemsetParams same{};
    same.dst = pointer_of(p->dst);
    same.pitch = p->pitch, same.value = p->value, same.elementSize = p->elementSize;
    same.width = p->width, same.height = p->height;
    return cudaGraphAddMemsetNode(made, graph, after, count, &same);
}

cudaError_t add_copy(CUgraphNode* made, CUgraph graph, const CUgraphNode* after, std::size_t count,
                     const CUDA_MEMCPY3D* p) {
    if (!p) return cudaErrorInvalidValue;
    if (p->srcMemoryType == CU_MEMORYTYPE_ARRAY || p->dstMemoryType == CU_MEMORYTYPE_ARRAY)
        return cudaErrorNotSupported;
    auto side = [&](CUmemorytype type, const void* host, CUdeviceptr address, std::size_t pitch, std::size_t height) {
        void* pointer = type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : pointer_of(address);
        return cudaPitchedPtr{pointer, pitch ? pitch : p->WidthInBytes, p->WidthInBytes, height ? height : p->Height};
    };
    cudaMemcpy3DParms same{};
    same.srcPtr = side(p->srcMemoryType, p->srcHost, p->srcDevice, p->srcPitch, p->srcHeight);
    same.dstPtr = side(p->dstMemoryType, p->dstHost, p->dstDevice, p->dstPitch, p->dstHeight);
    same.srcPos = {p->srcXInBytes, p->srcY, p->srcZ};
    same.dstPos = {p->dstXInBytes, p->dstY, p->dstZ};
    same.extent = {p->WidthInBytes, p->Height, p->Depth};
    same.kind = cudaMemcpyDefault;
    return cudaGraphAddMemcpyNode(made, graph, after, count, &same);
}

cudaError_t add_function(CUgraphNode* made, CUgraph graph, const CUgraphNode* after, std::size_t count,
                         const CUDA_HOST_NODE_PARAMS* p) {
    if (!p || !p->fn) return cudaErrorInvalidValue;
    cudaHostNodeParams same{p->fn, p->userData};
    return cudaGraphAddHostNode(made, graph, after, count, &same);
}

}  // namespace

}  // namespace standin

using namespace standin;

// --- streams
// As `cudaStreamCreate` and its kin; the order of work is checked.

API CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
    return in_context("cuStreamCreate", [&] { return cudaStreamCreateWithFlags(stream, flags); });
}

API CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
    return in_context("cuStreamCreateWithPriority",
                      [&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

API CUresult cuStreamDestroy(CUstream stream) {
    return in_context("cuStreamDestroy", [&] { return cudaStreamDestroy(stream); });
}

API CUresult cuStreamSynchronize(CUstream stream) {
    return in_context("cuStreamSynchronize", [&] { return cudaStreamSynchronize(stream); });
}

API CUresult cuStreamQuery(CUstream stream) {
    return in_context("cuStreamQuery", [&] { return cudaStreamQuery(stream); });
}

API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
    return in_context("cuStreamWaitEvent", [&] { return cudaStreamWaitEvent(stream, event, flags); });
}

API CUresult cuStreamGetFlags(CUstream stream, unsigned int* flags) {
    return in_context("cuStreamGetFlags", [&] { return cudaStreamGetFlags(stream, flags); });
}

API CUresult cuStreamGetPriority(CUstream stream, int* priority) {
    return in_context("cuStreamGetPriority", [&] { return cudaStreamGetPriority(stream, priority); });
}

API CUresult cuStreamGetId(CUstream stream, unsigned long long* number) {
    return in_context("cuStreamGetId", [&] { return cudaStreamGetId(stream, number); });
}

API CUresult cuStreamGetDevice(CUstream stream, CUdevice* number) {
    return in_context("cuStreamGetDevice", [&] { return cudaStreamGetDevice(stream, number); });
}

API CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
    return in_context("cuStreamGetCtx", [&] {
        if (!context || number_of(stream) < 0) return cudaErrorInvalidResourceHandle;
        *context = current_context();
        return cudaSuccess;
    });
}

API CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t size, unsigned int flags) {
    return in_context("cuStreamAttachMemAsync",
                      [&] { return cudaStreamAttachMemAsync(stream, pointer_of(pointer), size, flags); });
}

API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
    return in_context("cuLaunchHostFunc", [&] { return cudaLaunchHostFunc(stream, function, data); });
}

API CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function, void* data, unsigned int flags) {
    return in_context("cuStreamAddCallback", [&] {
        auto same = reinterpret_cast<cudaStreamCallback_t>(function);  // the errors are numbers of the same size
        return cudaStreamAddCallback(stream, same, data, flags);
    });
}

// --- events
// As `cudaEventRecord` and its kin; times are times of this machine.

API CUresult cuEventCreate(CUevent* event, unsigned int flags) {
    return in_context("cuEventCreate", [&] { return cudaEventCreateWithFlags(event, flags); });
}

API CUresult cuEventDestroy(CUevent event) {
    return in_context("cuEventDestroy", [&] { return cudaEventDestroy(event); });
}

API CUresult cuEventRecord(CUevent event, CUstream stream) {
    return in_context("cuEventRecord", [&] { return cudaEventRecord(event, stream); });
}

API CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
    return in_context("cuEventRecordWithFlags", [&] { return cudaEventRecordWithFlags(event, stream, flags); });
}

API CUresult cuEventSynchronize(CUevent event) {
    return in_context("cuEventSynchronize", [&] { return cudaEventSynchronize(event); });
}

API CUresult cuEventQuery(CUevent event) {
    return in_context("cuEventQuery", [&] { return cudaEventQuery(event); });
}

API CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {
    return in_context("cuEventElapsedTime", [&] { return cudaEventElapsedTime(milliseconds, begin, end); });
}

// --- capture
// Captures launches, copies, fills and functions of the host.

API CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
    return in_context("cuStreamBeginCapture", [&] { return cudaStreamBeginCapture(stream, mode_of(mode)); });
}

API CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
    return in_context("cuStreamEndCapture", [&] { return cudaStreamEndCapture(stream, graph); });
}

API CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
    return in_context("cuStreamIsCapturing", [&] {
        return cudaStreamIsCapturing(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status));
    });
}

API CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* number, CUgraph* graph,
                                    const CUgraphNode** nodes, const CUgraphEdgeData** edges, size_t* count) {
    return in_context("cuStreamGetCaptureInfo", [&] {
        if (edges) *edges = nullptr;
        return capture_info(stream, status, number, graph, nodes, count);
    });
}

API CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
    return in_context("cuThreadExchangeStreamCaptureMode", [&] {
        return cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode*>(mode));
    });
}

// --- graphs
// Runs the nodes one after the other.

API CUresult cuGraphCreate(CUgraph* graph, unsigned int flags) {
    return with_driver("cuGraphCreate", [&] { return cudaGraphCreate(graph, flags); });
}

API CUresult cuGraphClone(CUgraph* made, CUgraph graph) {
    return with_driver("cuGraphClone", [&] { return cudaGraphClone(made, graph); });
}

API CUresult cuGraphDestroy(CUgraph graph) {
    return with_driver("cuGraphDestroy", [&] { return cudaGraphDestroy(graph); });
}

API CUresult cuGraphAddEmptyNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* after, size_t count) {
    return with_driver("cuGraphAddEmptyNode", [&] { return cudaGraphAddEmptyNode(made, graph, after, count); });
}

API CUresult cuGraphAddKernelNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* after, size_t count,
                                  const CUDA_KERNEL_NODE_PARAMS* parameters) {
    return with_driver("cuGraphAddKernelNode", [&] { return add_kernel(made, graph, after, count, parameters); });
}

API CUresult cuGraphAddMemcpyNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* after, size_t count,
                                  const CUDA_MEMCPY3D* parameters, CUcontext) {
    return with_driver("cuGraphAddMemcpyNode", [&] { return add_copy(made, graph, after, count, parameters); });
}

API CUresult cuGraphAddMemsetNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* after, size_t count,
                                  const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
    return with_driver("cuGraphAddMemsetNode", [&] { return add_fill(made, graph, after, count, parameters); });
}

API CUresult cuGraphAddHostNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* after, size_t count,
                                const CUDA_HOST_NODE_PARAMS* parameters) {
    return with_driver("cuGraphAddHostNode", [&] { return add_function(made, graph, after, count, parameters); });
}

API CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                    const CUgraphEdgeData*, size_t count) {
    return with_driver("cuGraphAddDependencies",
                       [&] { return cudaGraphAddDependencies(graph, from, to, nullptr, count); });
}

API CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
    return with_driver("cuGraphGetNodes", [&] { return cudaGraphGetNodes(graph, nodes, count); });
}

API CUresult cuGraphInstantiateWithFlags(CUgraphExec* made, CUgraph graph, unsigned long long flags) {
    return with_driver("cuGraphInstantiateWithFlags",
                       [&] { return cudaGraphInstantiateWithFlags(made, graph, flags); });
}

API CUresult cuGraphInstantiateWithParams(CUgraphExec* made, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
    return with_driver("cuGraphInstantiateWithParams", [&] {
        if (!parameters) return cudaErrorInvalidValue;
        cudaError_t error = cudaGraphInstantiateWithFlags(made, graph, parameters->flags);
        parameters->result_out = error ? CUDA_GRAPH_INSTANTIATE_ERROR : CUDA_GRAPH_INSTANTIATE_SUCCESS;
        parameters->hErrNode_out = nullptr;
        return error;
    });
}

API CUresult cuGraphUpload(CUgraphExec executable, CUstream stream) {
    return in_context("cuGraphUpload", [&] { return cudaGraphUpload(executable, stream); });
}

API CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
    return in_context("cuGraphLaunch", [&] { return cudaGraphLaunch(executable, stream); });
}

API CUresult cuGraphExecDestroy(CUgraphExec executable) {
    return with_driver("cuGraphExecDestroy", [&] { return cudaGraphExecDestroy(executable); });
}

API CUresult cuGraphExecUpdate(CUgraphExec executable, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
    return with_driver("cuGraphExecUpdate", [&] {
        static_assert(sizeof(CUgraphExecUpdateResultInfo) == sizeof(cudaGraphExecUpdateResultInfo));
        return cudaGraphExecUpdate(executable, graph, reinterpret_cast<cudaGraphExecUpdateResultInfo*>(info));
    });
}

API CUresult cuUserObjectCreate(CUuserObject* made, void* pointer, CUhostFn destroy, unsigned int uses,
                                unsigned int flags) {
    return with_driver("cuUserObjectCreate",
                       [&] { return cudaUserObjectCreate(made, pointer, destroy, uses, flags); });
}

API CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) {
    return with_driver("cuUserObjectRetain", [&] { return cudaUserObjectRetain(object, count); });
}

API CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) {
    return with_driver("cuUserObjectRelease", [&] { return cudaUserObjectRelease(object, count); });
}

API CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags) {
    return with_driver("cuGraphRetainUserObject",
                       [&] { return cudaGraphRetainUserObject(graph, object, count, flags); });
}

API CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count) {
    return with_driver("cuGraphReleaseUserObject", [&] { return cudaGraphReleaseUserObject(graph, object, count); });
}
