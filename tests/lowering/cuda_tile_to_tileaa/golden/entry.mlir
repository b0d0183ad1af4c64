cuda_tile.module @kernels {
  entry @_k0$1() optimization_hints=<sm_100 = {occupancy = 2 : i64}, sm_120 = {}, sm_80 = {num_worker_warps_per_cta = 8, occupancy = 2 : i64}, sm_90 = {num_worker_warps_per_cta = 8}> {
    %cst_5541927376719573046_i64 = constant <i64: 5541927376719573046> : tile<i64>
    %cst_f32 = constant <f32: 1.17549449E-38> : tile<f32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "_k0$1"}> ({
    %c5541927376719573046_i64 = arith.constant 5541927376719573046 : i64
    %cst = arith.constant 1.17549449E-38 : f32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @"na\C3\AFve kernel k0"(%arg0: tile<ptr<i32>>) optimization_hints=<sm_80 = {}> {
    %cst_f32 = constant <f32: 30.4860058> : tile<f32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "na\C3\AFve kernel k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %cst = arith.constant 30.4860058 : f32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
