__global__ static void change(int* value) { *value += 1; }

int first(int value) {
    int* memory;
    cudaMalloc(&memory, sizeof value);
    cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice);
    change<<<1, 1>>>(memory);
    cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost);
    cudaFree(memory);
    return value;
}
