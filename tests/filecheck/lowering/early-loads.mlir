// What loops copy ahead, and what they load ahead in registers.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(convert-cuda-tile-to-tileaa{compute-capability=sm_80},convert-tileaa-to-tileas,nv-tileas-lower-view-accesses,canonicalize,cse,nv-tileas-assign-layouts,nv-tileas-remove-conversions,nv-tileas-hoist-conversions,nv-tileas-materialise-conversions,nv-tileas-materialise-schedule)' | FileCheck %s

// The last copy of a row may read a part of its bytes: the row has 137 elements, and copies have 4.
// CHECK-LABEL: sym_name = "partial"
// CHECK: "nv_tileas.async.load"{{.*}}<{atom = #nv_tileas<atom cp_async_64>,{{.*}} partial}>

// Elements of two bytes that are not aligned are loaded for the next iteration; the loop carries them.
// CHECK-LABEL: sym_name = "carried"
// CHECK-NOT: create_pipeline
// CHECK: %[[FIRST:.*]] = "nv_tileas.load"(
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[TILE:.*]] = %[[FIRST]])
// CHECK: %[[NEXT:.*]] = "nv_tileas.load"(
// CHECK-NOT: "nv_tileas.load"
// CHECK: nv_tileas.addf {{.*}}
// CHECK: scf.yield {{.*}}, %[[NEXT]]

// The number of the next tile is computed ahead, too: the loop passes on the one of its iteration, and a later one.
// CHECK-LABEL: sym_name = "passed"
// CHECK: create_pipeline
// CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[0-9]+}}, %[[AT:[a-z0-9]+]] = %{{[a-z0-9_]+}}, %[[AHEAD:[a-z0-9]+]] = %{{[0-9]+}},
// CHECK: arith.addi %[[AHEAD]]
cuda_tile.module @m {
  entry @partial(%x0: tile<ptr<f16>>, %z0: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %x = assume div_by<16>, %x0 : tile<ptr<f16>>
    %z = assume div_by<16>, %z0 : tile<ptr<f32>>
    %x_a = make_tensor_view %x, shape = [16, 137], strides = [144, 1] : tensor_view<16x137xf16, strides=[144, 1]>
    %x_v = make_partition_view %x_a : partition_view<tile=(16x32), padding_value = zero, tensor_view<16x137xf16, strides=[144, 1]>>
    %z_a = make_tensor_view %z, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32, 1]>
    %z_v = make_partition_view %z_a : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32, 1]>>
    %begin = constant <f32: 0.0> : tile<16x32xf32>
    %sum = for %c in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %begin) -> (tile<16x32xf32>) {
      %p, %p_t = load_view_tko weak %x_v[%zero, %c] : partition_view<tile=(16x32), padding_value = zero, tensor_view<16x137xf16, strides=[144, 1]>>, tile<i32> -> tile<16x32xf16>, token
      %q = ftof %p : tile<16x32xf16> -> tile<16x32xf32>
      %e = exp %q : tile<16x32xf32>
      %f = exp %e : tile<16x32xf32>
      %g = exp %f : tile<16x32xf32>
      %h = exp %g : tile<16x32xf32>
      %m = addf %h, %acc : tile<16x32xf32>
      continue %m : tile<16x32xf32>
    }
    %sum_s = store_view_tko weak %sum, %z_v[%zero, %zero] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
  entry @carried(%x0: tile<ptr<f16>>, %z0: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %x = assume div_by<2>, %x0 : tile<ptr<f16>>
    %z = assume div_by<16>, %z0 : tile<ptr<f32>>
    %x_a = make_tensor_view %x, shape = [16, 137], strides = [144, 1] : tensor_view<16x137xf16, strides=[144, 1]>
    %x_v = make_partition_view %x_a : partition_view<tile=(16x32), padding_value = zero, tensor_view<16x137xf16, strides=[144, 1]>>
    %z_a = make_tensor_view %z, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32, 1]>
    %z_v = make_partition_view %z_a : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32, 1]>>
    %begin = constant <f32: 0.0> : tile<16x32xf32>
    %sum = for %c in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %begin) -> (tile<16x32xf32>) {
      %p, %p_t = load_view_tko weak %x_v[%zero, %c] : partition_view<tile=(16x32), padding_value = zero, tensor_view<16x137xf16, strides=[144, 1]>>, tile<i32> -> tile<16x32xf16>, token
      %q = ftof %p : tile<16x32xf16> -> tile<16x32xf32>
      %e = exp %q : tile<16x32xf32>
      %f = exp %e : tile<16x32xf32>
      %g = exp %f : tile<16x32xf32>
      %h = exp %g : tile<16x32xf32>
      %m = addf %h, %acc : tile<16x32xf32>
      continue %m : tile<16x32xf32>
    }
    %sum_s = store_view_tko weak %sum, %z_v[%zero, %zero] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
  entry @passed(%x0: tile<ptr<f16>>, %z0: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %x = assume div_by<16>, %x0 : tile<ptr<f16>>
    %z = assume div_by<16>, %z0 : tile<ptr<f32>>
    %x_a = make_tensor_view %x, shape = [16, 144], strides = [144, 1] : tensor_view<16x144xf16, strides=[144, 1]>
    %x_v = make_partition_view %x_a : partition_view<tile=(16x32), padding_value = zero, tensor_view<16x144xf16, strides=[144, 1]>>
    %z_a = make_tensor_view %z, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32, 1]>
    %z_v = make_partition_view %z_a : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32, 1]>>
    %begin = constant <f32: 0.0> : tile<16x32xf32>
    %sum, %end = for %c in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %begin, %at = %zero) -> (tile<16x32xf32>, tile<i32>) {
      %next = addi %at, %one : tile<i32>
      %p, %p_t = load_view_tko weak %x_v[%zero, %at] : partition_view<tile=(16x32), padding_value = zero, tensor_view<16x144xf16, strides=[144, 1]>>, tile<i32> -> tile<16x32xf16>, token
      %q = ftof %p : tile<16x32xf16> -> tile<16x32xf32>
      %e = exp %q : tile<16x32xf32>
      %f = exp %e : tile<16x32xf32>
      %g = exp %f : tile<16x32xf32>
      %h = exp %g : tile<16x32xf32>
      %m = addf %h, %acc : tile<16x32xf32>
      continue %m, %next : tile<16x32xf32>, tile<i32>
    }
    %sum_s = store_view_tko weak %sum, %z_v[%zero, %zero] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32, 1]>>, tile<i32> -> token
    return
  }
}
