cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i8>) {
    %reshape = reshape %arg0 : tile<i8> -> tile<1x1x1x1xi8>
    %bcast = broadcast %reshape : tile<1x1x1x1xi8> -> tile<2x1x8x1xi8>
    %0 = exti %bcast unsigned : tile<2x1x8x1xi8> -> tile<2x1x8x1xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i8) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i8):
    %0 = "nv_tileaa.splat"(%arg0) : (i8) -> tensor<1x1x1x1xi8>
    %1 = "nv_tileaa.splat"(%arg0) : (i8) -> tensor<2x1x8x1xi8>
    %2 = arith.extui %1 : tensor<2x1x8x1xi8> to tensor<2x1x8x1xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i32>) {
    %reshape = reshape %arg0 : tile<i32> -> tile<1xi32>
    %bcast = broadcast %reshape : tile<1xi32> -> tile<2xi32>
    %0 = exti %bcast signed : tile<2xi32> -> tile<2xi64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i32):
    %0 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<1xi32>
    %1 = "nv_tileaa.splat"(%arg0) : (i32) -> tensor<2xi32>
    %2 = arith.extsi %1 : tensor<2xi32> to tensor<2xi64>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
