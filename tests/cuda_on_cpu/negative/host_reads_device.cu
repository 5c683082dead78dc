// expect: asan: use-after-poison
#include "check.cuh"

int main() {
  DeviceArray<float> y(64);
  std::printf("%g\n", y.data()[3]);
}
