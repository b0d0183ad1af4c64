// The driver's interface: what its files share. Each call does what the runtime's call of the same meaning does.
#pragma once

#include "standin.h"

#include <cuda.h>

namespace standin {

// Return the driver's error for an error of the runtime, and its name.
CUresult driver_error(cudaError_t error);
const char* driver_error_name(CUresult error);

// Run the body of a call of the driver under the lock. Findings and messages name this call.
CUresult driver_call(const char* name, const std::function<cudaError_t()>& body);

// The same for a call that needs `cuInit`, and for one that needs a context.
CUresult with_driver(const char* name, const std::function<cudaError_t()>& body);
CUresult in_context(const char* name, const std::function<cudaError_t()>& body);

// Set the driver's function that the program calls, and return the one before.
const char* set_driver_function(const char* name);

// Let a thread that calls the runtime find the primary context, as on a GPU.
void use_primary_context();
CUcontext current_context();

inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

// Return the error of the runtime for an error of the driver with the same number.
inline cudaError_t runtime_error(CUresult error) { return static_cast<cudaError_t>(error); }

}  // namespace standin
