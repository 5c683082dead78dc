// Puts a folder at a place, whole or not at all.
#pragma once

#include <filesystem>

namespace boustro::bundle {

/// Files are written to a folder beside the place, which `publish` then puts there; what is not published is removed.
class Staging {
 public:
  /// Throws std::filesystem::filesystem_error if no folder can be made there.
  explicit Staging(const std::filesystem::path& place);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

  /// What was at the place before is removed. Throws std::filesystem::filesystem_error; the place is as it was then.
  void publish();

 private:
  std::filesystem::path place_, folder_;
};

}  // namespace boustro::bundle
