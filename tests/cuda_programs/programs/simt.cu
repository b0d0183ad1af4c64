// SIMT kernels: shared memory, warps, atomics, recursion of calls, printing, memory of kernels, grids that wait.
#include "check.h"

#include <cassert>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int N = 256;
constexpr size_t BYTES = N * sizeof(int);

__global__ void sum_blocks(const int* values, int* result, int n) {
    __shared__ int partial[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? values[i] : 0;
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    }
    if (threadIdx.x == 0) atomicAdd(result, partial[0]);
}

__global__ void sum_warps(const int* values, int* result) {
    int sum = values[blockIdx.x * 32 + threadIdx.x];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x == 0) atomicAdd(result, sum);
}

template <typename T> __global__ void reverse(T* values) {
    extern __shared__ char memory[];
    T* shared = reinterpret_cast<T*>(memory);
    shared[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

__global__ void greet(float number) {
    if (threadIdx.x == 1) printf("thread %d: %.2f %s\n", threadIdx.x, number, "text");
}

__global__ void rotate(int* values, int* result) {
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] *= 2;
    grid.sync();
    result[i] = values[(i + blockDim.x) % N];
}

__global__ void __cluster_dims__(2, 1, 1) exchange(int* values) {
    __shared__ int own[64];
    cg::cluster_group cluster = cg::this_cluster();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    own[threadIdx.x] = values[i];
    cluster.sync();
    int taken = cluster.map_shared_rank(own, cluster.block_rank() ^ 1)[threadIdx.x];
    cluster.sync();
    values[i] = taken;
}

struct Node {
    int value;
    Node* next;
};

__global__ void make_list(Node** head, int count) {
    for (int i = 0; i < count; ++i) {
        auto* node = static_cast<Node*>(malloc(sizeof(Node)));
        node->value = i, node->next = *head;
        *head = node;
    }
}

__global__ void sum_list(Node* const* head, int* result) {
    int sum = 0;
    for (Node* node = *head; node;) {
        Node* next = node->next;
        sum += node->value;
        free(node);
        node = next;
    }
    *result = sum;
}

int* filled() {
    int host[N], *values;
    for (int i = 0; i < N; ++i) host[i] = i;
    CHECK(cudaMalloc(&values, BYTES));
    CHECK(cudaMemcpy(values, host, BYTES, cudaMemcpyHostToDevice));
    return values;
}

int taken(const int* value) {
    int host = 0;
    CHECK(cudaMemcpy(&host, value, sizeof host, cudaMemcpyDeviceToHost));
    return host;
}

void sums() {
    int *values = filled(), *result;
    CHECK(cudaMalloc(&result, 2 * sizeof(int)));
    CHECK(cudaMemset(result, 0, 2 * sizeof(int)));
    sum_blocks<<<2, 128>>>(values, result, N);
    sum_warps<<<N / 32, 32>>>(values, result + 1);
    EXPECT(taken(result) == N * (N - 1) / 2);
    EXPECT(taken(result + 1) == N * (N - 1) / 2);
    CHECK(cudaFree(values));
    CHECK(cudaFree(result));
}

void templates() {
    int* values = filled();
    reverse<<<1, N, BYTES>>>(values);
    EXPECT(taken(values) == N - 1);
    CHECK(cudaFuncSetAttribute(reverse<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
    reverse<<<1, N, 60 << 10>>>(values);
    EXPECT(taken(values) == 0);
    CHECK(cudaFree(values));
}

void printing() {
    std::printf("before\n");
    greet<<<1, 32>>>(2.5f);
    CHECK(cudaDeviceSynchronize());
}

void cooperative() {
    int *values = filled(), *result;
    CHECK(cudaMalloc(&result, BYTES));
    void* arguments[] = {&values, &result};
    CHECK(cudaLaunchCooperativeKernel(rotate, 4, 64, arguments, 0, nullptr));
    EXPECT(taken(result) == 128 && taken(result + N - 1) == 126);
    CHECK(cudaFree(values));
    CHECK(cudaFree(result));
}

void clusters() {
    int* values = filled();
    exchange<<<4, 64>>>(values);
    EXPECT(taken(values) == 64 && taken(values + 64) == 0 && taken(values + 128) == 192);
    cudaLaunchConfig_t config{};
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = 4, config.blockDim = 64, config.attrs = &attribute, config.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&config, exchange, values));
    EXPECT(taken(values) == 0 && taken(values + 64) == 64);
    CHECK(cudaFree(values));
}

void lists() {
    Node** head;
    int* result;
    CHECK(cudaMalloc(&head, sizeof *head));
    CHECK(cudaMalloc(&result, sizeof *result));
    CHECK(cudaMemset(head, 0, sizeof *head));
    make_list<<<1, 1>>>(head, 10);
    sum_list<<<1, 1>>>(head, result);
    EXPECT(taken(result) == 45);
    CHECK(cudaFree(head));
    CHECK(cudaFree(result));
}

// --- programs with a fault

__global__ void forgets_barrier(int* values) {
    __shared__ int shared[N];
    shared[threadIdx.x] = values[threadIdx.x];
    values[threadIdx.x] = shared[N - 1 - threadIdx.x];  // TW1265: missing-barrier
}

__global__ void goes_too_far(int* values) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] += 1;  // TW1254: out-of-bounds
}

__global__ void counts_without_atomics(int* counter) {
    if (threadIdx.x == 0) *counter += 1;  // TW1265: race-between-blocks
}

__global__ void reads_unaligned(char* bytes) {
    *reinterpret_cast<int*>(bytes + 1 + 4 * threadIdx.x) = 1;  // TW1255: misaligned
}

__global__ void asserts(const int* values) {
    assert(values[threadIdx.x] < 200);  // TW1267: failed-assertion
}


void missing_barrier() {
    int* values = filled();
    forgets_barrier<<<1, N>>>(values);
    cudaDeviceSynchronize();
}

void out_of_bounds() {
    int* values = filled();
    goes_too_far<<<3, 128>>>(values);
    cudaDeviceSynchronize();
}

void race_between_blocks() {
    int* values = filled();
    counts_without_atomics<<<4, 32>>>(values);
    cudaDeviceSynchronize();
}

void misaligned() {
    int* values = filled();
    reads_unaligned<<<1, 8>>>(reinterpret_cast<char*>(values));
    cudaDeviceSynchronize();
}

void failed_assertion() {
    int* values = filled();
    asserts<<<1, N>>>(values);
    EXPECT(cudaDeviceSynchronize() == cudaErrorAssert);
}

void null_pointer() {
    goes_too_far<<<1, 32>>>(nullptr);  // launched: null-pointer
    cudaDeviceSynchronize();
}

void uninitialised() {
    int *values, *result;
    CHECK(cudaMalloc(&values, BYTES));
    CHECK(cudaMalloc(&result, sizeof(int)));
    CHECK(cudaMemset(result, 0, sizeof(int)));
    sum_blocks<<<1, 128>>>(values, result, N);  // launched: uninitialised
    cudaDeviceSynchronize();
}

int main(int argc, char** argv) {
    const Program programs[] = {
        {"sums", sums},
        {"templates", templates},
        {"printing", printing},
        {"cooperative", cooperative},
        {"clusters", clusters},
        {"lists", lists},
        {"missing-barrier", missing_barrier},
        {"out-of-bounds", out_of_bounds},
        {"race-between-blocks", race_between_blocks},
        {"misaligned", misaligned},
        {"failed-assertion", failed_assertion},
        {"null-pointer", null_pointer},
        {"uninitialised", uninitialised},
    };
    return run(programs, argc, argv);
}
