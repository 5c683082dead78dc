#include "emit/verify/parse.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include "emit/verify/header_cache.hpp"

namespace boustro::verify {
namespace {

namespace fs = std::filesystem;

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
    return fs::path(location.getFilename()).filename().string() + ":" +
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
      bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
        for (clang::Decl* const declaration : group) {
          if (!compiler.getSourceManager().isInSystemHeader(declaration->getLocation()))
            ours.push_back(declaration);
        }
        return true;
      }
      void HandleTranslationUnit(clang::ASTContext& context) override {
        context.setTraversalScope(ours);
        if (!compiler.getDiagnostics().hasErrorOccurred()) use(compiler, context);
      }
      clang::CompilerInstance& compiler;
      const UseTree& use;
      std::vector<clang::Decl*> ours;
    };
    return std::make_unique<Consumer>(compiler, use_);
  }

 private:
  const UseTree& use_;
};

/// Runs Clang by a command that may name the text's files.
Problems run_clang(const CudaText& text, const std::vector<std::string>& command,
                   std::unique_ptr<clang::FrontendAction> action) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const auto add = [&](const std::string& name, const std::string& contents) {
    memory->addFile(std::string(folder) + "/" + name, 0,
                    llvm::MemoryBuffer::getMemBufferCopy(contents));
  };
  if (!text.name.empty()) add(text.name, text.source);
  if (!text.header_name.empty()) add(text.header_name, text.header);
  auto overlay =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  overlay->pushOverlay(memory);
  auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), overlay);

  Problems problems;
  Collector collector(problems);
  clang::tooling::ToolInvocation invocation(command, std::move(action), files.get());
  invocation.setDiagnosticConsumer(&collector);
  if (!invocation.run() && problems.empty())
    problems.push_back("Clang failed without a diagnostic");
  return problems;
}

/// Asks for what the headers of CUB and Thrust that emitted files include are made of, but not for these headers themselves: a
/// file that forgets to include one is still found out.
const std::vector<std::string> inner_headers = {
    "-include", "cub/device/dispatch/dispatch_reduce.cuh",
    "-include", "cub/device/dispatch/dispatch_reduce_by_key.cuh",
    "-include", "cub/device/dispatch/dispatch_scan.cuh",
    "-include", "cub/device/dispatch/dispatch_scan_by_key.cuh",
    "-include", "thrust/functional.h",
    "-include", "thrust/iterator/iterator_adaptor.h"};

bool includes_library(const CudaText& text) {
  return text.source.find("#include <cub/") != std::string::npos ||
         text.source.find("#include <thrust/") != std::string::npos;
}

/// What the text would include in any case, precompiled: Clang's own preparations for CUDA at least.
std::optional<fs::path> headers_for(const CudaText& text, Mode mode) {
  if (mode == Mode::cpp) return std::nullopt;
  std::vector<std::string> command = flags(mode);
  if (includes_library(text))
    command.insert(command.end(), inner_headers.begin(), inner_headers.end());
  command.push_back("/dev/null");
  return cached_headers(command, [&](const fs::path& file) {
    std::vector<std::string> making = command;
    making.insert(making.end(),
                  {"-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", file.string()});
    return run_clang({}, making, std::make_unique<clang::GeneratePCHAction>()).empty();
  });
}

}  // namespace

bool cuda_headers_available() {
  return fs::exists(fs::path(cuda_path()) / "include" / "cuda_runtime.h");
}

Problems parse(const CudaText& text, Mode mode, const UseTree& use) {
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> command = flags(mode);
    command.insert(command.end(), more.begin(), more.end());
    command.push_back(std::string(folder) + "/" + text.name);
    return run_clang(text, command, std::make_unique<TreeAction>(use));
  };
  const auto headers = headers_for(text, mode);
  if (!headers) return with({});
  if (with({"-Xclang", "-include-pch", "-Xclang", headers->string()}).empty()) return {};
  // What is wrong is told by the text alone; if nothing is, the headers have changed since.
  Problems problems = with({});
  if (problems.empty()) forget_headers(*headers);
  return problems;
}

std::string rewritten_text(clang::CompilerInstance& compiler, clang::Rewriter& rewriter) {
  const clang::FileID main_file = compiler.getSourceManager().getMainFileID();
  const auto* const buffer = rewriter.getRewriteBufferFor(main_file);
  if (buffer == nullptr) return compiler.getSourceManager().getBufferData(main_file).str();
  return std::string(buffer->begin(), buffer->end());
}

}  // namespace boustro::verify
