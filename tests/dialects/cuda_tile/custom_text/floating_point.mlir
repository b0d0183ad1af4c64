// absf
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = absf %cst_f32 : tile<4xf32>
    return
  }
}

// -----

// negf
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = negf %cst_f32 : tile<4xf32>
    return
  }
}

// -----

// addf
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %cst_f32_0 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %0 = addf %cst_f32, %cst_f32_0  : tile<4xf32>
    return
  }
}

// -----

// subf
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %cst_f32_0 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %0 = subf %cst_f32, %cst_f32_0  : tile<4xf32>
    return
  }
}

// -----

// mulf
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %cst_f32_0 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %0 = mulf %cst_f32, %cst_f32_0  : tile<4xf32>
    return
  }
}

// -----

// divf
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %cst_f32_0 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %0 = divf %cst_f32, %cst_f32_0 rounding<approx> flush_to_zero : tile<4xf32>
    return
  }
}

// -----

// fma
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %cst_f32_0 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %cst_1_f32 = constant <f32: 1.000000e+00> : tile<4xf32>
    %0 = fma %cst_f32, %cst_f32_0, %cst_1_f32  : tile<4xf32>
    return
  }
}

// -----

// sqrt
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 4.000000e+00, 9.000000e+00, 2.000000e+00]> : tile<4xf32>
    %0 = sqrt %cst_f32  : tile<4xf32>
    return
  }
}

// -----

// rsqrt
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %0 = rsqrt %cst_f32 : tile<4xf32>
    return
  }
}

// -----

// exp
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = exp %cst_f32 rounding<approx> : tile<4xf32>
    return
  }
}

// -----

// exp2
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = exp2 %cst_f32 : tile<4xf32>
    return
  }
}

// -----

// log
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %0 = log %cst_f32 : tile<4xf32>
    return
  }
}

// -----

// log2
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %0 = log2 %cst_f32 : tile<4xf32>
    return
  }
}

// -----

// sin
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = sin %cst_f32 : tile<4xf32>
    return
  }
}

// -----

// cos
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = cos %cst_f32 : tile<4xf32>
    return
  }
}

// -----

// tan
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = tan %cst_f32 : tile<4xf32>
    return
  }
}

// -----

// sinh
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = sinh %cst_f32 : tile<4xf32>
    return
  }
}

// -----

// cosh
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = cosh %cst_f32 : tile<4xf32>
    return
  }
}

// -----

// tanh
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = tanh %cst_f32 rounding<approx> : tile<4xf32>
    return
  }
}

// -----

// pow
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tile<4xf32>
    %cst_f32_0 = constant <f32: 5.000000e-01> : tile<4xf32>
    %0 = pow %cst_f32, %cst_f32_0 : tile<4xf32>
    return
  }
}

// -----

// fpowi
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %cst_i32 = constant <i32: [2, 3, 1, 0]> : tile<4xi32>
    %0 = fpowi %cst_f32, %cst_i32 : tile<4xf32>, tile<4xi32>
    return
  }
}

// -----

// atan2
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %cst_f32_0 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %0 = atan2 %cst_f32, %cst_f32_0 : tile<4xf32>
    return
  }
}

// -----

// remf
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %cst_f32_0 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %0 = remf %cst_f32, %cst_f32_0 : tile<4xf32>
    return
  }
}

// -----

// ceil
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = ceil %cst_f32 : tile<4xf32>
    return
  }
}

// -----

// floor
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %0 = floor %cst_f32 : tile<4xf32>
    return
  }
}

// -----

// maxf
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %cst_f32_0 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %0 = maxf %cst_f32, %cst_f32_0 propagate_nan : tile<4xf32>
    return
  }
}

// -----

// minf
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %cst_f32_0 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %0 = minf %cst_f32, %cst_f32_0 propagate_nan : tile<4xf32>
    return
  }
}

// -----

// cmpf
cuda_tile.module @example {
  entry @kernel() {
    %cst_f32 = constant <f32: [1.000000e+00, 2.500000e+00, -3.000000e+00, 0.000000e+00]> : tile<4xf32>
    %cst_f32_0 = constant <f32: [4.000000e+00, -5.000000e-01, 2.000000e+00, 8.000000e+00]> : tile<4xf32>
    %0 = cmpf less_than ordered %cst_f32, %cst_f32_0 : tile<4xf32> -> tile<4xi1>
    return
  }
}
