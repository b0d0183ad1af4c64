// What the tool says of itself.
// RUN: tilewright-opt --help | FileCheck %s --check-prefix=HELP
// RUN: tilewright-opt --help-passes | FileCheck %s --check-prefix=PASSES
// RUN: tilewright-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// RUN: not tilewright-opt --verify-diagnostic %s 2>&1 | FileCheck %s --check-prefix=MISSPELT
// RUN: tilewright registry --table pass | FileCheck %s --check-prefix=REGISTRY
// RUN: tilewright explain TW0602 | FileCheck %s --check-prefix=EXPLAIN

// HELP: Usage: tilewright opt [OPTIONS] [FILE|-]
// HELP: --pass-pipeline=PIPELINE
// HELP: --cse {{ +}}Replaces operations
// PASSES: print-op-stats: Counts operations
// PASSES: json = False
// DIALECTS: Available Dialects: arith,builtin,
// DIALECTS-SAME: cuda_tile,cute,cute_nvgpu,cutlass,
// DIALECTS-SAME: nv_tileaa,nv_tileas,
// MISSPELT: error: unknown argument '--verify-diagnostic'
// MISSPELT-NEXT: hint: did you mean '--verify-diagnostics'?
// REGISTRY: pass {{ +}}cse {{ +}}Replaces operations
// EXPLAIN: TW0602
// EXPLAIN: unknown pass
