module {
  tt.func public @scaled(%arg0: !tt.ptr<f8E5M2> {tt.divisibility = 16 : i32}, %arg1: !tt.ptr<i8>, %arg2: !tt.ptr<f8E5M2>, %arg3: !tt.ptr<i8>, %arg4: !tt.ptr<f32>) attributes {noinline = false} {
    %0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %1 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %2 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<64> : tensor<64x1xi32>
    %3 = arith.extsi %2 : tensor<64x1xi32> to tensor<64x1xi64>
    %4 = arith.extsi %cst : tensor<64x1xi32> to tensor<64x1xi64>
    %5 = arith.muli %3, %4 : tensor<64x1xi64>
    %c2147483647_i64 = arith.constant 2147483647 : i64
    %c-2147483648_i64 = arith.constant -2147483648 : i64
    %cst_0 = arith.constant dense<2147483647> : tensor<64x1xi64>
    %6 = arith.cmpi sle, %5, %cst_0 : tensor<64x1xi64>
    %cst_1 = arith.constant dense<-2147483648> : tensor<64x1xi64>
    %7 = arith.cmpi sge, %5, %cst_1 : tensor<64x1xi64>
    %8 = arith.andi %6, %7 : tensor<64x1xi1>
    %9 = arith.muli %2, %cst : tensor<64x1xi32>
    %10 = tt.expand_dims %0 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %11 = tt.broadcast %9 : tensor<64x1xi32> -> tensor<64x64xi32>
    %12 = tt.broadcast %10 : tensor<1x64xi32> -> tensor<64x64xi32>
    %13 = arith.extsi %11 : tensor<64x64xi32> to tensor<64x64xi64>
    %14 = arith.extsi %12 : tensor<64x64xi32> to tensor<64x64xi64>
    %15 = arith.addi %13, %14 : tensor<64x64xi64>
    %c2147483647_i64_2 = arith.constant 2147483647 : i64
    %c-2147483648_i64_3 = arith.constant -2147483648 : i64
    %cst_4 = arith.constant dense<2147483647> : tensor<64x64xi64>
    %16 = arith.cmpi sle, %15, %cst_4 : tensor<64x64xi64>
    %cst_5 = arith.constant dense<-2147483648> : tensor<64x64xi64>
    %17 = arith.cmpi sge, %15, %cst_5 : tensor<64x64xi64>
    %18 = arith.andi %16, %17 : tensor<64x64xi1>
    %19 = arith.addi %11, %12 : tensor<64x64xi32>
    %20 = tt.expand_dims %0 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %c2_i32 = arith.constant 2 : i32
    %cst_6 = arith.constant dense<2> : tensor<64x1xi32>
    %21 = arith.extsi %20 : tensor<64x1xi32> to tensor<64x1xi64>
    %22 = arith.extsi %cst_6 : tensor<64x1xi32> to tensor<64x1xi64>
    %23 = arith.muli %21, %22 : tensor<64x1xi64>
    %c2147483647_i64_7 = arith.constant 2147483647 : i64
    %c-2147483648_i64_8 = arith.constant -2147483648 : i64
    %cst_9 = arith.constant dense<2147483647> : tensor<64x1xi64>
    %24 = arith.cmpi sle, %23, %cst_9 : tensor<64x1xi64>
    %cst_10 = arith.constant dense<-2147483648> : tensor<64x1xi64>
    %25 = arith.cmpi sge, %23, %cst_10 : tensor<64x1xi64>
    %26 = arith.andi %24, %25 : tensor<64x1xi1>
    %27 = arith.muli %20, %cst_6 : tensor<64x1xi32>
    %28 = tt.expand_dims %1 {axis = 0 : i32} : tensor<2xi32> -> tensor<1x2xi32>
    %29 = tt.broadcast %27 : tensor<64x1xi32> -> tensor<64x2xi32>
    %30 = tt.broadcast %28 : tensor<1x2xi32> -> tensor<64x2xi32>
    %31 = arith.extsi %29 : tensor<64x2xi32> to tensor<64x2xi64>
    %32 = arith.extsi %30 : tensor<64x2xi32> to tensor<64x2xi64>
    %33 = arith.addi %31, %32 : tensor<64x2xi64>
    %c2147483647_i64_11 = arith.constant 2147483647 : i64
    %c-2147483648_i64_12 = arith.constant -2147483648 : i64
    %cst_13 = arith.constant dense<2147483647> : tensor<64x2xi64>
    %34 = arith.cmpi sle, %33, %cst_13 : tensor<64x2xi64>
    %cst_14 = arith.constant dense<-2147483648> : tensor<64x2xi64>
    %35 = arith.cmpi sge, %33, %cst_14 : tensor<64x2xi64>
    %36 = arith.andi %34, %35 : tensor<64x2xi1>
    %37 = arith.addi %29, %30 : tensor<64x2xi32>
    %38 = tt.splat %arg0 : !tt.ptr<f8E5M2> -> tensor<64x64x!tt.ptr<f8E5M2>>
    %39 = tt.addptr %38, %19 : tensor<64x64x!tt.ptr<f8E5M2>>, tensor<64x64xi32>
    %40 = tt.load %39 : tensor<64x64x!tt.ptr<f8E5M2>>
    %41 = tt.splat %arg2 : !tt.ptr<f8E5M2> -> tensor<64x64x!tt.ptr<f8E5M2>>
    %42 = tt.addptr %41, %19 : tensor<64x64x!tt.ptr<f8E5M2>>, tensor<64x64xi32>
    %43 = tt.load %42 : tensor<64x64x!tt.ptr<f8E5M2>>
    %44 = tt.splat %arg1 : !tt.ptr<i8> -> tensor<64x2x!tt.ptr<i8>>
    %45 = tt.addptr %44, %37 : tensor<64x2x!tt.ptr<i8>>, tensor<64x2xi32>
    %46 = tt.load %45 : tensor<64x2x!tt.ptr<i8>>
    %47 = tt.splat %arg3 : !tt.ptr<i8> -> tensor<64x2x!tt.ptr<i8>>
    %48 = tt.addptr %47, %37 : tensor<64x2x!tt.ptr<i8>>, tensor<64x2xi32>
    %49 = tt.load %48 : tensor<64x2x!tt.ptr<i8>>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %cst_16 = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %50 = tt.dot_scaled %40 scale %46, %43 scale %49, %cst_16 lhs = e5m2 rhs = e5m2 {fastMath = true} : tensor<64x64xf8E5M2>, tensor<64x2xi8> * tensor<64x64xf8E5M2>, tensor<64x2xi8> -> tensor<64x64xf32>
    %51 = tt.splat %arg4 : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
    %52 = tt.addptr %51, %19 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    tt.store %52, %50 : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
