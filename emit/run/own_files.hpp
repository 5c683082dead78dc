// Where Boustro's own files are that programs around emitted ones are compiled with.
#pragma once

#include <filesystem>
#include <stdexcept>

namespace boustro::run {

/// Something that a command needs is not on this machine: a compiler, headers, or a file of Boustro's. The text says what and how to get it.
struct Missing : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The folder that holds `templates`, with the headers of harness/ and cuda_on_cpu/, and `cuda_on_cpu`, with a folder of libraries for each
/// mode. It is what $BOUSTRO_HOME says, or else `lib/boustro` of the nearest folder above this program that has one: of the prefix for
/// PREFIX/bin/boustro, of the build folder for programs that were built there. Throws Missing.
std::filesystem::path own_files();

/// ... above a program at this absolute path; the root folder does not count.
std::filesystem::path own_files_above(const std::filesystem::path& program);

}  // namespace boustro::run
