// Puts a watch before each launch of emitted CUDA, which lives as long as the statement:
//
//   kernel<<<grid, block, bytes, stream>>>(xs)
//     -> static_cast<void>(harness::LaunchWatch("kernel", stream)), kernel<<<grid, block, bytes, stream>>>(xs)
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
    const std::string stream = has_stream ? text(configuration->getArg(3)) : "nullptr";
    rewriter_.InsertTextBefore(begin, "static_cast<void>(harness::LaunchWatch(\"" + text(call->getCallee()) +
                                          "\", " + stream + ")), ");
    return true;
  }

 private:
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
