// What GPUs do instead whose tensor cores multiply half as much at a time, or that have none for f64: the same product of matrices by the lanes
// of a warp, of which each has the same elements and results as counts/matrix_products.cu says.
#include "check.cuh"

#undef __CUDA_ARCH__
#define __CUDA_ARCH__ 800  // what device code of nvcc sees
#define add_matrix_product product_by_halves
#include "templates/add_matrix_product.cuh"
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ 750
#undef add_matrix_product
#define add_matrix_product product_by_shuffles
#include "templates/add_matrix_product.cuh"
#undef add_matrix_product
#undef __CUDA_ARCH__

/// Adds x y to zs. x is 16 x 4, y 4 x 8, all row by row. Two rows of threads, as blocks of tiles have several.
template <bool by_halves>
__global__ void multiply(double* zs, const double* xs, const double* ys) {
  const int lane = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x), row = lane / 4, column = lane % 4;
  double* const upper = zs + row * 8 + column * 2;
  double above[2] = {upper[0], upper[1]}, below[2] = {upper[64], upper[65]};
  const double2 x = {xs[row * 4 + column], xs[(row + 8) * 4 + column]};
  const double y = ys[column * 8 + row];
  by_halves ? product_by_halves(above, below, x, y) : product_by_shuffles(above, below, x, y);
  for (int i = 0; i < 2; ++i) upper[i] = above[i], upper[64 + i] = below[i];
}

template <bool by_halves>
void check() {
  std::vector<double> xs(64), ys(32), zs(128);
  for (int i = 0; i < 64; ++i) xs[i] = i * i % 7;
  for (int i = 0; i < 32; ++i) ys[i] = i * i % 11 - 3;
  for (int i = 0; i < 128; ++i) zs[i] = i;
  const DeviceArray<double> on_device_x(xs), on_device_y(ys), on_device_z(zs);
  multiply<by_halves><<<1, dim3(16, 2)>>>(on_device_z.data(), on_device_x.data(), on_device_y.data());
  const std::vector<double> found = on_device_z.to_host();
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 8; ++j) {
      double sum = zs[i * 8 + j];
      for (int l = 0; l < 4; ++l) sum += xs[i * 4 + l] * ys[l * 8 + j];
      expect(found[i * 8 + j] == sum, "a result");
    }
  }
}

int main() {
  check<true>();
  check<false>();
}
