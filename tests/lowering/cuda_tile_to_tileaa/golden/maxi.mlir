cuda_tile.module @kernels {
  entry @k0() {
    %cst_-1457903475_i32 = constant <i32: -1457903475> : tile<1x1xi32>
    %cst_-1409328052_i32 = constant <i32: -1409328052> : tile<1x1xi32>
    %0 = maxi %cst_-1457903475_i32, %cst_-1409328052_i32 unsigned : tile<1x1xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = -1457903475 : i32}> : () -> tensor<1x1xi32>
    %1 = "nv_tileaa.splat"() <{value = -1409328052 : i32}> : () -> tensor<1x1xi32>
    %2 = arith.maxui %0, %1 : tensor<1x1xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i8>) {
    %cst_61_i8 = constant <i8: 61> : tile<1xi8>
    %reshape = reshape %arg0 : tile<i8> -> tile<1xi8>
    %0 = maxi %cst_61_i8, %reshape signed : tile<1xi8>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i8) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i8):
    %0 = "nv_tileaa.splat"() <{value = 61 : i8}> : () -> tensor<1xi8>
    %1 = "nv_tileaa.splat"(%arg0) : (i8) -> tensor<1xi8>
    %2 = arith.maxsi %0, %1 : tensor<1xi8>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
