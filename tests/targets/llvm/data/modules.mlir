// Constants of every kind, in registers and in variables.
llvm.mlir.global internal constant @pair([3 : i32, -2.5 : f32]) : !llvm.struct<(i32, f32)>
llvm.mlir.global internal constant @packed([3 : i8, 4 : i32]) : !llvm.struct<packed (i8, i32)>
llvm.mlir.global internal constant @list([1.5, -2.0]) : !llvm.array<2 x f64>
llvm.mlir.global internal constant @nested([[1 : i32, 2 : i16], [3 : i32, 4 : i16]]) : !llvm.array<2 x struct<(i32, i16)>>
llvm.mlir.global internal constant @numbers(array<i16: 1, -2, 3>) : !llvm.array<3 x i16>
llvm.mlir.global internal constant @rows(array<i32: 1, 2, 3, 4, 5, 6>) : !llvm.array<2 x array<3 x i32>>
llvm.mlir.global internal constant @same(dense<7> : tensor<3xi64>) : !llvm.array<3 x i64>
llvm.mlir.global internal constant @vector(dense<[1, 2, 3]> : vector<3xi8>) : vector<3xi8>
llvm.mlir.global internal constant @half(dense<[1.0, -0.0]> : vector<2xf16>) : vector<2xf16>
llvm.mlir.global internal @nothing(#llvm.zero) : !llvm.struct<(ptr, i64)>
llvm.mlir.global internal @undefined(#llvm.undef) : i32
llvm.mlir.global internal @poisoned(#llvm.poison) : i32
llvm.func @held(%p: !llvm.ptr) {
  %0 = llvm.mlir.constant(5 : i32) : vector<4xi32>
  %1 = llvm.mlir.constant(1.5 : f32) : vector<4xf32>
  %2 = llvm.mlir.constant(-1.0 : f8E4M3FN) : i8
  %3 = llvm.mlir.constant(1.0e-41 : f32) : f32
  %4 = llvm.mlir.constant(0x7FA00001 : f32) : f32
  %7 = llvm.mlir.constant(-1 : i100) : i100
  %8 = llvm.mlir.constant([1.0 : f32, 2.0 : f32]) : !llvm.struct<(f32, f32)>
  llvm.store %0, %p : vector<4xi32>, !llvm.ptr
  llvm.store %1, %p : vector<4xf32>, !llvm.ptr
  llvm.store %2, %p : i8, !llvm.ptr
  llvm.store %3, %p : f32, !llvm.ptr
  llvm.store %4, %p : f32, !llvm.ptr
  llvm.store %7, %p : i100, !llvm.ptr
  llvm.store %8, %p : !llvm.struct<(f32, f32)>, !llvm.ptr
  llvm.return
}
// -----
// Attributes of functions, parameters, results and calls.
llvm.func @all(%a: i32, %p: !llvm.ptr) attributes {frame_pointer = #llvm.framePointerKind<all>, no_unwind, will_return} { llvm.return }
llvm.func @leaf() attributes {frame_pointer = #llvm.framePointerKind<"non-leaf">, no_inline, optimize_none, convergent} { llvm.return }
llvm.func @features() attributes {target_cpu = "x86-64", target_features = #llvm.target_features<["+avx2", "-sse4a"]>} { llvm.return }
llvm.func @flags() attributes {no_infs_fp_math = true, no_nans_fp_math = false, denormal_fp_math = "preserve-sign", inline_hint} { llvm.return }
llvm.func @reads(!llvm.ptr) attributes {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>}
llvm.func @writes(!llvm.ptr) attributes {memory_effects = #llvm.memory_effects<other = read, argMem = readwrite, inaccessibleMem = write, errnoMem = read, targetMem0 = none, targetMem1 = none>}
llvm.func @pure(!llvm.ptr) attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>}
llvm.func @everything(!llvm.ptr) attributes {memory_effects = #llvm.memory_effects<other = readwrite, argMem = readwrite, inaccessibleMem = readwrite, errnoMem = none, targetMem0 = none, targetMem1 = none>}
llvm.func @passed() attributes {passthrough = ["cold", "own-word", ["key", "a \22quoted\22 value"]]}
llvm.func @taken(!llvm.ptr {llvm.byval = !llvm.struct<(i32, f32)>, llvm.align = 8 : i64}, i32 {llvm.signext, llvm.inreg, other.word}) -> (i32 {llvm.noundef, llvm.zeroext})
llvm.func @call(%p: !llvm.ptr, %x: i32) -> i32 {
  %0 = llvm.call @taken(%p, %x) {arg_attrs = [{llvm.byval = !llvm.struct<(i32, f32)>, llvm.noundef}, {llvm.signext}], res_attrs = [{llvm.zeroext}]} : (!llvm.ptr, i32) -> i32
  %true = llvm.mlir.constant(true) : i1
  %c16 = llvm.mlir.constant(16 : i64) : i64
  llvm.intr.assume %true ["align"(%p, %c16 : !llvm.ptr, i64), "nonnull"(%p : !llvm.ptr)] : i1
  %1 = llvm.call @taken(%p, %0) ["deopt"(%x, %c16 : i32, i64), "gc-live"(%p : !llvm.ptr)] : (!llvm.ptr, i32) -> i32
  llvm.return %1 : i32
}
// -----
// Advice about loops.
llvm.func @loops(%n: i32) {
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.br ^one(%zero : i32)
^one(%i: i32):
  %c = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %c, ^one(%n : i32), ^two(%zero : i32) {loop_annotation = #llvm.loop_annotation<disableNonforced = true, mustProgress = true, isVectorized = true>}
^two(%j: i32):
  %d = llvm.icmp "slt" %j, %n : i32
  llvm.cond_br %d, ^two(%n : i32), ^three(%zero : i32) {loop_annotation = #llvm.loop_annotation<vectorize = <disable = false, predicateEnable = true, scalableEnable = false, width = 8 : i32>, interleave = <count = 2 : i32>, unroll = <disable = false, count = 4 : i32, full = true>, licm = <disable = true, versioningDisable = false>, pipeline = <disable = true, initiationinterval = 3 : i32>, peeled = <count = 1 : i32>, unswitch = <partialDisable = true>>}
^three(%k: i32):
  %e = llvm.icmp "slt" %k, %n : i32
  llvm.cond_br %e, ^three(%n : i32), ^four {loop_annotation = #llvm.loop_annotation<unrollAndJam = <disable = true, count = 2 : i32>, distribute = <disable = true, followupAll = #llvm.loop_annotation<mustProgress = true>>, isVectorized = false>}
^four:
  llvm.return
}
// -----
// Lists of functions, flags of the module.
llvm.func @first() { llvm.return }
llvm.func @"second one"() { llvm.return }
llvm.mlir.global_ctors ctors = [@first, @"second one"], priorities = [1 : i32, 65535 : i32], data = [#llvm.zero, #llvm.zero]
llvm.mlir.global_dtors dtors = [@first], priorities = [7 : i32], data = [#llvm.zero]
llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, #llvm.mlir.module_flag<max, "PIC Level", 2 : i32>, #llvm.mlir.module_flag<append_unique, "key", "text">]
