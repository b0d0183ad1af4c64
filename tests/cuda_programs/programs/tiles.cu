// Tile kernels, alone and beside SIMT kernels.
#include "check.h"

#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr int N = 300, WIDTH = 128, BLOCKS = (N + WIDTH - 1) / WIDTH;
constexpr size_t BYTES = N * sizeof(float);

template <int W> __tile_global__ void scale(const float* __restrict__ x, float* __restrict__ out, float factor, int n) {
    auto column = static_cast<int>(ct::bid().x) * W + ct::iota<ct::tile<int, ct::shape<W>>>();
    auto mask = column < n;
    auto row = ct::load_masked(x + column, mask, ct::zeros<ct::tile<float, ct::shape<W>>>());  // TW0402: tile-out-of-bounds
    ct::store_masked(out + column, row * factor, mask);
}

__tile_global__ void store_first(float* out, float value) {
    auto row = ct::iota<ct::tile<int, ct::shape<4>>>();
    auto mask = row < static_cast<int>(ct::bid().x) + 1;
    ct::store_masked(out + row, ct::full<ct::tile<float, ct::shape<4>>>(value), mask);
}

__global__ void add(float* values, float amount) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) values[i] += amount;
}

struct Arrays {
    float host[N], *x, *out;

    Arrays() {
        for (int i = 0; i < N; ++i) host[i] = static_cast<float>(i);
        CHECK(cudaMalloc(&x, BYTES));
        CHECK(cudaMalloc(&out, BYTES));
        CHECK(cudaMemset(out, 0, BYTES));
        CHECK(cudaMemcpy(x, host, BYTES, cudaMemcpyHostToDevice));
    }

    ~Arrays() {
        cudaFree(x);
        cudaFree(out);
    }
};

void tile_kernel() {
    Arrays a;
    scale<WIDTH><<<BLOCKS, 1>>>(a.x, a.out, 2.0f, N);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(a.host, a.out, BYTES, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; ++i) EXPECT(a.host[i] == 2.0f * i);
}

void mixed() {
    Arrays a;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    add<<<2, 256, 0, stream>>>(a.x, 1.0f);
    scale<64><<<(N + 63) / 64, 1, 0, stream>>>(a.x, a.out, 3.0f, N);
    add<<<2, 256, 0, stream>>>(a.out, 0.5f);
    CHECK(cudaMemcpyAsync(a.host, a.out, BYTES, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < N; ++i) EXPECT(a.host[i] == 3.0f * (i + 1) + 0.5f);
    CHECK(cudaStreamDestroy(stream));
}

void managed() {
    float* values;
    CHECK(cudaMallocManaged(&values, 2 * BYTES));
    for (int i = 0; i < N; ++i) values[i] = static_cast<float>(i);
    scale<WIDTH><<<BLOCKS, 1>>>(values, values + N, 0.5f, N);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < N; ++i) EXPECT(values[N + i] == 0.5f * i);
    CHECK(cudaFree(values));
}

void tile_out_of_bounds() {
    Arrays a;
    scale<WIDTH><<<BLOCKS, 1>>>(a.x, a.out, 2.0f, N + 1);
    cudaDeviceSynchronize();
}

void tile_host_pointer() {
    Arrays a;
    scale<WIDTH><<<BLOCKS, 1>>>(a.host, a.out, 2.0f, N);  // launched: tile-host-pointer
    cudaDeviceSynchronize();
}

void tile_race() {
    Arrays a;
    store_first<<<3, 1>>>(a.out, 2.0f);  // launched: tile-race
    CHECK(cudaDeviceSynchronize());
}

int main(int argc, char** argv) {
    const Program programs[] = {
        {"tile-kernel", tile_kernel},
        {"mixed", mixed},
        {"managed", managed},
        {"tile-out-of-bounds", tile_out_of_bounds},
        {"tile-host-pointer", tile_host_pointer},
        {"tile-race", tile_race},
    };
    return run(programs, argc, argv);
}
