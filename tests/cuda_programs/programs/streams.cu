// Streams, events and graphs: work that is ordered, and work that is not.
#include "check.h"

#include <thread>

constexpr int N = 256, HALF = N / 2;
constexpr size_t BYTES = N * sizeof(int);

__global__ void add(int* values, int amount, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += amount;
}

__global__ void copy(int* to, const int* from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}

struct Setting {
    int *pinned, *values, *others;
    cudaStream_t one, two;
    cudaEvent_t event;

    explicit Setting(unsigned flags = cudaStreamNonBlocking) {
        CHECK(cudaMallocHost(&pinned, BYTES));
        for (int i = 0; i < N; ++i) pinned[i] = i;
        CHECK(cudaMalloc(&values, BYTES));
        CHECK(cudaMalloc(&others, BYTES));
        CHECK(cudaMemcpy(values, pinned, BYTES, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(others, pinned, BYTES, cudaMemcpyHostToDevice));
        CHECK(cudaStreamCreateWithFlags(&one, flags));
        CHECK(cudaStreamCreateWithFlags(&two, flags));
        CHECK(cudaEventCreate(&event));
    }

    ~Setting() {
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaEventDestroy(event));
        CHECK(cudaStreamDestroy(one));
        CHECK(cudaStreamDestroy(two));
        CHECK(cudaFree(values));
        CHECK(cudaFree(others));
        CHECK(cudaFreeHost(pinned));
    }
};

// Each stream has one half of the arrays.
void halves() {
    Setting s;
    cudaStream_t streams[] = {s.one, s.two};
    for (int at = 0; at < 2; ++at) {
        int* part = s.values + at * HALF;
        CHECK(cudaMemcpyAsync(part, s.pinned + at * HALF, BYTES / 2, cudaMemcpyHostToDevice, streams[at]));
        add<<<1, HALF, 0, streams[at]>>>(part, 10, HALF);
        CHECK(cudaMemcpyAsync(s.pinned + at * HALF, part, BYTES / 2, cudaMemcpyDeviceToHost, streams[at]));
    }
    CHECK(cudaStreamSynchronize(s.one));
    CHECK(cudaStreamSynchronize(s.two));
    for (int i = 0; i < N; ++i) EXPECT(s.pinned[i] == i + 10);
}

void events() {
    Setting s;
    cudaEvent_t begin;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventRecord(begin, s.one));
    add<<<1, N, 0, s.one>>>(s.values, 1, N);
    CHECK(cudaEventRecord(s.event, s.one));
    CHECK(cudaStreamWaitEvent(s.two, s.event));
    copy<<<1, N, 0, s.two>>>(s.others, s.values, N);
    CHECK(cudaMemcpyAsync(s.pinned, s.others, BYTES, cudaMemcpyDeviceToHost, s.two));
    CHECK(cudaStreamSynchronize(s.two));
    EXPECT(s.pinned[5] == 6);
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, s.event));
    EXPECT(milliseconds >= 0);
    CHECK(cudaEventDestroy(begin));
}

// Streams without flags are ordered with the default stream.
void default_stream() {
    Setting s(cudaStreamDefault);
    add<<<1, N, 0, s.one>>>(s.values, 1, N);
    add<<<1, N>>>(s.values, 1, N);
    copy<<<1, N, 0, s.two>>>(s.others, s.values, N);
    CHECK(cudaMemcpy(s.pinned, s.others, BYTES, cudaMemcpyDeviceToHost));
    EXPECT(s.pinned[5] == 7);
}

void notify(void* called) { *static_cast<int*>(called) += 1; }

void callbacks() {
    Setting s;
    int called = 0;
    add<<<1, N, 0, s.one>>>(s.values, 1, N);
    CHECK(cudaLaunchHostFunc(s.one, notify, &called));
    CHECK(cudaStreamSynchronize(s.one));
    EXPECT(called == 1);
}

// Two threads of the host, each with a stream and memory of its own.
void threads() {
    auto work = [](int amount) {
        Setting s;
        for (int round = 0; round < 3; ++round) add<<<1, N, 0, s.one>>>(s.values, amount, N);
        CHECK(cudaMemcpyAsync(s.pinned, s.values, BYTES, cudaMemcpyDeviceToHost, s.one));
        CHECK(cudaStreamSynchronize(s.one));
        for (int i = 0; i < N; ++i) EXPECT(s.pinned[i] == i + 3 * amount);
    };
    std::thread first(work, 1), second(work, 10);
    first.join();
    second.join();
}

void captured() {
    Setting s;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CHECK(cudaStreamBeginCapture(s.one, cudaStreamCaptureModeGlobal));
    add<<<1, N, 0, s.one>>>(s.values, 1, N);
    CHECK(cudaEventRecord(s.event, s.one));
    CHECK(cudaStreamWaitEvent(s.two, s.event));
    add<<<1, N, 0, s.two>>>(s.others, 2, N);
    CHECK(cudaEventRecord(s.event, s.two));
    CHECK(cudaStreamWaitEvent(s.one, s.event));
    CHECK(cudaMemcpyAsync(s.pinned, s.values, BYTES, cudaMemcpyDeviceToHost, s.one));
    CHECK(cudaStreamEndCapture(s.one, &graph));
    EXPECT(s.pinned[5] == 5);
    CHECK(cudaGraphInstantiate(&executable, graph));
    for (int round = 0; round < 3; ++round) CHECK(cudaGraphLaunch(executable, s.one));
    CHECK(cudaStreamSynchronize(s.one));
    EXPECT(s.pinned[5] == 8);
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
}

void graphs() {
    Setting s;
    cudaGraph_t graph;
    cudaGraphNode_t first, second;
    cudaGraphExec_t executable;
    int amount = 4, n = N;
    void* arguments[] = {&s.values, &amount, &n};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(add), kernel.gridDim = 1, kernel.blockDim = N, kernel.kernelParams = arguments;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel));
    CHECK(cudaGraphAddMemcpyNode1D(&second, graph, &first, 1, s.pinned, s.values, BYTES, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphInstantiate(&executable, graph));
    CHECK(cudaGraphLaunch(executable, s.one));
    CHECK(cudaStreamSynchronize(s.one));
    EXPECT(s.pinned[5] == 9);
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
}

// --- programs with a fault

void missing_wait() {
    Setting s;
    add<<<1, N, 0, s.one>>>(s.values, 1, N);
    copy<<<1, N, 0, s.two>>>(s.others, s.values, N);  // TW1366: missing-wait
}

void early_copy() {
    Setting s;
    add<<<1, N, 0, s.one>>>(s.values, 1, N);
    CHECK(cudaMemcpyAsync(s.pinned, s.values, BYTES, cudaMemcpyDeviceToHost, s.two));  // TW1366: early-copy
}

void wrong_event() {
    Setting s;
    CHECK(cudaEventRecord(s.event, s.one));
    add<<<1, N, 0, s.one>>>(s.values, 1, N);
    CHECK(cudaStreamWaitEvent(s.two, s.event));
    CHECK(cudaMemsetAsync(s.values, 0, 4, s.two));  // TW1366: wrong-event
}

int main(int argc, char** argv) {
    const Program programs[] = {
        {"halves", halves},
        {"events", events},
        {"default-stream", default_stream},
        {"callbacks", callbacks},
        {"threads", threads},
        {"captured", captured},
        {"graphs", graphs},
        {"missing-wait", missing_wait},
        {"early-copy", early_copy},
        {"wrong-event", wrong_event},
    };
    return run(programs, argc, argv);
}
