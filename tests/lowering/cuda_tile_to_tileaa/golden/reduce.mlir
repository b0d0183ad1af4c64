cuda_tile.module @kernels {
  entry @k0() {
    %cst_i16 = constant <i16: [24698, -22902]> : tile<2xi16>
    %reduce = reduce %cst_i16 dim=0 identities=[-17600 : i16] : tile<2xi16> -> tile<i16> 
    (%reduce_lhs: tile<i16>, %reduce_rhs: tile<i16>) {
      %cst_f8E8M0FNU = constant <f8E8M0FNU: [8.673610e-19, 1.934280e+25, 5.048710e-29, 1.972150e-31, 1.880790e-37, 9.671400e+24, 2.220450e-16, 1.009740e-28]> : tile<8xf8E8M0FNU>
      %0 = ftof %cst_f8E8M0FNU rounding<zero> : tile<8xf8E8M0FNU> -> tile<8xf64>
      %1 = cmpi greater_than %reduce_lhs, %reduce_rhs, signed : tile<i16> -> tile<i1>
      %2 = if %1 -> (tile<i16>) {
        yield %reduce_lhs : tile<i16>
      } else {
        yield %reduce_rhs : tile<i16>
      }
      yield %2 : tile<i16>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[24698, -22902]> : tensor<2xi16>}> : () -> tensor<2xi16>
    %0 = "nv_tileaa.reduce"(%cst) <{axis = 0 : i32}> ({
    ^bb0(%arg0: i16, %arg1: i16):
      %cst_0 = "nv_tileaa.constant_tensor"() <{value = dense<[8.673610e-19, 1.934280e+25, 5.048710e-29, 1.972150e-31, 1.880790e-37, 9.671400e+24, 2.220450e-16, 1.009740e-28]> : tensor<8xf8E8M0FNU>}> : () -> tensor<8xf8E8M0FNU>
      %1 = "nv_tileaa.fp_to_fp"(%cst_0) <{rounding_mode = #nv_tileaa.rounding_mode<zero>}> : (tensor<8xf8E8M0FNU>) -> tensor<8xf64>
      %2 = arith.cmpi sgt, %arg1, %arg0 : i16
      %3 = scf.if %2 -> (i16) {
        scf.yield %arg1 : i16
      } else {
        scf.yield %arg0 : i16
      }
      "nv_tileaa.yield"(%3) : (i16) -> ()
    }) {nv_tileaa.identities = [-17600 : i16]} : (tensor<2xi16>) -> i16
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_f8E5M2 = constant <f8E5M2: 6.103520e-04> : tile<16x2xf8E5M2>
    %cst_bf16 = constant <bf16: -3.381660e+07> : tile<16x2xbf16>
    %reduce:2 = reduce %cst_f8E5M2, %cst_bf16 dim=1 identities=[-2.560000e+03 : f8E5M2, -4.216150e+36 : bf16] : tile<16x2xf8E5M2>, tile<16x2xbf16> -> tile<16xf8E5M2>, tile<16xbf16> 
    (%reduce_lhs0: tile<f8E5M2>, %reduce_rhs0: tile<f8E5M2>, %reduce_lhs1: tile<bf16>, %reduce_rhs1: tile<bf16>) {
      %0 = addf %reduce_lhs1, %reduce_rhs1  : tile<bf16>
      yield %reduce_lhs0, %0 : tile<f8E5M2>, tile<bf16>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = "nv_tileaa.splat"() <{value = 6.103520e-04 : f8E5M2}> : () -> tensor<16x2xf8E5M2>
    %1 = "nv_tileaa.splat"() <{value = -3.381660e+07 : bf16}> : () -> tensor<16x2xbf16>
    %2:2 = "nv_tileaa.reduce"(%0, %1) <{axis = 1 : i32}> ({
    ^bb0(%arg0: f8E5M2, %arg1: bf16, %arg2: f8E5M2, %arg3: bf16):
      %3 = "nv_tileaa.addf"(%arg3, %arg1) <{rounding_mode = #nv_tileaa.rounding_mode<nearest_even>}> : (bf16, bf16) -> bf16
      "nv_tileaa.yield"(%arg2, %3) : (f8E5M2, bf16) -> ()
    }) {nv_tileaa.identities = [-2.560000e+03 : f8E5M2, -4.216150e+36 : bf16]} : (tensor<16x2xf8E5M2>, tensor<16x2xbf16>) -> (tensor<16xf8E5M2>, tensor<16xbf16>)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
