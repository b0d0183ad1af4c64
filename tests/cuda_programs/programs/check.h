// What the programs of the tests have in common. A program is chosen by the first word of the command line.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                        \
    do {                                                                                                   \
        cudaError_t error = (call);                                                                        \
        if (error != cudaSuccess) {                                                                        \
            std::printf("%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));                   \
            std::exit(2);                                                                                  \
        }                                                                                                  \
    } while (0)

#define EXPECT(condition)                                                                                  \
    do {                                                                                                   \
        if (!(condition)) {                                                                                \
            std::printf("line %d: %s does not hold\n", __LINE__, #condition);                              \
            std::exit(3);                                                                                  \
        }                                                                                                  \
    } while (0)

struct Program {
    const char* name;
    void (*run)();
};

template <int N> int run(const Program (&programs)[N], int argc, char** argv) {
    for (const Program& one : programs)
        if (argc > 1 && std::strcmp(one.name, argv[1]) == 0) {
            one.run();
            std::puts("done");
            return 0;
        }
    std::puts("no such program");
    return 4;
}
