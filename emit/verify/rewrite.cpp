// Rewriting of launches and shared memory, which is confined to the main file and keeps its lines
// in place:
//
//   kernel<T><<<grid, block, bytes, stream>>>(a, b)
//     -> cuda_emulation::launch(cuda_emulation::LaunchConfiguration(grid, block, bytes, stream),
//            "kernel<T>", (const void*)(kernel<T>), [&](auto... arguments) {
//            kernel<T>(arguments...); }, a, b)
//   __shared__ float tile[16][17];
//     -> struct Shared_tile { float tile[16][17]; };
//        auto& tile = cuda_emulation::shared_variable<Shared_tile>().tile;
//   extern __shared__ float bytes[];
//     -> float* const bytes = cuda_emulation::dynamic_shared_memory<float>();
//   asm("mma.sync.aligned.m16n8k4 ..f64.." : "+d"(x), "+d"(y), "+d"(z), "+d"(w) : "d"(a), "d"(b), "d"(c));
//     -> { const double2 product_0 = __mma_m8n8k4_f64_sync(x, y, a, c); const double2 product_1 = __mma_m8n8k4_f64_sync(z, w, b, c);
//        x = product_0.x, y = product_0.y; z = product_1.x, w = product_1.y; }; and m8n8k4, which multiplies half of that
//
// Everything else is left to templates/cuda_on_cpu/cuda_on_cpu.hpp, which is force-included when
// the result is compiled. Arguments of a launch are evaluated once, on the host; a struct per
// shared declaration keeps the declaration's text, and lets the runtime place each block's variable
// anew.
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>

#include "emit/verify/parse.hpp"

namespace boustro::verify {
namespace {

/// Finds what has to be rewritten and edits the text. Templates are visited once, as written.
class CudaRewriter : public clang::DynamicRecursiveASTVisitor {
 public:
  CudaRewriter(clang::ASTContext& context, clang::Rewriter& rewriter)
      : context_(context), sources_(context.getSourceManager()), rewriter_(rewriter) {}

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr* call) override {
    // The configuration "call" spans <<< (its beginning) to >>> (its closing parenthesis).
    const clang::SourceLocation open = call->getConfig()->getBeginLoc();
    const clang::SourceLocation close = call->getConfig()->getRParenLoc();
    const clang::Expr* const callee = call->getCallee();
    if (!is_rewritable(callee->getBeginLoc()) || !is_rewritable(open) || !is_rewritable(close) ||
        !is_rewritable(call->getRParenLoc())) {
      return true;
    }
    const std::string kernel = text(callee->getBeginLoc(), open).rtrim().str();
    // From >>> to the opening parenthesis there is white space at most.
    const clang::SourceLocation after_close = close.getLocWithOffset(3);
    const std::size_t parenthesis =
        text(after_close, call->getRParenLoc().getLocWithOffset(1)).find('(');

    std::string launch = "cuda_emulation::launch(cuda_emulation::LaunchConfiguration(";
    launch += text(open.getLocWithOffset(3), close);
    launch += "), \"" + kernel + "\", ";
    launch += names_one_function(callee) ? "(const void*)(" + kernel + ")" : "nullptr";
    launch += ", [&](auto... arguments) { " + kernel + "(arguments...); }";
    if (call->getNumArgs() != 0) launch += ", ";
    rewriter_.ReplaceText(
        clang::CharSourceRange::getCharRange(
            callee->getBeginLoc(), after_close.getLocWithOffset(static_cast<int>(parenthesis) + 1)),
        launch);
    return true;
  }

  bool VisitDeclStmt(clang::DeclStmt* statement) override {
    std::vector<const clang::VarDecl*> variables;
    for (const clang::Decl* const declaration : statement->decls()) {
      const auto* const variable = llvm::dyn_cast<clang::VarDecl>(declaration);
      if (variable != nullptr && variable->hasAttr<clang::CUDASharedAttr>())
        variables.push_back(variable);
    }
    if (variables.empty()) return true;
    // __shared__ is a macro, and may be the statement's first token; or alignas(..) stands behind it, where the statement is said to begin.
    clang::SourceRange range = statement->getSourceRange();
    const clang::SourceLocation attribute = variables.front()->getAttr<clang::CUDASharedAttr>()->getLocation();
    if (is_shared_macro(attribute) && (is_shared_macro(range.getBegin()) || sources_.isBeforeInTranslationUnit(attribute, range.getBegin())))
      range.setBegin(sources_.getExpansionLoc(attribute));
    if (!is_rewritable(range.getBegin()) || !is_rewritable(range.getEnd())) return true;
    const auto replacement =
        variables.front()->hasExternalStorage()
            ? dynamic_shared(variables)
            : static_shared(variables, text(range.getBegin(), range.getEnd().getLocWithOffset(1)));
    rewriter_.ReplaceText(range, replacement);
    return true;
  }

  bool VisitGCCAsmStmt(clang::GCCAsmStmt* statement) override {
    static const std::string of_eight_rows = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};";
    static const std::string of_sixteen = "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};";
    if (!is_rewritable(statement->getBeginLoc()) || !is_rewritable(statement->getEndLoc())) return true;
    const std::string instruction = statement->getAsmString();
    const unsigned products = instruction == of_eight_rows ? 1 : instruction == of_sixteen ? 2 : 0;
    if (products == 0 || statement->getNumOutputs() != 2 * products || statement->getNumInputs() != products + 1) {
      report(statement->getAsmLoc(), "there is no other asm than mma.sync.aligned.m16n8k4 and m8n8k4 of f64");
      return true;
    }
    rewriter_.ReplaceText(statement->getSourceRange(), products_of_rows(*statement, products));
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->hasAttr<clang::CUDASharedAttr>() && variable->isFileVarDecl() &&
        sources_.isInMainFile(variable->getLocation())) {
      report(variable->getLocation(), "__shared__ variables must be local to a function");
    }
    return true;
  }

 private:
  /// Products of eight rows each.
  std::string products_of_rows(const clang::GCCAsmStmt& statement, unsigned count) const {
    const auto operand = [&](const clang::Expr* expr) {
      return text(expr->getBeginLoc(), clang::Lexer::getLocForEndOfToken(expr->getEndLoc(), 0, sources_, context_.getLangOpts())).str();
    };
    std::string products, results;
    for (unsigned i = 0; i < count; ++i) {
      const std::string first = operand(statement.getOutputExpr(2 * i)), second = operand(statement.getOutputExpr(2 * i + 1)),
                        product = "product_" + std::to_string(i);
      products += "const double2 " + product + " = __mma_m8n8k4_f64_sync(" + first + ", " + second + ", " + operand(statement.getInputExpr(i)) + ", " +
                  operand(statement.getInputExpr(count)) + "); ";
      results += first + " = " + product + ".x, " + second + " = " + product + ".y; ";
    }
    return "{ " + products + results + "}";
  }

  std::string dynamic_shared(const std::vector<const clang::VarDecl*>& variables) {
    std::string result;
    for (const clang::VarDecl* const variable : variables) {
      const auto* const array = context_.getAsIncompleteArrayType(variable->getType());
      if (array == nullptr) {
        report(variable->getLocation(), "extern __shared__ must declare T name[]");
        return "";
      }
      const std::string element = array->getElementType().getAsString(context_.getPrintingPolicy());
      result += element + "* const " + variable->getNameAsString() +
                " = cuda_emulation::dynamic_shared_memory<" + element + ">();";
    }
    return result;
  }

  static std::string static_shared(const std::vector<const clang::VarDecl*>& variables,
                                   llvm::StringRef declaration) {
    const std::string storage = "Shared_" + variables.front()->getNameAsString();
    std::string member = declaration.str();
    for (const std::string specifier : {"__shared__", "static "}) {
      const std::size_t position = member.find(specifier);
      if (position != std::string::npos) member.erase(position, specifier.size());
    }
    std::string result = "struct " + storage + " {" + member + " };";
    for (const clang::VarDecl* const variable : variables) {
      result += " auto& " + variable->getNameAsString() + " = cuda_emulation::shared_variable<" +
                storage + ">()." + variable->getNameAsString() + ";";
    }
    return result;
  }

  /// Whether text at `location` is to be edited; reports an error if that is impossible.
  bool is_rewritable(clang::SourceLocation location) {
    if (location.isMacroID()) {
      if (sources_.isInMainFile(sources_.getExpansionLoc(location))) {
        report(location, "kernel launches and __shared__ cannot come from a macro");
      }
      return false;
    }
    if (sources_.isInMainFile(location)) return true;
    if (!sources_.isInSystemHeader(location)) {
      report(location, "kernel launches and __shared__ must be in the main file");
    }
    return false;
  }

  bool is_shared_macro(clang::SourceLocation location) const {
    if (!location.isMacroID()) return false;
    const clang::SourceLocation use = sources_.getExpansionLoc(location);
    return text(use, use.getLocWithOffset(10)) == "__shared__";
  }

  /// Whether the callee's text can stand alone, as it must to take the kernel's address.
  static bool names_one_function(const clang::Expr* callee) {
    const auto* const reference = llvm::dyn_cast<clang::DeclRefExpr>(callee->IgnoreParenImpCasts());
    if (reference == nullptr) return false;  // depends on a template parameter
    const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
    return function != nullptr &&
           (function->getPrimaryTemplate() == nullptr || reference->hasExplicitTemplateArgs());
  }

  llvm::StringRef text(clang::SourceLocation begin, clang::SourceLocation end) const {
    return clang::Lexer::getSourceText(clang::CharSourceRange::getCharRange(begin, end), sources_,
                                       context_.getLangOpts());
  }

  void report(clang::SourceLocation location, const char* message) {
    clang::DiagnosticsEngine& diagnostics = context_.getDiagnostics();
    diagnostics.Report(location, diagnostics.getDiagnosticIDs()->getCustomDiagID(
                                     clang::DiagnosticIDs::Error, message));
  }

  clang::ASTContext& context_;
  clang::SourceManager& sources_;
  clang::Rewriter& rewriter_;
};

}  // namespace

Rewritten rewrite_for_cpu(const CudaText& text) {
  Rewritten result;
  result.problems = parse(
      text, Mode::cuda_host, [&](clang::CompilerInstance& compiler, clang::ASTContext& context) {
        clang::Rewriter rewriter(compiler.getSourceManager(), compiler.getLangOpts());
        CudaRewriter(context, rewriter).TraverseAST(context);
        // Compiler messages, debuggers and sanitizers then show the .cu file's own lines.
        result.source = "#line 1 \"" + text.name + "\"\n" + rewritten_text(compiler, rewriter);
      });
  return result;
}

}  // namespace boustro::verify
