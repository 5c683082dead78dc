#include "emit/verify/parse.hpp"

#include <cstdlib>
#include <filesystem>

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

namespace boustro::verify {
namespace {

std::string cuda_path() {
  const char* const path = std::getenv("CUDA_PATH");
  return path != nullptr ? path : BOUSTRO_CUDA_PATH;
}

/// The folder that the text pretends to lie in; it exists in memory alone.
constexpr const char* folder = "/emitted";

std::vector<std::string> flags(Mode mode) {
  std::vector<std::string> result = {"clang++", "-fsyntax-only", "-std=c++17", "-Wall", "-Wextra",
                                     // The tool does not lie beside clang's own headers.
                                     "-resource-dir=" BOUSTRO_CLANG_RESOURCE_DIR};
  if (mode == Mode::cpp) {
    result.insert(result.end(), {"-Wconversion", "-Wshadow", "-xc++", "-fopenmp"});
    return result;
  }
  const std::string path = cuda_path();
  result.insert(
      result.end(),
      {"-xcuda", mode == Mode::cuda_device ? "--cuda-device-only" : "--cuda-host-only",
       "--cuda-path=" + path, "--cuda-gpu-arch=sm_90", "-isystem" + path + "/include/cccl",
       // "CUDA version 13.0 is only partially supported"
       "-Wno-unknown-cuda-version"});
  return result;
}

/// Writes each diagnostic down as `name:line:column: text`.
class Collector : public clang::DiagnosticConsumer {
 public:
  explicit Collector(Problems& problems) : problems_(problems) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    llvm::SmallString<256> text;
    info.FormatDiagnostic(text);
    if (level == clang::DiagnosticsEngine::Note && !problems_.empty()) {
      problems_.back() += "\n  " + place(info) + text.str().str();
    }
    if (level < clang::DiagnosticsEngine::Warning) return;
    problems_.push_back(place(info) + text.str().str());
  }

 private:
  static std::string place(const clang::Diagnostic& info) {
    if (!info.hasSourceManager() || info.getLocation().isInvalid()) return "";
    const auto location = info.getSourceManager().getPresumedLoc(
        info.getSourceManager().getExpansionLoc(info.getLocation()));
    if (location.isInvalid()) return "";
    return std::filesystem::path(location.getFilename()).filename().string() + ":" +
           std::to_string(location.getLine()) + ":" + std::to_string(location.getColumn()) + ": ";
  }

  Problems& problems_;
};

/// Parses and hands the tree to `use`.
class TreeAction : public clang::ASTFrontendAction {
 public:
  explicit TreeAction(const UseTree& use) : use_(use) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    compiler.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());  // "1 error generated"
    struct Consumer : clang::ASTConsumer {
      Consumer(clang::CompilerInstance& compiler, const UseTree& use)
          : compiler(compiler), use(use) {}
      void HandleTranslationUnit(clang::ASTContext& context) override {
        if (!compiler.getDiagnostics().hasErrorOccurred()) use(compiler, context);
      }
      clang::CompilerInstance& compiler;
      const UseTree& use;
    };
    return std::make_unique<Consumer>(compiler, use_);
  }

 private:
  const UseTree& use_;
};

}  // namespace

bool cuda_headers_available() {
  return std::filesystem::exists(std::filesystem::path(cuda_path()) / "include" / "cuda_runtime.h");
}

Problems parse(const CudaText& text, Mode mode, const UseTree& use) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const auto add = [&](const std::string& name, const std::string& contents) {
    memory->addFile(std::string(folder) + "/" + name, 0,
                    llvm::MemoryBuffer::getMemBufferCopy(contents));
  };
  add(text.name, text.source);
  if (!text.header_name.empty()) add(text.header_name, text.header);
  auto overlay =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  overlay->pushOverlay(memory);
  auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), overlay);

  std::vector<std::string> command = flags(mode);
  command.push_back(std::string(folder) + "/" + text.name);
  Problems problems;
  Collector collector(problems);
  clang::tooling::ToolInvocation invocation(command, std::make_unique<TreeAction>(use),
                                            files.get());
  invocation.setDiagnosticConsumer(&collector);
  if (!invocation.run() && problems.empty())
    problems.push_back("Clang failed without a diagnostic");
  return problems;
}

}  // namespace boustro::verify
