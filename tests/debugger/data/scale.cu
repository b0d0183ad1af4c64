#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <typename T, int N>
__tile_global__ void scale(const T* __restrict__ x, T* __restrict__ out, T factor, int count) {
    auto column = static_cast<int>(ct::bid().x) * N + ct::iota<ct::tile<int, ct::shape<N>>>();
    auto mask = column < count;
    auto row = ct::load_masked(x + column, mask, ct::zeros<ct::tile<T, ct::shape<N>>>());
    auto sum = row;
    for (int i = 0; i < 3; ++i) {
        sum = sum * factor + row;
    }
    ct::store_masked(out + column, sum, mask);
}
