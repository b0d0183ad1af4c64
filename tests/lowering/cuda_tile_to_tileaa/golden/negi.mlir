cuda_tile.module @kernels {
  entry @k0() {
    %cst_i32 = constant <i32: __elided__> : tile<4x16xi32>
    %0 = negi %cst_i32 overflow<no_wrap> : tile<4x16xi32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<4x16xi32>}> : () -> tensor<4x16xi32>
    %0 = "nv_tileaa.splat"() <{value = 0 : i32}> : () -> tensor<4x16xi32>
    %1 = arith.subi %0, %cst overflow<nsw, nuw> : tensor<4x16xi32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_i16 = constant <i16: [[-29983, -4386], [30336, 4159], [-16399, -489], [-22344, -23877]]> : tile<4x2xi16>
    %0 = negi %cst_i16 overflow<no_signed_wrap> : tile<4x2xi16>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[-29983, -4386], [30336, 4159], [-16399, -489], [-22344, -23877]]> : tensor<4x2xi16>}> : () -> tensor<4x2xi16>
    %0 = "nv_tileaa.splat"() <{value = 0 : i16}> : () -> tensor<4x2xi16>
    %1 = arith.subi %0, %cst overflow<nsw> : tensor<4x2xi16>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
