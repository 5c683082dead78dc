#include "emit/driver/merge_files.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "emit/driver/merge.hpp"
#include "emit/plan/query_name.hpp"
#include "frontend/source/messages.hpp"

namespace boustro::driver {
namespace {

namespace fs = std::filesystem;

/// An edited pair of files and its bases; what is emitted now is empty yet.
struct EditedPair {
  Versions source, header;
};

/// Nothing if there is no file that can be read; of a pipe it would wait for somebody to write.
std::optional<std::string> text_of(const fs::path& path) {
  std::error_code cannot_see;
  if (!fs::is_regular_file(path, cannot_see)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

/// Nothing if it cannot be read; the session has the reason.
std::optional<std::string> read(Session& session, const fs::path& path, const std::string& hint) {
  if (auto text = text_of(path)) return text;
  std::error_code cannot_see;
  const std::string reason = fs::exists(path, cannot_see) || cannot_see ? "it is no file that can be opened" : "there is no such file";
  session.diagnostics.report(source::Message::cannot_read_file, {}, path.string(), reason + hint);
  return std::nullopt;
}

/// Whoever merges has settled what an earlier merge left open: its marks would be taken for code.
bool check_settled(Session& session, const fs::path& path, const std::string& text) {
  const std::vector<std::size_t> conflicts = conflicts_in(text);
  if (conflicts.empty()) return true;
  session.diagnostics.report(source::Message::cannot_merge, {}, path.string(),
                             fmt::format("line {} begins a conflict of an earlier merge",
                                         1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(conflicts[0]), '\n')));
  return false;
}

std::optional<Versions> read_versions(Session& session, const fs::path& path) {
  std::optional<std::string> edited = read(session, path, "");
  std::optional<std::string> base =
      read(session, base_of(path), "; --keep-base and --merge keep there what they emit, to tell what was edited since");
  if (!edited || !base || !check_settled(session, path, *edited)) return std::nullopt;
  return Versions{std::move(*edited), std::move(*base), {}};
}

std::optional<EditedPair> read_pair(Session& session, const fs::path& output) {
  std::optional<Versions> source = read_versions(session, output);
  std::optional<Versions> header = read_versions(session, header_of(output));
  if (!source || !header) return std::nullopt;
  return EditedPair{std::move(*source), std::move(*header)};
}

/// It names the program and the target. Editors may have changed the end of the line.
std::string first_line(const std::string& text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

/// Why the base is none of what is emitted now; empty if it is.
std::string objection_to(const EditedPair& pair, const run::EmittedProgram& emitted) {
  if (first_line(pair.source.base) != first_line(emitted.source))
    return fmt::format("it comes from another program, or is for another target: `{}`", first_line(pair.source.base));
  const auto is_declared = [&](const plan::Entry& entry) {
    return pair.header.base.find(" " + plan::query_name(entry.name) + "(") != std::string::npos;
  };
  if (std::none_of(emitted.plan.entries.begin(), emitted.plan.entries.end(), is_declared))
    return "it has none of the program's entry points";
  return "";
}

OutputFile merge_file(Session& session, const fs::path& path, Versions versions, const std::string& emitted) {
  versions.emitted = emitted;
  Merged merged = merge(versions);
  const source::FileId file = session.sources.add(path.string(), merged.text);
  for (const std::size_t at : merged.conflicts) {
    const auto begin = static_cast<std::uint32_t>(at);
    session.diagnostics.report(source::Message::merge_conflict, {file, begin, begin + 7});
  }
  return {path, std::move(merged.text)};
}

}  // namespace

fs::path header_of(const fs::path& file) { return fs::path(file).replace_extension(".hpp"); }

fs::path base_of(const fs::path& file) { return file.string() + ".base"; }

bool was_edited(const fs::path& file) {
  const auto text = text_of(file), base = text_of(base_of(file));
  return text && base && *text != *base;
}

bool check_merge(Session& session, const fs::path& output) { return read_pair(session, output).has_value(); }

std::optional<std::vector<OutputFile>> merge_files(Session& session, const run::EmittedProgram& emitted, const fs::path& output) {
  std::optional<EditedPair> pair = read_pair(session, output);
  if (!pair) return std::nullopt;
  if (const std::string objection = objection_to(*pair, emitted); !objection.empty()) {
    session.diagnostics.report(source::Message::cannot_merge, {}, base_of(output).string(), objection);
    return std::nullopt;
  }
  return std::vector<OutputFile>{merge_file(session, header_of(output), std::move(pair->header), emitted.header),
                                 merge_file(session, output, std::move(pair->source), emitted.source)};
}

}  // namespace boustro::driver
