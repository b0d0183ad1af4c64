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
  "nv_tileaa.func"() <{function_type = () -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
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
  entry @k0(%arg0: tile<f32>, %arg1: tile<ptr<i32>>) {
    %cst_f64 = constant <f64: -2.4326568300320873E+78> : tile<f64>
    loop iter_values(%arg2 = %cst_f64) : tile<f64> {
      %reshape = reshape %arg0 : tile<f32> -> tile<1x1xf32>
      %bcast = broadcast %reshape : tile<1x1xf32> -> tile<1x8xf32>
      %0 = ceil %bcast : tile<1x8xf32>
      %tview = make_tensor_view %arg1, shape = [], strides = [] : tensor_view<i32>
      get_tensor_shape %tview : tensor_view<i32> 
      break
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (f32, !nv_tileaa.ptr<i32, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: f32, %arg1: !nv_tileaa.ptr<i32, 1>):
    %cst = arith.constant -2.4326568300320873E+78 : f64
    %0 = scf.while (%arg2 = %cst) : (f64) -> f64 {
      %1 = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<1x1xf32>
      %2 = "nv_tileaa.splat"(%arg0) : (f32) -> tensor<1x8xf32>
      %3 = math.ceil %2 : tensor<1x8xf32>
      %4 = "nv_tileaa.make_memref"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>) -> !nv_tileaa.memref<i32>
      %5 = ub.poison : f64
      %false = arith.constant false
      scf.condition(%false) %5 : f64
    } do {
    ^bb0(%arg2: f64):
      scf.yield %arg2 : f64
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
