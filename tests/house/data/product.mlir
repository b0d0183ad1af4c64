// A product of tiles for which GPUs have a matrix instruction: its factors come from memory.
cuda_tile.module @m {
  entry @product(%x: tile<ptr<f16>>, %y: tile<ptr<f16>>, %out: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %left = make_tensor_view %x, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf16, strides=[16, 1]>
    %lefts = make_partition_view %left : partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16, 1]>>
    %a, %u = load_view_tko weak %lefts[%zero, %zero]
        : partition_view<tile=(32x16), tensor_view<32x16xf16, strides=[16, 1]>>, tile<i32> -> tile<32x16xf16>, token
    %p = assume div_by<16>, %y : tile<ptr<f16>>
    %right = make_tensor_view %p, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf16, strides=[64, 1]>
    %rights = make_partition_view %right : partition_view<tile=(16x64), tensor_view<16x64xf16, strides=[64, 1]>>
    %b, %v = load_view_tko weak %rights[%zero, %zero]
        : partition_view<tile=(16x64), tensor_view<16x64xf16, strides=[64, 1]>>, tile<i32> -> tile<16x64xf16>, token
    %c = constant <f32: 0.0> : tile<32x64xf32>
    %d = mmaf %a, %b, %c : tile<32x16xf16>, tile<16x64xf16>, tile<32x64xf32>
    %all = make_tensor_view %out, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64, 1]>
    %tiles = make_partition_view %all : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64, 1]>>
    %s = store_view_tko weak %d, %tiles[%zero, %zero]
        : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64, 1]>>, tile<i32> -> token
    return
  }
}
