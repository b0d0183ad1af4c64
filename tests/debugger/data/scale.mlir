#di_file = #cuda_tile.di_file<"scale.cu" in ".">
#di_file1 = #cuda_tile.di_file<"__nv_name_map" in ".">
#loc1 = loc("scale.cu":6:22)
#di_compile_unit = #cuda_tile.di_compile_unit<file = #di_file1>
#di_subprogram = #cuda_tile.di_subprogram<file = #di_file, line = 6, name = "_Z5scaleIfLi256EEvPKT_PS0_S0_i", linkageName = "_Z5scaleIfLi256EEvPKT_PS0_S0_i", compileUnit = #di_compile_unit, scopeLine = 6>
#loc15 = #cuda_tile.di_loc<#loc1 in #di_subprogram>
cuda_tile.module @kernels {
  global  constant @_ZN4cuda5tiles3__16detail19static_extents_onlyINS1_7extentsIjJLm256EEEENS2_14index_sequenceIJLm0EEEEE5valueE alignment = 1 <i8: 1> : tile<1xi8> loc(#loc)
  global  constant @_ZN4cuda5tiles3__16detail19static_extents_onlyINS1_7extentsIjJEEENS2_14index_sequenceIJEEEE5valueE alignment = 1 <i8: 1> : tile<1xi8> loc(#loc)
  global  constant @_ZN4cuda5tiles3__16detail13TILE_CHAR_BITE alignment = 4 <i32: 8> : tile<1xi32> loc(#loc)
  global  constant @_ZN4cuda5tiles3__16detail25max_tile_elements_per_dimE alignment = 8 <i64: 16777216> : tile<1xi64> loc(#loc)
  global  constant @_ZN4cuda5tiles3__16detail17max_tile_elementsE alignment = 8 <i64: 16777216> : tile<1xi64> loc(#loc)
  entry @_Z5scaleIfLi256EEvPKT_PS0_S0_i(%arg0: tile<ptr<f32>> loc(#loc15), %arg1: tile<ptr<f32>> loc(#loc15), %arg2: tile<f32> loc(#loc15), %arg3: tile<i32> loc(#loc15)) {
    %cst_3_i32 = constant <i32: 3> : tile<i32> loc(#loc)
    %cst_1_i32 = constant <i32: 1> : tile<i32> loc(#loc)
    %cst_256_i32 = constant <i32: 256> : tile<i32> loc(#loc16)
    %cst_0_f32 = constant <f32: 0.000000e+00> : tile<256xf32> loc(#loc)
    %cst_0_i8 = constant <i8: 0> : tile<256xi8> loc(#loc)
    %cst_0_i32 = constant <i32: 0> : tile<i32> loc(#loc)
    %0 = make_token : token loc(#loc15)
    %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32> loc(#loc28)
    %1 = muli %blockId_x, %cst_256_i32 overflow<no_signed_wrap> : tile<i32> loc(#loc16)
    %2 = iota : tile<256xi32> loc(#loc18)
    %reshape = reshape %2 : tile<256xi32> -> tile<256xi32> loc(#loc18)
    %reshape_0 = reshape %1 : tile<i32> -> tile<1xi32> loc(#loc19)
    %bcast = broadcast %reshape_0 : tile<1xi32> -> tile<256xi32> loc(#loc19)
    %3 = addi %bcast, %reshape overflow<no_signed_wrap> : tile<256xi32> loc(#loc19)
    %reshape_1 = reshape %arg3 : tile<i32> -> tile<1xi32> loc(#loc20)
    %bcast_2 = broadcast %reshape_1 : tile<1xi32> -> tile<256xi32> loc(#loc20)
    %4 = cmpi less_than %3, %bcast_2, signed : tile<256xi32> -> tile<256xi1> loc(#loc20)
    %5 = exti %4 unsigned : tile<256xi1> -> tile<256xi8> loc(#loc20)
    %reshape_3 = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>> loc(#loc21)
    %bcast_4 = broadcast %reshape_3 : tile<1xptr<f32>> -> tile<256xptr<f32>> loc(#loc21)
    %6 = exti %3 signed : tile<256xi32> -> tile<256xi64> loc(#loc21)
    %7 = offset %bcast_4, %6 : tile<256xptr<f32>>, tile<256xi64> -> tile<256xptr<f32>> loc(#loc21)
    %8 = cmpi not_equal %5, %cst_0_i8, signed : tile<256xi8> -> tile<256xi1> loc(#loc22)
    %result, %result_token = load_ptr_tko weak %7, %8, %cst_0_f32 : tile<256xptr<f32>>, tile<256xi1>, tile<256xf32> -> tile<256xf32>, token loc(#loc22)
    %9 = join_tokens %0, %result_token : token loc(#loc22)
    %for:4 = for %loopIdx in (%cst_0_i32 to %cst_3_i32, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %result, %iterArg1 = %cst_0_i32, %iterArg2 = %0, %iterArg3 = %9) -> (tile<256xf32>, tile<i32>, token, token) {
      %reshape_7 = reshape %arg2 : tile<f32> -> tile<1xf32> loc(#loc29)
      %bcast_8 = broadcast %reshape_7 : tile<1xf32> -> tile<256xf32> loc(#loc29)
      %12 = fma %iterArg0, %bcast_8, %result  : tile<256xf32> loc(#loc29)
      %13 = addi %loopIdx, %cst_1_i32 : tile<i32> loc(#loc27)
      continue %12, %13, %iterArg2, %iterArg3 : tile<256xf32>, tile<i32>, token, token loc(#loc27)
    } loc(#loc27)
    %reshape_5 = reshape %arg1 : tile<ptr<f32>> -> tile<1xptr<f32>> loc(#loc23)
    %bcast_6 = broadcast %reshape_5 : tile<1xptr<f32>> -> tile<256xptr<f32>> loc(#loc23)
    %10 = offset %bcast_6, %6 : tile<256xptr<f32>>, tile<256xi64> -> tile<256xptr<f32>> loc(#loc23)
    %11 = store_ptr_tko weak %10, %for#0, %8 : tile<256xptr<f32>>, tile<256xf32>, tile<256xi1> -> token loc(#loc24)
    return loc(#loc25)
  } loc(#loc15)
} loc(#loc)
#di_file2 = #cuda_tile.di_file<"cuda_tile.h" in ".">
#loc = loc(unknown)
#loc2 = loc("scale.cu":7:51)
#loc3 = loc("cuda_tile.h":2259:20)
#loc4 = loc("scale.cu":7:36)
#loc5 = loc("scale.cu":7:55)
#loc6 = loc("scale.cu":7:19)
#loc7 = loc("scale.cu":8:17)
#loc8 = loc("scale.cu":9:32)
#loc9 = loc("scale.cu":9:16)
#loc10 = loc("scale.cu":11:5)
#loc11 = loc("scale.cu":12:15)
#loc12 = loc("scale.cu":14:22)
#loc13 = loc("scale.cu":14:5)
#loc14 = loc("scale.cu":15:1)
#di_subprogram1 = #cuda_tile.di_subprogram<file = #di_file2, line = 2258, name = "_ZN4cuda5tiles3__13bidEv", linkageName = "_ZN4cuda5tiles3__13bidEv", compileUnit = #di_compile_unit, scopeLine = 2258>
#di_lexical_block = #cuda_tile.di_lexical_block<scope = #di_subprogram, file = #di_file, line = 6, column = 95>
#di_lexical_block1 = #cuda_tile.di_lexical_block<scope = #di_subprogram1, file = #di_file2, line = 2258, column = 42>
#di_lexical_block2 = #cuda_tile.di_lexical_block<scope = #di_lexical_block1, file = #di_file2, line = 2259, column = 7>
#di_lexical_block3 = #cuda_tile.di_lexical_block<scope = #di_lexical_block, file = #di_file, line = 11, column = 5>
#loc16 = #cuda_tile.di_loc<#loc2 in #di_lexical_block>
#loc17 = #cuda_tile.di_loc<#loc4 in #di_lexical_block>
#loc18 = #cuda_tile.di_loc<#loc5 in #di_lexical_block>
#loc19 = #cuda_tile.di_loc<#loc6 in #di_lexical_block>
#loc20 = #cuda_tile.di_loc<#loc7 in #di_lexical_block>
#loc21 = #cuda_tile.di_loc<#loc8 in #di_lexical_block>
#loc22 = #cuda_tile.di_loc<#loc9 in #di_lexical_block>
#loc23 = #cuda_tile.di_loc<#loc12 in #di_lexical_block>
#loc24 = #cuda_tile.di_loc<#loc13 in #di_lexical_block>
#loc25 = #cuda_tile.di_loc<#loc14 in #di_lexical_block>
#di_lexical_block4 = #cuda_tile.di_lexical_block<scope = #di_lexical_block3, file = #di_file, line = 11, column = 33>
#loc26 = #cuda_tile.di_loc<#loc3 in #di_lexical_block2>
#loc27 = #cuda_tile.di_loc<#loc10 in #di_lexical_block3>
#loc28 = loc(callsite(#loc26 at #loc17))
#loc29 = #cuda_tile.di_loc<#loc11 in #di_lexical_block4>
