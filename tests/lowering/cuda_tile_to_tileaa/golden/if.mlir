cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i1>, %arg1: tile<ptr<i32>>) {
    %0:2 = if %arg0 -> (tile<ptr<i32>>, token) {
      %true = constant <i1: true> : tile<1x4x2x1xi1>
      %cst_NaN_f64 = constant <f64: 0xFFF8000000000001> : tile<1x4x2x1xf64>
      %1 = select %true, %cst_NaN_f64, %cst_NaN_f64 : tile<1x4x2x1xi1>, tile<1x4x2x1xf64>
      %2 = sin %cst_NaN_f64 : tile<1x4x2x1xf64>
      %3 = make_token : token
      yield %arg1, %3 : tile<ptr<i32>>, token
    } else {
      %false = constant <i1: false> : tile<2x2xi1>
      %cst_f8E8M0FNU = constant <f8E8M0FNU: [[5.368700e+08, 1.980700e+28], [5.293960e-23, 1.175490e-38]]> : tile<2x2xf8E8M0FNU>
      %1 = select %false, %cst_f8E8M0FNU, %cst_f8E8M0FNU : tile<2x2xi1>, tile<2x2xf8E8M0FNU>
      %2 = make_token : token
      yield %arg1, %2 : tile<ptr<i32>>, token
    }
    %result, %result_token = load_ptr_tko weak %0#0 : tile<ptr<i32>> -> tile<i32>, token
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i1, !nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i1, %arg1: !nv_tileaa.ptr<i32, 1>):
    %0:2 = scf.if %arg0 -> (!nv_tileaa.ptr<i32, 1>, !nv_tileaa.mem_token) {
      %1 = "nv_tileaa.splat"() <{value = true}> : () -> tensor<1x4x2x1xi1>
      %2 = "nv_tileaa.splat"() <{value = 0xFFF8000000000001 : f64}> : () -> tensor<1x4x2x1xf64>
      %3 = arith.select %1, %2, %2 : tensor<1x4x2x1xi1>, tensor<1x4x2x1xf64>
      %4 = math.sin %2 : tensor<1x4x2x1xf64>
      %5 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
      scf.yield %arg1, %5 : !nv_tileaa.ptr<i32, 1>, !nv_tileaa.mem_token
    } else {
      %1 = "nv_tileaa.splat"() <{value = false}> : () -> tensor<2x2xi1>
      %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[5.368700e+08, 1.980700e+28], [5.293960e-23, 1.175490e-38]]> : tensor<2x2xf8E8M0FNU>}> : () -> tensor<2x2xf8E8M0FNU>
      %2 = arith.select %1, %cst, %cst : tensor<2x2xi1>, tensor<2x2xf8E8M0FNU>
      %3 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
      scf.yield %arg1, %3 : !nv_tileaa.ptr<i32, 1>, !nv_tileaa.mem_token
    }
    %value, %token = "nv_tileaa.load"(%0#0) <{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>) -> (i32, !nv_tileaa.mem_token)
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i1>) {
    if %arg0 {
      %cst_i8 = constant <i8: [96, -61]> : tile<2xi8>
      %0 = trunci %cst_i8 : tile<2xi8> -> tile<2xi4>
      %1 = pack %0 : tile<2xi4> -> tile<1xi8>
    } else {
      %0 = alloca num_elem = 1, alignment = 16 : tile<ptr<i64, <none>>>
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i1) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i1):
    scf.if %arg0 {
      %cst = "nv_tileaa.constant_tensor"() <{value = dense<[96, -61]> : tensor<2xi8>}> : () -> tensor<2xi8>
      %0 = arith.trunci %cst : tensor<2xi8> to tensor<2xi4>
      %1 = "nv_tileaa.expand_dims"(%0) <{axis = 0 : i32}> : (tensor<2xi4>) -> tensor<1x2xi4>
      %2 = arith.extui %1 : tensor<1x2xi4> to tensor<1x2xi8>
      %c0_i8 = arith.constant 0 : i8
      %c2_i8 = arith.constant 2 : i8
      %3 = "nv_tileaa.make_range"(%c0_i8, %c2_i8) : (i8, i8) -> tensor<2xi8>
      %4 = "nv_tileaa.splat"() <{value = 4 : i8}> : () -> tensor<2xi8>
      %5 = arith.muli %3, %4 : tensor<2xi8>
      %6 = "nv_tileaa.expand_dims"(%5) <{axis = 0 : i32}> : (tensor<2xi8>) -> tensor<1x2xi8>
      %7 = arith.shli %2, %6 : tensor<1x2xi8>
      %8 = "nv_tileaa.reduce"(%7) <{axis = 1 : i32}> ({
      ^bb0(%arg1: i8, %arg2: i8):
        %9 = arith.ori %arg1, %arg2 : i8
        "nv_tileaa.yield"(%9) : (i8) -> ()
      }) : (tensor<1x2xi8>) -> tensor<1xi8>
    } else {
      %0 = llvm.mlir.constant(8 : i64) : i64
      %1 = llvm.alloca %0 x i8 {alignment = 16 : i64} : (i64) -> !llvm.ptr
      %2 = builtin.unrealized_conversion_cast %1 : !llvm.ptr to !nv_tileaa.ptr<i64, 1>
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
