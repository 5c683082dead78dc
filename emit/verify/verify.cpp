#include "emit/verify/verify.hpp"

#include <algorithm>
#include <future>

#include "emit/verify/checks.hpp"

namespace boustro::verify {
namespace {

/// Both parses find most of the same problems; each is told once.
Problems merged(Problems host, const Problems& device) {
  for (const std::string& problem : device) {
    if (std::find(host.begin(), host.end(), problem) == host.end()) host.push_back(problem);
  }
  return host;
}

}  // namespace

Verdict verify_cuda(const CudaText& text, const Permissions& permissions) {
  auto device = std::async(std::launch::async, [&] {
    return parse(text, Mode::cuda_device, [](clang::CompilerInstance&, clang::ASTContext&) {});
  });
  Verdict verdict;
  Problems host =
      parse(text, Mode::cuda_host, [&](clang::CompilerInstance&, clang::ASTContext& context) {
        verdict.remarks = check_rules(context, text, permissions);
      });
  verdict.problems = merged(std::move(host), device.get());
  return verdict;
}

Problems verify_cpp(const CudaText& text) {
  return parse(text, Mode::cpp, [](clang::CompilerInstance&, clang::ASTContext&) {});
}

}  // namespace boustro::verify
