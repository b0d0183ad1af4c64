// Code that programs load by its address alone: its size is in the code itself.
#pragma once

#include <string>
#include <vector>

namespace standin {

// Return the code at an address: PTX, a fat binary also in nvcc's wrapper, Tile IR, or the head of machine code, which
// the worker refuses. Empty for null.
std::string image_at(const void* code);

// Return the PTX in code; empty if it is something else.
std::string ptx_of(const std::string& code);

// Return texts of PTX as one code. Names that one text declares and another defines are joined when it is loaded.
std::string linked(const std::vector<std::string>& texts);

}  // namespace standin
