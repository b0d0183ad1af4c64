cuda_tile.module @kernels {
  entry @k0() {
    %0 = make_token : token
    %1 = print_tko "tab\09and \E2\98\83  %%" token=%0 -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %1 = "nv_tileaa.print"(%0) <{format = "tab\09and \E2\98\83  %%", operandSegmentSizes = array<i32: 0, 1>}> : (!nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<f16>) {
    %0 = make_token : token
    %cst_f32 = constant <f32: 1.09674691E-25> : tile<32x2x1x1xf32>
    %1 = print_tko "100%% %f %f ", %cst_f32, %arg0 token=%0 : tile<32x2x1x1xf32>, tile<f16> -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f16) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f16):
    %0 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %1 = "nv_tileaa.splat"() <{value = 1.09674691E-25 : f32}> : () -> tensor<32x2x1x1xf32>
    %2 = "nv_tileaa.print"(%1, %arg0, %0) <{format = "100%% %f %f ", operandSegmentSizes = array<i32: 2, 1>}> : (tensor<32x2x1x1xf32>, f16, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
