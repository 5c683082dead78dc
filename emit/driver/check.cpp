#include "emit/driver/commands.hpp"
#include "emit/driver/load.hpp"

namespace boustro::driver {

int check(const CheckOptions& options) {
  bool all_good = true;
  for (const std::string& file : options.files) {
    Session session;
    session.folders = options.folders;
    load_typed(session, file);
    all_good = session.report() && all_good;
  }
  return all_good ? 0 : 1;
}

}  // namespace boustro::driver
