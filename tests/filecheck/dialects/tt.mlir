// Operations of Triton's dialects, with custom syntax, are printed as Triton prints them.
// RUN: tilewright-opt %s | tilewright-opt | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt | FileCheck %s

// CHECK-LABEL: tt.func public @softmax(%arg0: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %arg1: i32) attributes {noinline = false}
tt.func public @softmax(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
  %zero = arith.constant dense<0.000000e+00> : tensor<64xf32>
  // CHECK: tt.get_program_id x : i32
  %row = tt.get_program_id x : i32
  // CHECK: tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %at = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %limit = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %at, %limit : tensor<64xi32>
  %base = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  // CHECK: tt.addptr {{.*}} : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %ptrs = tt.addptr %base, %at : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  // CHECK: tt.load {{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>} : tensor<64x!tt.ptr<f32>>
  %values = tt.load %ptrs, %mask, %zero {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>} : tensor<64x!tt.ptr<f32>>
  // CHECK: "tt.reduce"({{.*}}) <{axis = 0 : i32}> ({
  %highest = "tt.reduce"(%values) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    // CHECK: tt.reduce.return {{.*}} : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32>) -> f32
  %scan = "tt.scan"(%values) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: tt.call @scaled({{.*}}) : (f32) -> f32
  %scaled = tt.call @scaled(%highest) : (f32) -> f32
  %wide = tt.splat %scaled : f32 -> tensor<64xf32>
  %difference = arith.subf %scan, %wide : tensor<64xf32>
  // CHECK: ttg.barrier local|global_read
  ttg.barrier local|global_read
  tt.store %ptrs, %difference, %mask : tensor<64x!tt.ptr<f32>>
  tt.return
}

tt.func private @scaled(%value: f32) -> f32 attributes {noinline = true} {
  %half = tt.fp_to_fp %value, rounding = rtne : f32 -> f16
  %back = tt.fp_to_fp %half : f16 -> f32
  tt.return %back : f32
}

// CHECK-LABEL: tt.func public @product
tt.func public @product(%base: !tt.ptr<f16>, %x: !tt.ptr<i32>, %m: i32, %n: i64, %rows: tensor<16xi32>) {
  // CHECK: tt.make_tensor_descriptor {{.*}} {padding = 2 : i32} : <f16>, <16x16xf16>
  %desc = tt.make_tensor_descriptor %base, [%m, %m], [%n, %n] {padding = 2 : i32} : <f16>, <16x16xf16>
  %row = tt.make_tensor_descriptor %base, [%m, %m], [%n, %n] : <f16>, <1x16xf16>
  // CHECK: tt.descriptor_load {{.*}} : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
  %a = tt.descriptor_load %desc[%m, %m] : !tt.tensordesc<16x16xf16> -> tensor<16x16xf16>
  %b = tt.descriptor_gather %row[%rows, %m] : (!tt.tensordesc<1x16xf16>, tensor<16xi32>, i32) -> tensor<16x16xf16>
  %zero = arith.constant dense<0.000000e+00> : tensor<16x16xf32>
  // CHECK: tt.dot {{.*}}, inputPrecision = tf32 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %c = tt.dot %a, %b, %zero, inputPrecision = tf32 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %bytes = arith.constant dense<0> : tensor<16x16xi8>
  %d = tt.dot_scaled %bytes, %b, %c lhs = e5m2 rhs = fp16 {fastMath = false} : tensor<16x16xi8> * tensor<16x16xf16> -> tensor<16x16xf32>
  %old = tt.atomic_rmw add, acq_rel, gpu, %x, %m : (!tt.ptr<i32>, i32) -> i32
  %now = tt.atomic_load acquire, gpu, %x : (!tt.ptr<i32>) -> i32
  // CHECK: tt.atomic_poll acquire, gpu, {{.*}} timeout {{.*}} : !tt.ptr<i32>, i32 -> i1
  %came = tt.atomic_poll acquire, gpu, %x, %m timeout %n : !tt.ptr<i32>, i32 -> i1
  %expanded = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %pairs = tt.reshape %rows : tensor<16xi32> -> tensor<8x2xi32>
  // CHECK: %outLHS, %outRHS = tt.split {{.*}} : tensor<8x2xi32> -> tensor<8xi32>
  %low, %high = tt.split %pairs : tensor<8x2xi32> -> tensor<8xi32>
  %joined = tt.join %low, %high : tensor<8xi32> -> tensor<8x2xi32>
  %both = tt.cat %low, %high : tensor<8xi32> -> tensor<16xi32>
  // CHECK: tt.trans {{.*}} {order = array<i32: 1, 0>} : tensor<8x2xi32> -> tensor<2x8xi32>
  %turned = tt.trans %joined {order = array<i32: 1, 0>} : tensor<8x2xi32> -> tensor<2x8xi32>
  %wide = tt.broadcast %expanded : tensor<16x1xi32> -> tensor<16x4xi32>
  // CHECK: tt.gather {{.*}}[{{.*}}] {axis = 0 : i32} : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
  %picked = tt.gather %both[%rows] {axis = 0 : i32} : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi32>
  %counts = tt.histogram %picked : tensor<16xi32> -> tensor<8xi32>
  %one = tt.splat %m : i32 -> tensor<1xi32>
  %again = tt.unsplat %one : tensor<1xi32>
  %mapped = "tt.map_elementwise"(%picked) <{pack = 1 : i32}> ({
  ^bb0(%value: i32):
    tt.map_elementwise.return %value : i32
  }) : (tensor<16xi32>) -> tensor<16xi32>
  %mixed = tt.elementwise_inline_asm "mov" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %mapped : tensor<16xi32> -> tensor<16xi32>
  tt.return
}
