cuda_tile.module @kernels {
  entry @k0() {
    %true = constant <i1: true> : tile<i1>
    if %true {
      return
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %true = arith.constant true
    scf.if %true {
    } else {
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0() {
    loop {
      %cst_7068_f16 = constant <f16: 7.068000e+03> : tile<8xf16>
      %0 = atan2 %cst_7068_f16, %cst_7068_f16 : tile<8xf16>
      %cst_f16 = constant <f16: [-2.592000e+04, 2.573010e-03, -6.637500e+01, 4.744530e-05, 3.619140e+00, 9.125000e+00, 2.984380e+01, -6.929680e+00]> : tile<8xf16>
      %1 = minf %cst_f16, %0 : tile<8xf16>
      return
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = scf.while : () -> i1 {
      %1 = "nv_tileaa.splat"() <{value = 7.068000e+03 : f16}> : () -> tensor<8xf16>
      %2 = math.atan2 %1, %1 : tensor<8xf16>
      %cst = "nv_tileaa.constant_tensor"() <{value = dense<[-2.592000e+04, 2.573010e-03, -6.637500e+01, 4.744530e-05, 3.619140e+00, 9.125000e+00, 2.984380e+01, -6.929680e+00]> : tensor<8xf16>}> : () -> tensor<8xf16>
      %3 = arith.minnumf %cst, %2 : tensor<8xf16>
      %true = arith.constant true
      %false = arith.constant false
      scf.condition(%false) %true : i1
    } do {
    ^bb0(%arg0: i1):
      scf.yield
    }
    scf.if %0 {
    } else {
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
