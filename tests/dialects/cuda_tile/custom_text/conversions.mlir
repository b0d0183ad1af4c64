// bitcast
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = bitcast %cst_f32 : tile<4xf32> -> tile<4xi32>
    return
  }
}

// -----

// exti
cuda_tile.module @example {
  entry @kernel() {
    %cst_i8 = constant <i8: [-1, 0, 1, 127]> : tile<4xi8>
    %0 = exti %cst_i8 signed : tile<4xi8> -> tile<4xi32>
    return
  }
}

// -----

// trunci
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %0 = trunci %cst_i32 overflow<no_signed_wrap> : tile<4xi32> -> tile<4xi8>
    return
  }
}

// -----

// itof
cuda_tile.module @example {
  entry @kernel() {
    %cst_i32 = constant <i32: [1, -2, 3, 100]> : tile<4xi32>
    %0 = itof %cst_i32 signed  : tile<4xi32> -> tile<4xf16>
    return
  }
}

// -----

// ftoi
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = ftoi %cst_f32 signed  saturating : tile<4xf32> -> tile<4xi8>
    return
  }
}

// -----

// ftof
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = ftof %cst_f32  : tile<4xf32> -> tile<4xf8E4M3FN>
    return
  }
}

// -----

// int_to_ptr
cuda_tile.module @example {
  entry @kernel(%arg0: tile<i64>) {
    %0 = int_to_ptr %arg0 : tile<i64> -> tile<ptr<f32>>
    return
  }
}

// -----

// ptr_to_int
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %0 = ptr_to_int %arg0 : tile<ptr<f32>> -> tile<i64>
    return
  }
}

// -----

// ptr_to_ptr
cuda_tile.module @example {
  entry @kernel(%arg0: tile<ptr<f32>>) {
    %0 = ptr_to_ptr %arg0 : tile<ptr<f32>> -> tile<ptr<i32>>
    return
  }
}

// -----

// pack
cuda_tile.module @example {
  entry @kernel() {
    %cst_f4E2M1FN = constant <f4E2M1FN: [5.000000e-01, 1.000000e+00, 1.500000e+00, -6.000000e+00]> : tile<4xf4E2M1FN>
    %0 = pack %cst_f4E2M1FN : tile<4xf4E2M1FN> -> tile<2xi8>
    return
  }
}

// -----

// unpack
cuda_tile.module @example {
  entry @kernel() {
    %cst_i8 = constant <i8: [0, 0, -128, 63]> : tile<4xi8>
    %0 = unpack %cst_i8 : tile<4xi8> -> tile<1xf32>
    return
  }
}
