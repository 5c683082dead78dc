// Puts a watch around each outermost nest of loops of emitted C++:
//
//   for (int64_t i = 0; i < n; ++i) ..
//     -> { static harness::Nest nest_12(12, "i < n"); const harness::NestWatch watch_12(nest_12);
//        for (int64_t i = 0; i < n; ++i) ..
//        }
//
// A loop that has parallel loops in it is one of the entry's own, and it is these that are watched. The whole
// body of the entry is watched, too, as the nest of line 0.
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/Lex/Lexer.h>

#include "emit/verify/parse.hpp"

namespace boustro::verify {
namespace {

bool is_parallel(const clang::Stmt* statement) {
  const auto* const directive = llvm::dyn_cast<clang::OMPExecutableDirective>(statement);
  return directive != nullptr && clang::isOpenMPParallelDirective(directive->getDirectiveKind());
}

bool is_loop(const clang::Stmt* statement) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(statement);
}

bool has_parallel_loops(const clang::Stmt* statement) {
  for (const clang::Stmt* const part : statement->children())
    if (part != nullptr && (is_parallel(part) || has_parallel_loops(part))) return true;
  return false;
}

class NestFinder {
 public:
  NestFinder(clang::ASTContext& context, clang::Rewriter& rewriter)
      : context_(context), sources_(context.getSourceManager()), rewriter_(rewriter) {}

  void watch_entry(const clang::FunctionDecl& entry) {
    const auto* const body = llvm::cast<clang::CompoundStmt>(entry.getBody());
    find(body);
    rewriter_.InsertTextAfterToken(body->getLBracLoc(), "\n" + watch(0, entry.getNameAsString()));
  }

 private:
  void find(const clang::Stmt* statement) {
    for (const clang::Stmt* const part : statement->children()) {
      if (part == nullptr) continue;
      if (is_parallel(part)) {
        const auto* const directive = llvm::cast<clang::OMPExecutableDirective>(part);
        watch_nest(directive->getInnermostCapturedStmt()->getCapturedStmt(), directive->getBeginLoc());
      } else if (is_loop(part) && !has_parallel_loops(part)) {
        watch_nest(part, part->getBeginLoc());
      } else {
        find(part);
      }
    }
  }

  /// `begin`: of the loop, or of its directive.
  void watch_nest(const clang::Stmt* loop, clang::SourceLocation begin) {
    const int line = static_cast<int>(sources_.getSpellingLineNumber(loop->getBeginLoc()));
    rewriter_.InsertText(line_above_directive(begin), "{ " + watch(line, condition(loop)) + "\n", true, true);
    rewriter_.InsertTextBefore(behind(loop), " }");
  }

  static std::string watch(int line, const std::string& text) {
    const std::string number = std::to_string(line);
    std::string quoted;
    for (const char c : text) quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
    return "static harness::Nest nest_" + number + "(" + number + ", \"" + quoted +
           "\"); const harness::NestWatch watch_" + number + "(nest_" + number + ");";
  }

  std::string condition(const clang::Stmt* loop) const {
    const clang::Expr* expression = nullptr;
    if (const auto* const counted = llvm::dyn_cast<clang::ForStmt>(loop)) expression = counted->getCond();
    if (const auto* const whiled = llvm::dyn_cast<clang::WhileStmt>(loop)) expression = whiled->getCond();
    if (expression == nullptr) return "loop";
    return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(expression->getSourceRange()),
                                       sources_, context_.getLangOpts())
        .str();
  }

  /// A directive stands behind `#ifdef _OPENMP`, which the watch must precede.
  clang::SourceLocation line_above_directive(clang::SourceLocation begin) const {
    const auto [file, offset] = sources_.getDecomposedLoc(begin);
    const llvm::StringRef before = sources_.getBufferData(file).take_front(offset);
    const std::size_t guard = before.rfind("#ifdef _OPENMP");
    const bool guarded = guard != before.npos && before.drop_front(guard).count('\n') == 1;
    return guarded ? sources_.getLocForStartOfFile(file).getLocWithOffset(static_cast<int>(guard)) : begin;
  }

  /// Behind the last token of the loop, which may be a semicolon that is not part of its tree.
  clang::SourceLocation behind(const clang::Stmt* loop) const {
    const clang::SourceLocation end = loop->getEndLoc();
    const clang::SourceLocation semicolon =
        clang::Lexer::findLocationAfterToken(end, clang::tok::semi, sources_, context_.getLangOpts(), false);
    return semicolon.isValid() ? semicolon
                               : clang::Lexer::getLocForEndOfToken(end, 0, sources_, context_.getLangOpts());
  }

  clang::ASTContext& context_;
  clang::SourceManager& sources_;
  clang::Rewriter& rewriter_;
};

/// Finds the entries: what the file defines for others.
class EntryFinder : public clang::DynamicRecursiveASTVisitor {
 public:
  EntryFinder(clang::ASTContext& context, NestFinder& nests)
      : sources_(context.getSourceManager()), nests_(nests) {}

  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (function->isThisDeclarationADefinition() && !function->isCXXClassMember() &&
        sources_.isInMainFile(function->getLocation()) && function->isExternallyVisible() &&
        function->getTemplatedKind() == clang::FunctionDecl::TK_NonTemplate && !function->isInlined())
      nests_.watch_entry(*function);
    return true;
  }

 private:
  clang::SourceManager& sources_;
  NestFinder& nests_;
};

}  // namespace

Rewritten time_nests(const CudaText& text) {
  Rewritten result;
  result.problems =
      parse(text, Mode::cpp, [&](clang::CompilerInstance& compiler, clang::ASTContext& context) {
        clang::Rewriter rewriter(compiler.getSourceManager(), compiler.getLangOpts());
        NestFinder nests(context, rewriter);
        EntryFinder(context, nests).TraverseAST(context);
        result.source = "#include \"harness/nests.hpp\"\n" + rewritten_text(compiler, rewriter);
      });
  return result;
}

}  // namespace boustro::verify
