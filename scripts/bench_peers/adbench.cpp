// Measures one of ADBench's modules (Tapenade, Manual, ManualEigen), which is linked to this file, on objective KIND.
#include <memory>
#include <string>
#include <utility>

#include "shared/BAData.h"
#include "shared/GMMData.h"
#include "shared/HandData.h"
#include "shared/ITest.h"
#include "shared/LSTMData.h"
#include "worker.hpp"

extern "C" {
ITest<GMMInput, GMMOutput>* get_gmm_test();
ITest<LSTMInput, LSTMOutput>* get_lstm_test();
ITest<BAInput, BAOutput>* get_ba_test();
ITest<HandInput, HandOutput>* get_hand_test();
}

namespace {

GMMInput gmm_input(bench::Case& data) {
  GMMInput input;
  input.n = data.integer();
  input.d = data.integer();
  input.k = data.integer();
  input.alphas = data.reals();
  input.means = data.reals();
  input.icf = data.reals();
  input.x = data.reals();
  input.wishart.gamma = data.real();
  input.wishart.m = data.integer();
  return input;
}

LSTMInput lstm_input(bench::Case& data) {
  LSTMInput input;
  input.l = data.integer();
  input.c = data.integer();
  input.b = data.integer();
  input.main_params = data.reals();
  input.extra_params = data.reals();
  input.state = data.reals();
  input.sequence = data.reals();
  return input;
}

BAInput ba_input(bench::Case& data) {
  BAInput input;
  input.n = data.integer();
  input.m = data.integer();
  input.p = data.integer();
  input.cams = data.reals();
  input.X = data.reals();
  input.w = data.reals();
  input.obs = data.integers();
  input.feats = data.reals();
  return input;
}

/// Row-major values as a matrix of `rows` rows.
LightMatrix<double> matrix(const double* values, std::size_t size, std::size_t rows) {
  LightMatrix<double> result(static_cast<int>(rows), static_cast<int>(size / rows));
  for (int i = 0; i < result.nrows_; ++i) {
    for (int j = 0; j < result.ncols_; ++j) result(i, j) = values[i * result.ncols_ + j];
  }
  return result;
}

LightMatrix<double> matrix(const std::vector<double>& values, std::size_t rows) {
  return matrix(values.data(), values.size(), rows);
}

HandInput hand_input(bench::Case& data) {
  HandInput input;
  HandModelLightMatrix& model = input.data.model;
  model.parents = data.integers();
  const std::size_t bones = model.parents.size();
  model.bone_names.resize(bones);
  for (auto* transforms : {&model.base_relatives, &model.inverse_base_absolutes}) {
    const auto values = data.reals();
    for (std::size_t i = 0; i < bones; ++i) transforms->push_back(matrix(&values[16 * i], 16, 4));
  }
  model.weights = matrix(data.reals(), bones);
  model.base_positions = matrix(data.reals(), 4);
  const auto triangles = data.integers();
  for (std::size_t i = 0; i < triangles.size(); i += 3) {
    model.triangles.push_back({{triangles[i], triangles[i + 1], triangles[i + 2]}});
  }
  model.is_mirrored = false;
  input.data.correspondences = data.integers();
  input.data.points = matrix(data.reals(), 3);
  input.theta = data.reals();
  input.us = data.reals();
  return input;
}

void add_objective(const GMMOutput& output, bench::Result& result) { result.add(&output.objective, 1); }
void add_objective(const LSTMOutput& output, bench::Result& result) { result.add(&output.objective, 1); }
void add_objective(const HandOutput& output, bench::Result& result) { result.add(output.objective); }
void add_objective(const BAOutput& output, bench::Result& result) {
  result.add(output.reproj_err);
  result.add(output.w_err);
}

template <typename Input, typename Output, typename Write>
void serve(ITest<Input, Output>* made, Input input, char** argv, Write&& write) {
  const std::unique_ptr<ITest<Input, Output>> test(made);
  test->prepare(Input(std::move(input)));  // which copies it
  if (bench::wants_objective(argv)) {
    return bench::serve(
        argv[3], [&] { test->calculate_objective(1); },
        [&](bench::Result& file) { add_objective(test->output(), file); });
  }
  bench::serve(
      argv[3], [&] { test->calculate_jacobian(1); },
      [&](bench::Result& file) { write(test->output(), file); });
}

}  // namespace

int main(int, char** argv) {
  const std::string kind = argv[1];
  bench::Case data(argv[2]);
  if (kind == "gmm") {
    auto input = gmm_input(data);
    const std::size_t k = input.alphas.size(), kd = input.means.size();
    serve(get_gmm_test(), std::move(input), argv,
          [&](const GMMOutput& output, bench::Result& result) {
            const auto& all = output.gradient;
            result.add(&all[0], k);
            result.add(&all[k], kd);
            result.add(&all[k + kd], all.size() - k - kd);
          });
  } else if (kind == "lstm") {
    auto input = lstm_input(data);
    const std::size_t size = input.main_params.size();
    serve(get_lstm_test(), std::move(input), argv,
          [&](const LSTMOutput& output, bench::Result& result) {
            result.add(&output.gradient[0], size);
            result.add(&output.gradient[size], output.gradient.size() - size);
          });
  } else if (kind == "ba") {
    serve(get_ba_test(), ba_input(data), argv,
          [](const BAOutput& output, bench::Result& result) {
            result.add(output.J.rows);
            result.add(output.J.cols);
            result.add(output.J.vals);
          });
  } else if (kind == "hand") {
    serve(get_hand_test(), hand_input(data), argv,
          [](const HandOutput& output, bench::Result& result) { result.add(output.jacobian); });
  }
}
