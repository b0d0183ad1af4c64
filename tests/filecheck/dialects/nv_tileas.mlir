// Types and attributes of nv_tileas.
// RUN: tilewright-opt %s --allow-unregistered-dialect | tilewright-opt --allow-unregistered-dialect | FileCheck %s
// RUN: tilewright-opt %s --allow-unregistered-dialect --mlir-print-op-generic | tilewright-opt --allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: %0:3 = "test.tokens"() : () -> (!nv_tileas.producer_token, !nv_tileas.consumer_token, !nv_tileas.async_token)
// CHECK-NEXT:  %1:2 = "test.iterators"() : () -> (!nv_tileas.pipeline_iterator<tensor<8xf32>, 3>, !nv_tileas.pipeline_iterator<f32, 4, stride = 2, space = tensor>)
// CHECK-NEXT:  %2:2 = "test.views"() : () -> (!nv_tileas.tiled_view<f16, [64, 32], shared>, !nv_tileas.tiled_view<f16, [8], register, layout = #nv_tileas<atom ldsm>>)
// CHECK-NEXT:  %3:2 = "test.descriptors"() : () -> (!nv_tileas.tma_desc<f16, [64, 32]>, !nv_tileas.tma_desc<f16, [64], swizzle = "128B">)
// CHECK-NEXT:  "test.attributes"() {a = #nv_tileas<atom tma_load>, b = #nv_tileas<atom stg>, c = #nv_tileas.swizzle_mode<"64B">, d = #nv_tileas.oob_mode<nan>} : () -> ()

"test.tokens"() : () -> (!nv_tileas.producer_token, !nv_tileas.consumer_token, !nv_tileas.async_token)
"test.iterators"() : () -> (!nv_tileas.pipeline_iterator<tensor<8xf32>, 3>, !nv_tileas.pipeline_iterator<f32, 4, stride = 2, space = tensor>)
"test.views"() : () -> (!nv_tileas.tiled_view<f16, [64, 32], shared>, !nv_tileas.tiled_view<f16, [8], register, layout = #nv_tileas<atom ldsm>>)
"test.descriptors"() : () -> (!nv_tileas.tma_desc<f16, [64, 32]>, !nv_tileas.tma_desc<f16, [64], swizzle = "128B">)
"test.attributes"() {
  a = #nv_tileas<atom tma_load>, b = #nv_tileas.atom<stg>, c = #nv_tileas.swizzle_mode<"64B">, d = #nv_tileas.oob_mode<nan>
} : () -> ()
