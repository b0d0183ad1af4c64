cuda_tile.module @kernels {
  entry @k0() {
    %0 = make_token : token
    %1 = gdc_launch_dependents_tko token = %0 -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %0 = make_token : token
    %1 = gdc_launch_dependents_tko token = %0 -> token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
