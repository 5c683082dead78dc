#include "emit/bundle/staging.hpp"

#include <unistd.h>

namespace boustro::bundle {
namespace fs = std::filesystem;
namespace {

/// Behind links, without a slash at its end.
fs::path real_place(const fs::path& place) {
  const fs::path real = fs::weakly_canonical(place);
  return real.has_filename() ? real : real.parent_path();
}

fs::path beside(const fs::path& place, const char* what) { return place.string() + what + std::to_string(getpid()); }

}  // namespace

Staging::Staging(const fs::path& place) : place_(real_place(place)), folder_(beside(place_, ".tmp")) {
  fs::create_directory(folder_);
}

Staging::~Staging() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void Staging::publish() {
  if (!fs::exists(place_)) return fs::rename(folder_, place_);
  const fs::path before = beside(place_, ".old");
  fs::rename(place_, before);
  std::error_code error;
  fs::rename(folder_, place_, error);
  if (error) {
    fs::rename(before, place_);
    throw fs::filesystem_error("cannot put the folder there", place_, error);
  }
  fs::remove_all(before);
}

}  // namespace boustro::bundle
