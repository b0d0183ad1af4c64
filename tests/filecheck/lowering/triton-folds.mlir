// Reductions and scans: with a neutral element, or with a truth value beside the operands.
// The text is what Triton's front end and first passes make of kernels.
// RUN: tilewright-opt %s --convert-triton-to-cuda-tile | FileCheck %s

// CHECK-LABEL: entry @softmax(
// CHECK: identities=[0x7FC00000 : f32]
// CHECK: identities=[0.000000e+00 : f32]
// CHECK-LABEL: entry @folds(
// CHECK: identities=[false, 0.000000e+00 : f32, 0 : i32]
// CHECK: scan %
// CHECK: reverse=true

module {
  tt.func public @softmax(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: i32, %arg3: i32) attributes {noinline = false} {
    %cst = arith.constant dense<0xFF800000> : tensor<128xf32>
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %1 = tt.get_program_id x : i32
    %2 = tt.splat %arg3 : i32 -> tensor<128xi32>
    %3 = arith.cmpi slt, %0, %2 : tensor<128xi32>
    %4 = arith.muli %1, %arg2 : i32
    %5 = tt.addptr %arg1, %4 : !tt.ptr<f32>, i32
    %6 = tt.splat %5 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %7 = tt.addptr %6, %0 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %8 = tt.load %7, %3, %cst : tensor<128x!tt.ptr<f32>>
    %9 = "tt.reduce"(%8) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %19 = arith.maxnumf %arg4, %arg5 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<128xf32>) -> f32
    %10 = tt.splat %9 : f32 -> tensor<128xf32>
    %11 = arith.subf %8, %10 : tensor<128xf32>
    %12 = math.exp %11 : tensor<128xf32>
    %13 = tt.addptr %arg0, %4 : !tt.ptr<f32>, i32
    %14 = tt.splat %13 : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %15 = tt.addptr %14, %0 : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %16 = "tt.reduce"(%12) <{axis = 0 : i32}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %19 = arith.addf %arg4, %arg5 : f32
      tt.reduce.return %19 : f32
    }) : (tensor<128xf32>) -> f32
    %17 = tt.splat %16 : f32 -> tensor<128xf32>
    %18 = arith.divf %12, %17 : tensor<128xf32>
    tt.store %15, %18, %3 : tensor<128x!tt.ptr<f32>>
    tt.return
  }
  tt.func public @folds(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>) attributes {noinline = false} {
    %c48_i32 = arith.constant 48 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst = arith.constant dense<0> : tensor<1x1x2x2xi32>
    %cst_0 = arith.constant dense<0> : tensor<1x2x1x2xi32>
    %cst_1 = arith.constant dense<0> : tensor<1x2x2x1xi32>
    %cst_2 = arith.constant dense<0> : tensor<2x1x1x2xi32>
    %cst_3 = arith.constant dense<0> : tensor<2x1x2x1xi32>
    %cst_4 = arith.constant dense<0> : tensor<2x2x1x1xi32>
    %cst_5 = arith.constant dense<0> : tensor<1x1x1x2xi32>
    %cst_6 = arith.constant dense<0> : tensor<1x1x2x1xi32>
    %cst_7 = arith.constant dense<0> : tensor<1x2x1x1xi32>
    %cst_8 = arith.constant dense<0> : tensor<2x1x1x1xi32>
    %cst_9 = arith.constant 2.000000e+00 : f32
    %cst_10 = arith.constant dense<5.000000e-01> : tensor<16xf32>
    %c16_i32 = arith.constant 16 : i32
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %0 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %1 = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %2 = tt.addptr %1, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %3 = tt.load %2 : tensor<16x!tt.ptr<f32>>
    %4:2 = "tt.reduce"(%3, %0) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: i32, %arg4: f32, %arg5: i32):
      %157 = arith.cmpf oeq, %arg2, %arg4 : f32
      %158 = arith.cmpi slt, %arg3, %arg5 : i32
      %159 = arith.andi %157, %158 : i1
      %160 = arith.cmpf ogt, %arg2, %arg4 : f32
      %161 = arith.ori %160, %159 : i1
      %162 = arith.select %161, %arg2, %arg4 : f32
      %163 = arith.select %161, %arg3, %arg5 : i32
      tt.reduce.return %162, %163 : f32, i32
    }) : (tensor<16xf32>, tensor<16xi32>) -> (f32, i32)
    tt.store %arg1, %4#0 : !tt.ptr<f32>
    %5 = tt.addptr %arg1, %c1_i32 : !tt.ptr<f32>, i32
    %6 = arith.sitofp %4#1 : i32 to f32
    tt.store %5, %6 : !tt.ptr<f32>
    %7 = tt.addptr %arg1, %c2_i32 : !tt.ptr<f32>, i32
    %8 = "tt.reduce"(%3) <{axis = 0 : i32}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %157 = arith.mulf %arg2, %cst_9 : f32
      %158 = arith.addf %157, %arg3 : f32
      tt.reduce.return %158 : f32
    }) : (tensor<16xf32>) -> f32
    tt.store %7, %8 : !tt.ptr<f32>
    %9 = tt.addptr %arg1, %c16_i32 : !tt.ptr<f32>, i32
    %10 = tt.splat %9 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %11 = tt.addptr %10, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %12 = "tt.scan"(%3) <{axis = 0 : i32, reverse = true}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      %157 = arith.addf %arg2, %arg3 : f32
      tt.scan.return %157 : f32
    }) : (tensor<16xf32>) -> tensor<16xf32>
    tt.store %11, %12 : tensor<16x!tt.ptr<f32>>
    %13 = arith.mulf %3, %cst_10 : tensor<16xf32>
    %14:2 = "tt.scan"(%3, %13) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%arg2: f32, %arg3: f32, %arg4: f32, %arg5: f32):
      %157 = arith.mulf %arg2, %arg4 : f32
      %158 = arith.mulf %arg3, %arg4 : f32
      %159 = arith.addf %158, %arg5 : f32
      tt.scan.return %157, %159 : f32, f32
    }) : (tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
    %15 = tt.addptr %arg1, %c32_i32 : !tt.ptr<f32>, i32
    %16 = tt.splat %15 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %17 = tt.addptr %16, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %18 = arith.addf %14#0, %14#1 : tensor<16xf32>
    tt.store %17, %18 : tensor<16x!tt.ptr<f32>>
    %19 = tt.addptr %arg1, %c48_i32 : !tt.ptr<f32>, i32
    %20 = tt.splat %19 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %21 = tt.addptr %20, %0 : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %22 = tt.reshape %3 : tensor<16xf32> -> tensor<2x2x2x2xf32>
    %23 = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
    %24 = tt.reshape %23 : tensor<2xi32> -> tensor<1x1x2x1xi32>
    %25 = tt.bitcast %22 : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
    %26 = "tt.reduce"(%25) <{axis = 3 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %157 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %157 : i32
    }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
    %27 = tt.expand_dims %26 {axis = 3 : i32} : tensor<2x2x2xi32> -> tensor<2x2x2x1xi32>
    %28 = tt.broadcast %27 : tensor<2x2x2x1xi32> -> tensor<2x2x2x2xi32>
    %29 = arith.xori %25, %28 : tensor<2x2x2x2xi32>
    %30 = tt.bitcast %29 : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
    %31 = tt.reshape %23 : tensor<2xi32> -> tensor<1x1x1x2xi32>
    %32 = arith.cmpf ogt, %22, %30 : tensor<2x2x2x2xf32>
    %33 = tt.broadcast %24 : tensor<1x1x2x1xi32> -> tensor<1x1x2x2xi32>
    %34 = tt.broadcast %31 : tensor<1x1x1x2xi32> -> tensor<1x1x2x2xi32>
    %35 = arith.xori %33, %34 : tensor<1x1x2x2xi32>
    %36 = arith.cmpi ne, %35, %cst : tensor<1x1x2x2xi32>
    %37 = tt.broadcast %36 : tensor<1x1x2x2xi1> -> tensor<2x2x2x2xi1>
    %38 = arith.cmpi ne, %32, %37 : tensor<2x2x2x2xi1>
    %39 = arith.select %38, %30, %22 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    %40 = tt.reshape %23 : tensor<2xi32> -> tensor<1x2x1x1xi32>
    %41 = tt.bitcast %39 : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
    %42 = "tt.reduce"(%41) <{axis = 2 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %157 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %157 : i32
    }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
    %43 = tt.expand_dims %42 {axis = 2 : i32} : tensor<2x2x2xi32> -> tensor<2x2x1x2xi32>
    %44 = tt.broadcast %43 : tensor<2x2x1x2xi32> -> tensor<2x2x2x2xi32>
    %45 = arith.xori %41, %44 : tensor<2x2x2x2xi32>
    %46 = tt.bitcast %45 : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
    %47 = arith.cmpf ogt, %39, %46 : tensor<2x2x2x2xf32>
    %48 = tt.broadcast %40 : tensor<1x2x1x1xi32> -> tensor<1x2x2x1xi32>
    %49 = tt.broadcast %24 : tensor<1x1x2x1xi32> -> tensor<1x2x2x1xi32>
    %50 = arith.xori %48, %49 : tensor<1x2x2x1xi32>
    %51 = arith.cmpi ne, %50, %cst_1 : tensor<1x2x2x1xi32>
    %52 = tt.broadcast %51 : tensor<1x2x2x1xi1> -> tensor<2x2x2x2xi1>
    %53 = arith.cmpi ne, %47, %52 : tensor<2x2x2x2xi1>
    %54 = arith.select %53, %46, %39 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    %55 = tt.bitcast %54 : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
    %56 = "tt.reduce"(%55) <{axis = 3 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %157 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %157 : i32
    }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
    %57 = tt.expand_dims %56 {axis = 3 : i32} : tensor<2x2x2xi32> -> tensor<2x2x2x1xi32>
    %58 = tt.broadcast %57 : tensor<2x2x2x1xi32> -> tensor<2x2x2x2xi32>
    %59 = arith.xori %55, %58 : tensor<2x2x2x2xi32>
    %60 = tt.bitcast %59 : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
    %61 = arith.cmpf ogt, %54, %60 : tensor<2x2x2x2xf32>
    %62 = tt.broadcast %40 : tensor<1x2x1x1xi32> -> tensor<1x2x1x2xi32>
    %63 = tt.broadcast %31 : tensor<1x1x1x2xi32> -> tensor<1x2x1x2xi32>
    %64 = arith.xori %62, %63 : tensor<1x2x1x2xi32>
    %65 = arith.cmpi ne, %64, %cst_0 : tensor<1x2x1x2xi32>
    %66 = tt.broadcast %65 : tensor<1x2x1x2xi1> -> tensor<2x2x2x2xi1>
    %67 = arith.cmpi ne, %61, %66 : tensor<2x2x2x2xi1>
    %68 = arith.select %67, %60, %54 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    %69 = tt.reshape %23 : tensor<2xi32> -> tensor<2x1x1x1xi32>
    %70 = tt.bitcast %68 : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
    %71 = "tt.reduce"(%70) <{axis = 1 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %157 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %157 : i32
    }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
    %72 = tt.expand_dims %71 {axis = 1 : i32} : tensor<2x2x2xi32> -> tensor<2x1x2x2xi32>
    %73 = tt.broadcast %72 : tensor<2x1x2x2xi32> -> tensor<2x2x2x2xi32>
    %74 = arith.xori %70, %73 : tensor<2x2x2x2xi32>
    %75 = tt.bitcast %74 : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
    %76 = arith.cmpf ogt, %68, %75 : tensor<2x2x2x2xf32>
    %77 = tt.broadcast %69 : tensor<2x1x1x1xi32> -> tensor<2x2x1x1xi32>
    %78 = tt.broadcast %40 : tensor<1x2x1x1xi32> -> tensor<2x2x1x1xi32>
    %79 = arith.xori %77, %78 : tensor<2x2x1x1xi32>
    %80 = arith.cmpi ne, %79, %cst_4 : tensor<2x2x1x1xi32>
    %81 = tt.broadcast %80 : tensor<2x2x1x1xi1> -> tensor<2x2x2x2xi1>
    %82 = arith.cmpi ne, %76, %81 : tensor<2x2x2x2xi1>
    %83 = arith.select %82, %75, %68 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    %84 = tt.bitcast %83 : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
    %85 = "tt.reduce"(%84) <{axis = 2 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %157 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %157 : i32
    }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
    %86 = tt.expand_dims %85 {axis = 2 : i32} : tensor<2x2x2xi32> -> tensor<2x2x1x2xi32>
    %87 = tt.broadcast %86 : tensor<2x2x1x2xi32> -> tensor<2x2x2x2xi32>
    %88 = arith.xori %84, %87 : tensor<2x2x2x2xi32>
    %89 = tt.bitcast %88 : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
    %90 = arith.cmpf ogt, %83, %89 : tensor<2x2x2x2xf32>
    %91 = tt.broadcast %69 : tensor<2x1x1x1xi32> -> tensor<2x1x2x1xi32>
    %92 = tt.broadcast %24 : tensor<1x1x2x1xi32> -> tensor<2x1x2x1xi32>
    %93 = arith.xori %91, %92 : tensor<2x1x2x1xi32>
    %94 = arith.cmpi ne, %93, %cst_3 : tensor<2x1x2x1xi32>
    %95 = tt.broadcast %94 : tensor<2x1x2x1xi1> -> tensor<2x2x2x2xi1>
    %96 = arith.cmpi ne, %90, %95 : tensor<2x2x2x2xi1>
    %97 = arith.select %96, %89, %83 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    %98 = tt.bitcast %97 : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
    %99 = "tt.reduce"(%98) <{axis = 3 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %157 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %157 : i32
    }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
    %100 = tt.expand_dims %99 {axis = 3 : i32} : tensor<2x2x2xi32> -> tensor<2x2x2x1xi32>
    %101 = tt.broadcast %100 : tensor<2x2x2x1xi32> -> tensor<2x2x2x2xi32>
    %102 = arith.xori %98, %101 : tensor<2x2x2x2xi32>
    %103 = tt.bitcast %102 : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
    %104 = arith.cmpf ogt, %97, %103 : tensor<2x2x2x2xf32>
    %105 = tt.broadcast %69 : tensor<2x1x1x1xi32> -> tensor<2x1x1x2xi32>
    %106 = tt.broadcast %31 : tensor<1x1x1x2xi32> -> tensor<2x1x1x2xi32>
    %107 = arith.xori %105, %106 : tensor<2x1x1x2xi32>
    %108 = arith.cmpi ne, %107, %cst_2 : tensor<2x1x1x2xi32>
    %109 = tt.broadcast %108 : tensor<2x1x1x2xi1> -> tensor<2x2x2x2xi1>
    %110 = arith.cmpi ne, %104, %109 : tensor<2x2x2x2xi1>
    %111 = arith.select %110, %103, %97 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    %112 = tt.bitcast %111 : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
    %113 = "tt.reduce"(%112) <{axis = 0 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %157 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %157 : i32
    }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
    %114 = tt.expand_dims %113 {axis = 0 : i32} : tensor<2x2x2xi32> -> tensor<1x2x2x2xi32>
    %115 = tt.broadcast %114 : tensor<1x2x2x2xi32> -> tensor<2x2x2x2xi32>
    %116 = arith.xori %112, %115 : tensor<2x2x2x2xi32>
    %117 = tt.bitcast %116 : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
    %118 = arith.cmpf ogt, %111, %117 : tensor<2x2x2x2xf32>
    %119 = arith.cmpi ne, %69, %cst_8 : tensor<2x1x1x1xi32>
    %120 = tt.broadcast %119 : tensor<2x1x1x1xi1> -> tensor<2x2x2x2xi1>
    %121 = arith.cmpi ne, %118, %120 : tensor<2x2x2x2xi1>
    %122 = arith.select %121, %117, %111 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    %123 = tt.bitcast %122 : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
    %124 = "tt.reduce"(%123) <{axis = 1 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %157 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %157 : i32
    }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
    %125 = tt.expand_dims %124 {axis = 1 : i32} : tensor<2x2x2xi32> -> tensor<2x1x2x2xi32>
    %126 = tt.broadcast %125 : tensor<2x1x2x2xi32> -> tensor<2x2x2x2xi32>
    %127 = arith.xori %123, %126 : tensor<2x2x2x2xi32>
    %128 = tt.bitcast %127 : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
    %129 = arith.cmpf ogt, %122, %128 : tensor<2x2x2x2xf32>
    %130 = arith.cmpi ne, %40, %cst_7 : tensor<1x2x1x1xi32>
    %131 = tt.broadcast %130 : tensor<1x2x1x1xi1> -> tensor<2x2x2x2xi1>
    %132 = arith.cmpi ne, %129, %131 : tensor<2x2x2x2xi1>
    %133 = arith.select %132, %128, %122 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    %134 = tt.bitcast %133 : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
    %135 = "tt.reduce"(%134) <{axis = 2 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %157 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %157 : i32
    }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
    %136 = tt.expand_dims %135 {axis = 2 : i32} : tensor<2x2x2xi32> -> tensor<2x2x1x2xi32>
    %137 = tt.broadcast %136 : tensor<2x2x1x2xi32> -> tensor<2x2x2x2xi32>
    %138 = arith.xori %134, %137 : tensor<2x2x2x2xi32>
    %139 = tt.bitcast %138 : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
    %140 = arith.cmpf ogt, %133, %139 : tensor<2x2x2x2xf32>
    %141 = arith.cmpi ne, %24, %cst_6 : tensor<1x1x2x1xi32>
    %142 = tt.broadcast %141 : tensor<1x1x2x1xi1> -> tensor<2x2x2x2xi1>
    %143 = arith.cmpi ne, %140, %142 : tensor<2x2x2x2xi1>
    %144 = arith.select %143, %139, %133 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    %145 = tt.bitcast %144 : tensor<2x2x2x2xf32> -> tensor<2x2x2x2xi32>
    %146 = "tt.reduce"(%145) <{axis = 3 : i32}> ({
    ^bb0(%arg2: i32, %arg3: i32):
      %157 = arith.xori %arg2, %arg3 : i32
      tt.reduce.return %157 : i32
    }) : (tensor<2x2x2x2xi32>) -> tensor<2x2x2xi32>
    %147 = tt.expand_dims %146 {axis = 3 : i32} : tensor<2x2x2xi32> -> tensor<2x2x2x1xi32>
    %148 = tt.broadcast %147 : tensor<2x2x2x1xi32> -> tensor<2x2x2x2xi32>
    %149 = arith.xori %145, %148 : tensor<2x2x2x2xi32>
    %150 = tt.bitcast %149 : tensor<2x2x2x2xi32> -> tensor<2x2x2x2xf32>
    %151 = arith.cmpf ogt, %144, %150 : tensor<2x2x2x2xf32>
    %152 = arith.cmpi ne, %31, %cst_5 : tensor<1x1x1x2xi32>
    %153 = tt.broadcast %152 : tensor<1x1x1x2xi1> -> tensor<2x2x2x2xi1>
    %154 = arith.cmpi ne, %151, %153 : tensor<2x2x2x2xi1>
    %155 = arith.select %154, %150, %144 : tensor<2x2x2x2xi1>, tensor<2x2x2x2xf32>
    %156 = tt.reshape %155 : tensor<2x2x2x2xf32> -> tensor<16xf32>
    tt.store %21, %156 : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
