// A program of several translation units; this one is compiled by the host compiler alone.
#include <cstdio>

int first(int value);
int second(int value);

int main() {
    int found = second(first(20));
    std::printf("%d\n", found);
    return found == 42 ? 0 : 1;
}
