// LLVM IR in generic form.
// RUN: tilewright-opt %s --mlir-print-op-generic | tilewright-opt --mlir-print-op-generic | FileCheck %s

// CHECK-LABEL: "llvm.mlir.global"() <{addr_space = 0 : i32, constant, global_type = !llvm.array<3 x i8>, linkage = #llvm.linkage<internal>, sym_name = "text", unnamed_addr = 0 : i64, value = "abc", visibility_ = 0 : i64}> ({
// CHECK-NEXT:  }) : () -> ()
// CHECK-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (ptr, ...)>, linkage = #llvm.linkage<external>, sym_name = "callee", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// CHECK-NEXT:  }) : () -> ()
// CHECK-NEXT:  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<struct<(i32, f32)> (ptr, i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
// CHECK-NEXT:  ^bb0(%arg0: !llvm.ptr, %arg1: i32):
// CHECK-NEXT:  %0 = "llvm.mlir.constant"() <{value = 1 : i32}> : () -> i32
// CHECK-NEXT:  %1 = "llvm.getelementptr"(%arg0, %arg1) <{elem_type = !llvm.array<4 x f32>, noWrapFlags = 3 : i32, rawConstantIndices = array<i32: -2147483648, 2>}> : (!llvm.ptr, i32) -> !llvm.ptr
// CHECK-NEXT:  %2 = "llvm.load"(%1) <{alignment = 4 : i64, ordering = 0 : i64}> : (!llvm.ptr) -> f32
// CHECK-NEXT:  %3 = "llvm.icmp"(%arg1, %0) <{predicate = 2 : i64}> : (i32, i32) -> i1
// CHECK-NEXT:  %4 = "llvm.call"(%arg0, %arg1) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @callee, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 2, 0>, var_callee_type = !llvm.func<i32 (ptr, ...)>}> : (!llvm.ptr, i32) -> i32
// CHECK-NEXT:  %5 = "llvm.mlir.poison"() : () -> !llvm.struct<(i32, f32)>
// CHECK-NEXT:  %6 = "llvm.insertvalue"(%5, %4) <{position = array<i64: 0>}> : (!llvm.struct<(i32, f32)>, i32) -> !llvm.struct<(i32, f32)>
// CHECK-NEXT:  %7 = "llvm.intr.fma"(%2, %2, %2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, f32, f32) -> f32
// CHECK-NEXT:  %8 = "llvm.insertvalue"(%6, %7) <{position = array<i64: 1>}> : (!llvm.struct<(i32, f32)>, f32) -> !llvm.struct<(i32, f32)>
// CHECK-NEXT:  "llvm.return"(%8) : (!llvm.struct<(i32, f32)>) -> ()

"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = 0 : i32, constant, global_type = !llvm.array<3 x i8>, linkage = #llvm.linkage<internal>, sym_name = "text", unnamed_addr = 0 : i64, value = "abc", visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (ptr, ...)>, linkage = #llvm.linkage<external>, sym_name = "callee", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<struct<(i32, f32)> (ptr, i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: i32):
    %0 = "llvm.mlir.constant"() <{value = 1 : i32}> : () -> i32
    %1 = "llvm.getelementptr"(%arg0, %arg1) <{elem_type = !llvm.array<4 x f32>, noWrapFlags = 3 : i32, rawConstantIndices = array<i32: -2147483648, 2>}> : (!llvm.ptr, i32) -> !llvm.ptr
    %2 = "llvm.load"(%1) <{alignment = 4 : i64, ordering = 0 : i64}> : (!llvm.ptr) -> f32
    %3 = "llvm.icmp"(%arg1, %0) <{predicate = 2 : i64}> : (i32, i32) -> i1
    %4 = "llvm.call"(%arg0, %arg1) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @callee, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 2, 0>, var_callee_type = !llvm.func<i32 (ptr, ...)>}> : (!llvm.ptr, i32) -> i32
    %5 = "llvm.mlir.poison"() : () -> !llvm.struct<(i32, f32)>
    %6 = "llvm.insertvalue"(%5, %4) <{position = array<i64: 0>}> : (!llvm.struct<(i32, f32)>, i32) -> !llvm.struct<(i32, f32)>
    %7 = "llvm.intr.fma"(%2, %2, %2) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, f32, f32) -> f32
    %8 = "llvm.insertvalue"(%6, %7) <{position = array<i64: 1>}> : (!llvm.struct<(i32, f32)>, f32) -> !llvm.struct<(i32, f32)>
    "llvm.return"(%8) : (!llvm.struct<(i32, f32)>) -> ()
  }) : () -> ()
}) : () -> ()
