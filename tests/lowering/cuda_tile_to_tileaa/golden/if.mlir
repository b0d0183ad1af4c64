cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i1>, %arg1: tile<ptr<i32>>, %arg2: tile<ptr<i8, <none>>>) {
    %0:2 = if %arg0 -> (tile<ptr<i32>>, token) {
      %false = constant <i1: false> : tile<1x4x2x1xi1>
      %cst_f64 = constant <f64: 5.4568619838972163E-64> : tile<1x4x2x1xf64>
      %cst_f64_0 = constant <f64: [[[[-1.8764028807417226E+18], [-1.766170085837408E-110]], [[3.7316927821716316E+65], [3.6476072110753755E-185]], [[-7.2381121141954849E+158], [1.5081187584205537E+193]], [[-6.006541471348684E+63], [1.9946957262967326E-137]]]]> : tile<1x4x2x1xf64>
      %1 = select %false, %cst_f64, %cst_f64_0 : tile<1x4x2x1xi1>, tile<1x4x2x1xf64>
      %2 = make_token : token
      %3 = memory_fence_alias_tko %2
      yield %arg1, %2 : tile<ptr<i32>>, token
    } else {
      %cst_1_i8 = constant <i8: 1> : tile<i8>
      %cst_4_i8 = constant <i8: 4> : tile<i8>
      %cst_1_i8_0 = constant <i8: 1> : tile<i8>
      %cst_f32 = constant <f32: __elided__> : tile<4x4x4xf32>
      %for = for %loopIdx in (%cst_1_i8 to %cst_4_i8, step %cst_1_i8_0) : tile<i8> iter_values(%iterArg0 = %cst_f32) -> (tile<4x4x4xf32>) {
        %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
        %reshape = reshape %arg0 : tile<i1> -> tile<1x1xi1>
        %bcast = broadcast %reshape : tile<1x1xi1> -> tile<8x1xi1>
        %2 = permute %bcast [1, 0] : tile<8x1xi1> -> tile<1x8xi1>
        %3 = mulhii %2, %2 : tile<1x8xi1>
        continue %cst_f32 : tile<4x4x4xf32>
      }
      %cst_5_i8 = constant <i8: 5> : tile<i8>
      %cst_2_i8 = constant <i8: 2> : tile<i8>
      %cst_63_i8 = constant <i8: 63> : tile<i8>
      %cst_10_i8 = constant <i8: 10> : tile<i8>
      %tview = make_tensor_view %arg2, shape = [%cst_5_i8, %cst_2_i8, 15], strides = [12, %cst_63_i8, %cst_10_i8] : tile<ptr<i8, <none>>>, tile<i8> -> tensor_view<?x?x15xi8, strides=[12,?,?], #cuda_tile.ptr_attr<none>>
      %pview = make_partition_view %tview : partition_view<tile=(2x32x1), tensor_view<?x?x15xi8, strides=[12,?,?], #cuda_tile.ptr_attr<none>>>
      %1 = make_token : token
      yield %arg1, %1 : tile<ptr<i32>>, token
    }
    return
  }
}
// becomes
module {
  "nv_tileaa.func"() <{function_type = (i1, !nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i8, 1>) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i1, %arg1: !nv_tileaa.ptr<i32, 1>, %arg2: !nv_tileaa.ptr<i8, 1>):
    %0:2 = scf.if %arg0 -> (!nv_tileaa.ptr<i32, 1>, !nv_tileaa.mem_token) {
      %1 = "nv_tileaa.splat"() <{value = false}> : () -> tensor<1x4x2x1xi1>
      %2 = "nv_tileaa.splat"() <{value = 5.4568619838972163E-64 : f64}> : () -> tensor<1x4x2x1xf64>
      %cst = "nv_tileaa.constant_tensor"() <{value = dense<[[[[-1.8764028807417226E+18], [-1.766170085837408E-110]], [[3.7316927821716316E+65], [3.6476072110753755E-185]], [[-7.2381121141954849E+158], [1.5081187584205537E+193]], [[-6.006541471348684E+63], [1.9946957262967326E-137]]]]> : tensor<1x4x2x1xf64>}> : () -> tensor<1x4x2x1xf64>
      %3 = arith.select %1, %2, %cst : tensor<1x4x2x1xi1>, tensor<1x4x2x1xf64>
      %4 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
      scf.yield %arg1, %4 : !nv_tileaa.ptr<i32, 1>, !nv_tileaa.mem_token
    } else {
      %c1_i8 = arith.constant 1 : i8
      %c4_i8 = arith.constant 4 : i8
      %c1_i8_0 = arith.constant 1 : i8
      %cst = "nv_tileaa.constant_tensor"() <{value = dense_resource<__elided__> : tensor<4x4x4xf32>}> : () -> tensor<4x4x4xf32>
      %1 = arith.extsi %c1_i8 : i8 to i32
      %2 = arith.extsi %c4_i8 : i8 to i32
      %3 = arith.extsi %c1_i8_0 : i8 to i32
      %4 = scf.for %arg3 = %1 to %2 step %3 iter_args(%arg4 = %cst) -> (tensor<4x4x4xf32>)  : i32 {
        %12 = arith.trunci %arg3 : i32 to i8
        %13 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<1x1xi1>
        %14 = "nv_tileaa.splat"(%arg0) : (i1) -> tensor<8x1xi1>
        %15 = "nv_tileaa.permute"(%14) <{permutation = array<i64: 1, 0>}> : (tensor<8x1xi1>) -> tensor<1x8xi1>
        %16 = "nv_tileaa.mulhiui"(%15, %15) : (tensor<1x8xi1>, tensor<1x8xi1>) -> tensor<1x8xi1>
        scf.yield %cst : tensor<4x4x4xf32>
      }
      %c5_i8 = arith.constant 5 : i8
      %c2_i8 = arith.constant 2 : i8
      %c63_i8 = arith.constant 63 : i8
      %c10_i8 = arith.constant 10 : i8
      %5 = arith.extui %c5_i8 : i8 to i32
      %6 = arith.extui %c2_i8 : i8 to i32
      %7 = arith.extui %c63_i8 : i8 to i32
      %8 = arith.extui %c10_i8 : i8 to i32
      %9 = "nv_tileaa.make_memref"(%arg2, %5, %6, %7, %8) <{operandSegmentSizes = array<i32: 1, 0, 2, 2>}> : (!nv_tileaa.ptr<i8, 1>, i32, i32, i32, i32) -> !nv_tileaa.memref<?x?x15xi8, strides = [12, ?, ?]>
      %10 = "nv_tileaa.block_tile"(%9) <{dimGroups = [array<i64: 0>, array<i64: 1>, array<i64: 2>], tileSizes = array<i64: 2, 32, 1>}> : (!nv_tileaa.memref<?x?x15xi8, strides = [12, ?, ?]>) -> !nv_tileaa.tiled_view<!nv_tileaa.memref<?x?x15xi8, strides = [12, ?, ?]>, [2, 32, 1]>
      %11 = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
      scf.yield %arg1, %11 : !nv_tileaa.ptr<i32, 1>, !nv_tileaa.mem_token
    }
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

cuda_tile.module @kernels {
  entry @k0(%arg0: tile<i1>) {
    if %arg0 {
      %cst_i8 = constant <i8: [-116, 37]> : tile<2xi8>
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
  "nv_tileaa.func"() <{function_type = (i1) -> (), kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>, sym_name = "k0"}> ({
  ^bb0(%arg0: i1):
    scf.if %arg0 {
      %cst = "nv_tileaa.constant_tensor"() <{value = dense<[-116, 37]> : tensor<2xi8>}> : () -> tensor<2xi8>
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
