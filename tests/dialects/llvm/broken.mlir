// error: integer width of the output type is smaller or equal to the integer width of the input type
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i64, ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i64, %arg1: !llvm.ptr):
    %0 = "llvm.zext"(%arg0) : (i64) -> i32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.bitcast' op cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i64, ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i64, %arg1: !llvm.ptr):
    %0 = "llvm.bitcast"(%arg1) : (!llvm.ptr) -> !llvm.ptr<1>
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.mlir.constant' op expected integer type of width 32
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i64, ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i64, %arg1: !llvm.ptr):
    %0 = "llvm.mlir.constant"() <{value = 1.000000e+00 : f32}> : () -> i64
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.mlir.constant' op expected vector or array type
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i64, ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i64, %arg1: !llvm.ptr):
    %0 = "llvm.mlir.constant"() <{value = dense<1> : vector<4xi32>}> : () -> i64
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.return' op mismatching result types
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i64, ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i64, %arg1: !llvm.ptr):
    "llvm.return"(%arg0) : (i64) -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.return' op expected 1 operand
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i64, ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i64, %arg1: !llvm.ptr):
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.return' op expected no operands
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i64, ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i64, %arg1: !llvm.ptr):
    "llvm.return"(%arg0) : (i64) -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.call' op 'g' does not reference a symbol in the current scope
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i64, ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i64, %arg1: !llvm.ptr):
    "llvm.call"(%arg0) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @g, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.call' op incorrect number of operands (1) for callee (expecting: 2)
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i64, ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i64, %arg1: !llvm.ptr):
    "llvm.call"(%arg1) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @f, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>}> : (!llvm.ptr) -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.mlir.addressof' op must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or 'llvm.func' or 'llvm.mlir.ifunc'
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr):
    %0 = "llvm.mlir.addressof"() <{global_name = @g}> : () -> !llvm.ptr
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.mlir.addressof' op pointer address space must match address space of the referenced global or alias
"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = i32, linkage = #llvm.linkage<external>, sym_name = "g", unnamed_addr = 0 : i64, value = 0 : i32, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr):
    %0 = "llvm.mlir.addressof"() <{global_name = @g}> : () -> !llvm.ptr<3>
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.load' op unsupported ordering 'release'
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr):
    %0 = "llvm.load"(%arg0) <{alignment = 4 : i64, ordering = 5 : i64}> : (!llvm.ptr) -> i32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.load' op expected alignment for atomic access
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr):
    %0 = "llvm.load"(%arg0) <{ordering = 4 : i64}> : (!llvm.ptr) -> i32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.load' op expected syncscope to be null for non-atomic access
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr):
    %0 = "llvm.load"(%arg0) <{ordering = 0 : i64, syncscope = "x"}> : (!llvm.ptr) -> i32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.load' op unsupported type '!llvm.struct<(i32)>' for atomic access
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr):
    %0 = "llvm.load"(%arg0) <{alignment = 4 : i64, ordering = 4 : i64}> : (!llvm.ptr) -> !llvm.struct<(i32)>
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.store' op unsupported ordering 'acquire'
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr, i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: i32):
    "llvm.store"(%arg1, %arg0) <{alignment = 4 : i64, ordering = 4 : i64}> : (i32, !llvm.ptr) -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.atomicrmw' op expected LLVM IR floating point type
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr, i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: i32):
    %0 = "llvm.atomicrmw"(%arg0, %arg1) <{bin_op = 11 : i64, ordering = 4 : i64}> : (!llvm.ptr, i32) -> i32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.atomicrmw' op expected at least 'monotonic' ordering
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr, i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: i32):
    %0 = "llvm.atomicrmw"(%arg0, %arg1) <{bin_op = 1 : i64, ordering = 1 : i64}> : (!llvm.ptr, i32) -> i32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.atomicrmw' op expected LLVM IR integer type
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr, f32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: f32):
    %0 = "llvm.atomicrmw"(%arg0, %arg1) <{bin_op = 1 : i64, ordering = 4 : i64}> : (!llvm.ptr, f32) -> f32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.cmpxchg' op failure ordering cannot be 'release' or 'acq_rel'
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr, i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: i32):
    %0 = "llvm.cmpxchg"(%arg0, %arg1, %arg1) <{failure_ordering = 5 : i64, success_ordering = 4 : i64}> : (!llvm.ptr, i32, i32) -> !llvm.struct<(i32, i1)>
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.cmpxchg' op ordering must be at least 'monotonic'
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr, i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: i32):
    %0 = "llvm.cmpxchg"(%arg0, %arg1, %arg1) <{failure_ordering = 4 : i64, success_ordering = 1 : i64}> : (!llvm.ptr, i32, i32) -> !llvm.struct<(i32, i1)>
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.cmpxchg' op failed to verify that result #0 has an LLVM struct type consisting of the type of operand #2 and a bool
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr, i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: i32):
    %0 = "llvm.cmpxchg"(%arg0, %arg1, %arg1) <{failure_ordering = 4 : i64, success_ordering = 4 : i64}> : (!llvm.ptr, i32, i32) -> !llvm.struct<(i32, i8)>
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.fence' op can be given only acquire, release, acq_rel, and seq_cst orderings
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
    "llvm.fence"() <{ordering = 2 : i64}> : () -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.getelementptr' op expected as many dynamic indices as specified in 'rawConstantIndices'
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr):
    %0 = "llvm.getelementptr"(%arg0) <{elem_type = i8, noWrapFlags = 0 : i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr) -> !llvm.ptr
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.extractvalue' op operand #0 must be LLVM aggregate type, but got 'f32'
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr, f32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: f32):
    %0 = "llvm.extractvalue"(%arg1) <{position = array<i64: 0>}> : (f32) -> f32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.extractvalue' op position out of bounds: 1
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (struct<(i32)>)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.struct<(i32)>):
    %0 = "llvm.extractvalue"(%arg0) <{position = array<i64: 1>}> : (!llvm.struct<(i32)>) -> f32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.extractvalue' op position out of bounds: 2
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (array<2 x i32>)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.array<2 x i32>):
    %0 = "llvm.extractvalue"(%arg0) <{position = array<i64: 2>}> : (!llvm.array<2 x i32>) -> i32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.extractvalue' op Type mismatch: extracting from '!llvm.array<2 x i32>' should produce 'i32' but this op returns 'i64'
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (array<2 x i32>)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.array<2 x i32>):
    %0 = "llvm.extractvalue"(%arg0) <{position = array<i64: 1>}> : (!llvm.array<2 x i32>) -> i64
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.insertvalue' op Type mismatch: cannot insert 'f32' into '!llvm.array<2 x i32>'
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (array<2 x i32>, f32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.array<2 x i32>, %arg1: f32):
    %0 = "llvm.insertvalue"(%arg0, %arg1) <{position = array<i64: 1>}> : (!llvm.array<2 x i32>, f32) -> !llvm.array<2 x i32>
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.extractelement' op operand #1 must be signless integer, but got 'vector<4xi32>'
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (vector<4xi32>)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: vector<4xi32>):
    %0 = "llvm.extractelement"(%arg0, %arg0) : (vector<4xi32>, vector<4xi32>) -> i32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.extractelement' op failed to verify that result type matches vector element type
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (vector<4xi32>, i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: vector<4xi32>, %arg1: i32):
    %0 = "llvm.extractelement"(%arg0, %arg1) : (vector<4xi32>, i32) -> i64
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.insertelement' op failed to verify that argument type matches vector element type
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (vector<4xi32>, i32, f32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: vector<4xi32>, %arg1: i32, %arg2: f32):
    %0 = "llvm.insertelement"(%arg0, %arg2, %arg1) : (vector<4xi32>, f32, i32) -> vector<4xi32>
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.add' op requires the same type for all operands and results
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32, i64)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32, %arg1: i64):
    %0 = "llvm.add"(%arg0, %arg1) <{overflowFlags = 0 : i32}> : (i32, i64) -> i32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.add' op operand #0 must be signless integer or LLVM dialect-compatible vector of signless integer, but got 'f32'
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (f32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: f32):
    %0 = "llvm.add"(%arg0, %arg0) <{overflowFlags = 0 : i32}> : (f32, f32) -> f32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.icmp' op failed to verify that result type has i1 element type and same shape as operands
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (vector<4xi32>)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: vector<4xi32>):
    %0 = "llvm.icmp"(%arg0, %arg0) <{predicate = 1 : i64}> : (vector<4xi32>, vector<4xi32>) -> i1
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: branch has 1 operands for successor #0, but target block has 0
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32):
    "llvm.br"(%arg0)[^bb1] : (i32) -> ()
  ^bb1:  // pred: ^bb0
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.switch' op expects number of case values to match number of case destinations
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32):
    "llvm.switch"(%arg0)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
  ^bb1:  // 2 preds: ^bb0, ^bb0
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.func' op external functions must have 'external' or 'extern_weak' linkage
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<internal>, sym_name = "f", visibility_ = 0 : i64}> ({
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.func' op entry block must have 1 arguments to match function signature
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "f", visibility_ = 0 : i64}> ({
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.mlir.global' op expects type to be a valid element type for an LLVM global
"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = !llvm.void, linkage = #llvm.linkage<internal>, sym_name = "f", visibility_ = 0 : i64}> ({
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.mlir.global' op expected array type for 'appending' linkage
"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = i32, linkage = #llvm.linkage<appending>, sym_name = "f", visibility_ = 0 : i64}> ({
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.mlir.global' op expected zero value for 'common' linkage
"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = i32, linkage = #llvm.linkage<common>, sym_name = "f", value = 1 : i32, visibility_ = 0 : i64}> ({
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.mlir.global' op cannot have both initializer value and region
"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = i32, linkage = #llvm.linkage<internal>, sym_name = "f", value = 1 : i32, visibility_ = 0 : i64}> ({
    %0 = "llvm.mlir.undef"() : () -> i32
    "llvm.return"(%0) : (i32) -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.shufflevector' op expected a splat operation for scalable vectors
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (vector<[4]xi32>)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: vector<[4]xi32>):
    %0 = "llvm.shufflevector"(%arg0, %arg0) <{mask = array<i32: 0, 1, 2, 3>}> : (vector<[4]xi32>, vector<[4]xi32>) -> vector<[4]xi32>
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.intr.vector.reduce.fadd' op requires the same element type for all operands and results
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (vector<4xf32>, f32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: vector<4xf32>, %arg1: f32):
    %0 = "llvm.intr.vector.reduce.fadd"(%arg1, %arg0) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f64
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.call' op expected function call to produce a value
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 ()>, linkage = #llvm.linkage<external>, sym_name = "g", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
    "llvm.call"() <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @g, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.call' op operand type mismatch for operand 0: 'i32' != 'i64'
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i64)>, linkage = #llvm.linkage<external>, sym_name = "g", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32):
    %0 = "llvm.call"(%arg0) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @g, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>}> : (i32) -> i32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.call' op result type mismatch: 'i64' != 'i32'
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 ()>, linkage = #llvm.linkage<external>, sym_name = "g", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32):
    %0 = "llvm.call"() <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @g, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 0, 0>}> : () -> i64
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.mlir.constant' op expected array type of 3 i8 elements for the string constant
llvm.func @f() { %0 = llvm.mlir.constant("abc") : !llvm.array<4 x i8> llvm.return }
// -----
// error: 'llvm.mlir.constant' op expected array attribute for struct type
llvm.func @f() { %0 = llvm.mlir.constant(1 : i32) : !llvm.struct<(i32)> llvm.return }
// -----
// error: 'llvm.mlir.constant' op expected array attribute of size 2
llvm.func @f() { %0 = llvm.mlir.constant([1 : i32]) : !llvm.struct<(i32, i32)> llvm.return }
// -----
// error: 'llvm.mlir.constant' op expected struct element types to be floating point type or integer type
llvm.func @f() { %0 = llvm.mlir.constant([1 : i32]) : !llvm.struct<(ptr)> llvm.return }
// -----
// error: 'llvm.mlir.constant' op expected element of array attribute to be floating point or integer
llvm.func @f() { %0 = llvm.mlir.constant(["a"]) : !llvm.struct<(i32)> llvm.return }
// -----
// error: 'llvm.mlir.constant' op struct element at index 0 is of wrong type
llvm.func @f() { %0 = llvm.mlir.constant([1 : i64]) : !llvm.struct<(i32)> llvm.return }
// -----
// error: 'llvm.mlir.constant' op does not support target extension type.
llvm.func @f() { %0 = llvm.mlir.constant(1 : i32) : !llvm.target<"x"> llvm.return }
// -----
// error: 'llvm.mlir.constant' op expected integer type
llvm.func @f() { %0 = llvm.mlir.constant(1 : i32) : f32 llvm.return }
// -----
// error: 'llvm.mlir.constant' op attribute and type have different float semantics
llvm.func @f() { %0 = llvm.mlir.constant(1.0 : f16) : bf16 llvm.return }
// -----
// error: 'llvm.mlir.constant' op scalable vector type requires a splat attribute
llvm.func @f() { %0 = llvm.mlir.constant(dense<[1, 2]> : vector<2xi32>) : vector<[2]xi32> llvm.return }
// -----
// error: 'llvm.mlir.constant' op type and attribute have a different number of elements: 4 vs. 3
llvm.func @f() { %0 = llvm.mlir.constant(dense<1> : tensor<3xi32>) : !llvm.array<2 x array<2 x i32>> llvm.return }
// -----
// error: 'llvm.mlir.constant' op expected integer element type for integer elements attribute
llvm.func @f() { %0 = llvm.mlir.constant(dense<1> : tensor<3xi32>) : vector<3xf32> llvm.return }
// -----
// error: 'llvm.mlir.constant' op expected integer type of width 32
llvm.func @f() { %0 = llvm.mlir.constant(dense<1.0> : tensor<3xf32>) : vector<3xi64> llvm.return }
// -----
// error: 'llvm.mlir.constant' op expected array or struct type for array attribute
llvm.func @f() { %0 = llvm.mlir.constant([1]) : i32 llvm.return }
// -----
// error: 'llvm.mlir.constant' op array attribute size does not match array type size in dimension 0: 1 vs. 2
llvm.func @f() { %0 = llvm.mlir.constant([1]) : !llvm.array<2 x struct<(i32)>> llvm.return }
// -----
// error: 'llvm.mlir.constant' op nested attribute for sub-array in dimension 0 at index 0 must be a zero, or undef, or array attribute
llvm.func @f() { %0 = llvm.mlir.constant([1]) : !llvm.array<1 x array<1 x struct<(i32)>>> llvm.return }
// -----
// error: 'llvm.mlir.constant' op for array with an array attribute must have a struct element type
llvm.func @f() { %0 = llvm.mlir.constant([1]) : !llvm.array<1 x i32> llvm.return }
// -----
// error: 'llvm.mlir.constant' op nested attribute for struct element at index 0 must be a zero, or undef, or array attribute
llvm.func @f() { %0 = llvm.mlir.constant([1]) : !llvm.array<1 x struct<(i32)>> llvm.return }
// -----
// error: 'llvm.mlir.constant' op nested array attribute size for struct element at index 0 must match struct size: 2 vs. 1
llvm.func @f() { %0 = llvm.mlir.constant([[1, 2]]) : !llvm.array<1 x struct<(i32)>> llvm.return }
// -----
// error: 'llvm.mlir.constant' op only supports integer, float, string or elements attributes
llvm.func @f() { %0 = llvm.mlir.constant(i32) : i32 llvm.return }
// -----
// error: expects number of branch weights to match number of successors: 3 vs 2
llvm.func @f(%c: i1) { llvm.cond_br %c weights([1, 2, 3]), ^bb1, ^bb1
^bb1: llvm.return }
// -----
// error: expects number of branch weights to match number of successors: 1 vs 2
llvm.func @f(%c: i32) { llvm.switch %c : i32, ^bb1 [3: ^bb1] {branch_weights = array<i32: 1>}
^bb1: llvm.return }
// -----
// error: expects case value type to match condition value type
"builtin.module"() ({
"llvm.func"() <{function_type = !llvm.func<void (i32)>, sym_name = "f", linkage = #llvm.linkage<external>}> ({
^bb0(%c: i32):
"llvm.switch"(%c)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : vector<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1: "llvm.return"() : () -> ()
}) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.switch' op 'case_operand_segments' attribute cannot have negative elements
"builtin.module"() ({
"llvm.func"() <{function_type = !llvm.func<void (i32)>, sym_name = "f", linkage = #llvm.linkage<external>}> ({
^bb0(%c: i32):
"llvm.switch"(%c)[^bb1, ^bb1] <{case_operand_segments = array<i32: -1>, case_values = dense<1> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1: "llvm.return"() : () -> ()
}) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.switch' op caseOperands count (0) does not match with the total size (2) specified in attribute 'case_operand_segments'
"builtin.module"() ({
"llvm.func"() <{function_type = !llvm.func<void (i32)>, sym_name = "f", linkage = #llvm.linkage<external>}> ({
^bb0(%c: i32):
"llvm.switch"(%c)[^bb1, ^bb1] <{case_operand_segments = array<i32: 2>, case_values = dense<1> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1: "llvm.return"() : () -> ()
}) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.call' op op_bundle_operands count (0) does not match with the total size (1) specified in attribute 'op_bundle_sizes'
"builtin.module"() ({
"llvm.func"() <{function_type = !llvm.func<void (ptr)>, sym_name = "f", linkage = #llvm.linkage<external>}> ({
^bb0(%p: !llvm.ptr):
"llvm.call"(%p) <{op_bundle_sizes = array<i32: 1>, operandSegmentSizes = array<i32: 1, 0>}> : (!llvm.ptr) -> ()
"llvm.return"() : () -> ()
}) : () -> ()
}) : () -> ()
// -----
// error: 'llvm.call_intrinsic' op 'op_bundle_sizes' attribute cannot have negative elements
"builtin.module"() ({
"llvm.call_intrinsic"() <{intrin = "llvm.x", op_bundle_sizes = array<i32: -1>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
}) : () -> ()
// -----
// error: operand bundle tag must be a StringAttr
"builtin.module"() ({
"llvm.call_intrinsic"() <{intrin = "llvm.x", op_bundle_sizes = array<i32: 0>, op_bundle_tags = [1], operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
}) : () -> ()
// -----
// error: expected 1 operand bundle tags, but actually got 2
"builtin.module"() ({
"llvm.call_intrinsic"() <{intrin = "llvm.x", op_bundle_sizes = array<i32: 0>, op_bundle_tags = ["a", "b"], operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
}) : () -> ()
// -----
// error: 'llvm.call_intrinsic' op intrinsic name must start with 'llvm.'
llvm.func @f() { llvm.call_intrinsic "nvvm.x"() : () -> () llvm.return }
// -----
// error: 'llvm.call' op indirect call expects a pointer as callee: 'i32'
module { llvm.func @f(%p: i32) { llvm.call %p() : i32, () -> () llvm.return } }
// -----
// error: 'llvm.call' op missing var_callee_type attribute for vararg call
llvm.func @g(i32, ...)
llvm.func @f(%p: i32) { llvm.call @g(%p) : (i32) -> () llvm.return }
// -----
// error: 'llvm.call' op incorrect number of operands (0) for varargs callee (expecting at least: 1)
llvm.func @g(i32, ...)
llvm.func @f(%p: i32) { llvm.call @g() vararg(!llvm.func<void (...)>) : () -> () llvm.return }
// -----
// error: 'llvm.call' op expected var_callee_type to be a variadic function type
llvm.func @g(i32, ...)
llvm.func @f(%p: i32) { llvm.call @g(%p) vararg(!llvm.func<void (i32)>) : (i32) -> () llvm.return }
// -----
// error: 'llvm.call' op expected var_callee_type to have at most 1 parameters
llvm.func @g(i32, ...)
llvm.func @f(%p: i32) { llvm.call @g(%p) vararg(!llvm.func<void (i32, i32, ...)>) : (i32) -> () llvm.return }
// -----
// error: 'llvm.call' op var_callee_type parameter type mismatch: 'i64' != 'i32'
llvm.func @g(i32, ...)
llvm.func @f(%p: i32) { llvm.call @g(%p) vararg(!llvm.func<void (i64, ...)>) : (i32) -> () llvm.return }
// -----
// error: 'llvm.call' op expected var_callee_type to return void
llvm.func @g(i32, ...)
llvm.func @f(%p: i32) { llvm.call @g(%p) vararg(!llvm.func<i32 (i32, ...)>) : (i32) -> () llvm.return }
// -----
// error: 'llvm.call' op var_callee_type return type mismatch: 'i64' != 'i32'
llvm.func @g(i32, ...) -> i32
llvm.func @f(%p: i32) { %0 = llvm.call @g(%p) vararg(!llvm.func<i64 (i32, ...)>) : (i32) -> i32 llvm.return }
// -----
// error: 'llvm.call' op 'g' does not reference a valid LLVM function or IFunc
llvm.mlir.global external @g() : i32
llvm.func @f() { llvm.call @g() : () -> () llvm.return }
// -----
// error: 'llvm.getelementptr' op expected index 1 indexing a struct to be constant
llvm.func @f(%p: !llvm.ptr, %i: i32) { %0 = llvm.getelementptr %p[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32)> llvm.return }
// -----
// error: 'llvm.getelementptr' op index 2 indexing a struct is out of bounds
llvm.func @f(%p: !llvm.ptr) { %0 = llvm.getelementptr %p[0, 0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x struct<(i32)>> llvm.return }
// -----
// error: 'llvm.getelementptr' op type 'i32' cannot be indexed (index #1)
llvm.func @f(%p: !llvm.ptr) { %0 = llvm.getelementptr %p[0, 0] : (!llvm.ptr) -> !llvm.ptr, i32 llvm.return }
// -----
// error: 'llvm.getelementptr' op 'inbounds_flag' cannot be used directly.
llvm.func @f(%p: !llvm.ptr) { %0 = llvm.getelementptr inbounds_flag %p[0] : (!llvm.ptr) -> !llvm.ptr, i32 llvm.return }
// -----
// error: 'llvm.load' op unsupported type 'vector<2xi32>' for atomic access
llvm.func @f(%p: !llvm.ptr) { %0 = llvm.load %p atomic monotonic {alignment = 8 : i64} : !llvm.ptr -> vector<2xi32> llvm.return }
// -----
// error: 'llvm.atomicrmw' op expected LLVM IR integer type
llvm.func @f(%p: !llvm.ptr, %v: i128) { %0 = llvm.atomicrmw add %p, %v monotonic : !llvm.ptr, i128 llvm.return }
// -----
// error: 'llvm.dso_local_equivalent' op must reference a global defined by 'llvm.func' or 'llvm.mlir.alias'
module { llvm.func @f() { %0 = llvm.dso_local_equivalent @g : !llvm.ptr llvm.return } }
// -----
// error: 'llvm.dso_local_equivalent' op must reference an alias to a function
llvm.mlir.global external @v() : i32
llvm.mlir.alias external @a : i32 { %0 = llvm.mlir.addressof @v : !llvm.ptr llvm.return %0 : !llvm.ptr }
llvm.func @f() { %0 = llvm.dso_local_equivalent @a : !llvm.ptr llvm.return }
// -----
// error: 'llvm.dso_local_equivalent' op target function with 'extern_weak' linkage not allowed
llvm.func extern_weak @g()
llvm.func @f() { %0 = llvm.dso_local_equivalent @g : !llvm.ptr llvm.return }
// -----
// error: 'llvm.intr.sincos' op expected result type to be an homogeneous struct with two elements matching the operand type, but got 'f32'
llvm.func @f(%x: f32) { %0 = llvm.intr.sincos(%x) : (f32) -> f32 llvm.return }
// -----
// error: 'llvm.intr.masked.gather' op expected operand #1 type to be 'vector<8x!llvm.ptr>'
llvm.func @f(%p: vector<4x!llvm.ptr>, %m: vector<4xi1>) { %0 = llvm.intr.masked.gather %p, %m {alignment = 1 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>) -> vector<8xf32> llvm.return }
// -----
// error: 'llvm.linker_options' op must appear at the module level
llvm.func @f() { llvm.linker_options ["-lm"] llvm.return }
// -----
// error: 'llvm.module_flags' op must appear at the module level
llvm.func @f() { llvm.module_flags [] llvm.return }
// -----
// error: data element must be symbol or #llvm.zero
llvm.func @f() { llvm.return }
llvm.mlir.global_ctors ctors = [@f], priorities = [1 : i32], data = [1 : i32]
// -----
// error: dtors, priorities, and data must have the same number of elements
llvm.func @f() { llvm.return }
llvm.mlir.global_dtors dtors = [@f], priorities = [], data = []
// -----
// error: 'llvm.mlir.global_ctors' op 'g' does not reference a valid LLVM function
module { llvm.mlir.global_ctors ctors = [@g], priorities = [1 : i32], data = [#llvm.zero] }
// -----
// error: 'llvm.mlir.global_ctors' op 'g' does not have a definition
llvm.func @g()
llvm.mlir.global_ctors ctors = [@g], priorities = [1 : i32], data = [#llvm.zero]
// -----
// error: input and output vectors are of incompatible shape
llvm.func @f(%x: vector<[4]xi1>) { %0 = llvm.zext %x : vector<[4]xi1> to vector<4xi32> llvm.return }
// -----
// error: 'llvm.func' op functions cannot have 'common' linkage
llvm.func common @f()
// -----
// error: expected comdat symbol
llvm.func @f() comdat(@a::@b) { llvm.return }
// -----
// error: no_inline and always_inline attributes are incompatible
llvm.func @f() attributes {no_inline, always_inline} { llvm.return }
// -----
// error: 'llvm.func' op with optimize_none must also be no_inline
llvm.func @f() attributes {optimize_none} { llvm.return }
// -----
// error: 'llvm.mlir.global' op requires an i8 array type of the length equal to that of the string attribute
llvm.mlir.global internal @s("abc") : !llvm.array<4 x i8>
// -----
// error: 'llvm.mlir.global' op expected zero value for 'common' linkage
llvm.mlir.global common @s(dense<[0, 1]> : tensor<2xi32>) : !llvm.array<2 x i32>
// -----
// error: alignment attribute is not a power of 2
llvm.mlir.global external @s() {alignment = 3 : i64} : i32
// -----
// error: 'llvm.mlir.global' op initializer region cannot return void
llvm.mlir.global external @s() : i32 { llvm.return }
// -----
// error: 'llvm.mlir.global' op initializer region type 'i64' does not match global type 'i32'
llvm.mlir.global external @s() : i32 { %0 = llvm.mlir.zero : i64 llvm.return %0 : i64 }
// -----
// error: ops with side effects not allowed in global initializers
llvm.mlir.global external @s() : i32 { %p = llvm.mlir.zero : !llvm.ptr %0 = llvm.load %p : !llvm.ptr -> i32 llvm.return %0 : i32 }
// -----
// error: 'llvm.mlir.alias' op expects type to be a valid element type for an LLVM global alias
llvm.mlir.alias external @a : !llvm.void { %0 = llvm.mlir.zero : !llvm.ptr llvm.return %0 : !llvm.ptr }
// -----
// error: 'llvm.mlir.alias' op 'common' linkage not supported in aliases, available options: private, internal, linkonce, weak, linkonce_odr, weak_odr, external or available_externally
llvm.mlir.alias common @a : i32 { %0 = llvm.mlir.zero : !llvm.ptr llvm.return %0 : !llvm.ptr }
// -----
// error: 'llvm.mlir.alias' op initializer region must always return a pointer
llvm.mlir.alias external @a : i32 { llvm.return }
// -----
// error: 'llvm.mlir.ifunc' op 'common' linkage not supported in ifuncs, available options: private, internal, linkonce, weak, linkonce_odr, weak_odr, or external linkage
llvm.func @r() -> !llvm.ptr { %0 = llvm.mlir.zero : !llvm.ptr llvm.return %0 : !llvm.ptr }
llvm.mlir.ifunc common @i : !llvm.func<void ()>, !llvm.ptr @r
// -----
// error: 'llvm.inline_asm' op tail call kind 'musttail' is not supported by this operation
llvm.func @f() { llvm.inline_asm tail_call_kind = <musttail> "nop", "" : () -> () llvm.return }
// -----
// error: first operation in unwind destination should be a llvm.landingpad operation
llvm.func @f(%p: !llvm.ptr) { llvm.invoke %p() to ^bb1 unwind ^bb1 : !llvm.ptr, () -> ()
^bb1: llvm.return }
// -----
// error: llvm.landingpad needs to be in a function with a personality
llvm.func @f(%p: !llvm.ptr) { llvm.invoke %p() to ^bb1 unwind ^bb2 : !llvm.ptr, () -> ()
^bb1: llvm.return
^bb2: %0 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
llvm.return }
// -----
// error: landingpad instruction expects at least one clause or cleanup attribute
module { llvm.func @pers(...) -> i32
llvm.func @f(%p: !llvm.ptr) attributes {personality = @pers} { llvm.invoke %p() to ^bb1 unwind ^bb2 : !llvm.ptr, () -> ()
^bb1: llvm.return
^bb2: %0 = llvm.landingpad : !llvm.struct<(ptr, i32)>
llvm.return } }
// -----
// error: clause #0 is not a known constant - null, addressof, bitcast
module { llvm.func @pers(...) -> i32
llvm.func @f(%p: !llvm.ptr) attributes {personality = @pers} { llvm.invoke %p() to ^bb1 unwind ^bb2 : !llvm.ptr, () -> ()
^bb1: llvm.return
^bb2: %0 = llvm.landingpad (catch %p : !llvm.ptr) : !llvm.struct<(ptr, i32)>
llvm.return } }
// -----
// error: 'llvm.resume' should have a consistent input type inside a function
module { llvm.func @pers(...) -> i32
llvm.func @f(%p: !llvm.ptr) attributes {personality = @pers} { llvm.invoke %p() to ^bb1 unwind ^bb2 : !llvm.ptr, () -> ()
^bb1: llvm.return
^bb2: %0 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
llvm.resume %p : !llvm.ptr } }
