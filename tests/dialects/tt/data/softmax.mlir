module {
  tt.func public @softmax(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %1 = tt.make_range {end = 64 : i32, start = 0 : i32, tt.contiguity = dense<64> : tensor<1xi32>, tt.divisibility = dense<64> : tensor<1xi32>} : tensor<64xi32>
    %c0_i32 = arith.constant 0 : i32
    %2 = arith.cmpi sgt, %arg2, %c0_i32 : i32
    llvm.intr.assume %2 : i1
    %3 = tt.splat %arg3 : i32 -> tensor<64xi32>
    %4 = arith.cmpi slt, %1, %3 : tensor<64xi32>
    %5 = arith.extsi %0 : i32 to i64
    %6 = arith.extsi %arg2 : i32 to i64
    %7 = arith.muli %5, %6 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %8 = arith.cmpi sle, %7, %c2147483647_i64 : i64
    %9 = arith.cmpi sge, %7, %c-2147483648_i64 : i64
    %10 = arith.andi %8, %9 : i1
    %11 = arith.muli %0, %arg2 : i32
    %12 = tt.addptr %arg0, %11 : !tt.ptr<f32>, i32
    %13 = tt.splat %12 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %14 = tt.addptr %13, %1 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant dense<0xFF800000> : tensor<64xf32>
    %15 = tt.load %14, %4, %cst_0 {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_normal>} : tensor<64x!tt.ptr<f32>>
    %16 = tt.call @triton.language.standard.max__fp32S64S_c0_cFalse_cTrue_cFalse(%15) : (tensor<64xf32>) -> f32
    %17 = tt.splat %16 : f32 -> tensor<64xf32>
    %18 = arith.subf %15, %17 : tensor<64xf32>
    %19 = math.exp %18 : tensor<64xf32>
    %20 = tt.splat %arg3 : i32 -> tensor<64xi32>
    %21 = arith.cmpi slt, %1, %20 : tensor<64xi32>
    %22 = arith.extsi %0 : i32 to i64
    %23 = arith.extsi %arg2 : i32 to i64
    %24 = arith.muli %22, %23 : i64
    %c2147483647_i64_1 = arith.constant 2147483647 : i64
    %c-2147483648_i64_2 = arith.constant -2147483648 : i64
    %25 = arith.cmpi sle, %24, %c2147483647_i64_1 : i64
    %26 = arith.cmpi sge, %24, %c-2147483648_i64_2 : i64
    %27 = arith.andi %25, %26 : i1
    %28 = arith.muli %0, %arg2 : i32
    %29 = tt.addptr %arg1, %28 : !tt.ptr<f32>, i32
    %30 = tt.splat %29 : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %31 = tt.addptr %30, %1 : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %32 = tt.call @triton.language.standard.sum__fp32S64S_c0_cFalse_cNone(%19) : (tensor<64xf32>) -> f32
    %33 = tt.splat %32 : f32 -> tensor<64xf32>
    %34 = arith.divf %19, %33 : tensor<64xf32>
    tt.store %31, %34, %21 : tensor<64x!tt.ptr<f32>>
    tt.return
  }
  tt.func private @triton.language.standard.max__fp32S64S_c0_cFalse_cTrue_cFalse(%arg0: tensor<64xf32>) -> f32 attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._elementwise_max__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %2 : f32
    }) : (tensor<64xf32>) -> f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard._elementwise_max__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.maxnumf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard.sum__fp32S64S_c0_cFalse_cNone(%arg0: tensor<64xf32>) -> f32 attributes {noinline = false} {
    %0 = "tt.reduce"(%arg0) <{axis = 0 : i32}> ({
    ^bb0(%arg1: f32, %arg2: f32):
      %2 = tt.call @triton.language.standard._sum_combine__fp32_fp32(%arg1, %arg2) : (f32, f32) -> f32
      tt.reduce.return %2 : f32
    }) : (tensor<64xf32>) -> f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
  tt.func private @triton.language.standard._sum_combine__fp32_fp32(%arg0: f32, %arg1: f32) -> f32 attributes {noinline = false} {
    %0 = arith.addf %arg0, %arg1 : f32
    tt.return %0 : f32
  ^bb1:  // no predecessors
    %1 = ub.poison : f32
    tt.return %1 : f32
  }
}
