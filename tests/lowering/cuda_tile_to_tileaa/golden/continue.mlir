cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i64>) {
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %for = for %loopIdx in (%cst_1_i32 to %cst_1_i32, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %arg0) -> (tile<i64>) {
      %false = constant <i1: false> : tile<i1>
      if %false {
        continue %iterArg0 : tile<i64>
      } else {
      }
      continue %iterArg0 : tile<i64>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i64) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i64):
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg1 = %c1_i32 to %c1_i32 step %c1_i32 iter_args(%arg2 = %arg0) -> (i64)  : i32 {
      %false = arith.constant false
      %1 = scf.if %false -> (i64) {
        scf.yield %arg2 : i64
      } else {
        scf.yield %arg2 : i64
      }
      scf.yield %1 : i64
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i1>, %arg1: tile<f64>, %arg2: tile<i16>, %arg3: tile<ptr<i8, <unicast>>>) {
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %for = for %loopIdx in (%cst_1_i32 to %cst_1_i32, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %arg3) -> (tile<ptr<i8, <unicast>>>) {
      if %arg0 {
        continue %iterArg0 : tile<ptr<i8, <unicast>>>
      } else {
        %reshape = reshape %arg1 : tile<f64> -> tile<1x1x1x1xf64>
        %bcast = broadcast %reshape : tile<1x1x1x1xf64> -> tile<2x2x4x4xf64>
        %reshape_0 = reshape %arg2 : tile<i16> -> tile<1x1x1x1xi16>
        %bcast_1 = broadcast %reshape_0 : tile<1x1x1x1xi16> -> tile<2x2x4x4xi16>
        %0 = fpowi %bcast, %bcast_1 : tile<2x2x4x4xf64>, tile<2x2x4x4xi16>
      }
      continue %arg3 : tile<ptr<i8, <unicast>>>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i1, f64, i16, !nv_tileaa.ptr<i8, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i1, %arg1: f64, %arg2: i16, %arg3: !nv_tileaa.ptr<i8, 1>):
    %c1_i32 = arith.constant 1 : i32
    %0 = scf.for %arg4 = %c1_i32 to %c1_i32 step %c1_i32 iter_args(%arg5 = %arg3) -> (!nv_tileaa.ptr<i8, 1>)  : i32 {
      %1 = scf.if %arg0 -> (!nv_tileaa.ptr<i8, 1>) {
        scf.yield %arg5 : !nv_tileaa.ptr<i8, 1>
      } else {
        %2 = "nv_tileaa.splat"(%arg1) : (f64) -> tensor<1x1x1x1xf64>
        %3 = "nv_tileaa.splat"(%arg1) : (f64) -> tensor<2x2x4x4xf64>
        %4 = "nv_tileaa.splat"(%arg2) : (i16) -> tensor<1x1x1x1xi16>
        %5 = "nv_tileaa.splat"(%arg2) : (i16) -> tensor<2x2x4x4xi16>
        %6 = math.fpowi %3, %5 : tensor<2x2x4x4xf64>, tensor<2x2x4x4xi16>
        scf.yield %arg3 : !nv_tileaa.ptr<i8, 1>
      }
      scf.yield %1 : !nv_tileaa.ptr<i8, 1>
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
