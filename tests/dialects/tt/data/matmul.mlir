module {
  tt.func public @matmul(%arg0: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32) attributes {noinline = false} {
    %0 = tt.get_program_id x : i32
    %c16_i32 = arith.constant 16 : i32
    %1 = arith.extsi %0 : i32 to i64
    %2 = arith.extsi %c16_i32 : i32 to i64
    %3 = arith.muli %1, %2 : i64
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %4 = arith.cmpi sle, %3, %c2147483647_i64 : i64
    %5 = arith.cmpi sge, %3, %c-2147483648_i64 : i64
    %6 = arith.andi %4, %5 : i1
    %7 = arith.muli %0, %c16_i32 : i32
    %8 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %9 = tt.splat %7 : i32 -> tensor<16xi32>
    %10 = arith.extsi %9 : tensor<16xi32> to tensor<16xi64>
    %11 = arith.extsi %8 : tensor<16xi32> to tensor<16xi64>
    %12 = arith.addi %10, %11 : tensor<16xi64>
    %c2147483647_i64_0 = arith.constant 2147483647 : i64
    %c-2147483648_i64_1 = arith.constant -2147483648 : i64
    %cst = arith.constant dense<2147483647> : tensor<16xi64>
    %13 = arith.cmpi sle, %12, %cst : tensor<16xi64>
    %cst_2 = arith.constant dense<-2147483648> : tensor<16xi64>
    %14 = arith.cmpi sge, %12, %cst_2 : tensor<16xi64>
    %15 = arith.andi %13, %14 : tensor<16xi1>
    %16 = arith.addi %9, %8 : tensor<16xi32>
    %17 = tt.get_program_id y : i32
    %c16_i32_3 = arith.constant 16 : i32
    %18 = arith.extsi %17 : i32 to i64
    %19 = arith.extsi %c16_i32_3 : i32 to i64
    %20 = arith.muli %18, %19 : i64
    %c2147483647_i64_4 = arith.constant 2147483647 : i64
    %c-2147483648_i64_5 = arith.constant -2147483648 : i64
    %21 = arith.cmpi sle, %20, %c2147483647_i64_4 : i64
    %22 = arith.cmpi sge, %20, %c-2147483648_i64_5 : i64
    %23 = arith.andi %21, %22 : i1
    %24 = arith.muli %17, %c16_i32_3 : i32
    %25 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %26 = tt.splat %24 : i32 -> tensor<16xi32>
    %27 = arith.extsi %26 : tensor<16xi32> to tensor<16xi64>
    %28 = arith.extsi %25 : tensor<16xi32> to tensor<16xi64>
    %29 = arith.addi %27, %28 : tensor<16xi64>
    %c2147483647_i64_6 = arith.constant 2147483647 : i64
    %c-2147483648_i64_7 = arith.constant -2147483648 : i64
    %cst_8 = arith.constant dense<2147483647> : tensor<16xi64>
    %30 = arith.cmpi sle, %29, %cst_8 : tensor<16xi64>
    %cst_9 = arith.constant dense<-2147483648> : tensor<16xi64>
    %31 = arith.cmpi sge, %29, %cst_9 : tensor<16xi64>
    %32 = arith.andi %30, %31 : tensor<16xi1>
    %33 = arith.addi %26, %25 : tensor<16xi32>
    %34 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %35 = tt.expand_dims %16 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %36 = tt.splat %arg6 : i32 -> tensor<16x1xi32>
    %37 = arith.extsi %35 : tensor<16x1xi32> to tensor<16x1xi64>
    %38 = arith.extsi %36 : tensor<16x1xi32> to tensor<16x1xi64>
    %39 = arith.muli %37, %38 : tensor<16x1xi64>
    %c2147483647_i64_10 = arith.constant 2147483647 : i64
    %c-2147483648_i64_11 = arith.constant -2147483648 : i64
    %cst_12 = arith.constant dense<2147483647> : tensor<16x1xi64>
    %40 = arith.cmpi sle, %39, %cst_12 : tensor<16x1xi64>
    %cst_13 = arith.constant dense<-2147483648> : tensor<16x1xi64>
    %41 = arith.cmpi sge, %39, %cst_13 : tensor<16x1xi64>
    %42 = arith.andi %40, %41 : tensor<16x1xi1>
    %43 = arith.muli %35, %36 : tensor<16x1xi32>
    %44 = tt.splat %arg0 : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
    %45 = tt.addptr %44, %43 : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
    %46 = tt.expand_dims %34 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %47 = tt.broadcast %45 : tensor<16x1x!tt.ptr<f16>> -> tensor<16x16x!tt.ptr<f16>>
    %48 = tt.broadcast %46 : tensor<1x16xi32> -> tensor<16x16xi32>
    %49 = tt.addptr %47, %48 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
    %50 = tt.expand_dims %34 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %51 = tt.splat %arg7 : i32 -> tensor<16x1xi32>
    %52 = arith.extsi %50 : tensor<16x1xi32> to tensor<16x1xi64>
    %53 = arith.extsi %51 : tensor<16x1xi32> to tensor<16x1xi64>
    %54 = arith.muli %52, %53 : tensor<16x1xi64>
    %c2147483647_i64_14 = arith.constant 2147483647 : i64
    %c-2147483648_i64_15 = arith.constant -2147483648 : i64
    %cst_16 = arith.constant dense<2147483647> : tensor<16x1xi64>
    %55 = arith.cmpi sle, %54, %cst_16 : tensor<16x1xi64>
    %cst_17 = arith.constant dense<-2147483648> : tensor<16x1xi64>
    %56 = arith.cmpi sge, %54, %cst_17 : tensor<16x1xi64>
    %57 = arith.andi %55, %56 : tensor<16x1xi1>
    %58 = arith.muli %50, %51 : tensor<16x1xi32>
    %59 = tt.splat %arg1 : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
    %60 = tt.addptr %59, %58 : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
    %61 = tt.expand_dims %33 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %62 = tt.broadcast %60 : tensor<16x1x!tt.ptr<f16>> -> tensor<16x16x!tt.ptr<f16>>
    %63 = tt.broadcast %61 : tensor<1x16xi32> -> tensor<16x16xi32>
    %64 = tt.addptr %62, %63 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
    %65 = tt.call @triton.language.standard.zeros__Tc16_c16T_cfp32() : () -> tensor<16x16xf32>
    %c0_i32 = arith.constant 0 : i32
    %c16_i32_18 = arith.constant 16 : i32
    %66 = arith.bitcast %c0_i32 : i32 to i32
    %67 = arith.bitcast %arg5 : i32 to i32
    %68 = arith.bitcast %c16_i32_18 : i32 to i32
    %69 = ub.poison : i32
    %70:3 = scf.for %arg9 = %66 to %67 step %68 iter_args(%arg10 = %49, %arg11 = %64, %arg12 = %65) -> (tensor<16x16x!tt.ptr<f16>>, tensor<16x16x!tt.ptr<f16>>, tensor<16x16xf32>)  : i32 {
      %96 = tt.expand_dims %34 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %97 = arith.extsi %arg5 : i32 to i64
      %98 = arith.extsi %arg9 : i32 to i64
      %99 = arith.subi %97, %98 : i64
      %c2147483647_i64_23 = arith.constant 2147483647 : i64
      %c-2147483648_i64_24 = arith.constant -2147483648 : i64
      %100 = arith.cmpi sle, %99, %c2147483647_i64_23 : i64
      %101 = arith.cmpi sge, %99, %c-2147483648_i64_24 : i64
      %102 = arith.andi %100, %101 : i1
      %103 = arith.subi %arg5, %arg9 : i32
      %104 = tt.splat %103 : i32 -> tensor<1x16xi32>
      %105 = arith.cmpi slt, %96, %104 : tensor<1x16xi32>
      %cst_25 = arith.constant 0.000000e+00 : f32
      %106 = tt.broadcast %105 : tensor<1x16xi1> -> tensor<16x16xi1>
      %cst_26 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
      %107 = arith.truncf %cst_26 : tensor<16x16xf32> to tensor<16x16xf16>
      %108 = tt.load %arg10, %106, %107 : tensor<16x16x!tt.ptr<f16>>
      %109 = tt.expand_dims %34 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
      %110 = arith.extsi %arg5 : i32 to i64
      %111 = arith.extsi %arg9 : i32 to i64
      %112 = arith.subi %110, %111 : i64
      %c2147483647_i64_27 = arith.constant 2147483647 : i64
      %c-2147483648_i64_28 = arith.constant -2147483648 : i64
      %113 = arith.cmpi sle, %112, %c2147483647_i64_27 : i64
      %114 = arith.cmpi sge, %112, %c-2147483648_i64_28 : i64
      %115 = arith.andi %113, %114 : i1
      %116 = arith.subi %arg5, %arg9 : i32
      %117 = tt.splat %116 : i32 -> tensor<16x1xi32>
      %118 = arith.cmpi slt, %109, %117 : tensor<16x1xi32>
      %cst_29 = arith.constant 0.000000e+00 : f32
      %119 = tt.broadcast %118 : tensor<16x1xi1> -> tensor<16x16xi1>
      %cst_30 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
      %120 = arith.truncf %cst_30 : tensor<16x16xf32> to tensor<16x16xf16>
      %121 = tt.load %arg11, %119, %120 {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_last>} : tensor<16x16x!tt.ptr<f16>>
      %cst_31 = arith.constant 0.000000e+00 : f32
      %122 = tt.dot %108, %121, %arg12, inputPrecision = tf32x3 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
      %c16_i32_32 = arith.constant 16 : i32
      %cst_33 = arith.constant dense<16> : tensor<16x16xi32>
      %123 = tt.addptr %arg10, %cst_33 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
      %c16_i32_34 = arith.constant 16 : i32
      %124 = arith.extsi %c16_i32_34 : i32 to i64
      %125 = arith.extsi %arg7 : i32 to i64
      %126 = arith.muli %124, %125 : i64
      %c2147483647_i64_35 = arith.constant 2147483647 : i64
      %c-2147483648_i64_36 = arith.constant -2147483648 : i64
      %127 = arith.cmpi sle, %126, %c2147483647_i64_35 : i64
      %128 = arith.cmpi sge, %126, %c-2147483648_i64_36 : i64
      %129 = arith.andi %127, %128 : i1
      %130 = arith.muli %c16_i32_34, %arg7 : i32
      %131 = tt.splat %130 : i32 -> tensor<16x16xi32>
      %132 = tt.addptr %arg11, %131 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
      scf.yield %123, %132, %122 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16x!tt.ptr<f16>>, tensor<16x16xf32>
    } {tt.num_stages = 2 : i32}
    %71 = tt.expand_dims %16 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %72 = tt.splat %arg3 : i32 -> tensor<16x1xi32>
    %73 = arith.cmpi slt, %71, %72 : tensor<16x1xi32>
    %74 = tt.expand_dims %33 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %75 = tt.splat %arg4 : i32 -> tensor<1x16xi32>
    %76 = arith.cmpi slt, %74, %75 : tensor<1x16xi32>
    %77 = tt.broadcast %73 : tensor<16x1xi1> -> tensor<16x16xi1>
    %78 = tt.broadcast %76 : tensor<1x16xi1> -> tensor<16x16xi1>
    %79 = arith.andi %77, %78 : tensor<16x16xi1>
    %80 = tt.expand_dims %16 {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %81 = tt.splat %arg8 : i32 -> tensor<16x1xi32>
    %82 = arith.extsi %80 : tensor<16x1xi32> to tensor<16x1xi64>
    %83 = arith.extsi %81 : tensor<16x1xi32> to tensor<16x1xi64>
    %84 = arith.muli %82, %83 : tensor<16x1xi64>
    %c2147483647_i64_19 = arith.constant 2147483647 : i64
    %c-2147483648_i64_20 = arith.constant -2147483648 : i64
    %cst_21 = arith.constant dense<2147483647> : tensor<16x1xi64>
    %85 = arith.cmpi sle, %84, %cst_21 : tensor<16x1xi64>
    %cst_22 = arith.constant dense<-2147483648> : tensor<16x1xi64>
    %86 = arith.cmpi sge, %84, %cst_22 : tensor<16x1xi64>
    %87 = arith.andi %85, %86 : tensor<16x1xi1>
    %88 = arith.muli %80, %81 : tensor<16x1xi32>
    %89 = tt.splat %arg2 : !tt.ptr<f16> -> tensor<16x1x!tt.ptr<f16>>
    %90 = tt.addptr %89, %88 : tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>
    %91 = tt.expand_dims %33 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
    %92 = tt.broadcast %90 : tensor<16x1x!tt.ptr<f16>> -> tensor<16x16x!tt.ptr<f16>>
    %93 = tt.broadcast %91 : tensor<1x16xi32> -> tensor<16x16xi32>
    %94 = tt.addptr %92, %93 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
    %95 = arith.truncf %70#2 : tensor<16x16xf32> to tensor<16x16xf16>
    tt.store %94, %95, %79 : tensor<16x16x!tt.ptr<f16>>
    tt.return
  }
  tt.func private @triton.language.standard.zeros__Tc16_c16T_cfp32() -> tensor<16x16xf32> attributes {noinline = false} {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
    tt.return %cst_0 : tensor<16x16xf32>
  ^bb1:  // no predecessors
    %0 = ub.poison : tensor<16x16xf32>
    tt.return %0 : tensor<16x16xf32>
  }
}
