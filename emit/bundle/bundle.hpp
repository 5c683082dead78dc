// Writes a bundle: a folder with emitted programs, data, and what builds, checks and times them with nvcc alone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "emit/run/emitted_call.hpp"
#include "emit/run/program.hpp"
#include "frontend/values/read.hpp"

namespace boustro::bundle {

/// The first line of the list of cases, by which a bundle is known.
extern const char* const cases_head;

/// An entry on a data set.
struct BundledCase {
  const plan::Entry& entry;  // of the program that was added last
  std::string role;          // `primal`, `vjp`, ..
  std::string primal;        // the emitted function whose derivative it is, or which it is
  std::string data_set;
  const run::EmittedCall& call;
  const values::WrittenValues& expected;
};

class Bundle {
 public:
  /// The folder exists and is empty.
  explicit Bundle(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void add_program(const run::EmittedProgram& program);
  void add_case(const BundledCase& added);
  /// Writes what all programs and cases have in common.
  void finish() const;

  std::size_t cases() const { return lines_.size(); }

 private:
  void write_data(const std::filesystem::path& path, const std::vector<values::Value>& values) const;

  std::filesystem::path folder_;
  std::vector<std::string> programs_;  // names of emitted files, without extension
  std::vector<std::string> lines_;     // of the list of cases
  std::string described_;              // the same for people
};

}  // namespace boustro::bundle
