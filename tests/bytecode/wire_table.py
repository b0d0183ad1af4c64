"""The wire table of all 108 public operations, as the format's description gives it (test data).

Columns: opcode, op, first version, results, flag bits, attributes, operands, regions.  ``c:`` results come after their
number; ``N;`` operands after their total number; ``[c]*`` groups have their own count; ``?`` optional, ``*`` any
number; ``@V`` since V when later than the op.  Kinds: RM rounding mode, OV integer overflow, SG signedness, MO memory
ordering, MS memory scope, RMW atomic mode, CP and CO comparison predicate and ordering, SV symbol visibility, MR
reduction kind.
"""

from __future__ import annotations

WIRE_TABLE = """\
00 | absf | 13.1 | result | - | - | source | -
01 | absi | 13.1 | result | - | - | source | -
02 | addf | 13.1 | result | 0=ftz | rounding_mode:RM | lhs rhs | -
03 | addi | 13.1 | result | - | overflow:OV | lhs rhs | -
04 | andi | 13.1 | result | - | - | lhs rhs | -
05 | assert | 13.1 | - | - | message:str | condition | -
06 | assume | 13.1 | result | - | predicate:tagged | value | -
07 | atomic_cas_tko | 13.1 | result,result_token | 0=mask 1=token | ordering:MO, scope:MS | pointers cmp val mask? token? | -
08 | atomic_rmw_tko | 13.1 | result,result_token | 0=mask 1=token | ordering:MO, scope:MS, mode:RMW | pointers arg mask? token? | -
09 | bitcast | 13.1 | result | - | - | source | -
0A | break | 13.1 | c:0 | - | - | N; operands* | -
0B | broadcast | 13.1 | result | - | - | source | -
0C | cat | 13.1 | result | - | dim:int | lhs rhs | -
0D | ceil | 13.1 | result | - | - | source | -
0E | cmpf | 13.1 | result | - | predicate:CP, ordering:CO | lhs rhs | -
0F | cmpi | 13.1 | result | - | predicate:CP, signedness:SG | lhs rhs | -
10 | constant | 13.1 | result | - | value:const | - | -
11 | continue | 13.1 | c:0 | - | - | N; operands* | -
12 | cos | 13.1 | result | - | - | source | -
13 | cosh | 13.1 | result | - | - | source | -
14 | divf | 13.1 | result | 0=ftz | rounding_mode:RM | lhs rhs | -
15 | divi | 13.1 | result | - | signedness:SG, rounding:RM | lhs rhs | -
16 | entry | 13.1 | - | 0=res_attrs 1=hints 2=arg_attrs@13.5 | sym_name:str, function_type:type, arg_attrs?:array@13.5, res_attrs?:array, hints?:hints | - | 1
17 | exp | 13.1 | result | - | rounding_mode:RM@13.3 | source | -
18 | exp2 | 13.1 | result | 0=ftz | - | source | -
25 | exti | 13.1 | to | - | signedness:SG | from | -
26 | extract | 13.1 | c:result | - | - | N; source indices* | -
27 | floor | 13.1 | result | - | - | source | -
28 | fma | 13.1 | result | 0=ftz | rounding_mode:RM | lhs rhs acc | -
29 | for | 13.1 | c:result* | 0=unsignedCmp@13.2 | - | N; lowerBound upperBound step initValues* | 1
2A | ftof | 13.1 | to | - | rounding_mode:RM | from | -
2B | ftoi | 13.1 | to | 0=saturating@13.4 | signedness:SG, rounding_mode:RM | from | -
2C | get_global | 13.1 | result | - | name:str | - | -
2D | get_index_space_shape | 13.1 | c:result* | - | - | src | -
2E | get_num_tile_blocks | 13.1 | gridSize_x,gridSize_y,gridSize_z | - | - | - | -
2F | get_tensor_shape | 13.1 | c:result* | - | - | src | -
30 | get_tile_block_id | 13.1 | blockId_x,blockId_y,blockId_z | - | - | - | -
31 | global | 13.1 | - | 0=constant@13.3 | sym_name:str, value:const, alignment:int, symbol_visibility:SV@13.3 | - | -
32 | if | 13.1 | c:result* | - | - | condition | 2
33 | int_to_ptr | 13.1 | result | - | - | source | -
3A | iota | 13.1 | result | - | - | - | -
3B | itof | 13.1 | to | - | signedness:SG, rounding_mode:RM | from | -
3C | join_tokens | 13.1 | c:result | - | - | N; tokens* | -
3D | load_ptr_tko | 13.1 | result,result_token | 0=scope 1=hints 2=mask 3=paddingValue 4=token | ordering:MO, scope?:MS, hints?:hints | source mask? paddingValue? token? | -
3E | load_view_tko | 13.1 | c:tile,result_token | 0=scope 1=hints 2=token | ordering:MO, scope?:MS, hints?:hints, inbounds:bool[]@13.4 | view index[c]* token? | -
3F | log | 13.1 | result | - | - | source | -
40 | log2 | 13.1 | result | - | - | source | -
41 | loop | 13.1 | c:result* | - | - | N; initValues* | 1
42 | make_partition_view | 13.1 | result | - | - | tensor_view | -
43 | make_tensor_view | 13.1 | c:result | - | - | base dynamicShape[c]* dynamicStrides[c]* | -
44 | make_token | 13.1 | result | - | - | - | -
45 | maxf | 13.1 | result | 0=propagate_nan 1=ftz | - | lhs rhs | -
46 | maxi | 13.1 | result | - | signedness:SG | lhs rhs | -
47 | minf | 13.1 | result | 0=propagate_nan 1=ftz | - | lhs rhs | -
48 | mini | 13.1 | result | - | signedness:SG | lhs rhs | -
49 | mmaf | 13.1 | result | 0=fast_acc@13.3 | - | lhs rhs acc | -
4A | mmai | 13.1 | result | - | signedness_lhs:SG, signedness_rhs:SG | lhs rhs acc | -
4B | module | 13.1 | - | 0=producer@13.3 | sym_name:str, producer?:str@13.3 | - | 1
4C | mulf | 13.1 | result | 0=ftz | rounding_mode:RM | lhs rhs | -
4D | mulhii | 13.1 | result | - | - | x y | -
4E | muli | 13.1 | result | - | overflow:OV | lhs rhs | -
4F | negf | 13.1 | result | - | - | source | -
50 | negi | 13.1 | result | - | overflow:OV@13.2 | source | -
51 | offset | 13.1 | result | - | - | ptr offset | -
52 | ori | 13.1 | result | - | - | lhs rhs | -
53 | permute | 13.1 | result | - | permutation:i32[] | source | -
54 | pow | 13.1 | result | - | - | source exponent | -
55 | print_tko | 13.1 | c:result_token@13.2 | 0=token@13.2 | str:str | args[c]* token?@13.2 | -
56 | ptr_to_int | 13.1 | result | - | - | source | -
57 | ptr_to_ptr | 13.1 | result | - | - | source | -
58 | reduce | 13.1 | c:result* | - | dim:int, identities:array | N; operands* | 1
59 | remf | 13.1 | result | - | - | lhs rhs | -
5A | remi | 13.1 | result | - | signedness:SG | lhs rhs | -
5B | reshape | 13.1 | result | - | - | source | -
5C | return | 13.1 | c:0 | - | - | N; operands* | -
5D | rsqrt | 13.1 | result | 0=ftz | - | source | -
5E | scan | 13.1 | c:result* | - | dim:int, reverse:bool, identities:array | N; operands* | 1
5F | select | 13.1 | result | - | - | cond val_if_true val_if_false | -
60 | shli | 13.1 | result | - | overflow:OV | lhs rhs | -
61 | shri | 13.1 | result | - | signedness:SG | lhs rhs | -
62 | sin | 13.1 | result | - | - | source | -
63 | sinh | 13.1 | result | - | - | source | -
64 | sqrt | 13.1 | result | 0=ftz | rounding_mode:RM | source | -
65 | store_ptr_tko | 13.1 | result_token | 0=scope 1=hints 2=mask 3=token | ordering:MO, scope?:MS, hints?:hints | destination value mask? token? | -
66 | store_view_tko | 13.1 | c:result_token | 0=scope 1=hints 2=token | ordering:MO, scope?:MS, hints?:hints, inbounds:bool[]@13.4 | tile view index[c]* token? | -
67 | subf | 13.1 | result | 0=ftz | rounding_mode:RM | lhs rhs | -
68 | subi | 13.1 | result | - | overflow:OV | lhs rhs | -
69 | tan | 13.1 | result | - | - | source | -
6A | tanh | 13.1 | result | - | rounding_mode:RM@13.2 | source | -
6B | trunci | 13.1 | to | - | overflow:OV | from | -
6C | xori | 13.1 | result | - | - | lhs rhs | -
6D | yield | 13.1 | c:0 | - | - | N; operands* | -
6E | atan2 | 13.2 | result | - | - | x y | -
6F | pack | 13.3 | result | - | - | source | -
70 | unpack | 13.3 | result | - | - | source | -
71 | alloca | 13.3 | result | 0=global | num_elem:int, alignment:int | - | -
72 | mmaf_scaled | 13.3 | result | - | - | lhs rhs acc lhs_scale rhs_scale | -
73 | make_gather_scatter_view | 13.3 | result | - | - | tensor_view | -
74 | make_strided_view | 13.3 | result | - | - | tensor_view | -
75 | atomic_red_view_tko | 13.3 | c:result_token | 0=token | ordering:MO, scope:MS, mode:RMW, inbounds:bool[]@13.5 | view index[c]* value token? | -
76 | insert | 13.4 | c:result | - | - | N; source destination indices* | -
77 | gdc_launch_dependents_tko | 13.4 | result_token | - | - | N; token? | -
78 | gdc_wait_tko | 13.4 | result_token | - | - | N; token? | -
79 | fpowi | 13.4 | result | - | - | source exponent | -
7A | memory_fence_alias_tko | 13.4 | result_token | - | - | token | -
7B | multimem_load_reduce_view_tko | 13.5 | c:reduced_values,result_token | 0=scope 1=token | ordering:MO, scope?:MS, reduction:MR, inbounds:bool[] | view index[c]* token? | -
7C | multimem_reduce_view_tko | 13.5 | c:result_token | 0=token | ordering:MO, scope:MS, reduction:MR, inbounds:bool[] | view tile index[c]* token? | -
7D | multimem_store_view_tko | 13.5 | c:result_token | 0=scope 1=token | ordering:MO, scope?:MS, inbounds:bool[] | view tile index[c]* token? | -
"""
