// for
cuda_tile.module @example {
  entry @kernel() {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_8_i32 = constant <i32: 8> : tile<i32>
    %cst_2_i32 = constant <i32: 2> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %for = for %loopIdx in (%cst_0_i32 to %cst_8_i32, step %cst_2_i32) : tile<i32> iter_values(%iterArg0 = %cst_0_i32_0) -> (tile<i32>) {
      %0 = addi %iterArg0, %loopIdx : tile<i32>
      continue %0 : tile<i32>
    }
    return
  }
}

// -----

// loop
cuda_tile.module @example {
  entry @kernel() {
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %0 = loop iter_values(%arg0 = %cst_1_i32) : tile<i32> -> tile<i32> {
      %1 = addi %arg0, %arg0 : tile<i32>
      %cst_100_i32 = constant <i32: 100> : tile<i32>
      %2 = cmpi greater_than %1, %cst_100_i32, signed : tile<i32> -> tile<i1>
      if %2 {
        break %1 : tile<i32>
      }
      continue %1 : tile<i32>
    }
    return
  }
}

// -----

// if
cuda_tile.module @example {
  entry @kernel(%arg0: tile<i1>) {
    %0 = if %arg0 -> (tile<f32>) {
      %cst_1_f32 = constant <f32: 1.000000e+00> : tile<f32>
      yield %cst_1_f32 : tile<f32>
    } else {
      %cst_2_f32 = constant <f32: 2.000000e+00> : tile<f32>
      yield %cst_2_f32 : tile<f32>
    }
    return
  }
}

// -----

// yield
cuda_tile.module @example {
  entry @kernel(%arg0: tile<i1>) {
    %0 = if %arg0 -> (tile<f32>) {
      %cst_1_f32 = constant <f32: 1.000000e+00> : tile<f32>
      yield %cst_1_f32 : tile<f32>
    } else {
      %cst_2_f32 = constant <f32: 2.000000e+00> : tile<f32>
      yield %cst_2_f32 : tile<f32>
    }
    return
  }
}

// -----

// continue
cuda_tile.module @example {
  entry @kernel() {
    %cst_0_i32 = constant <i32: 0> : tile<i32>
    %cst_8_i32 = constant <i32: 8> : tile<i32>
    %cst_2_i32 = constant <i32: 2> : tile<i32>
    %cst_0_i32_0 = constant <i32: 0> : tile<i32>
    %for = for %loopIdx in (%cst_0_i32 to %cst_8_i32, step %cst_2_i32) : tile<i32> iter_values(%iterArg0 = %cst_0_i32_0) -> (tile<i32>) {
      %0 = addi %iterArg0, %loopIdx : tile<i32>
      continue %0 : tile<i32>
    }
    return
  }
}

// -----

// break
cuda_tile.module @example {
  entry @kernel() {
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    %0 = loop iter_values(%arg0 = %cst_1_i32) : tile<i32> -> tile<i32> {
      %1 = addi %arg0, %arg0 : tile<i32>
      %cst_100_i32 = constant <i32: 100> : tile<i32>
      %2 = cmpi greater_than %1, %cst_100_i32, signed : tile<i32> -> tile<i1>
      if %2 {
        break %1 : tile<i32>
      }
      continue %1 : tile<i32>
    }
    return
  }
}

// -----

// return
cuda_tile.module @example {
  entry @kernel() {
    return
  }
}
