module {
  func.func @arith(%arg0: vector<4xf32>, %arg1: f32, %arg2: vector<2x4xf32>, %arg3: vector<4x8xf32>, %arg4: vector<2x8xf32>, %arg5: vector<4xi32>, %arg6: vector<4xi1>) {
    %0 = vector.fma %arg0, %arg0, %arg0 : vector<4xf32>
    %1 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %arg2, %arg3, %arg4 : vector<2x4xf32>, vector<4x8xf32> into vector<2x8xf32>
    %2 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %arg0, %arg0, %arg1 : vector<4xf32>, vector<4xf32> into f32
    %3 = vector.outerproduct %arg0, %arg0 : vector<4xf32>, vector<4xf32>
    %4 = vector.outerproduct %arg0, %arg0, %3 {kind = #vector.kind<maxnumf>} : vector<4xf32>, vector<4xf32>
    %5 = vector.outerproduct %arg0, %arg1 : vector<4xf32>, f32
    %6 = vector.reduction <add>, %arg0 : vector<4xf32> into f32
    %7 = vector.reduction <maxsi>, %arg5 : vector<4xi32> into i32
    %8 = vector.reduction <add>, %arg0, %arg1 fastmath<reassoc,contract> : vector<4xf32> into f32
    %9 = vector.multi_reduction <mul>, %arg2, %arg0 [0] : vector<2x4xf32> to vector<4xf32>
    %10 = vector.multi_reduction <add>, %arg2, %arg1 [0, 1] : vector<2x4xf32> to f32
    %dest, %accumulated_value = vector.scan <add>, %arg2, %arg0 {inclusive = true, reduction_dim = 0 : i64} : vector<2x4xf32>, vector<4xf32>
    return
  }
}
// -----
module {
  func.func @shape(%arg0: vector<4xf32>, %arg1: f32, %arg2: vector<2x4xf32>, %arg3: index, %arg4: vector<[8]xf32>, %arg5: vector<f32>) {
    %0 = vector.broadcast %arg1 : f32 to vector<2x4xf32>
    %1 = vector.broadcast %arg0 : vector<4xf32> to vector<2x4xf32>
    %2 = vector.extract %arg2[1] : vector<4xf32> from vector<2x4xf32>
    %3 = vector.extract %arg2[%arg3, 2] : f32 from vector<2x4xf32>
    %4 = vector.extract %arg5[] : f32 from vector<f32>
    %5 = vector.insert %arg0, %arg2 [0] : vector<4xf32> into vector<2x4xf32>
    %6 = vector.insert %arg1, %arg0 [%arg3] : f32 into vector<4xf32>
    %7 = vector.extract_strided_slice %arg2 {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<2x4xf32> to vector<2x2xf32>
    %8 = vector.insert_strided_slice %7, %arg2 {offsets = [0, 2], strides = [1, 1]} : vector<2x2xf32> into vector<2x4xf32>
    %9 = vector.scalable.extract %arg4[4] : vector<4xf32> from vector<[8]xf32>
    %10 = vector.scalable.insert %arg0, %arg4[0] : vector<4xf32> into vector<[8]xf32>
    %11 = vector.shuffle %arg0, %arg0 [0, 5, -1] : vector<4xf32>, vector<4xf32>
    %12 = vector.shape_cast %arg2 : vector<2x4xf32> to vector<8xf32>
    %13 = vector.transpose %arg2, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
    %14 = vector.bitcast %arg2 : vector<2x4xf32> to vector<2x8xf16>
    %15 = vector.interleave %arg0, %arg0 : vector<4xf32> -> vector<8xf32>
    %res1, %res2 = vector.deinterleave %arg2 : vector<2x4xf32> -> vector<2x2xf32>
    %16:4 = vector.to_elements %arg0 : vector<4xf32>
    %17 = vector.from_elements %arg1, %arg1 : vector<2x1xf32>
    %18 = vector.step : vector<[4]xindex>
    %vscale = vector.vscale
    return
  }
}
// -----
module {
  func.func @memory(%arg0: memref<8x8xf32>, %arg1: tensor<?x8xf32>, %arg2: index, %arg3: vector<4xf32>, %arg4: f32, %arg5: vector<4xi1>, %arg6: vector<4xi32>, %arg7: memref<f32>, %arg8: memref<4xvector<4xf32>>) {
    %0 = vector.load %arg0[%arg2, %arg2] : memref<8x8xf32>, vector<4xf32>
    %1 = vector.load %arg0[%arg2, %arg2] {alignment = 16 : i64, nontemporal = true} : memref<8x8xf32>, vector<2x4xf32>
    vector.store %arg3, %arg0[%arg2, %arg2] : memref<8x8xf32>, vector<4xf32>
    %2 = vector.transfer_read %arg0[%arg2, %arg2], %arg4 : memref<8x8xf32>, vector<4xf32>
    %3 = vector.transfer_read %arg1[%arg2, %arg2], %arg4, %arg5 {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : tensor<?x8xf32>, vector<4xf32>
    %4 = vector.transfer_read %arg0[%arg2, %arg2], %arg4 {in_bounds = [false, true], permutation_map = affine_map<(d0, d1) -> (d1, 0)>} : memref<8x8xf32>, vector<4x2xf32>
    vector.transfer_write %arg3, %arg0[%arg2, %arg2] : vector<4xf32>, memref<8x8xf32>
    %5 = vector.transfer_write %arg3, %arg1[%arg2, %arg2], %arg5 {in_bounds = [true]} : vector<4xf32>, tensor<?x8xf32>
    %6 = vector.maskedload %arg0[%arg2, %arg2], %arg5, %arg3 : memref<8x8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.maskedstore %arg0[%arg2, %arg2], %arg5, %arg3 {alignment = 8 : i64} : memref<8x8xf32>, vector<4xi1>, vector<4xf32>
    %7 = vector.gather %arg0[%arg2, %arg2] [%arg6], %arg5, %arg3 : memref<8x8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.scatter %arg0[%arg2, %arg2] [%arg6], %arg5, %arg3 : memref<8x8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
    %8 = vector.expandload %arg0[%arg2, %arg2], %arg5, %arg3 : memref<8x8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.compressstore %arg0[%arg2, %arg2], %arg5, %arg3 : memref<8x8xf32>, vector<4xi1>, vector<4xf32>
    %9 = vector.type_cast %arg0 : memref<8x8xf32> to memref<vector<8x8xf32>>
    return
  }
}
// -----
module {
  func.func @mask(%arg0: index, %arg1: vector<4xi1>, %arg2: vector<4xf32>, %arg3: memref<?xf32>, %arg4: f32) {
    %0 = vector.create_mask %arg0, %arg0 : vector<4x[8]xi1>
    %1 = vector.constant_mask [2, 3] : vector<4x8xi1>
    %2 = vector.mask %arg1 { vector.transfer_read %arg3[%arg0], %arg4 : memref<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
    vector.mask %arg1 { vector.transfer_write %arg2, %arg3[%arg0] : vector<4xf32>, memref<?xf32> } : vector<4xi1>
    vector.print %arg2 : vector<4xf32>
    vector.print %arg4 : f32 punctuation <comma>
    vector.print punctuation <open>
    vector.print str "text"
    return
  }
}
