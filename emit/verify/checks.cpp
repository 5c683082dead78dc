#include "emit/verify/checks.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <clang/ASTMatchers/ASTMatchFinder.h>
#include <clang/ASTMatchers/ASTMatchers.h>
#include <clang/Lex/Lexer.h>

namespace boustro::verify {
namespace {

using namespace clang::ast_matchers;

/// What the checks share: where they report, and what is ours to judge.
struct Judge {
  clang::ASTContext& context;

  void report(clang::SourceLocation location, const std::string& message) const {
    clang::DiagnosticsEngine& diagnostics = context.getDiagnostics();
    diagnostics.Report(location, diagnostics.getDiagnosticIDs()->getCustomDiagID(
                                     clang::DiagnosticIDs::Error, message));
  }
  bool is_ours(clang::SourceLocation location) const {
    const auto& sources = context.getSourceManager();
    return sources.isInMainFile(sources.getExpansionLoc(location));
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

/// Runs `use` on every node in the main file that the matcher finds.
template <typename Node, typename Matcher, typename Use>
void for_each_match(const Judge& judge, const Matcher& matcher, Use&& use) {
  for (const auto& found : match(matcher, judge.context)) {
    const auto* const node = found.template getNodeAs<Node>("node");
    if (node != nullptr && judge.is_ours(node->getBeginLoc())) use(*node, found);
  }
}

// ---- launch

/// The statement checks an error, or returns one.
bool handles_last_error(const Judge& judge, const clang::Stmt* statement) {
  if (statement == nullptr) return false;
  if (!llvm::isa<clang::IfStmt>(statement) && !llvm::isa<clang::ReturnStmt>(statement))
    return false;
  const std::string text = judge.text(statement->getSourceRange());
  return text.find("cudaGetLastError()") != std::string::npos &&
         text.find("return") != std::string::npos;
}

void check_launches(const Judge& judge) {
  std::set<const clang::Stmt*> handled;
  for_each_match<clang::CompoundStmt>(
      judge, traverse(clang::TK_AsIs, compoundStmt().bind("node")),
      [&](const clang::CompoundStmt& block, const auto&) {
        const std::vector<const clang::Stmt*> statements(block.body_begin(), block.body_end());
        for (std::size_t i = 0; i < statements.size(); ++i) {
          const clang::Stmt* statement = statements[i];
          if (const auto* cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(statement))
            statement = cleanups->getSubExpr();
          if (!llvm::isa<clang::CUDAKernelCallExpr>(statement)) continue;
          if (i + 1 < statements.size() && handles_last_error(judge, statements[i + 1]))
            handled.insert(statement);
        }
      });
  for_each_match<clang::CUDAKernelCallExpr>(
      judge, traverse(clang::TK_AsIs, cudaKernelCallExpr().bind("node")),
      [&](const clang::CUDAKernelCallExpr& launch, const auto&) {
        if (!handled.contains(&launch)) {
          judge.report(launch.getBeginLoc(),
                       "launch: no check of cudaGetLastError() follows this launch");
        }
      });
}

// ---- waiting

const std::set<std::string> allocating = {"cudaMalloc",     "cudaMallocAsync", "cudaMallocManaged",
                                          "cudaMallocHost", "cudaFree",        "cudaFreeAsync",
                                          "malloc",         "calloc",          "realloc"};
const std::set<std::string> waiting = {"cudaDeviceSynchronize", "cudaStreamSynchronize",
                                       "cudaEventSynchronize", "cudaMemcpy", "cudaMemset"};

/// The name of the function that the node stands in.
std::string function_around(const Judge& judge, const clang::Stmt& node) {
  clang::DynTypedNodeList parents = judge.context.getParents(node);
  while (!parents.empty()) {
    if (const auto* function = parents[0].get<clang::FunctionDecl>())
      return function->getNameAsString();
    parents = judge.context.getParents(parents[0]);
  }
  return "";
}

void check_waiting(const Judge& judge, const Permissions& permissions) {
  const auto may_wait = [&](const clang::Stmt& node) {
    const auto& names = permissions.waiting_entries;
    return std::find(names.begin(), names.end(), function_around(judge, node)) != names.end();
  };
  for_each_match<clang::CallExpr>(
      judge, callExpr(callee(functionDecl().bind("callee"))).bind("node"),
      [&](const clang::CallExpr& call, const auto& found) {
        const std::string name =
            found.template getNodeAs<clang::FunctionDecl>("callee")->getNameAsString();
        if (allocating.contains(name))
          judge.report(call.getBeginLoc(), "waiting: `" + name + "` allocates or frees");
        if (waiting.contains(name) && !may_wait(call)) {
          judge.report(call.getBeginLoc(), "waiting: `" + name + "` waits for the device");
        }
      });
  for_each_match<clang::CXXThrowExpr>(
      judge, cxxThrowExpr().bind("node"), [&](const clang::CXXThrowExpr& node, const auto&) {
        judge.report(node.getBeginLoc(), "waiting: emitted code does not throw");
      });
  for_each_match<clang::CXXNewExpr>(
      judge, cxxNewExpr().bind("node"), [&](const clang::CXXNewExpr& node, const auto&) {
        if (node.getNumPlacementArgs() == 0)
          judge.report(node.getBeginLoc(), "waiting: `new` allocates");
      });
}

// ---- shared

void check_shared_names(const Judge& judge) {
  std::map<std::string, const clang::VarDecl*> seen;
  for_each_match<clang::VarDecl>(
      judge, varDecl(hasAttr(clang::attr::CUDAShared)).bind("node"),
      [&](const clang::VarDecl& variable, const auto&) {
        if (!variable.hasExternalStorage()) return;
        if (!seen.emplace(variable.getNameAsString(), &variable).second) {
          judge.report(variable.getLocation(), "shared: dynamic shared array `" +
                                                   variable.getNameAsString() +
                                                   "` has the name of another");
        }
      });
}

// ---- linkage

void check_linkage(const Judge& judge, const Permissions& permissions) {
  const auto is_entry = [&](const std::string& name) {
    const auto& entries = permissions.entries;
    return std::find(entries.begin(), entries.end(), name) != entries.end();
  };
  const auto check = [&](const clang::NamedDecl& declaration) {
    if (!declaration.isExternallyVisible() || is_entry(declaration.getNameAsString())) return;
    judge.report(declaration.getLocation(),
                 "linkage: `" + declaration.getNameAsString() + "` is visible outside of the file");
  };
  for_each_match<clang::FunctionDecl>(
      judge,
      functionDecl(isDefinition(), unless(cxxMethodDecl()), unless(isImplicit())).bind("node"),
      [&](const clang::FunctionDecl& function, const auto&) { check(function); });
  for_each_match<clang::VarDecl>(
      judge, varDecl(hasGlobalStorage(), unless(hasAncestor(functionDecl()))).bind("node"),
      [&](const clang::VarDecl& variable, const auto&) { check(variable); });
}

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

// ---- parameter, division

void check_parameters(const Judge& judge) {
  for_each_match<clang::ParmVarDecl>(
      judge,
      parmVarDecl(hasAncestor(functionDecl(hasAttr(clang::attr::CUDAGlobal), isDefinition())))
          .bind("node"),
      [&](const clang::ParmVarDecl& parameter, const auto&) {
        if (!parameter.isUsed() && !parameter.isReferenced()) {
          judge.report(parameter.getLocation(), "parameter: kernel parameter `" +
                                                    parameter.getNameAsString() + "` is not used");
        }
      });
}

/// Divisions of 64-bit integers by what is not a constant.
Problems remark_divisions(const Judge& judge) {
  const auto in_device_code = hasAncestor(
      functionDecl(anyOf(hasAttr(clang::attr::CUDAGlobal), hasAttr(clang::attr::CUDADevice)),
                   unless(hasAttr(clang::attr::CUDAHost))));
  Problems remarks;
  for_each_match<clang::BinaryOperator>(
      judge, binaryOperator(hasAnyOperatorName("/", "%", "/=", "%="), in_device_code).bind("node"),
      [&](const clang::BinaryOperator& operation, const auto&) {
        const clang::QualType type = operation.getType();
        if (operation.getRHS()->isIntegerConstantExpr(judge.context)) return;
        if (type->isIntegerType() && judge.context.getTypeSize(type) == 64) {
          remarks.push_back(judge.place(operation.getOperatorLoc()) +
                            "division: 64-bit integers are divided in device code");
        }
      });
  return remarks;
}

}  // namespace

Problems check_rules(clang::ASTContext& context, const CudaText& text,
                     const Permissions& permissions) {
  const Judge judge{context};
  check_launches(judge);
  check_waiting(judge, permissions);
  check_shared_names(judge);
  check_linkage(judge, permissions);
  check_directives(judge, text);
  check_parameters(judge);
  return remark_divisions(judge);
}

}  // namespace boustro::verify
