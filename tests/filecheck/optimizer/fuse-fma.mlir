// Products are rounded together with the sum or difference that uses them.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(cuda_tile.module(cuda_tile.entry(fuse-fma)))' | FileCheck %s

cuda_tile.module @m {
  // CHECK-LABEL: entry @sum
  // CHECK-SAME: (%[[OUT:.*]]: tile<ptr<f32>>, %[[A:.*]]: tile<f32>, %[[B:.*]]: tile<f32>)
  // CHECK-NEXT: %[[R:.*]] = fma %[[A]], %[[B]], %[[A]] : tile<f32>
  // CHECK-NEXT: store_ptr_tko weak %[[OUT]], %[[R]]
  entry @sum(%out: tile<ptr<f32>>, %a: tile<f32>, %b: tile<f32>) {
    %p = mulf %a, %b : tile<f32>
    %r = addf %a, %p : tile<f32>
    store_ptr_tko weak %out, %r : tile<ptr<f32>>, tile<f32> -> token
    return
  }

  // CHECK-LABEL: entry @difference
  // CHECK-NEXT: %[[N:.*]] = negf
  // CHECK-NEXT: fma %{{.*}}, %{{.*}}, %[[N]] rounding<zero> : tile<f32>
  entry @difference(%out: tile<ptr<f32>>, %a: tile<f32>, %b: tile<f32>) {
    %p = mulf %a, %b rounding<zero> : tile<f32>
    %r = subf %p, %a rounding<zero> : tile<f32>
    store_ptr_tko weak %out, %r : tile<ptr<f32>>, tile<f32> -> token
    return
  }

  // CHECK-LABEL: entry @modes
  // CHECK-NOT: fma
  entry @modes(%out: tile<ptr<f32>>, %a: tile<f32>, %b: tile<f32>) {
    %p = mulf %a, %b rounding<zero> : tile<f32>
    %r = addf %p, %a : tile<f32>
    store_ptr_tko weak %out, %r : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
