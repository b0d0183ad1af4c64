cuda_tile.module @kernels {
  entry @k0() {
    %cst_-3581044156523578771_i64 = constant <i64: -3581044156523578771> : tile<i64>
    %0 = int_to_ptr %cst_-3581044156523578771_i64 : tile<i64> -> tile<ptr<i32, <unicast>>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c-3581044156523578771_i64 = arith.constant -3581044156523578771 : i64
    %0 = "nv_tileaa.int_to_ptr"(%c-3581044156523578771_i64) : (i64) -> !nv_tileaa.ptr<i32, 1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_4168415051011574871_i64 = constant <i64: 4168415051011574871> : tile<i64>
    %0 = int_to_ptr %cst_4168415051011574871_i64 : tile<i64> -> tile<ptr<bf16, <unicast>>>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c4168415051011574871_i64 = arith.constant 4168415051011574871 : i64
    %0 = "nv_tileaa.int_to_ptr"(%c4168415051011574871_i64) : (i64) -> !nv_tileaa.ptr<bf16, 1>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
