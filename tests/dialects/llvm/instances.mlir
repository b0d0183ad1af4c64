"llvm.add"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.add"(%0, %1) <{overflowFlags = #llvm.overflow<nsw>}> : (i32, i32) -> i32
// -----
"llvm.sub"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.sub"(%0, %1) <{overflowFlags = #llvm.overflow<nsw>}> : (i32, i32) -> i32
// -----
"llvm.mul"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.mul"(%0, %1) <{overflowFlags = #llvm.overflow<nsw>}> : (i32, i32) -> i32
// -----
"llvm.shl"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.shl"(%0, %1) <{overflowFlags = #llvm.overflow<nsw>}> : (i32, i32) -> i32
// -----
"llvm.udiv"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.udiv"(%0, %1) <{isExact}> : (i32, i32) -> i32
// -----
"llvm.sdiv"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.sdiv"(%0, %1) <{isExact}> : (i32, i32) -> i32
// -----
"llvm.urem"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.srem"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.and"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.or"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.or"(%0, %1) <{isDisjoint}> : (i32, i32) -> i32
// -----
"llvm.xor"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.lshr"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.lshr"(%0, %1) <{isExact}> : (i32, i32) -> i32
// -----
"llvm.ashr"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.ashr"(%0, %1) <{isExact}> : (i32, i32) -> i32
// -----
"llvm.fadd"(%0, %1) <{fastmathFlags = #llvm.fastmath<fast>}> : (f32, f32) -> f32
// -----
"llvm.fadd"(%0, %1) <{fastmathFlags = #llvm.fastmath<none>}> : (vector<[4]xf64>, vector<[4]xf64>) -> vector<[4]xf64>
// -----
"llvm.fsub"(%0, %1) : (f32, f32) -> f32
// -----
"llvm.fsub"(%0, %1) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32) -> f32
// -----
"llvm.fmul"(%0, %1) : (f32, f32) -> f32
// -----
"llvm.fmul"(%0, %1) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32) -> f32
// -----
"llvm.fdiv"(%0, %1) : (f32, f32) -> f32
// -----
"llvm.fdiv"(%0, %1) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32) -> f32
// -----
"llvm.frem"(%0, %1) : (f32, f32) -> f32
// -----
"llvm.frem"(%0, %1) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32) -> f32
// -----
"llvm.fneg"(%0) : (f32) -> f32
// -----
"llvm.fneg"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.icmp"(%0, %1) <{predicate = 2 : i64}> : (vector<4xi32>, vector<4xi32>) -> vector<4xi1>
// -----
"llvm.icmp"(%0, %1) <{predicate = 0 : i64}> : (!llvm.ptr, !llvm.ptr) -> i1
// -----
"llvm.fcmp"(%0, %1) <{fastmathFlags = #llvm.fastmath<none>, predicate = 14 : i64}> : (f64, f64) -> i1
// -----
"llvm.select"(%0, %1, %2) <{fastmathFlags = #llvm.fastmath<none>}> : (vector<4xi1>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// -----
"llvm.freeze"(%0) : (i32) -> i32
// -----
"llvm.trunc"(%0) <{overflowFlags = #llvm.overflow<nsw, nuw>}> : (i64) -> i32
// -----
"llvm.zext"(%0) <{nonNeg}> : (i32) -> i64
// -----
"llvm.zext"(%0) : (vector<4xi8>) -> vector<4xi32>
// -----
"llvm.sext"(%0) : (i32) -> i64
// -----
"llvm.uitofp"(%0) : (i32) -> f32
// -----
"llvm.uitofp"(%0) <{nonNeg}> : (i32) -> f32
// -----
"llvm.sitofp"(%0) : (i32) -> f32
// -----
"llvm.fptoui"(%0) : (f32) -> i32
// -----
"llvm.fptosi"(%0) : (f32) -> i32
// -----
"llvm.fptrunc"(%0) : (f32) -> f16
// -----
"llvm.fpext"(%0) : (vector<2xbf16>) -> vector<2xf32>
// -----
"llvm.bitcast"(%0) : (i32) -> f32
// -----
"llvm.bitcast"(%0) : (vector<2xi16>) -> i32
// -----
"llvm.addrspacecast"(%0) : (!llvm.ptr) -> !llvm.ptr<3>
// -----
"llvm.ptrtoint"(%0) : (!llvm.ptr<3>) -> i64
// -----
"llvm.inttoptr"(%0) <{dereferenceable = #llvm.dereferenceable<bytes = 16>}> : (i64) -> !llvm.ptr
// -----
"llvm.extractelement"(%0, %1) : (vector<4xf32>, i32) -> f32
// -----
"llvm.insertelement"(%0, %1, %2) : (vector<4xf32>, f32, i64) -> vector<4xf32>
// -----
"llvm.shufflevector"(%0, %1) <{mask = array<i32: 0, 5, -1>}> : (vector<4xf32>, vector<4xf32>) -> vector<3xf32>
// -----
"llvm.extractvalue"(%0) <{position = array<i64: 1>}> : (!llvm.struct<(i32, f32)>) -> f32
// -----
"llvm.extractvalue"(%0) <{position = array<i64: 1, 0>}> : (!llvm.struct<(i32, array<4 x i8>)>) -> i8
// -----
"llvm.insertvalue"(%0, %1) <{position = array<i64: 1>}> : (!llvm.struct<packed (i32, f32)>, f32) -> !llvm.struct<packed (i32, f32)>
// -----
"llvm.mlir.constant"() <{value = 7 : i32}> : () -> i32
// -----
"llvm.mlir.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
// -----
"llvm.mlir.constant"() <{value = dense<1> : vector<4xi32>}> : () -> vector<4xi32>
// -----
"llvm.mlir.constant"() <{value = "abc"}> : () -> !llvm.array<3 x i8>
// -----
"llvm.mlir.constant"() <{value = true}> : () -> i1
// -----
"llvm.mlir.undef"() : () -> !llvm.struct<(ptr, ptr<3>, i64, array<2 x i64>)>
// -----
"llvm.mlir.poison"() : () -> !llvm.struct<"pair", (i32, ptr)>
// -----
"llvm.mlir.zero"() : () -> !llvm.ptr<3>
// -----
"llvm.mlir.none"() : () -> !llvm.token
// -----
"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = 3 : i32, alignment = 16 : i64, global_type = !llvm.array<0 x i8>, linkage = #llvm.linkage<external>, sym_name = "shared", visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "g", visibility_ = 0 : i64}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @shared}> : () -> !llvm.ptr<3>
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "f", visibility_ = 0 : i64}> ({}) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "g", visibility_ = 0 : i64}> ({
    %0 = "llvm.dso_local_equivalent"() <{function_name = @f}> : () -> !llvm.ptr
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"llvm.alloca"(%0) <{alignment = 16 : i64, elem_type = !llvm.array<4 x f32>, inalloca}> : (i64) -> !llvm.ptr<5>
// -----
"llvm.alloca"(%0) <{elem_type = i8}> : (i32) -> !llvm.ptr
// -----
"llvm.load"(%0) <{alignment = 4 : i64, ordering = 4 : i64, syncscope = "agent"}> : (!llvm.ptr<1>) -> i32
// -----
"llvm.load"(%0) <{dereferenceable = #llvm.dereferenceable<bytes = 8, mayBeNull = true>, ordering = 0 : i64}> : (!llvm.ptr) -> !llvm.ptr
// -----
"llvm.load"(%0) <{alias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d", description = "all">>], invariant, invariantGroup, nontemporal, noalias_scopes = [], ordering = 0 : i64, tbaa = [#llvm.tbaa_tag<base_type = <id = "int", members = {<#llvm.tbaa_root<id = "C">, 0>}>, access_type = <id = "int", members = {<#llvm.tbaa_root<id = "C">, 0>}>, offset = 0>], volatile_}> : (!llvm.ptr) -> vector<4xf32>
// -----
"llvm.store"(%0, %1) <{alignment = 4 : i64, ordering = 5 : i64}> : (i32, !llvm.ptr<3>) -> ()
// -----
"llvm.store"(%0, %1) <{invariantGroup, nontemporal, ordering = 0 : i64, volatile_}> : (vector<4xf32>, !llvm.ptr) -> ()
// -----
"llvm.getelementptr"(%0, %1) <{elem_type = !llvm.struct<(i32, array<4 x f32>)>, noWrapFlags = 3 : i32, rawConstantIndices = array<i32: 0, 1, -2147483648>}> : (!llvm.ptr, i64) -> !llvm.ptr
// -----
"llvm.getelementptr"(%0) <{elem_type = i8, noWrapFlags = 0 : i32, rawConstantIndices = array<i32: 4>}> : (!llvm.ptr<3>) -> !llvm.ptr<3>
// -----
"llvm.atomicrmw"(%0, %1) <{bin_op = 11 : i64, ordering = 6 : i64, syncscope = "device"}> : (!llvm.ptr<1>, f32) -> f32
// -----
"llvm.atomicrmw"(%0, %1) <{bin_op = 0 : i64, ordering = 2 : i64, volatile_}> : (!llvm.ptr, i64) -> i64
// -----
"llvm.atomicrmw"(%0, %1) <{bin_op = 11 : i64, ordering = 2 : i64}> : (!llvm.ptr, vector<2xf16>) -> vector<2xf16>
// -----
"llvm.cmpxchg"(%0, %1, %2) <{failure_ordering = 4 : i64, success_ordering = 6 : i64, weak}> : (!llvm.ptr, i32, i32) -> !llvm.struct<(i32, i1)>
// -----
"llvm.fence"() <{ordering = 7 : i64, syncscope = "agent"}> : () -> ()
// -----
"llvm.va_arg"(%0) : (!llvm.ptr) -> i32
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "g", visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32):
    "llvm.br"(%arg0)[^bb1] <{loop_annotation = #llvm.loop_annotation<unroll = <disable = true, count = 4 : i32>, mustProgress = true>}> : (i32) -> ()
  ^bb1(%0: i32):
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i1, i32)>, linkage = #llvm.linkage<external>, sym_name = "g", visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i1, %arg1: i32):
    "llvm.cond_br"(%arg0, %arg1)[^bb1, ^bb2] <{branch_weights = array<i32: 9, 1>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()
  ^bb1(%0: i32):
    "llvm.return"() : () -> ()
  ^bb2:
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "g", visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32):
    "llvm.switch"(%arg0, %arg0, %arg0)[^bb1, ^bb1, ^bb2] <{branch_weights = array<i32: 1, 2, 3>, case_operand_segments = array<i32: 1, 0>, case_values = dense<[3, 4]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (i32, i32, i32) -> ()
  ^bb1(%0: i32):
    "llvm.return"() : () -> ()
  ^bb2:
    "llvm.unreachable"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "g", visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32):
    "llvm.return"(%arg0) : (i32) -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "g", visibility_ = 0 : i64}> ({
    "llvm.unreachable"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "f", visibility_ = 0 : i64}> ({}) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "g", visibility_ = 0 : i64}> ({
    "llvm.call"() <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<tail>, callee = @f, convergent, fastmathFlags = #llvm.fastmath<none>, no_unwind, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr, i32)>, linkage = #llvm.linkage<external>, sym_name = "g", visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: i32):
    %0 = "llvm.call"(%arg0, %arg1) <{CConv = #llvm.cconv<fastcc>, TailCallKind = #llvm.tailcallkind<none>, fastmathFlags = #llvm.fastmath<none>, memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, op_bundle_sizes = array<i32: 1>, op_bundle_tags = ["tag"], operandSegmentSizes = array<i32: 1, 1>, var_callee_type = !llvm.func<i32 (...)>}> : (!llvm.ptr, i32) -> i32
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"llvm.call_intrinsic"(%0, %1) <{fastmathFlags = #llvm.fastmath<none>, intrin = "llvm.nvvm.fmax.f", op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 2, 0>}> : (f32, f32) -> f32
// -----
"llvm.inline_asm"(%0, %1) <{asm_dialect = 0 : i64, asm_string = "add.u32 $0, $1, $2;", constraints = "=r,r,r", has_side_effects, is_align_stack}> : (i32, i32) -> i32
// -----
"llvm.inline_asm"() <{asm_string = "nop", constraints = ""}> : () -> ()
// -----
"llvm.resume"(%0) : (i32) -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "f", visibility_ = 0 : i64}> ({}) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, alignment = 16 : i64, always_inline, arg_attrs = [{llvm.align = 16 : i64, llvm.noalias}, {}], dso_local, frame_pointer = #llvm.framePointerKind<"non-leaf">, memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_infs_fp_math = true, no_unwind, passthrough = ["nounwind", ["nvvm.maxntid", "128"]], target_cpu = "sm_90", target_features = #llvm.target_features<["+ptx80"]>, unnamed_addr = 1 : i64, uwtable_kind = #llvm.uwtableKind<sync>, vec_type_hint = #llvm.vec_type_hint<hint = i32, is_signed = true>, vscale_range = #llvm.vscale_range<minRange = 1 : i32, maxRange = 16 : i32>, function_type = !llvm.func<void (ptr, i32)>, linkage = #llvm.linkage<external>, sym_name = "g", visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: i32):
    "llvm.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = 3 : i32, alignment = 16 : i64, global_type = !llvm.array<0 x i8>, linkage = #llvm.linkage<external>, sym_name = "shared", visibility_ = 0 : i64}> ({
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = 0 : i32, constant, dso_local, global_type = i32, linkage = #llvm.linkage<internal>, section = ".data", sym_name = "c", thread_local_, unnamed_addr = 2 : i64, value = 7 : i32, visibility_ = 1 : i64}> ({
  }) : () -> ()
  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = !llvm.ptr, linkage = #llvm.linkage<weak_odr>, sym_name = "p", visibility_ = 0 : i64}> ({
    %0 = "llvm.mlir.zero"() : () -> !llvm.ptr
    "llvm.return"(%0) : (!llvm.ptr) -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "f", visibility_ = 0 : i64}> ({
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.mlir.global_ctors"() <{ctors = [@f], data = [#llvm.zero], priorities = [1 : i32]}> : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "f", visibility_ = 0 : i64}> ({
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.mlir.global_dtors"() <{data = [#llvm.zero], dtors = [@f], priorities = [1 : i32]}> : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.comdat"() <{sym_name = "all"}> ({
    "llvm.comdat_selector"() <{comdat = 0 : i64, sym_name = "any"}> : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.comdat"() <{sym_name = "all"}> ({
    "llvm.comdat_selector"() <{comdat = 4 : i64, sym_name = "size"}> : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "f", visibility_ = 0 : i64}> ({}) : () -> ()
  "llvm.mlir.alias"() <{alias_type = !llvm.func<void ()>, dso_local, linkage = #llvm.linkage<external>, sym_name = "second", visibility_ = 0 : i64}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @f}> : () -> !llvm.ptr
    "llvm.return"(%0) : (!llvm.ptr) -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<ptr ()>, linkage = #llvm.linkage<external>, sym_name = "g", visibility_ = 0 : i64}> ({
    "llvm.unreachable"() : () -> ()
  }) : () -> ()
  "llvm.mlir.ifunc"() <{address_space = 0 : i32, i_func_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, resolver = @g, resolver_type = !llvm.ptr, sym_name = "i", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> : () -> ()
}) : () -> ()
// -----
"llvm.module_flags"() <{flags = [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, #llvm.mlir.module_flag<append_unique, "key", "text">]}> : () -> ()
// -----
"llvm.linker_options"() <{options = ["-lm", "-lc"]}> : () -> ()
// -----
"llvm.intr.ceil"(%0) : (f32) -> f32
// -----
"llvm.intr.ceil"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.cos"(%0) : (f32) -> f32
// -----
"llvm.intr.cos"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.cosh"(%0) : (f32) -> f32
// -----
"llvm.intr.cosh"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.exp"(%0) : (f32) -> f32
// -----
"llvm.intr.exp"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.exp10"(%0) : (f32) -> f32
// -----
"llvm.intr.exp10"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.exp2"(%0) : (f32) -> f32
// -----
"llvm.intr.exp2"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.fabs"(%0) : (f32) -> f32
// -----
"llvm.intr.fabs"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.floor"(%0) : (f32) -> f32
// -----
"llvm.intr.floor"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.log"(%0) : (f32) -> f32
// -----
"llvm.intr.log"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.log10"(%0) : (f32) -> f32
// -----
"llvm.intr.log10"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.log2"(%0) : (f32) -> f32
// -----
"llvm.intr.log2"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.nearbyint"(%0) : (f32) -> f32
// -----
"llvm.intr.nearbyint"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.rint"(%0) : (f32) -> f32
// -----
"llvm.intr.rint"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.round"(%0) : (f32) -> f32
// -----
"llvm.intr.round"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.roundeven"(%0) : (f32) -> f32
// -----
"llvm.intr.roundeven"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.sin"(%0) : (f32) -> f32
// -----
"llvm.intr.sin"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.sinh"(%0) : (f32) -> f32
// -----
"llvm.intr.sinh"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.sqrt"(%0) : (f32) -> f32
// -----
"llvm.intr.sqrt"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.tan"(%0) : (f32) -> f32
// -----
"llvm.intr.tan"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.tanh"(%0) : (f32) -> f32
// -----
"llvm.intr.tanh"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.trunc"(%0) : (f32) -> f32
// -----
"llvm.intr.trunc"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.acos"(%0) : (f32) -> f32
// -----
"llvm.intr.acos"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.asin"(%0) : (f32) -> f32
// -----
"llvm.intr.asin"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.atan"(%0) : (f32) -> f32
// -----
"llvm.intr.atan"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32) -> f32
// -----
"llvm.intr.atan2"(%0, %1) : (f32, f32) -> f32
// -----
"llvm.intr.atan2"(%0, %1) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32) -> f32
// -----
"llvm.intr.copysign"(%0, %1) : (f32, f32) -> f32
// -----
"llvm.intr.copysign"(%0, %1) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32) -> f32
// -----
"llvm.intr.maximum"(%0, %1) : (f32, f32) -> f32
// -----
"llvm.intr.maximum"(%0, %1) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32) -> f32
// -----
"llvm.intr.maxnum"(%0, %1) : (f32, f32) -> f32
// -----
"llvm.intr.maxnum"(%0, %1) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32) -> f32
// -----
"llvm.intr.minimum"(%0, %1) : (f32, f32) -> f32
// -----
"llvm.intr.minimum"(%0, %1) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32) -> f32
// -----
"llvm.intr.minnum"(%0, %1) : (f32, f32) -> f32
// -----
"llvm.intr.minnum"(%0, %1) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32) -> f32
// -----
"llvm.intr.pow"(%0, %1) : (f32, f32) -> f32
// -----
"llvm.intr.pow"(%0, %1) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32) -> f32
// -----
"llvm.intr.fma"(%0, %1, %2) <{fastmathFlags = #llvm.fastmath<ninf, contract>}> : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// -----
"llvm.intr.fmuladd"(%0, %1, %2) : (f32, f32, f32) -> f32
// -----
"llvm.intr.fmuladd"(%0, %1, %2) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, f32, f32) -> f32
// -----
"llvm.intr.ldexp"(%0, %1) : (f32, i32) -> i32
// -----
"llvm.intr.ldexp"(%0, %1) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, i32) -> i32
// -----
"llvm.intr.powi"(%0, %1) : (f32, i32) -> i32
// -----
"llvm.intr.powi"(%0, %1) <{fastmathFlags = #llvm.fastmath<nnan>}> : (f32, i32) -> i32
// -----
"llvm.intr.frexp"(%0) : (f32) -> !llvm.struct<(f32, i32)>
// -----
"llvm.intr.sincos"(%0) : (f32) -> !llvm.struct<(f32, f32)>
// -----
"llvm.intr.is.fpclass"(%0) <{bit = 3 : i32}> : (vector<4xf32>) -> vector<4xi1>
// -----
"llvm.intr.lrint"(%0) : (f32) -> i32
// -----
"llvm.intr.llrint"(%0) : (f32) -> i32
// -----
"llvm.intr.lround"(%0) : (f32) -> i32
// -----
"llvm.intr.llround"(%0) : (f32) -> i32
// -----
"llvm.intr.smax"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.smin"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.umax"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.umin"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.sadd.sat"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.uadd.sat"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.ssub.sat"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.usub.sat"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.sshl.sat"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.ushl.sat"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.sadd.with.overflow"(%0, %1) : (i32, i32) -> !llvm.struct<(i32, i1)>
// -----
"llvm.intr.uadd.with.overflow"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.ssub.with.overflow"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.usub.with.overflow"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.smul.with.overflow"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.umul.with.overflow"(%0, %1) : (vector<2xi32>, vector<2xi32>) -> !llvm.struct<(vector<2xi32>, vector<2xi1>)>
// -----
"llvm.intr.abs"(%0) <{is_int_min_poison = true}> : (i32) -> i32
// -----
"llvm.intr.bitreverse"(%0) : (i32) -> i32
// -----
"llvm.intr.bswap"(%0) : (i32) -> i32
// -----
"llvm.intr.ctpop"(%0) : (i32) -> i32
// -----
"llvm.intr.ctlz"(%0) <{is_zero_poison = true}> : (i32) -> i32
// -----
"llvm.intr.cttz"(%0) <{is_zero_poison = true}> : (i32) -> i32
// -----
"llvm.intr.fshl"(%0, %1, %2) : (i32, i32, i32) -> i32
// -----
"llvm.intr.fshr"(%0, %1, %2) : (i32, i32, i32) -> i32
// -----
"llvm.intr.scmp"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.ucmp"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.vector.reduce.add"(%0) : (vector<4xi32>) -> i32
// -----
"llvm.intr.vector.reduce.mul"(%0) : (vector<4xi32>) -> i32
// -----
"llvm.intr.vector.reduce.and"(%0) : (vector<4xi32>) -> i32
// -----
"llvm.intr.vector.reduce.or"(%0) : (vector<4xi32>) -> i32
// -----
"llvm.intr.vector.reduce.xor"(%0) : (vector<4xi32>) -> i32
// -----
"llvm.intr.vector.reduce.smax"(%0) : (vector<4xi32>) -> i32
// -----
"llvm.intr.vector.reduce.smin"(%0) : (vector<4xi32>) -> i32
// -----
"llvm.intr.vector.reduce.umax"(%0) : (vector<4xi32>) -> i32
// -----
"llvm.intr.vector.reduce.umin"(%0) : (vector<4xi32>) -> i32
// -----
"llvm.intr.vector.reduce.fadd"(%0, %1) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
// -----
"llvm.intr.vector.reduce.fmul"(%0, %1) : (f32, vector<4xf32>) -> f32
// -----
"llvm.intr.vector.reduce.fmax"(%0) : (vector<4xf32>) -> f32
// -----
"llvm.intr.vector.reduce.fmax"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (vector<4xf32>) -> f32
// -----
"llvm.intr.vector.reduce.fmin"(%0) : (vector<4xf32>) -> f32
// -----
"llvm.intr.vector.reduce.fmin"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (vector<4xf32>) -> f32
// -----
"llvm.intr.vector.reduce.fmaximum"(%0) : (vector<4xf32>) -> f32
// -----
"llvm.intr.vector.reduce.fmaximum"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (vector<4xf32>) -> f32
// -----
"llvm.intr.vector.reduce.fminimum"(%0) : (vector<4xf32>) -> f32
// -----
"llvm.intr.vector.reduce.fminimum"(%0) <{fastmathFlags = #llvm.fastmath<nnan>}> : (vector<4xf32>) -> f32
// -----
"llvm.intr.masked.load"(%0, %1) <{alignment = 1 : i32}> : (!llvm.ptr, vector<4xi1>) -> vector<4xi32>
// -----
"llvm.intr.masked.load"(%0, %1, %2) <{alignment = 1 : i32, nontemporal}> : (!llvm.ptr, vector<4xi1>, vector<4xi32>) -> vector<4xi32>
// -----
"llvm.intr.masked.store"(%0, %1, %2) <{alignment = 1 : i32}> : (vector<4xi32>, !llvm.ptr, vector<4xi1>) -> ()
// -----
"llvm.intr.masked.gather"(%0, %1, %2) <{alignment = 4 : i32}> : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// -----
"llvm.intr.masked.scatter"(%0, %1, %2) <{alignment = 1 : i32}> : (vector<4xi32>, vector<4x!llvm.ptr>, vector<4xi1>) -> ()
// -----
"llvm.intr.masked.expandload"(%0, %1, %2) : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// -----
"llvm.intr.masked.compressstore"(%0, %1, %2) : (vector<4xf32>, !llvm.ptr, vector<4xi1>) -> ()
// -----
"llvm.intr.vector.insert"(%0, %1) <{pos = 4 : i64}> : (vector<[8]xi32>, vector<4xi32>) -> vector<[8]xi32>
// -----
"llvm.intr.vector.extract"(%0) <{pos = 0 : i64}> : (vector<[8]xi32>) -> vector<4xi32>
// -----
"llvm.intr.vector.interleave2"(%0, %1) : (vector<4xi32>, vector<4xi32>) -> vector<8xi32>
// -----
"llvm.intr.vector.deinterleave2"(%0) : (vector<8xi32>) -> !llvm.struct<(vector<4xi32>, vector<4xi32>)>
// -----
"llvm.intr.stepvector"() : () -> vector<[4]xi32>
// -----
"llvm.intr.vscale"() : () -> i32
// -----
"llvm.intr.get.active.lane.mask"(%0, %1) : (i64, i64) -> vector<8xi1>
// -----
"llvm.intr.matrix.column.major.load"(%0, %1) <{columns = 2 : i32, isVolatile = false, rows = 2 : i32}> : (!llvm.ptr, i64) -> vector<4xf32>
// -----
"llvm.intr.matrix.column.major.store"(%0, %1, %2) <{columns = 2 : i32, isVolatile = true, rows = 2 : i32}> : (vector<4xf32>, !llvm.ptr, i64) -> ()
// -----
"llvm.intr.matrix.multiply"(%0, %1) <{lhs_columns = 2 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// -----
"llvm.intr.matrix.transpose"(%0) <{columns = 2 : i32, rows = 2 : i32}> : (vector<4xf32>) -> vector<4xf32>
// -----
"llvm.intr.memcpy"(%0, %1, %2) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
// -----
"llvm.intr.memcpy"(%0, %1, %2) <{access_groups = [], alias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], arg_attrs = [], isVolatile = true, noalias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], res_attrs = [], tbaa = []}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
// -----
"llvm.intr.memcpy.inline"(%0, %1) <{isVolatile = true, len = 16 : i64}> : (!llvm.ptr, !llvm.ptr) -> ()
// -----
"llvm.intr.memcpy.inline"(%0, %1) <{access_groups = [], alias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], arg_attrs = [], isVolatile = true, len = 16 : i64, noalias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], res_attrs = [], tbaa = []}> : (!llvm.ptr, !llvm.ptr) -> ()
// -----
"llvm.intr.memmove"(%0, %1, %2) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
// -----
"llvm.intr.memmove"(%0, %1, %2) <{access_groups = [], alias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], arg_attrs = [], isVolatile = true, noalias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], res_attrs = [], tbaa = []}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
// -----
"llvm.intr.memset"(%0, %1, %2) <{isVolatile = true}> : (!llvm.ptr, i8, i32) -> ()
// -----
"llvm.intr.memset"(%0, %1, %2) <{access_groups = [], alias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], arg_attrs = [], isVolatile = true, noalias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], res_attrs = [], tbaa = []}> : (!llvm.ptr, i8, i32) -> ()
// -----
"llvm.intr.memset.inline"(%0, %1) <{isVolatile = true, len = 16 : i64}> : (!llvm.ptr, i8) -> ()
// -----
"llvm.intr.memset.inline"(%0, %1) <{access_groups = [], alias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], arg_attrs = [], isVolatile = true, len = 16 : i64, noalias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], res_attrs = [], tbaa = []}> : (!llvm.ptr, i8) -> ()
// -----
"llvm.intr.lifetime.start"(%0) : (!llvm.ptr) -> ()
// -----
"llvm.intr.lifetime.end"(%0) : (!llvm.ptr) -> ()
// -----
"llvm.intr.invariant.start"(%0) <{size = 1 : i64}> : (!llvm.ptr) -> !llvm.ptr
// -----
"llvm.intr.invariant.end"(%0, %1) <{size = 1 : i64}> : (!llvm.ptr, !llvm.ptr) -> ()
// -----
"llvm.intr.launder.invariant.group"(%0) : (!llvm.ptr) -> !llvm.ptr
// -----
"llvm.intr.strip.invariant.group"(%0) : (!llvm.ptr) -> !llvm.ptr
// -----
"llvm.intr.prefetch"(%0) <{cache = 1 : i32, hint = 1 : i32, rw = 1 : i32}> : (!llvm.ptr) -> ()
// -----
"llvm.intr.stacksave"() : () -> i32
// -----
"llvm.intr.stackrestore"(%0) : (!llvm.ptr) -> ()
// -----
"llvm.intr.threadlocal.address"(%0) : (!llvm.ptr) -> i32
// -----
"llvm.intr.ptrmask"(%0, %1) : (!llvm.ptr, i32) -> !llvm.ptr
// -----
"llvm.intr.experimental.noalias.scope.decl"() <{scope = #llvm.alias_scope<id = "s", domain = <id = "d">>}> : () -> ()
// -----
"llvm.intr.assume"(%0) <{op_bundle_sizes = array<i32>}> : (i1) -> ()
// -----
"llvm.intr.assume"(%0, %1, %2) <{op_bundle_sizes = array<i32: 2>, op_bundle_tags = ["align"]}> : (i1, !llvm.ptr, i32) -> ()
// -----
"llvm.intr.expect"(%0, %1) : (i32, i32) -> i32
// -----
"llvm.intr.expect.with.probability"(%0, %1) <{prob = 5.000000e-01 : f64}> : (i32, i32) -> i32
// -----
"llvm.intr.is.constant"(%0) : (i32) -> i1
// -----
"llvm.intr.ssa.copy"(%0) : (i32) -> i32
// -----
"llvm.intr.annotation"(%0, %1, %2, %3) : (i32, !llvm.ptr, !llvm.ptr, i32) -> i32
// -----
"llvm.intr.ptr.annotation"(%0, %1, %2, %3, %4) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> !llvm.ptr
// -----
"llvm.intr.var.annotation"(%0, %1, %2, %3, %4) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> ()
// -----
"llvm.intr.trap"() : () -> ()
// -----
"llvm.intr.debugtrap"() : () -> ()
// -----
"llvm.intr.ubsantrap"() <{failureKind = 1 : i8}> : () -> ()
// -----
"llvm.intr.vastart"(%0) : (!llvm.ptr) -> ()
// -----
"llvm.intr.vacopy"(%0, %1) : (!llvm.ptr, !llvm.ptr) -> ()
// -----
"llvm.intr.vaend"(%0) : (!llvm.ptr) -> ()
// -----
"builtin.module"() ({
  "llvm.comdat"() <{sym_name = "__c"}> ({
    "llvm.comdat_selector"() <{comdat = 0 : i64, sym_name = "any"}> : () -> ()
  }) : () -> ()
  "llvm.mlir.global"() <{addr_space = 0 : i32, constant, global_type = !llvm.array<4 x i8>, linkage = #llvm.linkage<internal>, sym_name = "s", unnamed_addr = 0 : i64, value = "abc\00", visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.mlir.global"() <{addr_space = 3 : i32, constant, global_type = !llvm.array<5 x i8>, linkage = #llvm.linkage<private>, sym_name = "s2", unnamed_addr = 2 : i64, value = "hello", visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.mlir.global"() <{addr_space = 0 : i32, comdat = @__c::@any, global_type = !llvm.array<2 x f32>, linkage = #llvm.linkage<linkonce>, sym_name = "v", unnamed_addr = 0 : i64, value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.mlir.global"() <{addr_space = 0 : i32, global_type = i64, linkage = #llvm.linkage<external>, sym_name = "ext", thread_local_, unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.mlir.global"() <{addr_space = 0 : i32, alignment = 8 : i64, global_type = i32, linkage = #llvm.linkage<common>, sym_name = "cm", unnamed_addr = 1 : i64, value = 0 : i32, visibility_ = 2 : i64}> ({
  }) {my.attr} : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (ptr, ...)>, linkage = #llvm.linkage<external>, sym_name = "printf", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (...)>, linkage = #llvm.linkage<external>, sym_name = "printf2", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<fastcc>, arg_attrs = [{llvm.zeroext}, {}], comdat = @__c::@any, function_type = !llvm.func<i32 (i32, ptr)>, linkage = #llvm.linkage<internal>, passthrough = ["noinline"], res_attrs = [{llvm.signext}], sym_name = "h", sym_visibility = "private", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg7: i32, %arg8: !llvm.ptr):
    "llvm.return"(%arg7) : (i32) -> ()
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ptx_kernelcc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<weak>, sym_name = "k", unnamed_addr = 2 : i64, visibility_ = 1 : i64}> ({
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, arg_attrs = [{llvm.noundef}, {llvm.byval = i32, llvm.nocapture}], function_type = !llvm.func<struct<(i32, f32)> (i32, ptr<1>)>, linkage = #llvm.linkage<external>, sym_name = "decl", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (ptr, i64, i32, f32, i1, vector<4xf32>, vector<4xi64>)>, linkage = #llvm.linkage<external>, sym_name = "m", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: !llvm.ptr, %arg1: i64, %arg2: i32, %arg3: f32, %arg4: i1, %arg5: vector<4xf32>, %arg6: vector<4xi64>):
    %2 = "llvm.getelementptr"(%arg0, %arg1) <{elem_type = !llvm.struct<(i32, array<4 x f32>)>, noWrapFlags = 7 : i32, rawConstantIndices = array<i32: -2147483648, 1, 2>}> : (!llvm.ptr, i64) -> !llvm.ptr
    %3 = "llvm.getelementptr"(%arg0, %arg1) <{elem_type = f32, noWrapFlags = 6 : i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr, i64) -> !llvm.ptr
    %4 = "llvm.getelementptr"(%arg0) <{elem_type = f32, noWrapFlags = 4 : i32, rawConstantIndices = array<i32: -5>}> : (!llvm.ptr) -> !llvm.ptr
    %5 = "llvm.getelementptr"(%arg0, %arg6) <{elem_type = f32, noWrapFlags = 0 : i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>
    %6 = "llvm.add"(%arg2, %arg2) <{overflowFlags = 3 : i32}> : (i32, i32) -> i32
    %7 = "llvm.trunc"(%arg1) <{overflowFlags = 2 : i32}> : (i64) -> i32
    %8 = "llvm.fadd"(%arg3, %arg3) <{fastmathFlags = #llvm.fastmath<nnan, ninf>}> : (f32, f32) -> f32
    %9 = "llvm.fcmp"(%arg3, %arg3) <{fastmathFlags = #llvm.fastmath<fast>, predicate = 1 : i64}> : (f32, f32) -> i1
    %10 = "llvm.icmp"(%arg0, %arg0) <{predicate = 6 : i64}> : (!llvm.ptr, !llvm.ptr) -> i1
    %11 = "llvm.load"(%arg0) <{alignment = 4 : i64, invariantGroup, nontemporal, ordering = 4 : i64, syncscope = "device", volatile_}> : (!llvm.ptr) -> i32
    "llvm.store"(%arg2, %arg0) <{alignment = 4 : i64, ordering = 5 : i64, syncscope = "agent", volatile_}> : (i32, !llvm.ptr) -> ()
    %12 = "llvm.atomicrmw"(%arg0, %arg3) <{alignment = 8 : i64, bin_op = 11 : i64, ordering = 6 : i64, syncscope = "x", volatile_}> : (!llvm.ptr, f32) -> f32
    %13 = "llvm.atomicrmw"(%arg0, %arg2) <{bin_op = 6 : i64, ordering = 2 : i64}> : (!llvm.ptr, i32) -> i32
    %14 = "llvm.cmpxchg"(%arg0, %arg2, %arg2) <{failure_ordering = 2 : i64, success_ordering = 7 : i64, syncscope = "y", volatile_, weak}> : (!llvm.ptr, i32, i32) -> !llvm.struct<(i32, i1)>
    "llvm.fence"() <{ordering = 7 : i64, syncscope = "agent"}> : () -> ()
    "llvm.fence"() <{ordering = 5 : i64}> : () -> ()
    %15 = "llvm.call"(%arg2, %arg0) <{CConv = #llvm.cconv<fastcc>, TailCallKind = #llvm.tailcallkind<tail>, arg_attrs = [{llvm.noundef}, {}], callee = @h, fastmathFlags = #llvm.fastmath<fast>, no_inline, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 2, 0>, res_attrs = [{llvm.signext}]}> : (i32, !llvm.ptr) -> i32
    %16 = "llvm.call"(%arg0, %arg2, %arg2, %arg3) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, callee = @printf, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32: 0, 2>, op_bundle_tags = ["a", "b"], operandSegmentSizes = array<i32: 2, 2>, var_callee_type = !llvm.func<i32 (ptr, ...)>}> : (!llvm.ptr, i32, i32, f32) -> i32
    "llvm.call"(%arg0, %arg2) <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<none>, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 2, 0>}> : (!llvm.ptr, i32) -> ()
    "llvm.call"() <{CConv = #llvm.cconv<ccc>, TailCallKind = #llvm.tailcallkind<notail>, callee = @k, fastmathFlags = #llvm.fastmath<none>, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
    %17 = "llvm.call_intrinsic"(%arg2, %arg2) <{arg_attrs = [{llvm.noundef}], fastmathFlags = #llvm.fastmath<fast>, intrin = "llvm.x", op_bundle_sizes = array<i32: 1>, op_bundle_tags = ["t"], operandSegmentSizes = array<i32: 1, 1>}> : (i32, i32) -> i32
    "llvm.call_intrinsic"() <{fastmathFlags = #llvm.fastmath<none>, intrin = "llvm.y", op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
    %18 = "llvm.inline_asm"(%arg2) <{asm_dialect = 1 : i64, asm_string = "a $0", constraints = "=r,r", has_side_effects, is_align_stack, operand_attrs = [{elementtype = i32}], tail_call_kind = #llvm.tailcallkind<tail>}> : (i32) -> i32
    "llvm.inline_asm"() <{asm_dialect = 0 : i64, asm_string = "nop", constraints = "", tail_call_kind = #llvm.tailcallkind<none>}> : () -> ()
    %19 = "llvm.extractvalue"(%14) <{position = array<i64: 0>}> : (!llvm.struct<(i32, i1)>) -> i32
    %20 = "llvm.insertvalue"(%14, %arg2) <{position = array<i64: 0>}> : (!llvm.struct<(i32, i1)>, i32) -> !llvm.struct<(i32, i1)>
    %21 = "llvm.insertelement"(%arg5, %arg3, %arg2) : (vector<4xf32>, f32, i32) -> vector<4xf32>
    %22 = "llvm.extractelement"(%arg5, %arg2) : (vector<4xf32>, i32) -> f32
    %23 = "llvm.shufflevector"(%arg5, %arg5) <{mask = array<i32: 0, 1>}> : (vector<4xf32>, vector<4xf32>) -> vector<2xf32>
    "llvm.intr.assume"(%arg4, %arg0, %arg1) <{op_bundle_sizes = array<i32: 2>, op_bundle_tags = ["align"]}> : (i1, !llvm.ptr, i64) -> ()
    "llvm.intr.ubsantrap"() <{failureKind = 3 : i8}> : () -> ()
    %24 = "llvm.alloca"(%arg2) <{elem_type = i32, inalloca}> : (i32) -> !llvm.ptr
    %25 = "llvm.intr.expect.with.probability"(%arg2, %arg2) <{prob = 5.000000e-01 : f64}> : (i32, i32) -> i32
    %26 = "llvm.mlir.constant"() <{value = dense<1> : tensor<3xi32>}> : () -> !llvm.array<3 x i32>
    %27 = "llvm.mlir.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %28 = "llvm.mlir.constant"() <{value = "abc"}> : () -> !llvm.array<3 x i8>
    %29 = "llvm.mlir.constant"() <{value = [1 : i32, 2.000000e+00 : f32]}> : () -> !llvm.struct<(i32, f32)>
    %30 = "llvm.mlir.constant"() <{value = true}> : () -> i1
    %31 = "llvm.zext"(%arg2) <{nonNeg}> : (i32) -> i64
    %32 = "llvm.uitofp"(%arg2) <{nonNeg}> : (i32) -> f32
    %33 = "llvm.or"(%arg2, %arg2) <{isDisjoint}> : (i32, i32) -> i32
    %34 = "llvm.sdiv"(%arg2, %arg2) <{isExact}> : (i32, i32) -> i32
    %35 = "llvm.inttoptr"(%arg1) <{dereferenceable = #llvm.dereferenceable<bytes = 16, mayBeNull = true>}> : (i64) -> !llvm.ptr
    "llvm.switch"(%arg2)[^bb1] <{case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
  ^bb1:  // 4 preds: ^bb0, ^bb1, ^bb1, ^bb2
    "llvm.switch"(%arg1, %arg2)[^bb1, ^bb2, ^bb1] <{branch_weights = array<i32: 1, 2, 3>, case_operand_segments = array<i32: 1, 0>, case_values = dense<[-3, 7]> : vector<2xi64>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i64, i32) -> ()
  ^bb2(%36: i32):  // 2 preds: ^bb1, ^bb2
    "llvm.cond_br"(%arg4, %36)[^bb1, ^bb2] <{branch_weights = array<i32: 1, 2>, loop_annotation = #llvm.loop_annotation<disableNonforced = true>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i1, i32) -> ()
  }) : () -> ()
  "llvm.mlir.alias"() <{alias_type = i32, dso_local, linkage = #llvm.linkage<internal>, sym_name = "al", thread_local_, unnamed_addr = 2 : i64, visibility_ = 1 : i64}> ({
    %1 = "llvm.mlir.addressof"() <{global_name = @cm}> : () -> !llvm.ptr
    "llvm.return"(%1) : (!llvm.ptr) -> ()
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<ptr ()>, linkage = #llvm.linkage<external>, sym_name = "res", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
    %0 = "llvm.mlir.zero"() : () -> !llvm.ptr
    "llvm.return"(%0) : (!llvm.ptr) -> ()
  }) : () -> ()
  "llvm.mlir.ifunc"() <{address_space = 0 : i32, dso_local, i_func_type = !llvm.func<void ()>, linkage = #llvm.linkage<weak>, resolver = @res, resolver_type = !llvm.ptr, sym_name = "if", unnamed_addr = 2 : i64, visibility_ = 1 : i64}> : () -> ()
  "llvm.mlir.ifunc"() <{address_space = 0 : i32, i_func_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, resolver = @res, resolver_type = !llvm.ptr, sym_name = "if2", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (...)>, linkage = #llvm.linkage<external>, sym_name = "pers", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "foo", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "bar", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.mlir.global"() <{addr_space = 0 : i32, constant, global_type = !llvm.ptr, linkage = #llvm.linkage<external>, sym_name = "tid", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i32, ptr, i1)>, linkage = #llvm.linkage<external>, personality = @pers, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: i32, %arg1: !llvm.ptr, %arg2: i1):
    %0 = "llvm.mlir.addressof"() <{global_name = @tid}> : () -> !llvm.ptr
    %1 = "llvm.mlir.zero"() : () -> !llvm.ptr
    %2 = "llvm.mlir.undef"() : () -> !llvm.array<1 x ptr>
    %3 = "llvm.invoke"(%arg0, %arg0)[^bb1, ^bb2] <{CConv = #llvm.cconv<ccc>, arg_attrs = [{llvm.noundef}], callee = @foo, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, res_attrs = [{llvm.signext}]}> : (i32, i32) -> i32
  ^bb1(%4: i32):  // pred: ^bb0
    "llvm.invoke"(%arg1, %arg0, %arg0)[^bb3, ^bb2] <{CConv = #llvm.cconv<fastcc>, branch_weights = array<i32: 1, 2>, op_bundle_sizes = array<i32: 1>, op_bundle_tags = ["tag"], operandSegmentSizes = array<i32: 2, 0, 0, 1>}> : (!llvm.ptr, i32, i32) -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb1
    %5 = "llvm.landingpad"(%0, %2) <{cleanup}> : (!llvm.ptr, !llvm.array<1 x ptr>) -> !llvm.struct<(ptr, i32)>
    "llvm.resume"(%5) : (!llvm.struct<(ptr, i32)>) -> ()
  ^bb3:  // pred: ^bb1
    %6 = "llvm.invoke"()[^bb4, ^bb5] <{CConv = #llvm.cconv<ccc>, callee = @pers, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 0, 0, 0, 0>, var_callee_type = !llvm.func<i32 (...)>}> : () -> i32
  ^bb4:  // pred: ^bb3
    "llvm.return"(%6) : (i32) -> ()
  ^bb5:  // pred: ^bb3
    %7 = "llvm.landingpad"(%1) : (!llvm.ptr) -> !llvm.struct<(ptr, i32)>
    "llvm.return"(%arg0) : (i32) -> ()
  }) : () -> ()
}) : () -> ()

