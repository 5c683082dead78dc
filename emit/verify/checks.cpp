#include "emit/verify/checks.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>

namespace boustro::verify {
namespace {

/// What the rules share: where they report, and what is ours to judge.
struct Judge {
  clang::ASTContext& context;

  void report(clang::SourceLocation location, const std::string& message) const {
    clang::DiagnosticsEngine& diagnostics = context.getDiagnostics();
    diagnostics.Report(location, diagnostics.getDiagnosticIDs()->getCustomDiagID(
                                     clang::DiagnosticIDs::Error, message));
  }
  bool is_ours(const clang::Decl& declaration) const {
    const auto& sources = context.getSourceManager();
    return sources.isInMainFile(sources.getExpansionLoc(declaration.getBeginLoc()));
  }
  /// `name:line:column: `
  std::string place(clang::SourceLocation location) const {
    const auto presumed = context.getSourceManager().getPresumedLoc(location);
    return std::filesystem::path(presumed.getFilename()).filename().string() + ":" +
           std::to_string(presumed.getLine()) + ":" + std::to_string(presumed.getColumn()) + ": ";
  }
  std::string text(clang::SourceRange range) const {
    return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(range),
                                       context.getSourceManager(), context.getLangOpts())
        .str();
  }
};

const std::set<std::string> allocating = {"cudaMalloc",     "cudaMallocAsync", "cudaMallocManaged",
                                          "cudaMallocHost", "cudaFree",        "cudaFreeAsync",
                                          "malloc",         "calloc",          "realloc"};
const std::set<std::string> waiting = {"cudaDeviceSynchronize", "cudaStreamSynchronize",
                                       "cudaEventSynchronize", "cudaMemcpy", "cudaMemset"};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Walks what the file itself declares, templates also as they are instantiated.
class Rules : public clang::ConstDynamicRecursiveASTVisitor {
 public:
  Rules(const Judge& judge, const Permissions& permissions)
      : judge_(judge), permissions_(permissions) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  /// The remarks.
  Problems run() {
    for (const clang::Decl* declaration : judge_.context.getTraversalScope()) {
      if (judge_.is_ours(*declaration)) TraverseDecl(declaration);
    }
    return std::move(remarks_);
  }

  bool TraverseDecl(const clang::Decl* declaration) override {
    const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    if (function) functions_.push_back(function);
    const bool result = clang::ConstDynamicRecursiveASTVisitor::TraverseDecl(declaration);
    if (function) functions_.pop_back();
    return result;
  }

  // ---- launch. A block comes before what it holds.

  bool VisitCompoundStmt(const clang::CompoundStmt* block) override {
    const std::vector<const clang::Stmt*> statements(block->body_begin(), block->body_end());
    for (std::size_t i = 0; i + 1 < statements.size(); ++i) {
      if (handles_last_error(statements[i + 1])) handled_.insert(without_cleanups(statements[i]));
    }
    return true;
  }

  bool VisitCUDAKernelCallExpr(const clang::CUDAKernelCallExpr* launch) override {
    if (!handled_.contains(launch)) {
      judge_.report(launch->getBeginLoc(),
                    "launch: no check of cudaGetLastError() follows this launch");
    }
    return true;
  }

  // ---- waiting

  bool VisitCallExpr(const clang::CallExpr* call) override {
    const auto* callee = llvm::dyn_cast_or_null<clang::FunctionDecl>(call->getCalleeDecl());
    if (!callee) return true;
    const std::string name = callee->getNameAsString();
    if (allocating.contains(name))
      judge_.report(call->getBeginLoc(), "waiting: `" + name + "` allocates or frees");
    if (waiting.contains(name) && !may_wait())
      judge_.report(call->getBeginLoc(), "waiting: `" + name + "` waits for the device");
    return true;
  }

  bool VisitCXXThrowExpr(const clang::CXXThrowExpr* expression) override {
    judge_.report(expression->getBeginLoc(), "waiting: emitted code does not throw");
    return true;
  }

  bool VisitCXXNewExpr(const clang::CXXNewExpr* expression) override {
    if (expression->getNumPlacementArgs() == 0)
      judge_.report(expression->getBeginLoc(), "waiting: `new` allocates");
    return true;
  }

  // ---- shared, linkage

  bool VisitVarDecl(const clang::VarDecl* variable) override {
    if (variable->hasAttr<clang::CUDASharedAttr>() && variable->hasExternalStorage() &&
        !shared_names_.insert(variable->getNameAsString()).second) {
      judge_.report(variable->getLocation(), "shared: dynamic shared array `" +
                                                 variable->getNameAsString() +
                                                 "` has the name of another");
    }
    if (variable->hasGlobalStorage() && functions_.empty()) check_linkage(*variable);
    check_buffer(*variable);
    return true;
  }

  // ---- linkage, parameter

  bool VisitFunctionDecl(const clang::FunctionDecl* function) override {
    if (!function->isThisDeclarationADefinition()) return true;
    if (!llvm::isa<clang::CXXMethodDecl>(function) && !function->isImplicit())
      check_linkage(*function);
    if (!function->hasAttr<clang::CUDAGlobalAttr>()) return true;
    for (const clang::ParmVarDecl* parameter : function->parameters()) {
      if (parameter->isUsed() || parameter->isReferenced()) continue;
      judge_.report(parameter->getLocation(), "parameter: kernel parameter `" +
                                                  parameter->getNameAsString() + "` is not used");
    }
    return true;
  }

  // ---- division: of 64-bit integers by what is not a constant

  bool VisitBinaryOperator(const clang::BinaryOperator* operation) override {
    if (!is_division(operation->getOpcode()) || !is_in_device_code()) return true;
    const clang::QualType type = operation->getType();
    const bool wide = type->isIntegerType() && judge_.context.getTypeSize(type) == 64;
    if (wide && !operation->getRHS()->isIntegerConstantExpr(judge_.context)) {
      remarks_.push_back(judge_.place(operation->getOperatorLoc()) +
                         "division: 64-bit integers are divided in device code");
    }
    return true;
  }

 private:
  static const clang::Stmt* without_cleanups(const clang::Stmt* statement) {
    const auto* cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(statement);
    return cleanups ? cleanups->getSubExpr() : statement;
  }

  /// The statement checks an error, or returns one.
  bool handles_last_error(const clang::Stmt* statement) const {
    if (!llvm::isa<clang::IfStmt>(statement) && !llvm::isa<clang::ReturnStmt>(statement))
      return false;
    const std::string text = judge_.text(statement->getSourceRange());
    return text.find("cudaGetLastError()") != std::string::npos &&
           text.find("return") != std::string::npos;
  }

  bool may_wait() const {
    return !functions_.empty() &&
           contains(permissions_.waiting_entries, functions_.back()->getNameAsString());
  }

  /// Memory of the caller's allocator is held by a Buffer.
  void check_buffer(const clang::VarDecl& variable) {
    const auto* type = variable.getType()->getAsCXXRecordDecl();
    if (!type || type->getName() != "Buffer" || functions_.empty()) return;
    const std::string name = functions_.back()->getNameAsString();
    if (!contains(permissions_.allocating_entries, name))
      judge_.report(variable.getLocation(), "waiting: `" + name + "` allocates");
  }

  void check_linkage(const clang::NamedDecl& declaration) const {
    const std::string name = declaration.getNameAsString();
    if (!declaration.isExternallyVisible() || contains(permissions_.entries, name)) return;
    judge_.report(declaration.getLocation(),
                  "linkage: `" + name + "` is visible outside of the file");
  }

  static bool is_division(clang::BinaryOperatorKind kind) {
    return kind == clang::BO_Div || kind == clang::BO_Rem || kind == clang::BO_DivAssign ||
           kind == clang::BO_RemAssign;
  }

  bool is_in_device_code() const {
    return std::any_of(functions_.begin(), functions_.end(), [](const auto* function) {
      const bool device = function->template hasAttr<clang::CUDAGlobalAttr>() ||
                          function->template hasAttr<clang::CUDADeviceAttr>();
      return device && !function->template hasAttr<clang::CUDAHostAttr>();
    });
  }

  const Judge& judge_;
  const Permissions& permissions_;
  std::vector<const clang::FunctionDecl*> functions_;  // around the node
  std::set<const clang::Stmt*> handled_;
  std::set<std::string> shared_names_;
  Problems remarks_;
};

// ---- macro, include

const std::set<std::string> cuda_headers = {"cuda_runtime.h", "cuda_runtime_api.h", "cuda_fp16.h"};

bool is_allowed_include(const std::string& name, bool quoted, const CudaText& text) {
  if (quoted) return name == text.header_name;
  if (name.find('.') == std::string::npos)
    return name.find('/') == std::string::npos;  // the standard library
  return cuda_headers.contains(name) || name.starts_with("cub/") || name.starts_with("thrust/") ||
         name.starts_with("cuda/");
}

/// Directives are gone from the tree; the text has one on each line that begins with `#`.
void check_directives(const Judge& judge, const CudaText& text) {
  const auto& sources = judge.context.getSourceManager();
  const clang::SourceLocation begin = sources.getLocForStartOfFile(sources.getMainFileID());
  for (std::size_t at = 0; at < text.source.size();) {
    const std::size_t end = std::min(text.source.find('\n', at), text.source.size());
    const std::string line = text.source.substr(at, end - at);
    const clang::SourceLocation location = begin.getLocWithOffset(static_cast<int>(at));
    if (line.starts_with("#define")) judge.report(location, "macro: emitted code defines no macro");
    if (line.starts_with("#include ")) {
      const bool quoted = line[9] == '"';
      const std::string name = line.substr(10, line.find(quoted ? '"' : '>', 10) - 10);
      if (!is_allowed_include(name, quoted, text)) {
        judge.report(location, "include: `" + name + "` is neither CUDA nor the standard library");
      }
    }
    at = end + 1;
  }
}

}  // namespace

Problems check_rules(clang::ASTContext& context, const CudaText& text,
                     const Permissions& permissions) {
  const Judge judge{context};
  check_directives(judge, text);
  return Rules(judge, permissions).run();
}

}  // namespace boustro::verify
