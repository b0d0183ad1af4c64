// Tiles beyond the registers of a block: elements, rows that are reduced, and a tile in another shape.
cuda_tile.module @m {
  entry @large(%x: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %all = make_tensor_view %x, shape = [512, 1024], strides = [1024, 1] : tensor_view<512x1024xi32, strides=[1024,1]>
    %tiles = make_partition_view %all : partition_view<tile=(512x1024), tensor_view<512x1024xi32, strides=[1024,1]>>
    %a, %t = load_view_tko weak %tiles[%zero, %zero]
        : partition_view<tile=(512x1024), tensor_view<512x1024xi32, strides=[1024,1]>>, tile<i32> -> tile<512x1024xi32>, token
    %rows = reduce %a dim=1 identities=[0 : i32] : tile<512x1024xi32> -> tile<512xi32>
    (%p: tile<i32>, %q: tile<i32>) {
      %c = addi %p, %q : tile<i32>
      yield %c : tile<i32>
    }
    %column = reshape %rows : tile<512xi32> -> tile<512x1xi32>
    %wide = broadcast %column : tile<512x1xi32> -> tile<512x1024xi32>
    %sum = addi %a, %wide : tile<512x1024xi32>
    %to = make_tensor_view %out, shape = [512, 1024], strides = [1024, 1] : tensor_view<512x1024xi32, strides=[1024,1]>
    %places = make_partition_view %to : partition_view<tile=(512x1024), tensor_view<512x1024xi32, strides=[1024,1]>>
    %s = store_view_tko weak %sum, %places[%zero, %zero]
        : tile<512x1024xi32>, partition_view<tile=(512x1024), tensor_view<512x1024xi32, strides=[1024,1]>>, tile<i32> -> token
    return
  }
}
