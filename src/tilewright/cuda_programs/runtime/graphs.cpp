// Graphs of copies, launches and functions of the host: added node by node, or captured from a stream.

#include "driver.h"

#include <algorithm>
#include <set>

namespace standin {

struct Node {
    std::string name;
    Frames frames;
    Work work;
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    std::set<Node*> after;
};

// An object of the program that graphs keep alive; its function is called when nothing uses it any more.
struct UserObject {
    void* pointer;
    cudaHostFn_t destroy;
    int uses;

    void release(unsigned int count) {
        uses -= static_cast<int>(count);
        if (uses > 0) return;
        call_program([this] { destroy(pointer); });
        delete this;
    }
};

// Uses of objects, which end with what has them.
class ObjectUses {
  public:
    ObjectUses() = default;
    ObjectUses(const ObjectUses& other) : objects(other.objects) {
        for (UserObject* one : objects) ++one->uses;
    }
    ObjectUses& operator=(const ObjectUses&) = delete;
    ~ObjectUses() {
        for (UserObject* one : objects) one->release(1);
    }
    void take(UserObject* one, unsigned int count) { objects.insert(objects.end(), count, one); }
    void give_back(UserObject* one, unsigned int count) {
        for (; count; --count) {
            auto found = std::find(objects.begin(), objects.end(), one);
            if (found == objects.end()) return;
            objects.erase(found);
            one->release(1);
        }
    }

  private:
    std::vector<UserObject*> objects;
};

// Memory that a stream frees while it captures: the graph and its executables need it until they end.
struct GraphMemory {
    std::vector<Address> freed;
    ~GraphMemory() {
        for (Address one : freed) free_memory("the end of a graph", reinterpret_cast<void*>(one), false);
    }
};

struct Graph {
    std::vector<std::unique_ptr<Node>> nodes;
    bool is_captured = false;
    ObjectUses objects;
    std::shared_ptr<GraphMemory> memory = std::make_shared<GraphMemory>();
};

void set_captured(cudaStream_t handle, Graph* graph);
void end_capture(Graph* graph);

namespace {

struct Executable {
    struct Step {
        std::string name;
        Frames frames;
        Work work;
    };
    explicit Executable(const Graph& graph) : objects(graph.objects), memory(graph.memory) {}
    std::vector<Step> steps;
    ObjectUses objects;
    std::shared_ptr<GraphMemory> memory;
};

Graph* graph_of(cudaGraph_t handle) { return reinterpret_cast<Graph*>(handle); }
Executable* executable_of(cudaGraphExec_t handle) { return reinterpret_cast<Executable*>(handle); }

// Return the nodes so that each follows those that it depends on; fewer nodes if there is a circle.
std::vector<Node*> in_order(const Graph& graph) {
    std::vector<Node*> found;
    std::set<Node*> done;
    for (bool is_going = true; is_going;) {
        is_going = false;
        for (const auto& node : graph.nodes) {
            bool is_ready = !done.count(node.get());
            for (Node* other : node->after) is_ready = is_ready && done.count(other);
            if (!is_ready) continue;
            done.insert(node.get());
            found.push_back(node.get());
            is_going = true;
        }
    }
    return found;
}

Graph* clone(const Graph& graph) {
    auto* made = new Graph{{}, graph.is_captured, graph.objects, graph.memory};
    std::map<Node*, Node*> copies;
    for (const auto& node : graph.nodes) {
        made->nodes.push_back(std::make_unique<Node>(*node));
        copies[node.get()] = made->nodes.back().get();
    }
    for (const auto& node : made->nodes) {
        std::set<Node*> after;
        for (Node* other : node->after) after.insert(copies[other]);
        node->after = after;
    }
    return made;
}

cudaError_t add(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count, Node&& node) {
    if (!graph || !made) return cudaErrorInvalidValue;
    for (size_t at = 0; at < count; ++at) node.after.insert(reinterpret_cast<Node*>(after[at]));
    graph_of(graph)->nodes.push_back(std::make_unique<Node>(std::move(node)));
    *made = reinterpret_cast<cudaGraphNode_t>(graph_of(graph)->nodes.back().get());
    return cudaSuccess;
}

// Set the steps of an executable to the nodes of a graph.
cudaError_t set_steps(Executable& executable, const Graph& graph) {
    std::vector<Node*> nodes = in_order(graph);
    if (nodes.size() != graph.nodes.size()) return cudaErrorInvalidValue;
    executable.steps.clear();
    for (Node* node : nodes)
        if (node->work) executable.steps.push_back({node->name, node->frames, node->work});
    return cudaSuccess;
}

cudaError_t instantiate(cudaGraphExec_t* made, cudaGraph_t graph) {
    if (!made || !graph) return cudaErrorInvalidValue;
    auto found = std::make_unique<Executable>(*graph_of(graph));
    if (cudaError_t error = set_steps(*found, *graph_of(graph))) return error;
    *made = reinterpret_cast<cudaGraphExec_t>(found.release());
    return cudaSuccess;
}

}  // namespace

void free_with_graph(Graph* graph, void* pointer) {
    graph->memory->freed.push_back(reinterpret_cast<Address>(pointer));
}

void add_to_graph(Graph* graph, const char* name, const Frames& frames, Work work) {
    Node node{name, frames, std::move(work), cudaGraphNodeTypeKernel, {}};
    if (!graph->nodes.empty()) node.after.insert(graph->nodes.back().get());
    graph->nodes.push_back(std::make_unique<Node>(std::move(node)));
}

}  // namespace standin

using namespace standin;

// --- capture

API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    return call("cudaStreamBeginCapture", [&]() -> cudaError_t {
        if (number_of(stream) < 0) return cudaErrorInvalidResourceHandle;
        if (number_of(stream) == 0) return cudaErrorStreamCaptureUnsupported;  // the default stream
        if (captured_graph(stream)) return cudaErrorIllegalState;
        set_captured(stream, new Graph);
        return cudaSuccess;
    });
}

API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return call("cudaStreamEndCapture", [&]() -> cudaError_t {
        if (number_of(stream) < 0) return cudaErrorInvalidResourceHandle;
        Graph* found = captured_graph(stream);
        if (!found || !graph) return found ? cudaErrorInvalidValue : cudaErrorIllegalState;
        end_capture(found);
        *graph = reinterpret_cast<cudaGraph_t>(found);
        return cudaSuccess;
    });
}

API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    return call("cudaStreamIsCapturing", [&]() -> cudaError_t {
        if (number_of(stream) < 0 || !status) return cudaErrorInvalidValue;
        *status = captured_graph(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
        return cudaSuccess;
    });
}

API cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    return call("cudaThreadExchangeStreamCaptureMode", [&]() -> cudaError_t {
        static thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
        if (!mode) return cudaErrorInvalidValue;
        std::swap(current, *mode);
        return cudaSuccess;
    });
}

// --- graphs

API cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) {
    return call("cudaGraphCreate", [&]() -> cudaError_t {
        if (!graph) return cudaErrorInvalidValue;
        *graph = reinterpret_cast<cudaGraph_t>(new Graph);
        return cudaSuccess;
    });
}

API cudaError_t cudaGraphClone(cudaGraph_t* made, cudaGraph_t graph) {
    return call("cudaGraphClone", [&]() -> cudaError_t {
        if (!made || !graph) return cudaErrorInvalidValue;
        *made = reinterpret_cast<cudaGraph_t>(clone(*graph_of(graph)));
        return cudaSuccess;
    });
}

API cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return call("cudaGraphDestroy", [&] {
        delete graph_of(graph);
        return cudaSuccess;
    });
}

API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      size_t count) {
    return call("cudaGraphAddEmptyNode", [&] { return add(made, graph, after, count, Node{}); });
}

API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, const cudaKernelNodeParams* parameters) {
    return call("cudaGraphAddKernelNode", [&]() -> cudaError_t {
        if (!parameters) return cudaErrorInvalidValue;
        Node node;
        node.type = cudaGraphNodeTypeKernel, node.frames = callers();
        Launch launch{parameters->gridDim, parameters->blockDim, {0, 0, 0}, parameters->sharedMemBytes, false};
        cudaError_t error =
            prepare(parameters->func, launch, parameters->kernelParams, node.frames, node.work, node.name);
        return error ? error : add(made, graph, after, count, std::move(node));
    });
}

API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, const cudaMemcpy3DParms* parameters) {
    return call("cudaGraphAddMemcpyNode", [&]() -> cudaError_t {
        if (!parameters) return cudaErrorInvalidValue;
        Node node{"a copy of a graph", callers(), {}, cudaGraphNodeTypeMemcpy, {}};
        cudaError_t error = copying_3d("cudaGraphAddMemcpyNode", *parameters, node.frames, node.work);
        return error ? error : add(made, graph, after, count, std::move(node));
    });
}

API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                         size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return call("cudaGraphAddMemcpyNode1D", [&] {
        Node node{"a copy of a graph", callers(), {}, cudaGraphNodeTypeMemcpy, {}};
        cudaError_t error = copying("cudaGraphAddMemcpyNode1D", {to, bytes, 0}, {from, bytes, 0}, {bytes}, kind,
                                    node.frames, node.work);
        return error ? error : add(made, graph, after, count, std::move(node));
    });
}

API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, const cudaMemsetParams* parameters) {
    return call("cudaGraphAddMemsetNode", [&]() -> cudaError_t {
        if (!parameters) return cudaErrorInvalidValue;
        const cudaMemsetParams& p = *parameters;
        if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4) return cudaErrorInvalidValue;
        std::string pattern(reinterpret_cast<const char*>(&p.value), p.elementSize);
        Node node{"a memset of a graph", callers(), {}, cudaGraphNodeTypeMemset, {}};
        node.work = filling("cudaGraphAddMemsetNode", {p.dst, p.pitch, 0}, pattern,
                            {p.width * p.elementSize, p.height}, node.frames);
        return add(made, graph, after, count, std::move(node));
    });
}

API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* made, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, const cudaHostNodeParams* parameters) {
    return call("cudaGraphAddHostNode", [&]() -> cudaError_t {
        if (!parameters) return cudaErrorInvalidValue;
        cudaHostNodeParams p = *parameters;
        Work work = [=](Accesses&) {
            call_program([&] { p.fn(p.userData); });
            return cudaSuccess;
        };
        Node node{"a function of a graph", callers(), work, cudaGraphNodeTypeHost, {}};
        return add(made, graph, after, count, std::move(node));
    });
}

API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                         const cudaGraphEdgeData*, size_t count) {
    return call("cudaGraphAddDependencies", [&]() -> cudaError_t {
        if (!graph || (count && (!from || !to))) return cudaErrorInvalidValue;
        for (size_t at = 0; at < count; ++at)
            reinterpret_cast<Node*>(to[at])->after.insert(reinterpret_cast<Node*>(from[at]));
        return cudaSuccess;
    });
}

API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return call("cudaGraphGetNodes", [&]() -> cudaError_t {
        if (!graph || !count) return cudaErrorInvalidValue;
        const auto& all = graph_of(graph)->nodes;
        for (size_t at = 0; nodes && at < *count; ++at)
            nodes[at] = at < all.size() ? reinterpret_cast<cudaGraphNode_t>(all[at].get()) : nullptr;
        if (!nodes || *count > all.size()) *count = all.size();
        return cudaSuccess;
    });
}

API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long) {
    return call("cudaGraphInstantiate", [&] { return instantiate(made, graph); });
}

API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long) {
    return call("cudaGraphInstantiateWithFlags", [&] { return instantiate(made, graph); });
}

API cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
    return call("cudaGraphUpload", [&] { return executable ? sticky() : cudaErrorInvalidValue; });
}

API cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    return call("cudaGraphLaunch", [&]() -> cudaError_t {
        if (!executable) return cudaErrorInvalidValue;
        for (const auto& step : executable_of(executable)->steps)
            if (cudaError_t error = submit(stream, step.name.c_str(), step.frames, step.work)) return error;
        return cudaSuccess;
    });
}

API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    return call("cudaGraphExecDestroy", [&] {
        delete executable_of(executable);
        return cudaSuccess;
    });
}

API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
    return call("cudaGraphExecUpdate", [&]() -> cudaError_t {
        if (!executable || !graph || !info) return cudaErrorInvalidValue;
        Executable& found = *executable_of(executable);
        Executable other(*graph_of(graph));
        if (cudaError_t error = set_steps(other, *graph_of(graph))) return error;
        *info = {};
        info->result = cudaGraphExecUpdateErrorTopologyChanged;
        if (other.steps.size() != found.steps.size()) return cudaErrorGraphExecUpdateFailure;
        info->result = cudaGraphExecUpdateSuccess;
        found.steps = other.steps;
        return cudaSuccess;
    });
}

// --- objects of the program that graphs keep alive

API cudaError_t cudaUserObjectCreate(cudaUserObject_t* made, void* pointer, cudaHostFn_t destroy, unsigned int uses,
                                     unsigned int) {
    return call("cudaUserObjectCreate", [&]() -> cudaError_t {
        if (!made || !destroy || !uses) return cudaErrorInvalidValue;
        *made = reinterpret_cast<cudaUserObject_t>(new UserObject{pointer, destroy, static_cast<int>(uses)});
        return cudaSuccess;
    });
}

API cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
    return call("cudaUserObjectRetain", [&]() -> cudaError_t {
        if (!object) return cudaErrorInvalidValue;
        reinterpret_cast<UserObject*>(object)->uses += static_cast<int>(count);
        return cudaSuccess;
    });
}

API cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
    return call("cudaUserObjectRelease", [&]() -> cudaError_t {
        if (!object) return cudaErrorInvalidValue;
        reinterpret_cast<UserObject*>(object)->release(count);
        return cudaSuccess;
    });
}

API cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count,
                                          unsigned int flags) {
    return call("cudaGraphRetainUserObject", [&]() -> cudaError_t {
        if (!graph || !object) return cudaErrorInvalidValue;
        auto* one = reinterpret_cast<UserObject*>(object);
        if (!(flags & cudaGraphUserObjectMove)) one->uses += static_cast<int>(count);
        graph_of(graph)->objects.take(one, count);
        return cudaSuccess;
    });
}

API cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count) {
    return call("cudaGraphReleaseUserObject", [&]() -> cudaError_t {
        if (!graph || !object) return cudaErrorInvalidValue;
        graph_of(graph)->objects.give_back(reinterpret_cast<UserObject*>(object), count);
        return cudaSuccess;
    });
}
