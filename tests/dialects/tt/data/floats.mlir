module {
  tt.func public @floats(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %3 = tt.load %2 : tensor<16x!tt.ptr<f32>>
    %4 = tt.splat %arg1 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %5 = tt.addptr %4, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %6 = tt.load %5 : tensor<16x!tt.ptr<f32>>
    %7 = tt.precise_sqrt %3 : tensor<16xf32>
    %8 = tt.precise_divf %7, %6 : tensor<16xf32>
    %9 = arith.divf %3, %6 : tensor<16xf32>
    %10 = arith.addf %8, %9 : tensor<16xf32>
    %11 = math.fma %3, %6, %3 : tensor<16xf32>
    %12 = arith.addf %10, %11 : tensor<16xf32>
    %cst = arith.constant -1.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant dense<-1.000000e+00> : tensor<16xf32>
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<16xf32>
    %13 = tt.clampf %12, %cst_1, %cst_2, propagateNan = none : tensor<16xf32>
    %14 = arith.minimumf %3, %6 : tensor<16xf32>
    %15 = arith.addf %13, %14 : tensor<16xf32>
    %16 = tt.extern_elementwise %3 {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<16xf32>) -> tensor<16xf32>
    %17 = math.erf %6 : tensor<16xf32>
    %18 = arith.addf %16, %17 : tensor<16xf32>
    %19 = math.rsqrt %3 : tensor<16xf32>
    %20 = arith.addf %18, %19 : tensor<16xf32>
    %21 = math.floor %6 : tensor<16xf32>
    %22 = arith.addf %20, %21 : tensor<16xf32>
    %23 = arith.addf %15, %22 : tensor<16xf32>
    %24 = tt.fp_to_fp %23, rounding = rtne : tensor<16xf32> -> tensor<16xf8E5M2>
    %25 = tt.splat %arg2 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %26 = tt.addptr %25, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %27 = tt.fp_to_fp %24 : tensor<16xf8E5M2> -> tensor<16xf32>
    %28 = arith.cmpf ogt, %3, %6 : tensor<16xf32>
    %29 = arith.select %28, %3, %6 : tensor<16xi1>, tensor<16xf32>
    %30 = arith.addf %27, %29 : tensor<16xf32>
    tt.store %26, %30 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
