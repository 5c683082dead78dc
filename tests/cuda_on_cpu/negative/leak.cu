// expect: plain: 1 device allocation(s) never freed
#include "check.cuh"

int main() {
  float* y = nullptr;
  cuda_check(cudaMalloc(&y, 64), "cudaMalloc");
}
