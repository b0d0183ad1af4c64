cuda_tile.module @kernels {
  entry @k0() {
    %cst_3859286413955404624_i64 = constant <i64: 3859286413955404624> : tile<i64>
    %0 = int_to_ptr %cst_3859286413955404624_i64 : tile<i64> -> tile<ptr<i32, <unicast>>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c3859286413955404624_i64 = arith.constant 3859286413955404624 : i64
    %0 = "nv_tileaa.int_to_ptr"(%c3859286413955404624_i64) : (i64) -> !nv_tileaa.ptr<i32, 1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_3901704663826247527_i64 = constant <i64: 3901704663826247527> : tile<i64>
    %0 = int_to_ptr %cst_3901704663826247527_i64 : tile<i64> -> tile<ptr<bf16, <unicast>>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c3901704663826247527_i64 = arith.constant 3901704663826247527 : i64
    %0 = "nv_tileaa.int_to_ptr"(%c3901704663826247527_i64) : (i64) -> !nv_tileaa.ptr<bf16, 1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
