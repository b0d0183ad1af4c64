cuda_tile.module @kernels {
  entry @k0() {
    %cst_0_i8 = constant <i8: 0> : tile<4x4xi8>
    %assume_cst_0_i8 = assume div_by<72057594037927936>, %cst_0_i8 : tile<4x4xi8>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 0 : i8}> : () -> tensor<4x4xi8>
    %1 = "nv_tileaa.assume"(%0) <{predicates = [#nv_tileaa.div_by<72057594037927936>]}> : (tensor<4x4xi8>) -> tensor<4x4xi8>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_1274601073_i32 = constant <i32: 1274601073> : tile<2x4xi32>
    %assume_cst_1274601073_i32 = assume same_elements<[1, 2]>, %cst_1274601073_i32 : tile<2x4xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 1274601073 : i32}> : () -> tensor<2x4xi32>
    %1 = "nv_tileaa.assume"(%0) <{predicates = [#nv_tileaa.same_elements<[1, 2]>]}> : (tensor<2x4xi32>) -> tensor<2x4xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
