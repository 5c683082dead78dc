// boustro explain: a page with the program, its derivative and what is emitted, side by side.
#include <filesystem>
#include <iostream>
#include <system_error>

#include <fmt/format.h>

#include "emit/driver/commands.hpp"
#include "emit/driver/emit.hpp"
#include "emit/driver/passes.hpp"
#include "emit/explain/page.hpp"
#include "emit/run/process.hpp"
#include "frontend/source/messages.hpp"
#include "frontend/values/read.hpp"
#include "transform/ir/print.hpp"
#include "transform/raise/raise.hpp"

namespace boustro::driver {
namespace {

namespace fs = std::filesystem;

bool to_standard_output(const ExplainOptions& options) { return options.output == "-"; }

fs::path page_path(const ExplainOptions& options, const Session& session) {
  return options.output.empty() ? fs::path(session.name + ".html") : fs::path(options.output);
}

bool refuse_file(Session& session, const fs::path& path, const std::string& reason) {
  session.diagnostics.report(source::Message::cannot_write_file, {}, path.string(), reason);
  return false;
}

/// False if the page must not, or cannot, be written there; the session has the reason.
bool check_page_path(Session& session, const ExplainOptions& options) {
  if (to_standard_output(options)) return true;
  const fs::path path = page_path(options, session);
  std::error_code none_of_them;
  for (const fs::path& file : session.files)
    if (fs::equivalent(path, file, none_of_them)) return refuse_file(session, path, "it is the program");
  if (!fs::is_directory(fs::absolute(path).parent_path(), none_of_them)) return refuse_file(session, path, "there is no such folder");
  const std::string obstacle = run::obstacle_at(path);
  return obstacle.empty() || refuse_file(session, path, obstacle);
}

/// The report to show, if there is one. False if it is none; the session has the reason.
bool read_profile(Session& session, const ExplainOptions& options, std::string& profile) {
  if (options.profile.empty()) return true;
  std::string complaint;
  try {
    profile = values::read_file(options.profile);
    complaint = explain::complaint_about_profile(profile);
  } catch (const std::system_error& error) {
    complaint = error.code().message();
  }
  if (!complaint.empty()) session.diagnostics.report(source::Message::cannot_read_file, {}, options.profile, complaint);
  return complaint.empty();
}

std::vector<explain::SourceFile> files_of(const Session& session) {
  std::vector<explain::SourceFile> files;
  for (const source::FileId id : session.file_ids)
    files.push_back({session.sources.name(id), std::string(session.sources.text(id))});
  return files;
}

/// What `boustro derive` prints, and where its lines come from. False if the program was refused.
bool derive_for_page(Session& session, ir::Program program, explain::PageInput& input) {
  const auto derived = run_passes(session, std::move(program), Goal::derive);
  if (!derived) return false;
  raise::Raised raised = raise::raise(*derived, {.sources = &session.sources, .origins = true});
  input.derivative = std::move(raised.text);
  input.derivative_origins = std::move(raised.origins);
  return true;
}

/// What `boustro translate` writes, and the program after each pass. False if it was refused.
bool translate_for_page(Session& session, ir::Program program, const ExplainOptions& options, explain::PageInput& input) {
  const plan::Target target = options.target == "cpp" ? plan::Target::cpu : plan::Target::gpu;
  const auto watch = [&](const Pass& pass, const ir::Program& before, const ir::Program& after) {
    const bool changed = before != after || input.dumps.empty();
    input.dumps.push_back({pass.name, pass.describe, changed, changed ? ir::to_string(after, {.exact = true}) : ""});
  };
  const auto core = run_passes(session, std::move(program), goal_of(target), {}, {}, watch);
  if (!core) return false;
  auto emitted = emit(session, *core, {.target = target, .name = session.name, .origins = true});
  if (!emitted) return false;
  input.emitted = std::move(*emitted);
  return true;
}

bool write_page(Session& session, const ExplainOptions& options, const std::string& page) {
  if (to_standard_output(options)) {
    std::cout << page;
    return true;
  }
  const fs::path path = page_path(options, session);
  try {
    run::write_file(path, page);
    return true;
  } catch (const std::system_error& error) {
    return refuse_file(session, path, error.code().message());
  }
}

}  // namespace

int explain(const ExplainOptions& options) {
  Session session;
  session.folders = options.folders;
  auto core = load_core(session, options.file, {.entries = options.entries, .derivatives = options.derivatives});
  explain::PageInput input;
  input.program = session.name;
  input.command = "boustro explain " + session.name + ".fut";
  input.files = files_of(session);
  const bool done = core && check_page_path(session, options) && read_profile(session, options, input.profile) &&
                    derive_for_page(session, *core, input) && translate_for_page(session, std::move(*core), options, input);
  if (!session.report() || !done) return 1;
  session.diagnostics = {};  // those of before are printed
  const bool written = write_page(session, options, explain::page(input));
  session.report();
  return written ? 0 : 1;
}

}  // namespace boustro::driver
