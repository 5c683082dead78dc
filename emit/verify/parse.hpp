// How the other files of this folder run Clang: on text in memory, its diagnostics collected.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <clang/AST/ASTContext.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Rewrite/Core/Rewriter.h>

#include "emit/verify/verify.hpp"

namespace boustro::verify {

enum class Mode { cuda_host, cuda_device, cpp };

/// Called with the finished syntax tree, unless there were errors; its traversal scope is what stands outside of system headers.
/// May report more diagnostics through the tree's DiagnosticsEngine. If it or Clang does, it is called again, with a new tree.
using UseTree = std::function<void(clang::CompilerInstance&, clang::ASTContext&)>;

/// All diagnostics of parsing the text and of `use`.
Problems parse(const CudaText& text, Mode mode, const UseTree& use);

/// The text that was parsed, with what has been rewritten.
std::string rewritten_text(clang::CompilerInstance& compiler, clang::Rewriter& rewriter);

}  // namespace boustro::verify
