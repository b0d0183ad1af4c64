cuda_tile.module @kernels {
  entry @k0() {
    %cst_-2_i32 = constant <i32: -2> : tile<1x1xi32>
    %0 = maxi %cst_-2_i32, %cst_-2_i32 unsigned : tile<1x1xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -2 : i32}> : () -> tensor<1x1xi32>
    %1 = arith.maxui %0, %0 : tensor<1x1xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i8>) {
    %cst_-100_i8 = constant <i8: -100> : tile<1xi8>
    %reshape = reshape %arg0 : tile<i8> -> tile<1xi8>
    %0 = maxi %cst_-100_i8, %reshape signed : tile<1xi8>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i8) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i8):
    %0 = "nv_tileaa.splat"() <{value = -100 : i8}> : () -> tensor<1xi8>
    %1 = "nv_tileaa.splat"(%arg0) : (i8) -> tensor<1xi8>
    %2 = arith.maxsi %0, %1 : tensor<1xi8>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
