cuda_tile.module @kernels {
  entry @k0() {
    loop {
      %0 = alloca num_elem = 64, alignment = 16 : tile<ptr<f8E8M0FNU>>
      %1 = make_token : token
      %2 = print_tko "\0A" token=%1 -> token
      return
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
    %0 = scf.while : () -> i1 {
      %1 = llvm.mlir.constant(64 : i64) : i64
      %2 = llvm.alloca %1 x i8 {alignment = 16 : i64} : (i64) -> !llvm.ptr
      %3 = builtin.unrealized_conversion_cast %2 : !llvm.ptr to !nv_tileaa.ptr<f8E8M0FNU, 1>
      %4 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
      %5 = "nv_tileaa.print"(%4) <{format = "\0A", operandSegmentSizes = array<i32: 0, 1>}> : (!nv_tileaa.mem_token) -> !nv_tileaa.mem_token
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

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<ptr<i16>>) {
    %reshape = reshape %arg0 : tile<ptr<i16>> -> tile<1x1xptr<i16>>
    %bcast = broadcast %reshape : tile<1x1xptr<i16>> -> tile<2x16xptr<i16>>
    %cst_i8 = constant <i8: __elided__> : tile<2x16xi8>
    %0 = offset %bcast, %cst_i8 : tile<2x16xptr<i16>>, tile<2x16xi8> -> tile<2x16xptr<i16>>
    loop iter_values(%arg1 = %0) : tile<2x16xptr<i16>> {
      %cst_6506973996032948787_i64 = constant <i64: 6506973996032948787> : tile<1x64x1xi64>
      %1 = mulhii %cst_6506973996032948787_i64, %cst_6506973996032948787_i64 : tile<1x64x1xi64>
      break
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i16, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: !nv_tileaa.ptr<i16, 1>):
    %0 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i16, 1>) -> tensor<1x1x!nv_tileaa.ptr<i16, 1>>
    %1 = "nv_tileaa.splat"(%arg0) : (!nv_tileaa.ptr<i16, 1>) -> tensor<2x16x!nv_tileaa.ptr<i16, 1>>
    %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<2x16xi8>}> : () -> tensor<2x16xi8>
    %2 = "nv_tileaa.addptr"(%1, %cst) : (tensor<2x16x!nv_tileaa.ptr<i16, 1>>, tensor<2x16xi8>) -> tensor<2x16x!nv_tileaa.ptr<i16, 1>>
    %3 = scf.while (%arg1 = %2) : (tensor<2x16x!nv_tileaa.ptr<i16, 1>>) -> tensor<2x16x!nv_tileaa.ptr<i16, 1>> {
      %4 = "nv_tileaa.splat"() <{value = 6506973996032948787 : i64}> : () -> tensor<1x64x1xi64>
      %5 = "nv_tileaa.mulhiui"(%4, %4) : (tensor<1x64x1xi64>, tensor<1x64x1xi64>) -> tensor<1x64x1xi64>
      %6 = ub.poison : tensor<2x16x!nv_tileaa.ptr<i16, 1>>
      %false = arith.constant false
      scf.condition(%false) %6 : tensor<2x16x!nv_tileaa.ptr<i16, 1>>
    } do {
    ^bb0(%arg1: tensor<2x16x!nv_tileaa.ptr<i16, 1>>):
      scf.yield %arg1 : tensor<2x16x!nv_tileaa.ptr<i16, 1>>
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
