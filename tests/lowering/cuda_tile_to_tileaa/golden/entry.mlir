cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i32>> {test.note = "x"}) {
    %cst_8438360879443561048_i64 = constant <i64: 8438360879443561048> : tile<i64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{arg_attrs = [{test.note = "x"}], function_type = (!nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i32, 1>):
    %c8438360879443561048_i64 = arith.constant 8438360879443561048 : i64
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @"na\C3\AFve kernel k0"(%arg0: tile<ptr<tf32>>) {
    %cst_f32 = constant <f32: 2.845070e+27> : tile<f32>
    %cst_-4414334107690826536_i64 = constant <i64: -4414334107690826536> : tile<i64>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<tf32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "na\C3\AFve kernel k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<tf32, 1>):
    %cst = arith.constant 2.845070e+27 : f32
    %c-4414334107690826536_i64 = arith.constant -4414334107690826536 : i64
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
