@pair = internal constant { i32, float } { i32 3, float 0xC004000000000000 }
@packed = internal constant <{ i8, i32 }> <{ i8 3, i32 4 }>
@list = internal constant [2 x double] [double 0x3FF8000000000000, double 0xC000000000000000]
@nested = internal constant [2 x { i32, i16 }] [{ i32, i16 } { i32 1, i16 2 }, { i32, i16 } { i32 3, i16 4 }]
@numbers = internal constant [3 x i16] [i16 1, i16 -2, i16 3]
@rows = internal constant [2 x [3 x i32]] [[3 x i32] [i32 1, i32 2, i32 3], [3 x i32] [i32 4, i32 5, i32 6]]
@same = internal constant [3 x i64] [i64 7, i64 7, i64 7]
@vector = internal constant <3 x i8> <i8 1, i8 2, i8 3>
@half = internal constant <2 x half> <half 0xH3C00, half 0xH8000>
@nothing = internal global { ptr, i64 } zeroinitializer
@undefined = internal global i32 undef
@poisoned = internal global i32 poison
define void @held(ptr %0) {
  store <4 x i32> splat (i32 5), ptr %0
  store <4 x float> splat (float 0x3FF8000000000000), ptr %0
  store i8 -72, ptr %0
  store float 0x376BE00000000000, ptr %0
  store float 0x7FF4000020000000, ptr %0
  store i100 -1, ptr %0
  store { float, float } { float 0x3FF0000000000000, float 0x4000000000000000 }, ptr %0
; // -----

define void @all(i32 %0, ptr %1) nounwind willreturn "frame-pointer"="all" {
define void @leaf() convergent noinline optnone "frame-pointer"="non-leaf" {
define void @features() "target-cpu"="x86-64" "target-features"="+avx2,-sse4a" {
define void @flags() inlinehint "denormal-fp-math"="preserve-sign" "no-infs-fp-math"="true" "no-nans-fp-math"="false" {
declare void @reads(ptr) memory(argmem: read)
declare void @writes(ptr) memory(read, argmem: readwrite, inaccessiblemem: write)
declare void @pure(ptr) memory(none)
declare void @everything(ptr) memory(readwrite, errnomem: none)
declare void @passed() cold "own-word" "key"="a \22quoted\22 value"
declare noundef zeroext i32 @taken(ptr align 8 byval({ i32, float }), i32 inreg signext)
define i32 @call(ptr %0, i32 %1) {
  %3 = call zeroext i32 @taken(ptr byval({ i32, float }) noundef %0, i32 signext %1)
  call void @llvm.assume(i1 true)
  %4 = call i32 @taken(ptr %0, i32 %3) [ "deopt"(i32 %1, i64 16), "gc-live"(ptr %0) ]
  ret i32 %4
declare void @llvm.assume(i1)
; // -----

define void @loops(i32 %0) {
  br label %2
2:
  %3 = phi i32 [ 0, %1 ], [ %0, %2 ]
  %4 = icmp slt i32 %3, %0
  br i1 %4, label %2, label %5, !llvm.loop !3
5:
  %6 = phi i32 [ 0, %2 ], [ %0, %5 ]
  %7 = icmp slt i32 %6, %0
  br i1 %7, label %5, label %8, !llvm.loop !17
8:
  %9 = phi i32 [ 0, %5 ], [ %0, %8 ]
  %10 = icmp slt i32 %9, %0
  br i1 %10, label %8, label %11, !llvm.loop !23
11:
!0 = !{!"llvm.loop.disable_nonforced"}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.isvectorized", i32 1}
!3 = distinct !{!3, !0, !1, !2}
!4 = !{!"llvm.loop.vectorize.enable", i1 true}
!5 = !{!"llvm.loop.vectorize.predicate.enable", i1 true}
!6 = !{!"llvm.loop.vectorize.scalable.enable", i1 false}
!7 = !{!"llvm.loop.vectorize.width", i32 8}
!8 = !{!"llvm.loop.interleave.count", i32 2}
!9 = !{!"llvm.loop.unroll.enable"}
!10 = !{!"llvm.loop.unroll.count", i32 4}
!11 = !{!"llvm.loop.unroll.full"}
!12 = !{!"llvm.licm.disable"}
!13 = !{!"llvm.loop.pipeline.disable", i1 true}
!14 = !{!"llvm.loop.pipeline.initiationinterval", i32 3}
!15 = !{!"llvm.loop.peeled.count", i32 1}
!16 = !{!"llvm.loop.unswitch.partial.disable"}
!17 = distinct !{!17, !4, !5, !6, !7, !8, !9, !10, !11, !12, !13, !14, !15, !16}
!18 = !{!"llvm.loop.unroll_and_jam.disable"}
!19 = !{!"llvm.loop.unroll_and_jam.count", i32 2}
!20 = !{!"llvm.loop.distribute.enable", i1 false}
!21 = distinct !{!21, !1}
!22 = !{!"llvm.loop.distribute.followup_all", !21}
!23 = distinct !{!23, !18, !19, !20, !22}
; // -----

define void @first() {
define void @"second one"() {
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @first, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @"second one", ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 7, ptr @first, ptr null }]
!llvm.module.flags = !{!0, !1}
!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 2}
