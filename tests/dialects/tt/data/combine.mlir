module {
  tt.func public @combine(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i32>, %arg2: !tt.ptr<f32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %3 = tt.load %2 : tensor<16x!tt.ptr<f32>>
    %4 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %5 = tt.addptr %4, %0 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %6 = tt.load %5 : tensor<16x!tt.ptr<i32>>
    %7:2 = "tt.reduce"(%3, %6) <{axis = 0 : i32}> ({
    ^bb0(%arg3: f32, %arg4: i32, %arg5: f32, %arg6: i32):
      %22:2 = tt.call @kernels._pair__fp32_i32_fp32_i32(%arg3, %arg4, %arg5, %arg6) : (f32, i32, f32, i32) -> (f32, i32)
      tt.reduce.return %22#0, %22#1 : f32, i32
    }) : (tensor<16xf32>, tensor<16xi32>) -> (f32, i32)
    %8:2 = "tt.scan"(%3, %6) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%arg3: f32, %arg4: i32, %arg5: f32, %arg6: i32):
      %22:2 = tt.call @kernels._pair__fp32_i32_fp32_i32(%arg3, %arg4, %arg5, %arg6) : (f32, i32, f32, i32) -> (f32, i32)
      tt.scan.return %22#0, %22#1 : f32, i32
    }) : (tensor<16xf32>, tensor<16xi32>) -> (tensor<16xf32>, tensor<16xi32>)
    %9 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %10 = tt.addptr %9, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %11 = arith.sitofp %8#1 : tensor<16xi32> to tensor<16xf32>
    %12 = arith.addf %8#0, %11 : tensor<16xf32>
    %13 = tt.splat %7#0 : f32 -> tensor<16xf32>
    %14 = arith.addf %12, %13 : tensor<16xf32>
    %15 = arith.sitofp %7#1 : i32 to f32
    %16 = tt.splat %15 : f32 -> tensor<16xf32>
    %17 = arith.addf %14, %16 : tensor<16xf32>
    tt.store %10, %17 : tensor<16x!tt.ptr<f32>>
    %18 = tt.splat %arg1 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %19 = tt.addptr %18, %0 : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %20 = tt.call @triton.language.standard.argmax__fp32S16S_c0_cTrue_cFalse(%3) : (tensor<16xf32>) -> i32
    %21 = tt.splat %20 : i32 -> tensor<16xi32>
    tt.store %19, %21 : tensor<16x!tt.ptr<i32>>
    tt.return
  }
  tt.func private @kernels._pair__fp32_i32_fp32_i32(%arg0: f32, %arg1: i32, %arg2: f32, %arg3: i32) -> (f32, i32) attributes {noinline = false} {
    %0 = arith.maxnumf %arg0, %arg2 : f32
    %1 = arith.extsi %arg1 : i32 to i64
    %2 = arith.extsi %arg3 : i32 to i64
    %3 = arith.addi %1, %2 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %4 = arith.cmpi sle, %3, %c2147483647_i64 : i64
    %5 = arith.cmpi sge, %3, %c-2147483648_i64 : i64
    %6 = arith.andi %4, %5 : i1
    %7 = arith.addi %arg1, %arg3 : i32
    tt.return %0, %7 : f32, i32
  ^bb1:  // no predecessors
    %8 = ub.poison : f32
    %9 = ub.poison : i32
    tt.return %8, %9 : f32, i32
  }
  tt.func private @triton.language.standard.argmax__fp32S16S_c0_cTrue_cFalse(%arg0: tensor<16xf32>) -> i32 attributes {noinline = false} {
    %0:2 = tt.call @triton.language.standard.max__fp32S16S_c0_cTrue_cTrue_cFalse(%arg0) : (tensor<16xf32>) -> (f32, i32)
    tt.return %0#1 : i32
  ^bb1:  // no predecessors
    %1 = ub.poison : i32
    tt.return %1 : i32
  }
  tt.func private @triton.language.standard.max__fp32S16S_c0_cTrue_cTrue_cFalse(%arg0: tensor<16xf32>) -> (f32, i32) attributes {noinline = false} {
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1:2 = "tt.reduce"(%arg0, %0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: i32, %arg3: f32, %arg4: i32):
      %4:2 = tt.call @triton.language.standard._argmax_combine_tie_break_left__fp32_i32_fp32_i32(%arg1, %arg2, %arg3, %arg4) : (f32, i32, f32, i32) -> (f32, i32)
      tt.reduce.return %4#0, %4#1 : f32, i32
    }) : (tensor<16xf32>, tensor<16xi32>) -> (f32, i32)
    tt.return %1#0, %1#1 : f32, i32
  ^bb1:  // no predecessors
    %2 = ub.poison : f32
    %3 = ub.poison : i32
    tt.return %2, %3 : f32, i32
  }
  tt.func private @triton.language.standard._argmax_combine_tie_break_left__fp32_i32_fp32_i32(%arg0: f32, %arg1: i32, %arg2: f32, %arg3: i32) -> (f32, i32) attributes {noinline = false} {
    %0:2 = tt.call @triton.language.standard._argmax_combine__fp32_i32_fp32_i32_cTrue(%arg0, %arg1, %arg2, %arg3) : (f32, i32, f32, i32) -> (f32, i32)
    tt.return %0#0, %0#1 : f32, i32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    %2 = ub.poison : i32
    tt.return %1, %2 : f32, i32
  }
  tt.func private @triton.language.standard._argmax_combine__fp32_i32_fp32_i32_cTrue(%arg0: f32, %arg1: i32, %arg2: f32, %arg3: i32) -> (f32, i32) attributes {noinline = false} {
    %0 = arith.cmpf oeq, %arg0, %arg2 : f32
    %1 = arith.cmpi slt, %arg1, %arg3 : i32
    %2 = arith.andi %0, %1 : i1
    %3 = arith.cmpf ogt, %arg0, %arg2 : f32
    %4 = arith.ori %3, %2 : i1
    %5 = arith.select %4, %arg0, %arg2 : f32
    %6 = arith.select %4, %arg1, %arg3 : i32
    tt.return %5, %6 : f32, i32
  ^bb1:  // no predecessors
    %7 = ub.poison : f32
    %8 = ub.poison : i32
    tt.return %7, %8 : f32, i32
  }
}
