// Files that people edited after they were emitted, the copies of what was emitted beside them, and what becomes of both when the
// program is translated anew.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "emit/driver/load.hpp"
#include "emit/run/program.hpp"

namespace boustro::driver {

/// A file to be written.
struct OutputFile {
  std::filesystem::path path;
  std::string text;
};

/// The header that lies beside an emitted file.
std::filesystem::path header_of(const std::filesystem::path& file);

/// Where a file is kept as it was emitted: kmeans.cu.base.
std::filesystem::path base_of(const std::filesystem::path& file);

/// Whether the file differs from its base, and so holds what people did. False if one of both is missing.
bool was_edited(const std::filesystem::path& file);

/// False if there is nothing to merge with at `output`; the session has the reason.
bool check_merge(Session& session, const std::filesystem::path& output);

/// What to write instead of an emitted pair of files: both merged with those at `output`, as they are now. The session has the
/// conflicts. Nothing if there is nothing to merge with, or if the files there were emitted from another program; the session has the
/// reason.
std::optional<std::vector<OutputFile>> merge_files(Session& session, const run::EmittedProgram& emitted,
                                                   const std::filesystem::path& output);

}  // namespace boustro::driver
