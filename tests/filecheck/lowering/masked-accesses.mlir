// Accesses under a mask are copies with a predicate: of vectors where the number of elements is promised to be a multiple
// of theirs, else of single elements.  The first of some neighbours says whether they are loaded, the last whether they are stored.
// RUN: tilewright-opt %s --pass-pipeline='builtin.module(nv-tileas-assign-layouts,convert-nv-tile-func-to-llvm,convert-nv-tileas-to-nvvm,canonicalize,cse)' | FileCheck %s

module attributes {nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>, nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">} {
// CHECK-LABEL: llvm.func @promised
// CHECK-DAG:   %[[PAD:.*]] = llvm.mlir.constant(1.000000e+00 : f32) : f32
// CHECK-DAG:   %[[THREE:.*]] = llvm.mlir.constant(3 : i32) : i32
// CHECK:       %[[AT:.*]] = llvm.icmp "ult" %[[I:.*]], %[[N:.*]] : i32
// CHECK:       %[[J:.*]] = llvm.add %[[I]], %[[THREE]] : i32
// CHECK:       %[[LAST:.*]] = llvm.icmp "ult" %[[J]], %[[N]] : i32
// CHECK:       %[[V:.*]]:4 = cute.ptr.load %{{.*}} by !cute_nvgpu.atom.universal_copy<f32, 128 b> if %[[AT]] else %[[PAD]], %[[PAD]], %[[PAD]], %[[PAD]] : f32, f32, f32, f32
// CHECK-NOT:   cute.ptr.load
// CHECK:       cute.ptr.store %[[V]]#0, %[[V]]#1, %[[V]]#2, %[[V]]#3 to %{{.*}} by !cute_nvgpu.atom.universal_copy<f32, 128 b> if %[[LAST]]
// CHECK-NOT:   scf.if
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>, i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "promised"}> ({
^bb0(%x: !nv_tileaa.ptr<f32, 1>, %n: i32):
  %base = "nv_tileaa.assume"(%x) <{predicates = [#nv_tileaa.div_by<16>]}> : (!nv_tileaa.ptr<f32, 1>) -> !nv_tileaa.ptr<f32, 1>
  %limit = "nv_tileaa.assume"(%n) <{predicates = [#nv_tileaa.div_by<4>]}> : (i32) -> i32
  %places:2 = "nv_tileas.generate"() ({
  ^bb0(%at: index):
    %i = arith.index_cast %at : index to i32
    %p = "nv_tileaa.addptr"(%base, %i) : (!nv_tileaa.ptr<f32, 1>, i32) -> !nv_tileaa.ptr<f32, 1>
    %exists = arith.cmpi ult, %i, %limit : i32
    "nv_tileas.yield"(%p, %exists) : (!nv_tileaa.ptr<f32, 1>, i1) -> ()
  }) : () -> (tensor<512x!nv_tileaa.ptr<f32, 1>>, tensor<512xi1>)
  %one = "nv_tileaa.splat"() <{value = 1.0 : f32}> : () -> tensor<512xf32>
  %v, %t = "nv_tileas.load"(%places#0, %places#1, %one) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>}> : (tensor<512x!nv_tileaa.ptr<f32, 1>>, tensor<512xi1>, tensor<512xf32>) -> (tensor<512xf32>, !nv_tileaa.mem_token)
  %s = "nv_tileas.store"(%places#0, %v, %places#1) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>}> : (tensor<512x!nv_tileaa.ptr<f32, 1>>, tensor<512xf32>, tensor<512xi1>) -> !nv_tileaa.mem_token
  "nv_tileaa.return"() : () -> ()
}) : () -> ()

// CHECK-LABEL: llvm.func @any_number
// CHECK-COUNT-4: cute.ptr.load %{{.*}} by !cute_nvgpu.atom.universal_copy<f32> if %{{.*}} else %{{.*}} : f32
// CHECK-COUNT-4: cute.ptr.store %{{.*}} to %{{.*}} by !cute_nvgpu.atom.universal_copy<f32> if %{{.*}} : f32
// CHECK-NOT:   scf.if
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>, i32) -> (), kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1]>, sym_name = "any_number"}> ({
^bb0(%x: !nv_tileaa.ptr<f32, 1>, %n: i32):
  %base = "nv_tileaa.assume"(%x) <{predicates = [#nv_tileaa.div_by<16>]}> : (!nv_tileaa.ptr<f32, 1>) -> !nv_tileaa.ptr<f32, 1>
  %places:2 = "nv_tileas.generate"() ({
  ^bb0(%at: index):
    %i = arith.index_cast %at : index to i32
    %p = "nv_tileaa.addptr"(%base, %i) : (!nv_tileaa.ptr<f32, 1>, i32) -> !nv_tileaa.ptr<f32, 1>
    %exists = arith.cmpi ult, %i, %n : i32
    "nv_tileas.yield"(%p, %exists) : (!nv_tileaa.ptr<f32, 1>, i1) -> ()
  }) : () -> (tensor<512x!nv_tileaa.ptr<f32, 1>>, tensor<512xi1>)
  %one = "nv_tileaa.splat"() <{value = 1.0 : f32}> : () -> tensor<512xf32>
  %v, %t = "nv_tileas.load"(%places#0, %places#1, %one) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>}> : (tensor<512x!nv_tileaa.ptr<f32, 1>>, tensor<512xi1>, tensor<512xf32>) -> (tensor<512xf32>, !nv_tileaa.mem_token)
  %s = "nv_tileas.store"(%places#0, %v, %places#1) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>}> : (tensor<512x!nv_tileaa.ptr<f32, 1>>, tensor<512xf32>, tensor<512xi1>) -> !nv_tileaa.mem_token
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
