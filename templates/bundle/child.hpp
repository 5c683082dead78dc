// Runs something in a process of its own, so that a crash or an endless loop costs one case and no more.
#pragma once

#include <cstdio>
#include <cstring>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include "give_up.hpp"

namespace bundle {

struct Ending {
  bool well = false;  // it returned
  std::string why;    // if it did not: what it said, or what ended it
  std::string said;   // its standard output
};

/// All that can be read from there.
inline std::string read_all(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char buffer[4096];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, count);
  std::fclose(file);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// This process must not have used the device yet. `seconds`: how long the work may take, 0 for no limit.
template <typename Work>
Ending in_child(const Work& work, unsigned seconds) {
  std::FILE* const said = std::tmpfile();
  std::FILE* const complained = std::tmpfile();
  if (said == nullptr || complained == nullptr) harness::give_up("cannot make temporary files");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) harness::give_up("cannot start a process");
  if (child == 0) {
    dup2(fileno(said), STDOUT_FILENO);
    dup2(fileno(complained), STDERR_FILENO);
    alarm(seconds);
    work();
    std::fflush(nullptr);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Ending ending{WIFEXITED(status) && WEXITSTATUS(status) == 0, read_all(complained), read_all(said)};
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    ending.why = "takes longer than " + std::to_string(seconds) + " s";
  } else if (WIFSIGNALED(status) && ending.why.empty()) {
    ending.why = std::string("crashes: ") + strsignal(WTERMSIG(status));
  }
  return ending;
}

}  // namespace bundle
