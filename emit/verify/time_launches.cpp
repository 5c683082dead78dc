// Puts a watch before each launch of emitted CUDA and each call of a function of CUB, which lives as long as the statement:
//
//   kernel<<<grid, block, bytes, stream>>>(xs)
//     -> static_cast<void>(harness::LaunchWatch("kernel", stream)), kernel<<<grid, block, bytes, stream>>>(xs)
//   cub::DeviceScan::InclusiveScan(scratch, bytes, xs, ys, op, n, stream)
//     -> (static_cast<void>(harness::LaunchWatch("cub::DeviceScan::InclusiveScan", stream, scratch != nullptr)), cub::DeviceScan::InclusiveScan(..))
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>

#include "emit/verify/parse.hpp"

namespace boustro::verify {
namespace {

class LaunchFinder : public clang::DynamicRecursiveASTVisitor {
 public:
  LaunchFinder(clang::ASTContext& context, clang::Rewriter& rewriter)
      : context_(context), sources_(context.getSourceManager()), rewriter_(rewriter) {}

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr* call) override {
    const clang::SourceLocation begin = call->getCallee()->getBeginLoc();
    if (!sources_.isInMainFile(begin)) return true;
    const clang::CallExpr* const configuration = call->getConfig();
    const bool has_stream =
        configuration->getNumArgs() > 3 && !llvm::isa<clang::CXXDefaultArgExpr>(configuration->getArg(3));
    rewriter_.InsertTextBefore(begin, watch(call->getCallee(), has_stream ? text(configuration->getArg(3)) : "nullptr"));
    return true;
  }

  /// The stream is its last argument. The first one is no memory where it is only asked how much it needs.
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (!sources_.isInMainFile(call->getBeginLoc()) || call->getNumArgs() == 0) return true;
    if (!text(call->getCallee()).starts_with("cub::Device")) return true;
    rewriter_.InsertTextBefore(call->getBeginLoc(), "(" + watch(call->getCallee(), text(call->getArg(call->getNumArgs() - 1)) + ", " + text(call->getArg(0)) + " != nullptr"));
    rewriter_.InsertTextAfterToken(call->getEndLoc(), ")");
    return true;
  }

 private:
  std::string watch(const clang::Expr* called, const std::string& stream) const {
    return "static_cast<void>(harness::LaunchWatch(\"" + text(called) + "\", " + stream + ")), ";
  }

  std::string text(const clang::Expr* expression) const {
    return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(expression->getSourceRange()),
                                       sources_, context_.getLangOpts())
        .str();
  }

  clang::ASTContext& context_;
  clang::SourceManager& sources_;
  clang::Rewriter& rewriter_;
};

}  // namespace

Rewritten time_launches(const CudaText& text) {
  Rewritten result;
  result.problems =
      parse(text, Mode::cuda_host, [&](clang::CompilerInstance& compiler, clang::ASTContext& context) {
        clang::Rewriter rewriter(compiler.getSourceManager(), compiler.getLangOpts());
        LaunchFinder(context, rewriter).TraverseAST(context);
        result.source = "#include \"harness/launches.hpp\"\n" + rewritten_text(compiler, rewriter);
      });
  return result;
}

}  // namespace boustro::verify
