// boustro: the command line program. Exit codes: 0 done, 1 the user's mistake or `unsupported`, 2
// bad usage, 3 merged with conflicts, 70 our bug.
#include <exception>
#include <iostream>
#include <new>

#include "emit/driver/commands.hpp"
#include "emit/driver/passes.hpp"
#include "emit/run/own_files.hpp"
#include "frontend/source/deep_stack.hpp"
#include "frontend/source/diagnostics.hpp"
#include "transform/ir/ir.hpp"

namespace {

using namespace boustro;

int dispatch(const driver::Options& options) {
  return ir::match(
      options, [](const driver::TranslateOptions& o) { return driver::translate(o); },
      [](const driver::DeriveOptions& o) { return driver::derive(o); },
      [](const driver::CheckOptions& o) { return driver::check(o); },
      [](const driver::RunOptions& o) { return driver::run(o); },
      [](const driver::TestOptions& o) { return driver::test(o); },
      [](const driver::GradcheckOptions& o) { return driver::gradcheck(o); },
      [](const driver::ProfileOptions& o) { return driver::profile(o); },
      [](const driver::BenchOptions& o) { return driver::bench(o); },
      [](const driver::BundleOptions& o) { return driver::bundle(o); },
      [](const driver::CudaOnCpuOptions& o) { return driver::cuda_on_cpu(o); },
      [](const driver::ExplainOptions& o) { return driver::explain(o); },
      [](const driver::RulesOptions& o) { return driver::rules(o); },
      [](const driver::ListPasses&) { return driver::list_passes(); },
      [](const driver::Leave& leave) { return leave.exit_code; });
}

}  // namespace

int main(int count, char** words) {
  try {
    const driver::Options options = driver::parse_options(count, words);
    int exit_code = 0;
    source::with_deep_stack(
        [&] { exit_code = dispatch(options); });  // passes recurse over nested programs
    return exit_code;
  } catch (const source::Refusal&
               refusal) {  // without a place: passes' refusals are reported by the commands
    std::cerr << "error: " << refusal.what() << "\n";
    return 1;
  } catch (const run::Missing& missing) {
    std::cerr << "error: " << missing.what() << "\n";
    return 1;
  } catch (const std::bad_alloc&) {
    std::cerr << "error: out of memory\n";
    return 1;
  } catch (const source::InternalError& error) {
    std::cerr << "internal error: " << error.what() << "\n" << driver::save_broken_program();
    return 70;
  } catch (const std::exception& error) {
    std::cerr << "internal error: " << error.what() << "\n" << driver::save_broken_program();
    return 70;
  }
}
