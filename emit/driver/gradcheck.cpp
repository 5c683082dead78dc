// boustro gradcheck: does the derivative of a function hold at one point? Two checks that do not
// share code:
//
//   reverse against forward   <y_adj, J x_tan> = <J^T y_adj, x_tan> for random x_tan and y_adj
//   forward against numbers   J x_tan = (f(x + h x_tan) - f(x - h x_tan)) / 2h
#include <algorithm>
#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "emit/driver/commands.hpp"
#include "emit/driver/passes.hpp"
#include "emit/driver/random_arguments.hpp"
#include "emit/driver/runner.hpp"
#include "frontend/values/read.hpp"
#include "transform/ad/derivative_entry.hpp"
#include "transform/facts/history.hpp"

namespace boustro::driver {
namespace {

using values::PrimType;
using values::PrimValue;
using values::Value;
using Values = std::vector<Value>;

/// The function under test, by itself and as two derivatives.
struct Subject {
  ir::Function function;             // as lowered: the entry's interface
  std::vector<int> inputs, results;  // positions among source-level parameters and results
  RunEntry run;
  std::string name, jvp_name, vjp_name;

  Values value(const Values& args) const { return run(name, args); }
  Values forward(Values args, const Values& tangents) const {
    args.insert(args.end(), tangents.begin(), tangents.end());
    return run(jvp_name, args);
  }
  Values reverse(Values args, const Values& adjoints) const {
    args.insert(args.end(), adjoints.begin(), adjoints.end());
    return run(vjp_name, args);
  }
};

std::vector<int> without_sizes(std::vector<int> positions, int sizes) {
  for (int& position : positions) position -= sizes;
  return positions;
}

std::optional<Subject> prepare(Session& session, const GradcheckOptions& options) {
  auto program = load_core(session, options.file, {.extra_entries = {options.entry}});
  if (!program) return std::nullopt;
  Subject subject;
  subject.name = options.entry;
  for (const ir::Function& function : program->functions) {
    if (function.entry && function.entry->name == options.entry) subject.function = function;
  }
  check_sizes(subject.function, options.entry, options.sizes);
  subject.inputs = without_sizes(ad::differentiable_params(subject.function, options.wrt),
                                 subject.function.size_params);
  subject.results =
      without_sizes(ad::differentiable_results(subject.function), subject.function.size_results);
  subject.vjp_name = ad::add_derivative_entry(*program, options.entry, options.wrt, true);
  subject.jvp_name = ad::add_derivative_entry(*program, options.entry, options.wrt, false);
  auto run = make_runner(session, std::move(*program), options.target, "plain", {},
                         {.versions = options.check_annotations ? facts::versions_of : nullptr});
  if (!run) return std::nullopt;
  subject.run = std::move(*run);
  return subject;
}

std::optional<Subject> prepare_or_report(Session& session, const GradcheckOptions& options) {
  try {
    return prepare(session, options);
  } catch (const source::Refusal& refusal) {
    session.diagnostics.add(refusal.diagnostic);
    return std::nullopt;
  }
}

// ---- The point

Values choose_point(RandomValues& random, const Subject& subject, const GradcheckOptions& options) {
  if (!options.input.empty()) return values::read_values(values::read_file(options.input));
  return random_arguments(random, subject.function, options.sizes);
}

Values random_like(RandomValues& random, const Values& all, const std::vector<int>& positions) {
  Values result;
  for (const int i : positions) {
    const Value& like = all.at(static_cast<std::size_t>(i));
    result.push_back(random.between(like.type, like.shape, -1, 1));
  }
  return result;
}

// ---- Arithmetic on lists of values

double dot(const Values& xs, const Values& ys) {
  double sum = 0;
  for (std::size_t v = 0; v < xs.size(); ++v) {
    for (std::int64_t i = 0; i < xs[v].size(); ++i)
      sum += xs[v].element(i).as_float() * ys[v].element(i).as_float();
  }
  return sum;
}

/// What the dot product would be without cancellation: the scale of its rounding errors.
double absolute_dot(const Values& xs, const Values& ys) {
  double sum = 0;
  for (std::size_t v = 0; v < xs.size(); ++v) {
    for (std::int64_t i = 0; i < xs[v].size(); ++i)
      sum += std::abs(xs[v].element(i).as_float() * ys[v].element(i).as_float());
  }
  return sum;
}

/// The point, moved by `step` along the tangents.
Values moved(Values point, const std::vector<int>& inputs, const Values& tangents, double step) {
  for (std::size_t t = 0; t < inputs.size(); ++t) {
    Value& value = point.at(static_cast<std::size_t>(inputs[t]));
    for (std::int64_t i = 0; i < value.size(); ++i) {
      const double x = value.element(i).as_float() + step * tangents[t].element(i).as_float();
      value.set_element(i, PrimValue::of_float(value.type, x));
    }
  }
  return point;
}

/// How far to step for central differences, and by how much both checks may be off, relatively.
struct Precision {
  double step, dot_product, differences;
};

/// That of the narrowest floats.
Precision precision_of(const Values& tangents, const Values& adjoints) {
  const auto have = [&](PrimType type) {
    const auto is_it = [type](const Value& value) { return value.type == type; };
    return std::any_of(tangents.begin(), tangents.end(), is_it) || std::any_of(adjoints.begin(), adjoints.end(), is_it);
  };
  if (have(PrimType::f16)) return {.step = 0x1p-4, .dot_product = 1e-2, .differences = 0.1};
  if (have(PrimType::f32)) return {.step = 1e-3, .dot_product = 1e-4, .differences = 2e-2};
  return {.step = 1e-5, .dot_product = 1e-10, .differences = 1e-6};
}

// ---- The checks

struct Report {
  bool good = true;

  void line(bool ok, const std::string& what, const std::string& figures) {
    good = good && ok;
    std::cout << fmt::format("  {:<6} {}\n         {}\n", ok ? "ok" : "FAILED", what, figures);
  }
};

/// <y_adj, J x_tan> and <J^T y_adj, x_tan> at a point.
struct DotProducts {
  double left, right, scale;

  DotProducts(const Subject& subject, const Values& point, const Values& tangents,
              const Values& adjoints) {
    const Values forward = subject.forward(point, tangents),
                 reverse = subject.reverse(point, adjoints);
    left = dot(adjoints, forward);
    right = dot(reverse, tangents);
    scale = std::max({absolute_dot(adjoints, forward), absolute_dot(reverse, tangents), 1e-300});
  }
};

/// Whether a number that should vary little is 0 but for rounding: it is another one nearby.
bool is_rounding(double here, double nearby) {
  return here == 0 || std::abs(here - nearby) > std::abs(here) / 8;
}

void check_dot_product(Report& report, const Subject& subject, const Values& point,
                       const Values& tangents, const Values& adjoints, double step,
                       double tolerance) {
  const DotProducts here(subject, point, tangents, adjoints);
  const double error = std::abs(here.left - here.right) / here.scale;
  std::string figures =
      fmt::format("<y_adj, jvp> = {:.15g}, <vjp, x_tan> = {:.15g}, relative difference "
                  "{:.1e} (at most {:.0e})",
                  here.left, here.right, error, tolerance);
  bool good = error <= tolerance;
  if (!good) {
    const DotProducts nearby(subject, moved(point, subject.inputs, tangents, step), tangents,
                             adjoints);
    good = is_rounding(here.left, nearby.left) && is_rounding(here.right, nearby.right);
    if (good) figures += ", which is rounding: the derivative is 0";
  }
  report.line(good, "reverse mode against forward mode", figures);
}

/// One element of a result where two numbers should agree.
struct Element {
  int result = 0;
  std::int64_t index = 0;
  double forward = 0, central = 0, error = 0;
};

struct Differences {
  const Subject& subject;
  const Values& point;
  const Values& tangents;

  /// (f(x + h t) - f(x - h t)) / 2h of element i of result r
  std::vector<std::vector<double>> at(double step) const {
    const Values above = subject.value(moved(point, subject.inputs, tangents, step));
    const Values below = subject.value(moved(point, subject.inputs, tangents, -step));
    std::vector<std::vector<double>> quotients;
    for (const int r : subject.results) {
      const Value &a = above[static_cast<std::size_t>(r)], &b = below[static_cast<std::size_t>(r)];
      std::vector<double>& list = quotients.emplace_back();
      for (std::int64_t i = 0; i < a.size(); ++i) {
        list.push_back((a.element(i).as_float() - b.element(i).as_float()) / (2 * step));
      }
    }
    return quotients;
  }
};

/// The element that differs most, relative to the largest magnitude in its result.
Element worst_element(const Values& forward, const std::vector<std::vector<double>>& central) {
  Element worst{0, 0, 0, 0, -1};
  for (std::size_t r = 0; r < forward.size(); ++r) {
    double largest = 1e-300;
    for (const double x : central[r]) largest = std::max(largest, std::abs(x));
    for (std::int64_t i = 0; i < forward[r].size(); ++i) {
      const double f = forward[r].element(i).as_float(),
                   c = central[r][static_cast<std::size_t>(i)];
      const double error = std::isnan(f) || std::isnan(c)  // says nothing, which is not good
                               ? HUGE_VAL
                               : std::abs(f - c) / std::max(largest, std::abs(f));
      if (error > worst.error) worst = {static_cast<int>(r), i, f, c, error};
    }
  }
  return worst;
}

/// Whether difference quotients come closer to the derivative with a wider step, as rounding errors
/// of theirs do, or with a narrower one, as those of order h^2 do. Next to a derivative that is 0 they
/// are all that there is.
bool converges(const Differences& differences, const Element& element, double step) {
  const auto distance = [&](double h) {
    const std::vector<double> quotients =
        differences.at(h)[static_cast<std::size_t>(element.result)];
    return std::abs(element.forward - quotients[static_cast<std::size_t>(element.index)]);
  };
  const double here = std::abs(element.forward - element.central);
  return distance(64 * step) <= here / 8 || distance(step / 8) <= here / 8;
}

/// Whether forward mode and the quotient have nothing but rounding errors.
bool is_rounding(const Differences& differences, const Element& element, double step) {
  const auto r = static_cast<std::size_t>(element.result);
  const auto& [subject, point, tangents] = differences;
  const Values forward = subject.forward(moved(point, subject.inputs, tangents, step), tangents);
  const std::vector<double> wider = differences.at(4 * step)[r];
  return is_rounding(element.forward, forward[r].element(element.index).as_float()) &&
         is_rounding(element.central, wider[static_cast<std::size_t>(element.index)]);
}

/// Whether the check says anything: at a kink the difference quotient is no derivative.
enum class Finding { good, bad, not_smooth };

Finding check_central_differences(Report& report, const Subject& subject, const Values& point,
                                  const Values& tangents, double step, double tolerance) {
  const Values forward = subject.forward(point, tangents);
  const Differences differences{subject, point, tangents};
  const auto quotients = differences.at(step);
  const Element worst = worst_element(forward, quotients);
  std::string figures =
      worst.error < 0
          ? "the results have no elements"
          : fmt::format(
                "worst element: result {} [{}], jvp {:.12g}, difference {:.12g}, relative {:.1e} "
                "(at most {:.0e})",
                worst.result, worst.index, worst.forward, worst.central, worst.error, tolerance);
  const std::string what = "forward mode against central differences";
  if (worst.error <= tolerance) return report.line(true, what, figures), Finding::good;
  if (converges(differences, worst, step) || is_rounding(differences, worst, step)) {
    figures += ", and it vanishes with other steps";
    return report.line(true, what, figures), Finding::good;
  }
  const double wider = differences.at(
      4 * step)[static_cast<std::size_t>(worst.result)][static_cast<std::size_t>(worst.index)];
  const bool stable = std::abs(wider - worst.central) <= tolerance * std::abs(worst.central);
  if (!stable) {
    figures += fmt::format(
        "\n         hint: with a wider step the difference is {:.12g}, so the function may not be "
        "smooth here",
        wider);
  }
  report.line(false, what, figures);
  return stable ? Finding::bad : Finding::not_smooth;
}

/// Both checks at one point.
Finding check_point(const Subject& subject, const GradcheckOptions& options, std::uint64_t seed) {
  RandomValues random(seed);
  const Values point = choose_point(random, subject, options);
  const Values results = subject.value(point);
  const Values tangents = random_like(random, point, subject.inputs);
  const Values adjoints = random_like(random, results, subject.results);
  const Precision precision = precision_of(tangents, adjoints);
  std::cout << fmt::format("gradcheck {} on {}, at a {} point, seed {}\n", options.entry,
                           options.target, options.input.empty() ? "random" : "given", seed);
  Report report;
  check_dot_product(report, subject, point, tangents, adjoints, precision.step, precision.dot_product);
  const Finding finding = check_central_differences(report, subject, point, tangents, precision.step, precision.differences);
  return report.good ? Finding::good : finding == Finding::good ? Finding::bad : finding;
}

/// At random points, a kink is bad luck: a few others are tried. All at kinks is suspicious.
Finding check_points(const Subject& subject, const GradcheckOptions& options) {
  const std::uint64_t points = options.input.empty() ? 4 : 1;
  Finding finding = Finding::bad;
  for (std::uint64_t i = 0; i < points; ++i) {
    finding = check_point(subject, options, options.seed + i);
    if (finding != Finding::not_smooth) break;
  }
  return finding;
}

}  // namespace

int gradcheck(const GradcheckOptions& options) {
  Session session;
  session.folders = options.folders;
  const auto subject = prepare_or_report(session, options);
  if (!session.report() || !subject) return 1;
  try {
    return check_points(*subject, options) == Finding::good ? 0 : 1;
  } catch (const RunError& error) {
    std::cerr << error.what() << "\n";
  } catch (const values::ReadError& error) {
    std::cerr << options.input << ": error: " << error.what() << "\n";
  } catch (const std::system_error& error) {
    std::cerr << "error: " << error.what() << "\n";
  } catch (const std::invalid_argument& error) {
    std::cerr << "error: " << error.what() << "\n";
  }
  return 1;
}

}  // namespace boustro::driver
