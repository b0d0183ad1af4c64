cuda_tile.module @kernels {
  entry @_k0$1() {
    %cst_-1024205696646198217_i64 = constant <i64: -1024205696646198217> : tile<i64>
    %cst_f32 = constant <f32: 0.127431333> : tile<f32>
    return
  } {arg_attrs = []}
}
// becomes
module {
  "nv_tileaa.func"() <{arg_attrs = [], function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "_k0$1"}> ({
    %c-1024205696646198217_i64 = arith.constant -1024205696646198217 : i64
    %cst = arith.constant 0.127431333 : f32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @_k0$1(%arg0: tile<ptr<bf16>>, %arg1: tile<ptr<i32>>) optimization_hints=<sm_100 = {num_cta_in_cga = 1, num_worker_warps_per_cta = 8, occupancy = 2 : i64}> {
    %cst_f32 = constant <f32: 5.71779459E+28> : tile<f32>
    return
  } {arg_attrs = [{}, {}]}
}
// becomes
module {
  "nv_tileaa.func"() <{arg_attrs = [{}, {}], function_type = (!nv_tileaa.ptr<bf16, 1>, !nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "_k0$1"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<bf16, 1>, %arg1: !nv_tileaa.ptr<i32, 1>):
    %cst = arith.constant 5.71779459E+28 : f32
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
