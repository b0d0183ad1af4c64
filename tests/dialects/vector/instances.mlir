"builtin.module"() ({
  "func.func"() <{function_type = (vector<4xf32>, f32, vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>, vector<4xi32>, vector<4xi1>) -> (), sym_name = "arith"}> ({
  ^bb0(%arg0: vector<4xf32>, %arg1: f32, %arg2: vector<2x4xf32>, %arg3: vector<4x8xf32>, %arg4: vector<2x8xf32>, %arg5: vector<4xi32>, %arg6: vector<4xi1>):
    %0 = "vector.fma"(%arg0, %arg0, %arg0) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
    %1 = "vector.contract"(%arg2, %arg3, %arg4) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<parallel>, #vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<2x4xf32>, vector<4x8xf32>, vector<2x8xf32>) -> vector<2x8xf32>
    %2 = "vector.contract"(%arg0, %arg0, %arg1) <{indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = [#vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>, f32) -> f32
    %3 = "vector.outerproduct"(%arg0, %arg0) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>) -> vector<4x4xf32>
    %4 = "vector.outerproduct"(%arg0, %arg0, %3) <{kind = #vector.kind<maxnumf>}> : (vector<4xf32>, vector<4xf32>, vector<4x4xf32>) -> vector<4x4xf32>
    %5 = "vector.outerproduct"(%arg0, %arg1) <{kind = #vector.kind<add>}> : (vector<4xf32>, f32) -> vector<4xf32>
    %6 = "vector.reduction"(%arg0) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<add>}> : (vector<4xf32>) -> f32
    %7 = "vector.reduction"(%arg5) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<maxsi>}> : (vector<4xi32>) -> i32
    %8 = "vector.reduction"(%arg0, %arg1) <{fastmath = #arith.fastmath<reassoc,contract>, kind = #vector.kind<add>}> : (vector<4xf32>, f32) -> f32
    %9 = "vector.multi_reduction"(%arg2, %arg0) <{kind = #vector.kind<mul>, reduction_dims = array<i64: 0>}> : (vector<2x4xf32>, vector<4xf32>) -> vector<4xf32>
    %10 = "vector.multi_reduction"(%arg2, %arg1) <{kind = #vector.kind<add>, reduction_dims = array<i64: 0, 1>}> : (vector<2x4xf32>, f32) -> f32
    %11:2 = "vector.scan"(%arg2, %arg0) <{inclusive = true, kind = #vector.kind<add>, reduction_dim = 0 : i64}> : (vector<2x4xf32>, vector<4xf32>) -> (vector<2x4xf32>, vector<4xf32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (vector<4xf32>, f32, vector<2x4xf32>, index, vector<[8]xf32>, vector<f32>) -> (), sym_name = "shape"}> ({
  ^bb0(%arg0: vector<4xf32>, %arg1: f32, %arg2: vector<2x4xf32>, %arg3: index, %arg4: vector<[8]xf32>, %arg5: vector<f32>):
    %0 = "vector.broadcast"(%arg1) : (f32) -> vector<2x4xf32>
    %1 = "vector.broadcast"(%arg0) : (vector<4xf32>) -> vector<2x4xf32>
    %2 = "vector.extract"(%arg2) <{static_position = array<i64: 1>}> : (vector<2x4xf32>) -> vector<4xf32>
    %3 = "vector.extract"(%arg2, %arg3) <{static_position = array<i64: -9223372036854775808, 2>}> : (vector<2x4xf32>, index) -> f32
    %4 = "vector.extract"(%arg5) <{static_position = array<i64>}> : (vector<f32>) -> f32
    %5 = "vector.insert"(%arg0, %arg2) <{static_position = array<i64: 0>}> : (vector<4xf32>, vector<2x4xf32>) -> vector<2x4xf32>
    %6 = "vector.insert"(%arg1, %arg0, %arg3) <{static_position = array<i64: -9223372036854775808>}> : (f32, vector<4xf32>, index) -> vector<4xf32>
    %7 = "vector.extract_strided_slice"(%arg2) <{offsets = [0, 1], sizes = [2, 2], strides = [1, 1]}> : (vector<2x4xf32>) -> vector<2x2xf32>
    %8 = "vector.insert_strided_slice"(%7, %arg2) <{offsets = [0, 2], strides = [1, 1]}> : (vector<2x2xf32>, vector<2x4xf32>) -> vector<2x4xf32>
    %9 = "vector.scalable.extract"(%arg4) <{pos = 4 : i64}> : (vector<[8]xf32>) -> vector<4xf32>
    %10 = "vector.scalable.insert"(%arg0, %arg4) <{pos = 0 : i64}> : (vector<4xf32>, vector<[8]xf32>) -> vector<[8]xf32>
    %11 = "vector.shuffle"(%arg0, %arg0) <{mask = array<i64: 0, 5, -1>}> : (vector<4xf32>, vector<4xf32>) -> vector<3xf32>
    %12 = "vector.shape_cast"(%arg2) : (vector<2x4xf32>) -> vector<8xf32>
    %13 = "vector.transpose"(%arg2) <{permutation = array<i64: 1, 0>}> : (vector<2x4xf32>) -> vector<4x2xf32>
    %14 = "vector.bitcast"(%arg2) : (vector<2x4xf32>) -> vector<2x8xf16>
    %15 = "vector.interleave"(%arg0, %arg0) : (vector<4xf32>, vector<4xf32>) -> vector<8xf32>
    %16:2 = "vector.deinterleave"(%arg2) : (vector<2x4xf32>) -> (vector<2x2xf32>, vector<2x2xf32>)
    %17:4 = "vector.to_elements"(%arg0) : (vector<4xf32>) -> (f32, f32, f32, f32)
    %18 = "vector.from_elements"(%arg1, %arg1) : (f32, f32) -> vector<2x1xf32>
    %19 = "vector.step"() : () -> vector<[4]xindex>
    %20 = "vector.vscale"() : () -> index
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (memref<8x8xf32>, tensor<?x8xf32>, index, vector<4xf32>, f32, vector<4xi1>, vector<4xi32>, memref<f32>, memref<4xvector<4xf32>>) -> (), sym_name = "memory"}> ({
  ^bb0(%arg0: memref<8x8xf32>, %arg1: tensor<?x8xf32>, %arg2: index, %arg3: vector<4xf32>, %arg4: f32, %arg5: vector<4xi1>, %arg6: vector<4xi32>, %arg7: memref<f32>, %arg8: memref<4xvector<4xf32>>):
    %0 = "vector.load"(%arg0, %arg2, %arg2) : (memref<8x8xf32>, index, index) -> vector<4xf32>
    %1 = "vector.load"(%arg0, %arg2, %arg2) <{alignment = 16 : i64, nontemporal = true}> : (memref<8x8xf32>, index, index) -> vector<2x4xf32>
    "vector.store"(%arg3, %arg0, %arg2, %arg2) : (vector<4xf32>, memref<8x8xf32>, index, index) -> ()
    %2 = "vector.transfer_read"(%arg0, %arg2, %arg2, %arg4) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4xf32>
    %3 = "vector.transfer_read"(%arg1, %arg2, %arg2, %arg4, %arg5) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = affine_map<(d0, d1) -> (d0)>}> : (tensor<?x8xf32>, index, index, f32, vector<4xi1>) -> vector<4xf32>
    %4 = "vector.transfer_read"(%arg0, %arg2, %arg2, %arg4) <{in_bounds = [false, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1, 0)>}> : (memref<8x8xf32>, index, index, f32) -> vector<4x2xf32>
    "vector.transfer_write"(%arg3, %arg0, %arg2, %arg2) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (vector<4xf32>, memref<8x8xf32>, index, index) -> ()
    %5 = "vector.transfer_write"(%arg3, %arg1, %arg2, %arg2, %arg5) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 2, 1>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (vector<4xf32>, tensor<?x8xf32>, index, index, vector<4xi1>) -> tensor<?x8xf32>
    %6 = "vector.maskedload"(%arg0, %arg2, %arg2, %arg5, %arg3) : (memref<8x8xf32>, index, index, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    "vector.maskedstore"(%arg0, %arg2, %arg2, %arg5, %arg3) <{alignment = 8 : i64}> : (memref<8x8xf32>, index, index, vector<4xi1>, vector<4xf32>) -> ()
    %7 = "vector.gather"(%arg0, %arg2, %arg2, %arg6, %arg5, %arg3) : (memref<8x8xf32>, index, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    "vector.scatter"(%arg0, %arg2, %arg2, %arg6, %arg5, %arg3) : (memref<8x8xf32>, index, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> ()
    %8 = "vector.expandload"(%arg0, %arg2, %arg2, %arg5, %arg3) : (memref<8x8xf32>, index, index, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    "vector.compressstore"(%arg0, %arg2, %arg2, %arg5, %arg3) : (memref<8x8xf32>, index, index, vector<4xi1>, vector<4xf32>) -> ()
    %9 = "vector.type_cast"(%arg0) : (memref<8x8xf32>) -> memref<vector<8x8xf32>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (index, vector<4xi1>, vector<4xf32>, memref<?xf32>, f32) -> (), sym_name = "mask"}> ({
  ^bb0(%arg0: index, %arg1: vector<4xi1>, %arg2: vector<4xf32>, %arg3: memref<?xf32>, %arg4: f32):
    %0 = "vector.create_mask"(%arg0, %arg0) : (index, index) -> vector<4x[8]xi1>
    %1 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 2, 3>}> : () -> vector<4x8xi1>
    %2 = "vector.mask"(%arg1) ({
      %3 = "vector.transfer_read"(%arg3, %arg0, %arg4) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (memref<?xf32>, index, f32) -> vector<4xf32>
      "vector.yield"(%3) : (vector<4xf32>) -> ()
    }) : (vector<4xi1>) -> vector<4xf32>
    "vector.mask"(%arg1) ({
      "vector.transfer_write"(%arg2, %arg3, %arg0) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, memref<?xf32>, index) -> ()
      "vector.yield"() : () -> ()
    }) : (vector<4xi1>) -> ()
    "vector.print"(%arg2) <{punctuation = #vector.punctuation<newline>}> : (vector<4xf32>) -> ()
    "vector.print"(%arg4) <{punctuation = #vector.punctuation<comma>}> : (f32) -> ()
    "vector.print"() <{punctuation = #vector.punctuation<open>}> : () -> ()
    "vector.print"() <{punctuation = #vector.punctuation<newline>, stringLiteral = "text"}> : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
