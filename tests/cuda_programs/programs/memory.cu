// Memory of the device and of the host: allocation, copies in all directions, errors.
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

constexpr int N = 300;
constexpr size_t BYTES = N * sizeof(int);

__device__ int table[4];
__constant__ int factor = 3;
__managed__ int count = 5;

__global__ void scale(int* values, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= factor;
}

__global__ void raise_count() { count += table[1]; }

struct Lists {
    int* first;
    int* second;
    int size;
};

__global__ void add_lists(Lists* lists) {
    if (threadIdx.x < lists->size) lists->first[threadIdx.x] += lists->second[threadIdx.x];
}

// --- right programs

void copies() {
    int host[N], back[N] = {}, *a, *b;
    for (int i = 0; i < N; ++i) host[i] = i;
    CHECK(cudaMalloc(&a, BYTES));
    CHECK(cudaMalloc(&b, BYTES));
    CHECK(cudaMemcpy(a, host, BYTES, cudaMemcpyHostToDevice));
    scale<<<2, 256>>>(a, N);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(b, a, BYTES, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy(back, b, BYTES, cudaMemcpyDefault));
    for (int i = 0; i < N; ++i) EXPECT(back[i] == 3 * i);
    CHECK(cudaMemset(b, 0xff, 8));
    CHECK(cudaMemcpy(back, b, BYTES, cudaMemcpyDeviceToHost));
    EXPECT(back[0] == -1 && back[1] == -1 && back[2] == 6);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(nullptr));
}

void pitched() {
    int host[3][5], back[3][5];
    for (int i = 0; i < 15; ++i) host[i / 5][i % 5] = i;
    int* image;
    size_t pitch;
    CHECK(cudaMallocPitch(&image, &pitch, sizeof host[0], 3));
    EXPECT(pitch >= sizeof host[0]);
    CHECK(cudaMemcpy2D(image, pitch, host, sizeof host[0], sizeof host[0], 3, cudaMemcpyHostToDevice));
    CHECK(cudaMemset2D(image, pitch, 0, sizeof(int), 3));
    CHECK(cudaMemcpy2D(back, sizeof back[0], image, pitch, sizeof back[0], 3, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 15; ++i) EXPECT(back[i / 5][i % 5] == (i % 5 ? i : 0));
    CHECK(cudaFree(image));
}

void symbols() {
    int values[4] = {1, 2, 3, 4}, two = 2, back = 0;
    CHECK(cudaMemcpyToSymbol(table, values, sizeof values));
    CHECK(cudaMemcpyToSymbol(factor, &two, sizeof two));
    CHECK(cudaMemcpyFromSymbol(&back, table, sizeof back, 3 * sizeof back));
    EXPECT(back == 4);
    raise_count<<<1, 1>>>();
    CHECK(cudaDeviceSynchronize());
    EXPECT(count == 7);
    int* address;
    size_t size;
    CHECK(cudaGetSymbolAddress((void**)&address, table));
    CHECK(cudaGetSymbolSize(&size, table));
    EXPECT(size == sizeof values);
    scale<<<1, 32>>>(address, 4);
    CHECK(cudaMemcpyFromSymbol(values, table, sizeof values));
    EXPECT(values[0] == 2 && values[3] == 8);
}

void structures() {
    Lists* lists;
    CHECK(cudaMallocManaged(&lists, sizeof *lists));
    CHECK(cudaMallocManaged(&lists->first, BYTES));
    CHECK(cudaMallocHost(&lists->second, BYTES));
    lists->size = N;
    for (int i = 0; i < N; ++i) lists->first[i] = i, lists->second[i] = 1000;
    add_lists<<<1, 512>>>(lists);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < N; ++i) EXPECT(lists->first[i] == i + 1000);
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, lists->second));
    EXPECT(attributes.type == cudaMemoryTypeHost);
    CHECK(cudaFree(lists->first));
    CHECK(cudaFreeHost(lists->second));
    CHECK(cudaFree(lists));
}

void pools() {
    cudaStream_t stream;
    int *values, back = 0;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocAsync(&values, BYTES, stream));
    CHECK(cudaMemsetAsync(values, 0, BYTES, stream));
    CHECK(cudaMemcpyAsync(&back, values + 7, sizeof back, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(values, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(back == 0);
    CHECK(cudaStreamDestroy(stream));
}

// A process that is forked before the first call has a device of its own; one that is forked later has none.
void processes() {
    pid_t child = fork();
    copies();
    if (child == 0) std::exit(0);
    int status = -1;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    child = fork();
    int* values;
    if (child == 0) _exit(cudaMalloc(&values, BYTES) == cudaErrorInitializationError ? 0 : 1);
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
}

void errors() {
    int* values = nullptr;
    EXPECT(cudaMalloc(&values, size_t{1} << 60) == cudaErrorMemoryAllocation);
    EXPECT(cudaPeekAtLastError() == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
    EXPECT(cudaGetLastError() == cudaSuccess);
    scale<<<1, 2048>>>(values, 0);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    EXPECT(!std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"));
    EXPECT(cudaSetDevice(7) == cudaErrorInvalidDevice);
    EXPECT(!std::strcmp(cudaGetErrorName(cudaGetLastError()), "cudaErrorInvalidDevice"));
    int devices = 0, multiprocessors = 0, blocks = 0;
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceCount(&devices));
    CHECK(cudaGetDeviceProperties(&properties, 0));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    EXPECT(devices == 1 && properties.warpSize == 32 && multiprocessors == properties.multiProcessorCount);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
    EXPECT(blocks == properties.maxThreadsPerMultiProcessor / 256);
    size_t available = 0, total = 0;
    CHECK(cudaMemGetInfo(&available, &total));
    EXPECT(available <= total && total == properties.totalGlobalMem);
}

// --- programs with a fault

void host_pointer() {
    int* values = new int[N]();
    scale<<<2, 256>>>(values, N);  // launched: host-pointer
    CHECK(cudaDeviceSynchronize());
    delete[] values;
}

void copy_past_the_end() {
    int host[N] = {}, *values;
    CHECK(cudaMalloc(&values, N));
    cudaMemcpy(values, host, BYTES, cudaMemcpyHostToDevice);  // TW1363: copy-past-the-end
    cudaGetLastError();
    CHECK(cudaFree(values));
}

void memset_past_the_end() {
    int* values;
    CHECK(cudaMalloc(&values, BYTES));
    cudaMemset(values + 1, 0, BYTES);  // TW1363: memset-past-the-end
    cudaGetLastError();
    CHECK(cudaFree(values));
}

void use_after_free() {
    int host[N] = {}, *values;
    CHECK(cudaMalloc(&values, BYTES));
    CHECK(cudaFree(values));
    cudaMemcpy(values, host, BYTES, cudaMemcpyHostToDevice);  // TW1361: use-after-free
    cudaGetLastError();
}

void kernel_after_free() {
    int* values;
    CHECK(cudaMalloc(&values, BYTES));
    CHECK(cudaFree(values));
    scale<<<2, 256>>>(values, N);  // launched: kernel-after-free
    CHECK(cudaDeviceSynchronize());
}

void double_free() {
    int* values;
    CHECK(cudaMalloc(&values, BYTES));
    CHECK(cudaFree(values));
    cudaFree(values);  // TW1362: double-free
    cudaGetLastError();
}

void free_of_the_middle() {
    int* values;
    CHECK(cudaMalloc(&values, BYTES));
    cudaFree(values + 1);  // TW1362: free-of-the-middle
    cudaGetLastError();
    CHECK(cudaFree(values));
}

void wrong_free() {
    int* values;
    CHECK(cudaMallocHost(&values, BYTES));
    cudaFree(values);  // TW1362: wrong-free
    cudaGetLastError();
    CHECK(cudaFreeHost(values));
}

void wrong_direction() {
    int host[N] = {}, *values;
    CHECK(cudaMalloc(&values, BYTES));
    cudaMemcpy(host, values, BYTES, cudaMemcpyHostToDevice);  // TW1360: wrong-direction
    cudaGetLastError();
    CHECK(cudaFree(values));
}

void ignored_error() {
    int* values;
    CHECK(cudaMalloc(&values, BYTES));
    scale<<<N, 2000>>>(values, N);  // TW1364: ignored-error
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(values));
}

void leak() {
    int* values;
    CHECK(cudaMalloc(&values, BYTES));  // TW1365: leak
    CHECK(cudaMemset(values, 0, BYTES));
}

void host_access() {
    int* values;
    CHECK(cudaMalloc(&values, BYTES));
    values[3] = 1;  // TW1367: host-access
    CHECK(cudaFree(values));
}

int main(int argc, char** argv) {
    const Program programs[] = {
        {"copies", copies},
        {"pitched", pitched},
        {"symbols", symbols},
        {"structures", structures},
        {"pools", pools},
        {"processes", processes},
        {"errors", errors},
        {"host-pointer", host_pointer},
        {"copy-past-the-end", copy_past_the_end},
        {"memset-past-the-end", memset_past_the_end},
        {"use-after-free", use_after_free},
        {"kernel-after-free", kernel_after_free},
        {"double-free", double_free},
        {"free-of-the-middle", free_of_the_middle},
        {"wrong-free", wrong_free},
        {"wrong-direction", wrong_direction},
        {"ignored-error", ignored_error},
        {"leak", leak},
        {"host-access", host_access},
    };
    return run(programs, argc, argv);
}
