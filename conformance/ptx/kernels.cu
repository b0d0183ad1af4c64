// Programs whose PTX the simulator runs; `conformance.ptx.cases` has their arguments and results.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

namespace cg = cooperative_groups;
#define KERNEL extern "C" __global__ void

KERNEL blocksum(const float* x, float* out, int n) {
    __shared__ float part[32];
    float sum = 0;
    int half = n / 2;
    for (int i = threadIdx.x; i < half; i += blockDim.x) sum += x[blockIdx.x * half + i];
    for (int step = 16; step; step >>= 1) sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
        for (int step = 16; step; step >>= 1) sum += __shfl_down_sync(~0u, sum, step);
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}

__device__ __noinline__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
KERNEL recursion(const int* x, int* y) { y[threadIdx.x] = factorial(x[threadIdx.x] % 10); }

KERNEL collatz(const int* x, int* y) {
    long long value = x[threadIdx.x] % 1000 + 1;
    int steps = 0;
    for (; value != 1; steps++) value = value & 1 ? 3 * value + 1 : value / 2;
    y[threadIdx.x] = steps;
}

KERNEL transcendental(const float* x, float* y) {
    float v = x[threadIdx.x];
    y[threadIdx.x] = sinf(v) + expf(v) + logf(fabsf(v) + 1) + powf(fabsf(v), 1.5f);
}

KERNEL doubles(const double* x, double* y) {
    double v = x[threadIdx.x];
    y[threadIdx.x] = sqrt(fabs(v)) / (v + 3.0) + exp(v);
}

KERNEL halves(const __half* x, __half* y) {
    __half v = x[threadIdx.x];
    y[threadIdx.x] = __hfma(v, v, __hadd(v, v));
}

KERNEL votes(const int* x, int* y) {
    int v = x[threadIdx.x] % 7;
    y[threadIdx.x] = __popc(__ballot_sync(~0u, v > 3)) + __reduce_add_sync(~0u, v);
}

KERNEL switches(const int* x, int* y) {
    int v = x[threadIdx.x] % 5, result;
    switch (v) {
        case 0: result = 5; break;
        case 1: result = 9; break;
        case 2: result = 77; break;
        case 3: result = v * 3 + 1; break;
        default: result = -1;
    }
    y[threadIdx.x] = result;
}

typedef int (*Function)(int);
__device__ int increment(int a) { return a + 1; }
__device__ int twice(int a) { return a * 2; }
__device__ Function functions[2] = {increment, twice};
KERNEL indirect(const int* x, int* y) { y[threadIdx.x] = functions[threadIdx.x & 1](x[threadIdx.x]); }

KERNEL longs(const unsigned long long* x, unsigned long long* y) {
    unsigned long long v = x[threadIdx.x];
    y[threadIdx.x] = v / 12345 + v % 777 + __umul64hi(v, v * 3) + __popcll(v);
}

KERNEL locals(const int* x, int* y) {
    int squares[16], sum = 0;
    for (int i = 0; i < 16; i++) squares[i] = i * i + threadIdx.x;
    for (int shift = 0; shift < 28; shift += 4) sum += squares[x[threadIdx.x] >> shift & 15];
    y[threadIdx.x] = sum;
}

KERNEL spin(int* out) {
    __shared__ volatile int turn;
    if (threadIdx.x == 0) turn = 0;
    __syncthreads();
    int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) {
        while (turn != warp) {}
        out[warp] = turn * 10;
        __threadfence_block();
        turn = warp + 1;
    }
}

KERNEL tiled_groups(const int* x, int* y) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int v = x[threadIdx.x];
    for (int step = 4; step; step /= 2) v += tile.shfl_down(v, step);
    if (tile.thread_rank() == 0) y[threadIdx.x / 8] = v;
}

KERNEL transposed(const float* x, float* y) {
    __shared__ float tile[32][33];
    int row = threadIdx.x / 32, column = threadIdx.x % 32;
    for (int i = row; i < 32; i += 4) tile[i][column] = x[(blockIdx.y * 32 + i) * 64 + blockIdx.x * 32 + column];
    __syncthreads();
    for (int i = row; i < 32; i += 4) y[(blockIdx.x * 32 + i) * 64 + blockIdx.y * 32 + column] = tile[column][i];
}

KERNEL staged(const int4* x, int4* y, int tiles) {
    __shared__ int4 ring[3][128];
    int4 sum = {0, 0, 0, 0};
    for (int i = 0; i < 2; i++) {
        __pipeline_memcpy_async(&ring[i][threadIdx.x], &x[i * 128 + threadIdx.x], 16);
        __pipeline_commit();
    }
    for (int i = 0; i < tiles; i++) {
        if (i + 2 < tiles) __pipeline_memcpy_async(&ring[(i + 2) % 3][threadIdx.x], &x[(i + 2) * 128 + threadIdx.x], 16);
        __pipeline_commit();
        __pipeline_wait_prior(2);
        __syncthreads();
        int4 v = ring[i % 3][127 - threadIdx.x];
        sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
        __syncthreads();
    }
    y[127 - threadIdx.x] = sum;
}

KERNEL wmma(const __half* a, const __half* b, float* c) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> left;
    fragment<matrix_b, 16, 16, 16, __half, col_major> right;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.f);
    load_matrix_sync(left, a, 16);
    load_matrix_sync(right, b, 16);
    mma_sync(sum, left, right, sum);
    store_matrix_sync(c, sum, 16, mem_row_major);
}

#if __CUDA_ARCH__ >= 900
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(void* bar, int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(bar)), "r"(count) : "memory");
}
__device__ void arrive(void* bar) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(bar)) : "memory");
}
__device__ void expect(void* bar, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(bar)), "r"(bytes) : "memory");
}
__device__ void wait(void* bar, int parity) {
    asm volatile(
        "{ .reg .pred done;\nagain: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again; }" ::"r"(address(bar)),
        "r"(parity)
        : "memory");
}
__device__ void fetch(void* to, const void* from, int bytes, void* bar) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(address(to)), "l"(from),
                 "r"(bytes), "r"(address(bar))
                 : "memory");
}
#endif

KERNEL pipelined(const int* x, int* y, int tiles) {
#if __CUDA_ARCH__ >= 900
    __shared__ alignas(16) int ring[2][96];
    __shared__ unsigned long long full[2], empty[2];
    if (threadIdx.x == 0)
        for (int s = 0; s < 2; s++) init(&full[s], 1), init(&empty[s], 96);
    __syncthreads();
    if (threadIdx.x >= 96) {
        if (threadIdx.x == 96)
            for (int i = 0; i < tiles; i++) {
                wait(&empty[i % 2], i / 2 & 1 ^ 1);
                expect(&full[i % 2], 384);
                fetch(ring[i % 2], x + i * 96, 384, &full[i % 2]);
            }
    } else {
        int sum = 0;
        for (int i = 0; i < tiles; i++) {
            wait(&full[i % 2], i / 2 & 1);
            sum += ring[i % 2][95 - threadIdx.x];
            arrive(&empty[i % 2]);
        }
        y[95 - threadIdx.x] = sum;
    }
#endif
}

KERNEL bulk(const int* x, int* y) {
#if __CUDA_ARCH__ >= 900
    __shared__ alignas(16) int tile[256], back[256];
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0) init(&bar, 1);
    __syncthreads();
    if (threadIdx.x == 0) expect(&bar, 1024), fetch(tile, x, 1024, &bar);
    wait(&bar, 0);
    for (int i = threadIdx.x; i < 256; i += blockDim.x) back[255 - i] = tile[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(y), "r"(address(back)) : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
    }
#endif
}

KERNEL clustered(const int* x, int* y) {
#if __CUDA_ARCH__ >= 900
    auto cluster = cg::this_cluster();
    __shared__ int mine[64];
    mine[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    cluster.sync();
    int sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); rank++) sum += cluster.map_shared_rank(mine, rank)[63 - threadIdx.x];
    y[blockIdx.x * 64 + 63 - threadIdx.x] = sum;
    cluster.sync();
#endif
}
