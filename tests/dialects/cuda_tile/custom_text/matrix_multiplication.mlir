// mmaf
cuda_tile.module @example {
  entry @kernel() {
    %cst_1_f16 = constant <f16: 1.000000e+00> : tile<4x8xf16>
    %cst_2_f16 = constant <f16: 2.000000e+00> : tile<8x2xf16>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<4x2xf32>
    %0 = mmaf %cst_1_f16, %cst_2_f16, %cst_0_f32 : tile<4x8xf16>, tile<8x2xf16>, tile<4x2xf32>
    return
  }
}

// -----

// mmai
cuda_tile.module @example {
  entry @kernel() {
    %cst_1_i8 = constant <i8: 1> : tile<4x8xi8>
    %cst_-1_i8 = constant <i8: -1> : tile<8x2xi8>
    %cst_0_i32 = constant <i32: 0> : tile<4x2xi32>
    %0 = mmai %cst_1_i8, %cst_-1_i8, %cst_0_i32 signed signed : tile<4x8xi8>, tile<8x2xi8>, tile<4x2xi32>
    return
  }
}

// -----

// mmaf_scaled
cuda_tile.module @example {
  entry @kernel() {
    %cst_1_f8E4M3FN = constant <f8E4M3FN: 1.000000e+00> : tile<4x64xf8E4M3FN>
    %cst_2_f8E4M3FN = constant <f8E4M3FN: 2.000000e+00> : tile<64x2xf8E4M3FN>
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<4x2xf32>
    %cst_1_f8E8M0FNU = constant <f8E8M0FNU: 1.000000e+00> : tile<4x2xf8E8M0FNU>
    %cst_2_f8E8M0FNU = constant <f8E8M0FNU: 2.000000e+00> : tile<2x2xf8E8M0FNU>
    %0 = mmaf_scaled %cst_1_f8E4M3FN, %cst_2_f8E4M3FN, %cst_0_f32, %cst_1_f8E8M0FNU, %cst_2_f8E8M0FNU : tile<4x64xf8E4M3FN>, tile<64x2xf8E4M3FN>, tile<4x2xf32>, tile<4x2xf8E8M0FNU>, tile<2x2xf8E8M0FNU>
    return
  }
}
