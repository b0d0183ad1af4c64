// A product of tiles for which GPUs have a matrix instruction.
cuda_tile.module @m {
  entry @product(%out: tile<ptr<f32>>) {
    %a = constant <f16: 1.0> : tile<32x16xf16>
    %b = constant <f16: 2.0> : tile<16x16xf16>
    %c = constant <f32: 0.0> : tile<32x16xf32>
    %d = mmaf %a, %b, %c : tile<32x16xf16>, tile<16x16xf16>, tile<32x16xf32>
    %all = make_tensor_view %out, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf32, strides=[16, 1]>
    %tiles = make_partition_view %all : partition_view<tile=(32x16), tensor_view<32x16xf32, strides=[16, 1]>>
    %zero = constant <i32: 0> : tile<i32>
    %s = store_view_tko weak %d, %tiles[%zero, %zero]
        : tile<32x16xf32>, partition_view<tile=(32x16), tensor_view<32x16xf32, strides=[16, 1]>>, tile<i32> -> token
    return
  }
}
