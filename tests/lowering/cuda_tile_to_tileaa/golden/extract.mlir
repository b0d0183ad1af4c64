cuda_tile.module @kernels {
  entry @k0() {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_i8 = constant <i8: [127, -127]> : tile<2xi8>
    %0 = trunci %cst_i8 : tile<2xi8> -> tile<2xi4>
    %1 = extract %0[%cst_0_i32] : tile<2xi4> -> tile<1xi4>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c0_i32 = arith.constant 0 : i32
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[127, -127]> : tensor<2xi8>}> : () -> tensor<2xi8>
    %0 = arith.trunci %cst : tensor<2xi8> to tensor<2xi4>
    %1 = "nv_tileaa.extract_slice"(%0, %c0_i32) <{sizes = array<i64: 1>}> : (tensor<2xi4>, i32) -> tensor<1xi4>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_f32 = constant <f32: [[-2.74575059E+25, -4.24074841E-7], [2.41544279E+12, -3.04867777E-26], [2.35515194E-13, -1.12982202E+35], [0xCE1BBC5E, -1.34885057E+27]]> : tile<4x2xf32>
    %0 = extract %cst_f32[%cst_1_i32, %cst_0_i32] : tile<4x2xf32> -> tile<2x2xf32>
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[-2.74575059E+25, -4.24074841E-7], [2.41544279E+12, -3.04867777E-26], [2.35515194E-13, -1.12982202E+35], [0xCE1BBC5E, -1.34885057E+27]]> : tensor<4x2xf32>}> : () -> tensor<4x2xf32>
    %c2_i32 = arith.constant 2 : i32
    %0 = arith.muli %c1_i32, %c2_i32 : i32
    %c2_i32_0 = arith.constant 2 : i32
    %1 = arith.muli %c0_i32, %c2_i32_0 : i32
    %2 = "nv_tileaa.extract_slice"(%cst, %0, %1) <{sizes = array<i64: 2, 2>}> : (tensor<4x2xf32>, i32, i32) -> tensor<2x2xf32>
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
