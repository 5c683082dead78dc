#include "emit/run/own_files.hpp"

#include <cstdlib>

namespace boustro::run {
namespace fs = std::filesystem;

fs::path own_files_above(const fs::path& program) {
  for (fs::path folder = program.parent_path(); folder != program.root_path(); folder = folder.parent_path()) {
    const fs::path files = folder / "lib" / "boustro";
    if (fs::is_directory(files / "templates")) return files;
  }
  throw Missing("boustro's own files were not found: no folder above " + program.string() + " has lib/boustro; set BOUSTRO_HOME");
}

fs::path own_files() {
  const char* const chosen = std::getenv("BOUSTRO_HOME");
  if (chosen == nullptr || *chosen == '\0') return own_files_above(fs::read_symlink("/proc/self/exe"));
  if (!fs::is_directory(fs::path(chosen) / "templates"))
    throw Missing("BOUSTRO_HOME is " + std::string(chosen) + ", where boustro's own files are not: there is no folder `templates` in it");
  return chosen;
}

}  // namespace boustro::run
