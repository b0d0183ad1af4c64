module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.add %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.add %0, %1 overflow<nsw> : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.sub %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.sub %0, %1 overflow<nsw> : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.mul %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.mul %0, %1 overflow<nsw> : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.shl %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.shl %0, %1 overflow<nsw> : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.udiv %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.udiv exact %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.sdiv %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.sdiv exact %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.urem %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.srem %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.and %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.or %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.or disjoint %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.xor %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.lshr %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.lshr exact %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.ashr %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.ashr exact %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.fadd %0, %1 {fastmathFlags = #llvm.fastmath<fast>} : f32
}
// -----
module {
  %0 = "test.value"() : () -> vector<[4]xf64>
  %1 = "test.value"() : () -> vector<[4]xf64>
  %2 = llvm.fadd %0, %1 : vector<[4]xf64>
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.fsub %0, %1 : f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.fsub %0, %1 {fastmathFlags = #llvm.fastmath<nnan>} : f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.fmul %0, %1 : f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.fmul %0, %1 {fastmathFlags = #llvm.fastmath<nnan>} : f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.fdiv %0, %1 : f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.fdiv %0, %1 {fastmathFlags = #llvm.fastmath<nnan>} : f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.frem %0, %1 : f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.frem %0, %1 {fastmathFlags = #llvm.fastmath<nnan>} : f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.fneg %0 : f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.fneg %0 {fastmathFlags = #llvm.fastmath<nnan>} : f32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi32>
  %1 = "test.value"() : () -> vector<4xi32>
  %2 = llvm.icmp "slt" %0, %1 : vector<4xi32>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = llvm.icmp "eq" %0, %1 : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> f64
  %1 = "test.value"() : () -> f64
  %2 = llvm.fcmp "uno" %0, %1 : f64
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi1>
  %1 = "test.value"() : () -> vector<4xf32>
  %2 = "test.value"() : () -> vector<4xf32>
  %3 = llvm.select %0, %1, %2 : vector<4xi1>, vector<4xf32>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = llvm.freeze %0 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i64
  %1 = llvm.trunc %0 overflow<nsw, nuw> : i64 to i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = llvm.zext nneg %0 : i32 to i64
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi8>
  %1 = llvm.zext %0 : vector<4xi8> to vector<4xi32>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = llvm.sext %0 : i32 to i64
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = llvm.uitofp %0 : i32 to f32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = llvm.uitofp nneg %0 : i32 to f32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = llvm.sitofp %0 : i32 to f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.fptoui %0 : f32 to i32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.fptosi %0 : f32 to i32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.fptrunc %0 : f32 to f16
}
// -----
module {
  %0 = "test.value"() : () -> vector<2xbf16>
  %1 = llvm.fpext %0 : vector<2xbf16> to vector<2xf32>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = llvm.bitcast %0 : i32 to f32
}
// -----
module {
  %0 = "test.value"() : () -> vector<2xi16>
  %1 = llvm.bitcast %0 : vector<2xi16> to i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = llvm.addrspacecast %0 : !llvm.ptr to !llvm.ptr<3>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = llvm.ptrtoint %0 : !llvm.ptr<3> to i64
}
// -----
module {
  %0 = "test.value"() : () -> i64
  %1 = llvm.inttoptr %0 dereferenceable<bytes = 16> : i64 to !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "test.value"() : () -> i32
  %2 = llvm.extractelement %0[%1 : i32] : vector<4xf32>
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "test.value"() : () -> f32
  %2 = "test.value"() : () -> i64
  %3 = llvm.insertelement %1, %0[%2 : i64] : vector<4xf32>
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "test.value"() : () -> vector<4xf32>
  %2 = llvm.shufflevector %0, %1 [0, 5, -1] : vector<4xf32> 
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.struct<(i32, f32)>
  %1 = llvm.extractvalue %0[1] : !llvm.struct<(i32, f32)> 
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.struct<(i32, array<4 x i8>)>
  %1 = llvm.extractvalue %0[1, 0] : !llvm.struct<(i32, array<4 x i8>)> 
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.struct<packed (i32, f32)>
  %1 = "test.value"() : () -> f32
  %2 = llvm.insertvalue %1, %0[1] : !llvm.struct<packed (i32, f32)> 
}
// -----
module {
  %0 = llvm.mlir.constant(7 : i32) : i32
}
// -----
module {
  %0 = llvm.mlir.constant(1.000000e+00 : f32) : f32
}
// -----
module {
  %0 = llvm.mlir.constant(dense<1> : vector<4xi32>) : vector<4xi32>
}
// -----
module {
  %0 = llvm.mlir.constant("abc") : !llvm.array<3 x i8>
}
// -----
module {
  %0 = llvm.mlir.constant(true) : i1
}
// -----
module {
  %0 = llvm.mlir.undef : !llvm.struct<(ptr, ptr<3>, i64, array<2 x i64>)>
}
// -----
module {
  %0 = llvm.mlir.poison : !llvm.struct<"pair", (i32, ptr)>
}
// -----
module {
  %0 = llvm.mlir.zero : !llvm.ptr<3>
}
// -----
module {
  %0 = llvm.mlir.none : !llvm.token
}
// -----
module {
  llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.func @g() {
    %0 = llvm.mlir.addressof @shared : !llvm.ptr<3>
    llvm.return
  }
}
// -----
module {
  llvm.func @f()
  llvm.func @g() {
    %0 = llvm.dso_local_equivalent @f : !llvm.ptr
    llvm.return
  }
}
// -----
module {
  %0 = "test.value"() : () -> i64
  %1 = llvm.alloca inalloca %0 x !llvm.array<4 x f32> {alignment = 16 : i64} : (i64) -> !llvm.ptr<5>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = llvm.alloca %0 x i8 : (i32) -> !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<1>
  %1 = llvm.load %0 atomic syncscope("agent") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = llvm.load %0 dereferenceable<bytes = 8, mayBeNull = true> : !llvm.ptr -> !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = llvm.load volatile %0 invariant invariant_group {alias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d", description = "all">>], noalias_scopes = [], nontemporal, tbaa = [#llvm.tbaa_tag<base_type = <id = "int", members = {<#llvm.tbaa_root<id = "C">, 0>}>, access_type = <id = "int", members = {<#llvm.tbaa_root<id = "C">, 0>}>, offset = 0>]} : !llvm.ptr -> vector<4xf32>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> !llvm.ptr<3>
  llvm.store %0, %1 atomic release {alignment = 4 : i64} : i32, !llvm.ptr<3>
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "test.value"() : () -> !llvm.ptr
  llvm.store volatile %0, %1 invariant_group {nontemporal} : vector<4xf32>, !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i64
  %2 = llvm.getelementptr inbounds %0[0, 1, %1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, array<4 x f32>)>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<3>
  %1 = llvm.getelementptr %0[4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr<1>
  %1 = "test.value"() : () -> f32
  %2 = llvm.atomicrmw fadd %0, %1 syncscope("device") acq_rel : !llvm.ptr<1>, f32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i64
  %2 = llvm.atomicrmw volatile xchg %0, %1 monotonic : !llvm.ptr, i64
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> vector<2xf16>
  %2 = llvm.atomicrmw fadd %0, %1 monotonic : !llvm.ptr, vector<2xf16>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  %3 = llvm.cmpxchg weak %0, %1, %2 acq_rel acquire : !llvm.ptr, i32
}
// -----
module {
  llvm.fence syncscope("agent") seq_cst
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = llvm.va_arg %0 : (!llvm.ptr) -> i32
}
// -----
module {
  llvm.func @g(%arg0: i32) {
    llvm.br ^bb1(%arg0 : i32) {loop_annotation = #llvm.loop_annotation<unroll = <disable = true, count = 4 : i32>, mustProgress = true>}
  ^bb1(%0: i32):  // pred: ^bb0
    llvm.return
  }
}
// -----
module {
  llvm.func @g(%arg0: i1, %arg1: i32) {
    llvm.cond_br %arg0 weights([9, 1]), ^bb1(%arg1 : i32), ^bb2
  ^bb1(%0: i32):  // pred: ^bb0
    llvm.return
  ^bb2:  // pred: ^bb0
    llvm.return
  }
}
// -----
module {
  llvm.func @g(%arg0: i32) {
    llvm.switch %arg0 : i32, ^bb1(%arg0 : i32) [
      3: ^bb1(%arg0 : i32),
      4: ^bb2
    ] {branch_weights = array<i32: 1, 2, 3>}
  ^bb1(%0: i32):  // 2 preds: ^bb0, ^bb0
    llvm.return
  ^bb2:  // pred: ^bb0
    llvm.unreachable
  }
}
// -----
module {
  llvm.func @g(%arg0: i32) -> i32 {
    llvm.return %arg0 : i32
  }
}
// -----
module {
  llvm.func @g() {
    llvm.unreachable
  }
}
// -----
module {
  llvm.func @f()
  llvm.func @g() {
    llvm.call tail @f() {convergent, no_unwind} : () -> ()
    llvm.return
  }
}
// -----
module {
  llvm.func @g(%arg0: !llvm.ptr, %arg1: i32) {
    %0 = llvm.call fastcc %arg0() vararg(!llvm.func<i32 (...)>) ["tag"(%arg1 : i32)] {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} : !llvm.ptr, () -> i32
    llvm.return
  }
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.call_intrinsic "llvm.nvvm.fmax.f"(%0, %1) : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.inline_asm has_side_effects is_align_stack asm_dialect = att "add.u32 $0, $1, $2;", "=r,r,r" %0, %1 : (i32, i32) -> i32
}
// -----
module {
  llvm.inline_asm "nop", ""  : () -> ()
}
// -----
module {
  %0 = "test.value"() : () -> i32
  llvm.resume %0 : i32
}
// -----
module {
  llvm.func @f()
}
// -----
module {
  llvm.func local_unnamed_addr @g(%arg0: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias}, %arg1: i32) vscale_range(1, 16) attributes {alignment = 16 : i64, always_inline, dso_local, frame_pointer = #llvm.framePointerKind<"non-leaf">, memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_infs_fp_math = true, no_unwind, passthrough = ["nounwind", ["nvvm.maxntid", "128"]], target_cpu = "sm_90", target_features = #llvm.target_features<["+ptx80"]>, uwtable_kind = #llvm.uwtableKind<sync>, vec_type_hint = #llvm.vec_type_hint<hint = i32, is_signed = true>} {
    llvm.return
  }
}
// -----
module {
  llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
}
// -----
module {
  llvm.mlir.global internal hidden thread_local unnamed_addr constant @c(7 : i32) {addr_space = 0 : i32, dso_local, section = ".data"} : i32
  llvm.mlir.global weak_odr @p() {addr_space = 0 : i32} : !llvm.ptr {
    %0 = llvm.mlir.zero : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
}
// -----
module {
  llvm.func @f() {
    llvm.return
  }
  llvm.mlir.global_ctors ctors = [@f], priorities = [1 : i32], data = [#llvm.zero]
}
// -----
module {
  llvm.func @f() {
    llvm.return
  }
  llvm.mlir.global_dtors dtors = [@f], priorities = [1 : i32], data = [#llvm.zero]
}
// -----
module {
  llvm.comdat @all {
    llvm.comdat_selector @any any
  }
}
// -----
module {
  llvm.comdat @all {
    llvm.comdat_selector @size samesize
  }
}
// -----
module {
  llvm.func @f()
  llvm.mlir.alias external @second {dso_local} : !llvm.func<void ()> {
    %0 = llvm.mlir.addressof @f : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
}
// -----
module {
  llvm.func @g() -> !llvm.ptr {
    llvm.unreachable
  }
  llvm.mlir.ifunc external @i : !llvm.func<void ()>, !llvm.ptr @g
}
// -----
module {
  llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, #llvm.mlir.module_flag<append_unique, "key", "text">]
}
// -----
module {
  llvm.linker_options ["-lm", "-lc"]
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.ceil(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.ceil(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.cos(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.cos(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.cosh(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.cosh(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.exp(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.exp(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.exp10(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.exp10(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.exp2(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.exp2(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.fabs(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.fabs(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.floor(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.floor(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.log(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.log(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.log10(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.log10(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.log2(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.log2(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.nearbyint(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.nearbyint(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.rint(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.rint(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.round(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.round(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.roundeven(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.roundeven(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.sin(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.sin(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.sinh(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.sinh(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.sqrt(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.sqrt(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.tan(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.tan(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.tanh(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.tanh(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.trunc(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.trunc(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.acos(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.acos(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.asin(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.asin(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.atan(%0) : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.atan(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.atan2(%0, %1) : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.atan2(%0, %1) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.copysign(%0, %1) : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.copysign(%0, %1) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.maximum(%0, %1) : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.maximum(%0, %1) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.maxnum(%0, %1) : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.maxnum(%0, %1) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.minimum(%0, %1) : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.minimum(%0, %1) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.minnum(%0, %1) : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.minnum(%0, %1) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.pow(%0, %1) : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = llvm.intr.pow(%0, %1) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "test.value"() : () -> vector<4xf32>
  %2 = "test.value"() : () -> vector<4xf32>
  %3 = llvm.intr.fma(%0, %1, %2) {fastmathFlags = #llvm.fastmath<ninf, contract>} : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = "test.value"() : () -> f32
  %3 = llvm.intr.fmuladd(%0, %1, %2) : (f32, f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> f32
  %2 = "test.value"() : () -> f32
  %3 = llvm.intr.fmuladd(%0, %1, %2) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, f32, f32) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.ldexp(%0, %1) : (f32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.ldexp(%0, %1) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.powi(%0, %1) : (f32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.powi(%0, %1) {fastmathFlags = #llvm.fastmath<nnan>} : (f32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.frexp(%0) : (f32) -> !llvm.struct<(f32, i32)>
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.sincos(%0) : (f32) -> !llvm.struct<(f32, f32)>
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "llvm.intr.is.fpclass"(%0) <{bit = 3 : i32}> : (vector<4xf32>) -> vector<4xi1>
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.lrint(%0) : (f32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.llrint(%0) : (f32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.lround(%0) : (f32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = llvm.intr.llround(%0) : (f32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.smax(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.smin(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.umax(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.umin(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.sadd.sat(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.uadd.sat(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.ssub.sat(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.usub.sat(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.sshl.sat(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.ushl.sat(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "llvm.intr.sadd.with.overflow"(%0, %1) : (i32, i32) -> !llvm.struct<(i32, i1)>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "llvm.intr.uadd.with.overflow"(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "llvm.intr.ssub.with.overflow"(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "llvm.intr.usub.with.overflow"(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "llvm.intr.smul.with.overflow"(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> vector<2xi32>
  %1 = "test.value"() : () -> vector<2xi32>
  %2 = "llvm.intr.umul.with.overflow"(%0, %1) : (vector<2xi32>, vector<2xi32>) -> !llvm.struct<(vector<2xi32>, vector<2xi1>)>
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "llvm.intr.abs"(%0) <{is_int_min_poison = true}> : (i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = llvm.intr.bitreverse(%0) : (i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = llvm.intr.bswap(%0) : (i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = llvm.intr.ctpop(%0) : (i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "llvm.intr.ctlz"(%0) <{is_zero_poison = true}> : (i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "llvm.intr.cttz"(%0) <{is_zero_poison = true}> : (i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  %3 = llvm.intr.fshl(%0, %1, %2) : (i32, i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = "test.value"() : () -> i32
  %3 = llvm.intr.fshr(%0, %1, %2) : (i32, i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.scmp(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.ucmp(%0, %1) : (i32, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi32>
  %1 = "llvm.intr.vector.reduce.add"(%0) : (vector<4xi32>) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi32>
  %1 = "llvm.intr.vector.reduce.mul"(%0) : (vector<4xi32>) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi32>
  %1 = "llvm.intr.vector.reduce.and"(%0) : (vector<4xi32>) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi32>
  %1 = "llvm.intr.vector.reduce.or"(%0) : (vector<4xi32>) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi32>
  %1 = "llvm.intr.vector.reduce.xor"(%0) : (vector<4xi32>) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi32>
  %1 = "llvm.intr.vector.reduce.smax"(%0) : (vector<4xi32>) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi32>
  %1 = "llvm.intr.vector.reduce.smin"(%0) : (vector<4xi32>) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi32>
  %1 = "llvm.intr.vector.reduce.umax"(%0) : (vector<4xi32>) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi32>
  %1 = "llvm.intr.vector.reduce.umin"(%0) : (vector<4xi32>) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> vector<4xf32>
  %2 = "llvm.intr.vector.reduce.fadd"(%0, %1) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> f32
  %1 = "test.value"() : () -> vector<4xf32>
  %2 = "llvm.intr.vector.reduce.fmul"(%0, %1) : (f32, vector<4xf32>) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = llvm.intr.vector.reduce.fmax(%0) : (vector<4xf32>) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = llvm.intr.vector.reduce.fmax(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<4xf32>) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = llvm.intr.vector.reduce.fmin(%0) : (vector<4xf32>) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = llvm.intr.vector.reduce.fmin(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<4xf32>) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = llvm.intr.vector.reduce.fmaximum(%0) : (vector<4xf32>) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = llvm.intr.vector.reduce.fmaximum(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<4xf32>) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = llvm.intr.vector.reduce.fminimum(%0) : (vector<4xf32>) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = llvm.intr.vector.reduce.fminimum(%0) {fastmathFlags = #llvm.fastmath<nnan>} : (vector<4xf32>) -> f32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> vector<4xi1>
  %2 = llvm.intr.masked.load %0, %1 {alignment = 1 : i32} : (!llvm.ptr, vector<4xi1>) -> vector<4xi32>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> vector<4xi1>
  %2 = "test.value"() : () -> vector<4xi32>
  %3 = llvm.intr.masked.load %0, %1, %2 {alignment = 1 : i32, nontemporal} : (!llvm.ptr, vector<4xi1>, vector<4xi32>) -> vector<4xi32>
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi32>
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> vector<4xi1>
  llvm.intr.masked.store %0, %1, %2 {alignment = 1 : i32} : vector<4xi32>, vector<4xi1> into !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> vector<4x!llvm.ptr>
  %1 = "test.value"() : () -> vector<4xi1>
  %2 = "test.value"() : () -> vector<4xf32>
  %3 = llvm.intr.masked.gather %0, %1, %2 {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi32>
  %1 = "test.value"() : () -> vector<4x!llvm.ptr>
  %2 = "test.value"() : () -> vector<4xi1>
  llvm.intr.masked.scatter %0, %1, %2 {alignment = 1 : i32} : vector<4xi32>, vector<4xi1> into vector<4x!llvm.ptr>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> vector<4xi1>
  %2 = "test.value"() : () -> vector<4xf32>
  %3 = "llvm.intr.masked.expandload"(%0, %1, %2) : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> vector<4xi1>
  "llvm.intr.masked.compressstore"(%0, %1, %2) : (vector<4xf32>, !llvm.ptr, vector<4xi1>) -> ()
}
// -----
module {
  %0 = "test.value"() : () -> vector<[8]xi32>
  %1 = "test.value"() : () -> vector<4xi32>
  %2 = llvm.intr.vector.insert %1, %0[4] : vector<4xi32> into vector<[8]xi32>
}
// -----
module {
  %0 = "test.value"() : () -> vector<[8]xi32>
  %1 = llvm.intr.vector.extract %0[0] : vector<4xi32> from vector<[8]xi32>
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xi32>
  %1 = "test.value"() : () -> vector<4xi32>
  %2 = "llvm.intr.vector.interleave2"(%0, %1) : (vector<4xi32>, vector<4xi32>) -> vector<8xi32>
}
// -----
module {
  %0 = "test.value"() : () -> vector<8xi32>
  %1 = "llvm.intr.vector.deinterleave2"(%0) : (vector<8xi32>) -> !llvm.struct<(vector<4xi32>, vector<4xi32>)>
}
// -----
module {
  %0 = llvm.intr.stepvector : vector<[4]xi32>
}
// -----
module {
  %0 = "llvm.intr.vscale"() : () -> i32
}
// -----
module {
  %0 = "test.value"() : () -> i64
  %1 = "test.value"() : () -> i64
  %2 = llvm.intr.get.active.lane.mask %0, %1 : i64, i64 to vector<8xi1>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i64
  %2 = llvm.intr.matrix.column.major.load %0, <stride = %1> {columns = 2 : i32, isVolatile = false, rows = 2 : i32} : vector<4xf32> from !llvm.ptr stride i64
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> i64
  llvm.intr.matrix.column.major.store %0, %1, <stride = %2> {columns = 2 : i32, isVolatile = true, rows = 2 : i32} : vector<4xf32> to !llvm.ptr stride i64
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = "test.value"() : () -> vector<4xf32>
  %2 = llvm.intr.matrix.multiply %0, %1 {lhs_columns = 2 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
}
// -----
module {
  %0 = "test.value"() : () -> vector<4xf32>
  %1 = llvm.intr.matrix.transpose %0 {columns = 2 : i32, rows = 2 : i32} : vector<4xf32> into vector<4xf32>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> i32
  "llvm.intr.memcpy"(%0, %1, %2) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> i32
  "llvm.intr.memcpy"(%0, %1, %2) <{access_groups = [], alias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], arg_attrs = [], isVolatile = true, noalias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], res_attrs = [], tbaa = []}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr
  "llvm.intr.memcpy.inline"(%0, %1) <{isVolatile = true, len = 16 : i64}> : (!llvm.ptr, !llvm.ptr) -> ()
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr
  "llvm.intr.memcpy.inline"(%0, %1) <{access_groups = [], alias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], arg_attrs = [], isVolatile = true, len = 16 : i64, noalias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], res_attrs = [], tbaa = []}> : (!llvm.ptr, !llvm.ptr) -> ()
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> i32
  "llvm.intr.memmove"(%0, %1, %2) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> i32
  "llvm.intr.memmove"(%0, %1, %2) <{access_groups = [], alias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], arg_attrs = [], isVolatile = true, noalias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], res_attrs = [], tbaa = []}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i8
  %2 = "test.value"() : () -> i32
  "llvm.intr.memset"(%0, %1, %2) <{isVolatile = true}> : (!llvm.ptr, i8, i32) -> ()
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i8
  %2 = "test.value"() : () -> i32
  "llvm.intr.memset"(%0, %1, %2) <{access_groups = [], alias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], arg_attrs = [], isVolatile = true, noalias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], res_attrs = [], tbaa = []}> : (!llvm.ptr, i8, i32) -> ()
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i8
  "llvm.intr.memset.inline"(%0, %1) <{isVolatile = true, len = 16 : i64}> : (!llvm.ptr, i8) -> ()
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i8
  "llvm.intr.memset.inline"(%0, %1) <{access_groups = [], alias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], arg_attrs = [], isVolatile = true, len = 16 : i64, noalias_scopes = [#llvm.alias_scope<id = "s", domain = <id = "d">>], res_attrs = [], tbaa = []}> : (!llvm.ptr, i8) -> ()
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  llvm.intr.lifetime.start %0 : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  llvm.intr.lifetime.end %0 : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = llvm.intr.invariant.start 1, %0 : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr
  llvm.intr.invariant.end %0, 1, %1 : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = llvm.intr.launder.invariant.group %0 : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = llvm.intr.strip.invariant.group %0 : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  "llvm.intr.prefetch"(%0) <{cache = 1 : i32, hint = 1 : i32, rw = 1 : i32}> : (!llvm.ptr) -> ()
}
// -----
module {
  %0 = llvm.intr.stacksave : i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  llvm.intr.stackrestore %0 : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "llvm.intr.threadlocal.address"(%0) : (!llvm.ptr) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.ptrmask %0, %1 : (!llvm.ptr, i32) -> !llvm.ptr
}
// -----
module {
  llvm.intr.experimental.noalias.scope.decl <id = "s", domain = <id = "d">>
}
// -----
module {
  %0 = "test.value"() : () -> i1
  llvm.intr.assume %0 : i1
}
// -----
module {
  %0 = "test.value"() : () -> i1
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> i32
  llvm.intr.assume %0 ["align"(%1, %2 : !llvm.ptr, i32)] : i1
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.expect %0, %1 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> i32
  %2 = llvm.intr.expect.with.probability %0, %1, 5.000000e-01 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "llvm.intr.is.constant"(%0) : (i32) -> i1
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = llvm.intr.ssa.copy %0 : i32
}
// -----
module {
  %0 = "test.value"() : () -> i32
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> !llvm.ptr
  %3 = "test.value"() : () -> i32
  %4 = "llvm.intr.annotation"(%0, %1, %2, %3) : (i32, !llvm.ptr, !llvm.ptr, i32) -> i32
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> !llvm.ptr
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> !llvm.ptr
  %5 = "llvm.intr.ptr.annotation"(%0, %1, %2, %3, %4) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr
  %2 = "test.value"() : () -> !llvm.ptr
  %3 = "test.value"() : () -> i32
  %4 = "test.value"() : () -> !llvm.ptr
  "llvm.intr.var.annotation"(%0, %1, %2, %3, %4) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> ()
}
// -----
module {
  llvm.intr.trap
}
// -----
module {
  llvm.intr.debugtrap
}
// -----
module {
  llvm.intr.ubsantrap <{failureKind = 1 : i8}>
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  llvm.intr.vastart %0 : !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  %1 = "test.value"() : () -> !llvm.ptr
  llvm.intr.vacopy %1 to %0 : !llvm.ptr, !llvm.ptr
}
// -----
module {
  %0 = "test.value"() : () -> !llvm.ptr
  llvm.intr.vaend %0 : !llvm.ptr
}
// -----
module {
  llvm.comdat @__c {
    llvm.comdat_selector @any any
  }
  llvm.mlir.global internal constant @s("abc\00") {addr_space = 0 : i32}
  llvm.mlir.global private unnamed_addr constant @s2("hello") {addr_space = 3 : i32}
  llvm.mlir.global linkonce @v(dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>) comdat(@__c::@any) {addr_space = 0 : i32} : !llvm.array<2 x f32>
  llvm.mlir.global external thread_local @ext() {addr_space = 0 : i32} : i64
  llvm.mlir.global common protected local_unnamed_addr @cm(0 : i32) {addr_space = 0 : i32, alignment = 8 : i64, my.attr} : i32
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.func @printf2(...)
  llvm.func internal fastcc @h(%arg0: i32 {llvm.zeroext}, %arg1: !llvm.ptr) -> (i32 {llvm.signext}) comdat(@__c::@any) attributes {passthrough = ["noinline"], sym_visibility = "private"} {
    llvm.return %arg0 : i32
  }
  llvm.func weak hidden unnamed_addr ptx_kernelcc @k() {
    llvm.return
  }
  llvm.func @decl(i32 {llvm.noundef}, !llvm.ptr<1> {llvm.byval = i32, llvm.nocapture}) -> !llvm.struct<(i32, f32)>
  llvm.func @m(%arg0: !llvm.ptr, %arg1: i64, %arg2: i32, %arg3: f32, %arg4: i1, %arg5: vector<4xf32>, %arg6: vector<4xi64>) {
    %0 = llvm.getelementptr inbounds|nuw %arg0[%arg1, 1, 2] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, array<4 x f32>)>
    %1 = llvm.getelementptr nusw|nuw %arg0[%arg1] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2 = llvm.getelementptr nuw %arg0[-5] : (!llvm.ptr) -> !llvm.ptr, f32
    %3 = llvm.getelementptr %arg0[%arg6] : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, f32
    %4 = llvm.add %arg2, %arg2 overflow<nsw, nuw> : i32
    %5 = llvm.trunc %arg1 overflow<nuw> : i64 to i32
    %6 = llvm.fadd %arg3, %arg3 {fastmathFlags = #llvm.fastmath<nnan, ninf>} : f32
    %7 = llvm.fcmp "oeq" %arg3, %arg3 {fastmathFlags = #llvm.fastmath<fast>} : f32
    %8 = llvm.icmp "ult" %arg0, %arg0 : !llvm.ptr
    %9 = llvm.load volatile %arg0 atomic syncscope("device") acquire invariant_group {alignment = 4 : i64, nontemporal} : !llvm.ptr -> i32
    llvm.store volatile %arg2, %arg0 atomic syncscope("agent") release {alignment = 4 : i64} : i32, !llvm.ptr
    %10 = llvm.atomicrmw volatile fadd %arg0, %arg3 syncscope("x") acq_rel {alignment = 8 : i64} : !llvm.ptr, f32
    %11 = llvm.atomicrmw _xor %arg0, %arg2 monotonic : !llvm.ptr, i32
    %12 = llvm.cmpxchg weak volatile %arg0, %arg2, %arg2 syncscope("y") seq_cst monotonic : !llvm.ptr, i32
    llvm.fence syncscope("agent") seq_cst
    llvm.fence release
    %13 = llvm.call fastcc tail @h(%arg2, %arg0) {fastmathFlags = #llvm.fastmath<fast>, no_inline} : (i32 {llvm.noundef}, !llvm.ptr) -> (i32 {llvm.signext})
    %14 = llvm.call @printf(%arg0, %arg2) vararg(!llvm.func<i32 (ptr, ...)>) ["a"(), "b"(%arg2, %arg3 : i32, f32)] : (!llvm.ptr, i32) -> i32
    llvm.call %arg0(%arg2) : !llvm.ptr, (i32) -> ()
    llvm.call notail @k() : () -> ()
    %15 = llvm.call_intrinsic "llvm.x"(%arg2) ["t"(%arg2 : i32)] {fastmathFlags = #llvm.fastmath<fast>} : (i32 {llvm.noundef}) -> i32
    llvm.call_intrinsic "llvm.y"() : () -> ()
    %16 = llvm.inline_asm has_side_effects is_align_stack tail_call_kind = <tail> asm_dialect = intel operand_attrs = [{elementtype = i32}] "a $0", "=r,r" %arg2 : (i32) -> i32
    llvm.inline_asm asm_dialect = att "nop", ""  : () -> ()
    %17 = llvm.extractvalue %12[0] : !llvm.struct<(i32, i1)> 
    %18 = llvm.insertvalue %arg2, %12[0] : !llvm.struct<(i32, i1)> 
    %19 = llvm.insertelement %arg3, %arg5[%arg2 : i32] : vector<4xf32>
    %20 = llvm.extractelement %arg5[%arg2 : i32] : vector<4xf32>
    %21 = llvm.shufflevector %arg5, %arg5 [0, 1] : vector<4xf32> 
    llvm.intr.assume %arg4 ["align"(%arg0, %arg1 : !llvm.ptr, i64)] : i1
    llvm.intr.ubsantrap <{failureKind = 3 : i8}>
    %22 = llvm.alloca inalloca %arg2 x i32 : (i32) -> !llvm.ptr
    %23 = llvm.intr.expect.with.probability %arg2, %arg2, 5.000000e-01 : i32
    %24 = llvm.mlir.constant(dense<1> : tensor<3xi32>) : !llvm.array<3 x i32>
    %25 = llvm.mlir.constant(1.000000e+00 : f32) : f32
    %26 = llvm.mlir.constant("abc") : !llvm.array<3 x i8>
    %27 = llvm.mlir.constant([1 : i32, 2.000000e+00 : f32]) : !llvm.struct<(i32, f32)>
    %28 = llvm.mlir.constant(true) : i1
    %29 = llvm.zext nneg %arg2 : i32 to i64
    %30 = llvm.uitofp nneg %arg2 : i32 to f32
    %31 = llvm.or disjoint %arg2, %arg2 : i32
    %32 = llvm.sdiv exact %arg2, %arg2 : i32
    %33 = llvm.inttoptr %arg1 dereferenceable<bytes = 16, mayBeNull = true> : i64 to !llvm.ptr
    llvm.switch %arg2 : i32, ^bb1 [
    ]
  ^bb1:  // 4 preds: ^bb0, ^bb1, ^bb1, ^bb2
    llvm.switch %arg1 : i64, ^bb1 [
      -3: ^bb2(%arg2 : i32),
      7: ^bb1
    ] {branch_weights = array<i32: 1, 2, 3>}
  ^bb2(%34: i32):  // 2 preds: ^bb1, ^bb2
    llvm.cond_br %arg4 weights([1, 2]), ^bb1, ^bb2(%34 : i32) {loop_annotation = #llvm.loop_annotation<disableNonforced = true>}
  }
  llvm.mlir.alias internal hidden thread_local unnamed_addr @al {dso_local} : i32 {
    %0 = llvm.mlir.addressof @cm : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
  llvm.func @res() -> !llvm.ptr {
    %0 = llvm.mlir.zero : !llvm.ptr
    llvm.return %0 : !llvm.ptr
  }
  llvm.mlir.ifunc weak hidden unnamed_addr @if : !llvm.func<void ()>, !llvm.ptr @res {dso_local}
  llvm.mlir.ifunc external @if2 : !llvm.func<void ()>, !llvm.ptr @res
}
// -----
module {
  llvm.func @pers(...) -> i32
  llvm.func @foo(i32) -> i32
  llvm.func @bar()
  llvm.mlir.global external constant @tid() {addr_space = 0 : i32} : !llvm.ptr
  llvm.func @f(%arg0: i32, %arg1: !llvm.ptr, %arg2: i1) -> i32 attributes {personality = @pers} {
    %0 = llvm.mlir.addressof @tid : !llvm.ptr
    %1 = llvm.mlir.zero : !llvm.ptr
    %2 = llvm.mlir.undef : !llvm.array<1 x ptr>
    %3 = llvm.invoke @foo(%arg0) to ^bb1(%arg0 : i32) unwind ^bb2 : (i32 {llvm.noundef}) -> (i32 {llvm.signext})
  ^bb1(%4: i32):  // pred: ^bb0
    llvm.invoke fastcc %arg1(%arg0) to ^bb3 unwind ^bb2 ["tag"(%arg0 : i32)] {branch_weights = array<i32: 1, 2>} : !llvm.ptr, (i32) -> ()
  ^bb2:  // 2 preds: ^bb0, ^bb1
    %5 = llvm.landingpad cleanup (catch %0 : !llvm.ptr) (filter %2 : !llvm.array<1 x ptr>) : !llvm.struct<(ptr, i32)>
    llvm.resume %5 : !llvm.struct<(ptr, i32)>
  ^bb3:  // pred: ^bb1
    %6 = llvm.invoke @pers() to ^bb4 unwind ^bb5 vararg(!llvm.func<i32 (...)>) : () -> i32
  ^bb4:  // pred: ^bb3
    llvm.return %6 : i32
  ^bb5:  // pred: ^bb3
    %7 = llvm.landingpad (catch %1 : !llvm.ptr) : !llvm.struct<(ptr, i32)>
    llvm.return %arg0 : i32
  }
}
