// Rules of the types of the cascade.
// RUN: tilewright-opt %s --verify-diagnostics --split-input-file

// expected-error@+1 {{expected 2 strides, got 1}}
func.func private @a(!nv_tileaa.memref<4x4xf32, strides = [1]>)

// -----

// expected-error@+1 {{divisor must be a power of 2}}
func.func private @b() attributes {test.a = #nv_tileaa.div_by<3>}

// -----

// expected-error@+1 {{expects conv params size matched with each other}}
func.func private @c() attributes {test.a = #nv_tileaa.conv_params<[3, 3], [1], [1, 1], [1, 1]>}

// -----

// expected-error@+1 {{expected a box of rank 1 to 5, got 6}}
func.func private @d(!nv_tileas.tma_desc<f16, [1, 1, 1, 1, 1, 1]>)

// -----

// expected-error@+1 {{dialect 'cutlass' provides no type parsing hook for 'barrier'}}
func.func private @e(!cutlass.barrier<1>)

// -----

// expected-error@+1 {{unknown  type `sm70.mma` in dialect `cute_nvgpu`}}
func.func private @f(!cute_nvgpu.sm70.mma<f16>)

// -----

// expected-error@+1 {{expects N from 8 to 256 in steps of 8, got 12}}
func.func private @g(!cute_nvgpu.sm90.mma<64x12x16, f16, f16, f32>)

// -----

// expected-error@+1 {{unsupported cp.async vector width}}
func.func private @h(!cute_nvgpu.atom.simt_async_copy<f32, 16>)

// -----

// expected-error@+1 {{expected a stride for each extent, got (4,8):(1,(2,2))}}
func.func private @i(!cute.layout<"(4,8):(1,(2,2))">)

// -----

// expected-error@+1 {{expected ',' or ')' in '(4 8)', got '8'}}
func.func private @j(!cute.shape<"(4 8)">)

// -----

// expected-error@+1 {{expected an alignment that is a power of two, got 3}}
func.func private @k(!cute.ptr<f16, smem, align<3>>)
