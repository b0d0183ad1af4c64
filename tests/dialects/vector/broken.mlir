// error: 'vector.contract' op expected an indexing map for each vector operand
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.contract"(%arg0, %arg1, %arg2) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>], iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<parallel>, #vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>) -> vector<2x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.contract' op expected indexing map 0 to have 3 number of inputs
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.contract"(%arg0, %arg1, %arg2) <{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<parallel>, #vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>) -> vector<2x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.contract' op expected indexing map 0 to have 2 number of outputs
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.contract"(%arg0, %arg1, %arg2) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<parallel>, #vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>) -> vector<2x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.contract' op expected indexing map 0 to be a projected permutation of its inputs
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.contract"(%arg0, %arg1, %arg2) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0 + 1, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<parallel>, #vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>) -> vector<2x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.contract' op invalid accumulator/result vector shape, expected: 'vector<2x8xf32>'
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.contract"(%arg0, %arg1, %arg0) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<parallel>, #vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<2x4xf32>, vector<4x8xf32>, vector<2x4xf32>) -> vector<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.contract' op unsupported contraction type
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.contract"(%arg0, %arg1, %arg2) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<parallel>, #vector.iterator_type<reduction>], kind = #vector.kind<and>}> : (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>) -> vector<2x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.outerproduct' op expected 1-d vector for operand #1
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.outerproduct"(%arg0, %arg3) <{kind = #vector.kind<add>}> : (vector<2x4xf32>, vector<4xf32>) -> vector<4x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.outerproduct' op expected #2 operand dim to match result dim #2
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.outerproduct"(%arg3, %arg3) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>) -> vector<4x5xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.outerproduct' op expected 2-d vector result
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.outerproduct"(%arg3, %arg3) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.outerproduct' op expected 1-d vector result
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.outerproduct"(%arg3, %arg4) <{kind = #vector.kind<add>}> : (vector<4xf32>, f32) -> vector<4x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.outerproduct' op unsupported outerproduct type
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.outerproduct"(%arg3, %arg3) <{kind = #vector.kind<xor>}> : (vector<4xf32>, vector<4xf32>) -> vector<4x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.outerproduct' op failed to verify that lhs operand and result have same element type
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.outerproduct"(%arg3, %arg3) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>) -> vector<4x4xf64>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.reduction' op unsupported reduction rank: 2
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.reduction"(%arg0) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<add>}> : (vector<2x4xf32>) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.reduction' op unsupported reduction type ''f32'' for kind 'and'
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.reduction"(%arg3) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<and>}> : (vector<4xf32>) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.reduction' op failed to verify that source operand and result have same element type
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.reduction"(%arg3) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<add>}> : (vector<4xf32>) -> f64
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.reduction' op failed to verify that dest and acc have the same type
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.reduction"(%arg3, %arg5) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<add>}> : (vector<4xf32>, index) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.multi_reduction' op destination type 'f32' is incompatible with source type 'vector<2x4xf32>'
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.multi_reduction"(%arg0, %arg4) <{kind = #vector.kind<add>, reduction_dims = array<i64: 0>}> : (vector<2x4xf32>, f32) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.multi_reduction' op destination type 'vector<4xf32>' is incompatible with source type 'vector<2x4xf32>'
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.multi_reduction"(%arg0, %arg3) <{kind = #vector.kind<add>, reduction_dims = array<i64: 1>}> : (vector<2x4xf32>, vector<4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.multi_reduction' op destination type 'vector<4xf32>' is incompatible with source type 'vector<2x4xf32>'
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.multi_reduction"(%arg0, %arg3) <{kind = #vector.kind<add>, reduction_dims = array<i64: 3>}> : (vector<2x4xf32>, vector<4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.scan' op reduction dimension 2 has to be less than 2
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0:2 = "vector.scan"(%arg0, %arg3) <{inclusive = true, kind = #vector.kind<add>, reduction_dim = 2 : i64}> : (vector<2x4xf32>, vector<4xf32>) -> (vector<2x4xf32>, vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.scan' op incompatible input/initial value shapes
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0:2 = "vector.scan"(%arg0, %arg3) <{inclusive = true, kind = #vector.kind<add>, reduction_dim = 1 : i64}> : (vector<2x4xf32>, vector<4xf32>) -> (vector<2x4xf32>, vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.scan' op initial value rank 2 has to be equal to 1
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0:2 = "vector.scan"(%arg0, %arg0) <{inclusive = true, kind = #vector.kind<add>, reduction_dim = 1 : i64}> : (vector<2x4xf32>, vector<2x4xf32>) -> (vector<2x4xf32>, vector<2x4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.scan' op unsupported reduction type 'f32' for kind 'and'
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0:2 = "vector.scan"(%arg0, %arg3) <{inclusive = true, kind = #vector.kind<and>, reduction_dim = 0 : i64}> : (vector<2x4xf32>, vector<4xf32>) -> (vector<2x4xf32>, vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.broadcast' op failed to verify that source operand and result have same element type
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.broadcast"(%arg4) : (f32) -> vector<4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.broadcast' op source rank higher than destination rank
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.broadcast"(%arg0) : (vector<2x4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.broadcast' op dimension mismatch (4 vs. 8)
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.broadcast"(%arg3) : (vector<4xf32>) -> vector<4x8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.broadcast' op dimension mismatch (4 vs. [4])
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.broadcast"(%arg3) : (vector<4xf32>) -> vector<4x[4]xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.extract' op expected position attribute of rank no greater than vector rank
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.extract"(%arg0) <{static_position = array<i64: 0, 1, 2>}> : (vector<2x4xf32>) -> f32
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension or poison (-1)
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.extract"(%arg0) <{static_position = array<i64: 2>}> : (vector<2x4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.extract' op inferred type(s) 'vector<4xf32>' are incompatible with return type(s) of operation 'vector<2xf32>'
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.extract"(%arg0) <{static_position = array<i64: 1>}> : (vector<2x4xf32>) -> vector<2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.extract' op mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic position) -- this can only happen due to an incorrect fold/rewrite
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.extract"(%arg0) <{static_position = array<i64: -9223372036854775808>}> : (vector<2x4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.insert' op expected position attribute of rank no greater than dest vector rank
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.insert"(%arg3, %arg0) <{static_position = array<i64: 0, 1, 2>}> : (vector<4xf32>, vector<2x4xf32>) -> vector<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.insert' op expected position attribute rank + source rank to match dest vector rank
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.insert"(%arg3, %arg0) <{static_position = array<i64: 0, 1>}> : (vector<4xf32>, vector<2x4xf32>) -> vector<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.insert' op expected position attribute rank to match the dest vector rank
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.insert"(%arg4, %arg0) <{static_position = array<i64: 0>}> : (f32, vector<2x4xf32>) -> vector<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.insert' op expected position attribute #1 to be a non-negative integer smaller than the corresponding dest vector dimension
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.insert"(%arg3, %arg0) <{static_position = array<i64: 2>}> : (vector<4xf32>, vector<2x4xf32>) -> vector<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.extract_strided_slice' op expected offsets, sizes and strides attributes of same size
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.extract_strided_slice"(%arg0) <{offsets = [0, 1], sizes = [2], strides = [1, 1]}> : (vector<2x4xf32>) -> vector<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.extract_strided_slice' op expected offsets attribute of rank no greater than vector rank
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.extract_strided_slice"(%arg0) <{offsets = [0, 1, 2], sizes = [2, 2, 2], strides = [1, 1, 1]}> : (vector<2x4xf32>) -> vector<2x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.extract_strided_slice' op expected offsets dimension 0 to be confined to [0, 2)
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.extract_strided_slice"(%arg0) <{offsets = [2], sizes = [2], strides = [1]}> : (vector<2x4xf32>) -> vector<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.extract_strided_slice' op expected sizes dimension 0 to be confined to [1, 3)
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.extract_strided_slice"(%arg0) <{offsets = [0], sizes = [3], strides = [1]}> : (vector<2x4xf32>) -> vector<3x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.extract_strided_slice' op expected strides to be confined to [1, 2)
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.extract_strided_slice"(%arg0) <{offsets = [0], sizes = [1], strides = [2]}> : (vector<2x4xf32>) -> vector<1x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.extract_strided_slice' op expected sum(offsets, sizes) dimension 0 to be confined to [1, 3)
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.extract_strided_slice"(%arg0) <{offsets = [1], sizes = [2], strides = [1]}> : (vector<2x4xf32>) -> vector<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.extract_strided_slice' op expected result type to be 'vector<1x4xf32>'
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.extract_strided_slice"(%arg0) <{offsets = [1], sizes = [1], strides = [1]}> : (vector<2x4xf32>) -> vector<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.insert_strided_slice' op expected offsets of same size as destination vector rank
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.insert_strided_slice"(%arg3, %arg0) <{offsets = [0], strides = [1]}> : (vector<4xf32>, vector<2x4xf32>) -> vector<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.insert_strided_slice' op expected strides of same size as source vector rank
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.insert_strided_slice"(%arg3, %arg0) <{offsets = [0, 0], strides = [1, 1]}> : (vector<4xf32>, vector<2x4xf32>) -> vector<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.insert_strided_slice' op expected sum(offsets, source vector shape) dimension 1 to be confined to [1, 5)
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.insert_strided_slice"(%arg3, %arg0) <{offsets = [0, 2], strides = [1]}> : (vector<4xf32>, vector<2x4xf32>) -> vector<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.insert_strided_slice' op expected strides of same size as source vector rank
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.insert_strided_slice"(%arg0, %arg3) <{offsets = [0], strides = [1]}> : (vector<2x4xf32>, vector<4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.scalable.extract' op failed to verify that position is a multiple of the result length.
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.scalable.extract"(%arg6) <{pos = 3 : i64}> : (vector<[8]xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.scalable.insert' op failed to verify that position is a multiple of the source length.
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.scalable.insert"(%arg3, %arg6) <{pos = 2 : i64}> : (vector<4xf32>, vector<[8]xf32>) -> vector<[8]xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.shuffle' op mask index #1 out of range
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.shuffle"(%arg3, %arg3) <{mask = array<i64: 9>}> : (vector<4xf32>, vector<4xf32>) -> vector<1xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.shuffle' op mask length mismatch
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.shuffle"(%arg3, %arg3) <{mask = array<i64: 1>}> : (vector<4xf32>, vector<4xf32>) -> vector<2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.shuffle' op rank mismatch
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.shuffle"(%arg3, %arg0) <{mask = array<i64: 1>}> : (vector<4xf32>, vector<2x4xf32>) -> vector<1xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.shuffle' op invalid mask length
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.shuffle"(%arg3, %arg3) <{mask = array<i64>}> : (vector<4xf32>, vector<4xf32>) -> vector<1xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.shape_cast' op has different number of elements at source (8) and result (9)
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.shape_cast"(%arg0) : (vector<2x4xf32>) -> vector<9xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.shape_cast' op has different source and result element types
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.shape_cast"(%arg0) : (vector<2x4xf32>) -> vector<8xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.shape_cast' op has different number of scalable dims at source (0) and result (1)
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.shape_cast"(%arg0) : (vector<2x4xf32>) -> vector<[8]xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transpose' op transposition length mismatch: 1
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.transpose"(%arg0) <{permutation = array<i64: 0>}> : (vector<2x4xf32>) -> vector<4x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transpose' op dimension size mismatch at: 0
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.transpose"(%arg0) <{permutation = array<i64: 0, 0>}> : (vector<2x4xf32>) -> vector<4x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transpose' op dimension size mismatch at: 0
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.transpose"(%arg0) <{permutation = array<i64: 0, 2>}> : (vector<2x4xf32>) -> vector<4x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transpose' op dimension size mismatch at: 0
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.transpose"(%arg0) <{permutation = array<i64: 0, 1>}> : (vector<2x4xf32>) -> vector<4x2xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transpose' op vector result rank mismatch: 1
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.transpose"(%arg0) <{permutation = array<i64: 0, 1>}> : (vector<2x4xf32>) -> vector<8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.bitcast' op source/result bitwidth of the minor 1-D vectors must be equal
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.bitcast"(%arg0) : (vector<2x4xf32>) -> vector<2x4xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.bitcast' op dimension size mismatch at: 0
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.bitcast"(%arg0) : (vector<2x4xf32>) -> vector<4x4xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.bitcast' op failed to verify that all of {source, result} have same rank
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.bitcast"(%arg0) : (vector<2x4xf32>) -> vector<16xf16>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.interleave' op failed to verify that type of 'result' is double the width of the inputs
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.interleave"(%arg3, %arg3) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.deinterleave' op failed to verify that the trailing dimension of the results is half the width of source trailing dimension
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0:2 = "vector.deinterleave"(%arg3) : (vector<4xf32>) -> (vector<4xf32>, vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.deinterleave' op failed to verify that the trailing dimension of the source vector has an even number of elements
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0:2 = "vector.deinterleave"(%arg7) : (vector<3xf32>) -> (vector<1xf32>, vector<1xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.to_elements' op failed to verify that shaped type 'source' matches 'elements' element count and types
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0:2 = "vector.to_elements"(%arg3) : (vector<4xf32>) -> (f32, f32)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.from_elements' op failed to verify that shaped type 'dest' matches 'elements' element count and types
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.from_elements"(%arg4) : (f32) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.load' op requires 2 indices
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.load"(%arg8, %arg5) <{nontemporal = false}> : (memref<8x8xf32>, index) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.load' op base and result element types should match
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.load"(%arg8, %arg5, %arg5) : (memref<8x8xf32>, index, index) -> vector<4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.load' op most minor memref dim must have unit stride
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.load"(%arg9, %arg5) : (memref<8xf32, strided<[2]>>, index) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.store' op requires 2 indices
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    "vector.store"(%arg3, %arg8, %arg5) : (vector<4xf32>, memref<8x8xf32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.store' op base and valueToStore element type should match
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    "vector.store"(%arg3, %arg10, %arg5) : (vector<4xf32>, memref<8xi32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transfer_read' op requires 2 indices
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.transfer_read"(%arg8, %arg5, %arg4) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x8xf32>, index, f32) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transfer_read' op expects the in_bounds attr of same rank as permutation_map results: affine_map<(d0, d1) -> (d1)> vs inBounds of size: 2
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.transfer_read"(%arg8, %arg5, %arg5, %arg4) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transfer_read' op requires formal padding and source of the same elemental type
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.transfer_read"(%arg8, %arg5, %arg5, %arg5) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x8xf32>, index, index, index) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transfer_read' op requires a permutation_map with input dims of the same rank as the source type
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.transfer_read"(%arg8, %arg5, %arg5, %arg4) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transfer_read' op requires a projected permutation_map (at most one dim or the zero constant can appear in each result)
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.transfer_read"(%arg8, %arg5, %arg5, %arg4) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d0 + d1)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transfer_read' op requires a permutation_map with result dims of the same rank as the vector type
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.transfer_read"(%arg8, %arg5, %arg5, %arg4) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1, d0)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transfer_read' op inferred mask type ('vector<4xi1>') and mask operand type ('vector<2xi1>') don't match
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.transfer_read"(%arg8, %arg5, %arg5, %arg4, %arg12) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x8xf32>, index, index, f32, vector<2xi1>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transfer_write' op requires 2 indices
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    "vector.transfer_write"(%arg3, %arg8, %arg5) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (vector<4xf32>, memref<8x8xf32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.transfer_write' op should not have broadcast dimensions
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    "vector.transfer_write"(%arg3, %arg8, %arg5, %arg5) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = affine_map<(d0, d1) -> (0)>}> : (vector<4xf32>, memref<8x8xf32>, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.maskedload' op expected result shape to match mask shape
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.maskedload"(%arg8, %arg5, %arg5, %arg12, %arg3) : (memref<8x8xf32>, index, index, vector<2xi1>, vector<4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.maskedload' op requires 2 indices
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.maskedload"(%arg8, %arg5, %arg11, %arg3) : (memref<8x8xf32>, index, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.maskedload' op base and result element type should match
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.maskedload"(%arg8, %arg5, %arg5, %arg11, %arg13) : (memref<8x8xf32>, index, index, vector<4xi1>, vector<4xi32>) -> vector<4xi32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.maskedstore' op expected valueToStore shape to match mask shape
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    "vector.maskedstore"(%arg8, %arg5, %arg5, %arg12, %arg3) : (memref<8x8xf32>, index, index, vector<2xi1>, vector<4xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.maskedstore' op requires 2 indices
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    "vector.maskedstore"(%arg8, %arg5, %arg11, %arg3) : (memref<8x8xf32>, index, vector<4xi1>, vector<4xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.gather' op requires 2 indices
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.gather"(%arg8, %arg5, %arg13, %arg11, %arg3) : (memref<8x8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.gather' op expected result dim to match mask dim
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.gather"(%arg8, %arg5, %arg5, %arg13, %arg12, %arg3) : (memref<8x8xf32>, index, index, vector<4xi32>, vector<2xi1>, vector<4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.scatter' op expected valueToStore dim to match mask dim
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    "vector.scatter"(%arg8, %arg5, %arg5, %arg13, %arg12, %arg3) : (memref<8x8xf32>, index, index, vector<4xi32>, vector<2xi1>, vector<4xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.scatter' op requires 2 indices
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    "vector.scatter"(%arg8, %arg5, %arg13, %arg11, %arg3) : (memref<8x8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.expandload' op expected result dim to match mask dim
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.expandload"(%arg8, %arg5, %arg5, %arg12, %arg3) : (memref<8x8xf32>, index, index, vector<2xi1>, vector<4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.compressstore' op expected valueToStore dim to match mask dim
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    "vector.compressstore"(%arg8, %arg5, %arg5, %arg12, %arg3) : (memref<8x8xf32>, index, index, vector<2xi1>, vector<4xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.type_cast' op expects concatenated result and operand shapes to be equal: 'memref<vector<4xf32>>'
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.type_cast"(%arg8) : (memref<8x8xf32>) -> memref<vector<4xf32>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.create_mask' op must specify an operand for each result vector dimension
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.create_mask"(%arg5) : (index) -> vector<4x4xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.constant_mask' op must specify array attr of size equal vector result rank
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 2>}> : () -> vector<4x4xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.constant_mask' op array attr of size out of bounds of vector result dimension size
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 2, 5>}> : () -> vector<4x4xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.constant_mask' op expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 2, 0>}> : () -> vector<4x4xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.constant_mask' op only supports 'none set' or 'all set' scalable dimensions
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 2>}> : () -> vector<[4]xi1>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.print' op failed to verify that `source` or `punctuation` are not set when printing strings
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    "vector.print"(%arg4) <{punctuation = #vector.punctuation<comma>, stringLiteral = "x"}> : (f32) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.step' op result #0 must be vector of index values of ranks 1, but got 'vector<4x4xindex>'
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.step"() : () -> vector<4x4xindex>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.fma' op failed to verify that all of {lhs, rhs, acc, result} have same type
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xf32>, f32, index, vector<[8]xf32>, vector<3xf32>, memref<8x8xf32>, memref<8xf32, strided<[2]>>, memref<8xi32>, vector<4xi1>, vector<2xi1>, vector<4xi32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4x8xf32>, %arg2: vector<2x8xf32>, %arg3: vector<4xf32>, %arg4: f32, %arg5: index, %arg6: vector<[8]xf32>, %arg7: vector<3xf32>, %arg8: memref<8x8xf32>, %arg9: memref<8xf32, strided<[2]>>, %arg10: memref<8xi32>, %arg11: vector<4xi1>, %arg12: vector<2xi1>, %arg13: vector<4xi32>):
    %0 = "vector.fma"(%arg3, %arg3, %arg0) : (vector<4xf32>, vector<4xf32>, vector<2x4xf32>) -> vector<4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.load' op destination memref has lower rank than the result vector
"builtin.module"() ({
  "func.func"() <{function_type = (memref<8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: memref<8xf32>, %arg1: index):
    %0 = "vector.load"(%arg0, %arg1) : (memref<8xf32>, index) -> vector<2x4xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
// error: 'vector.store' op source memref has lower rank than the vector to store
"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, memref<8xf32>, index) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: memref<8xf32>, %arg2: index):
    "vector.store"(%arg0, %arg1, %arg2) : (vector<2x4xf32>, memref<8xf32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
