#include "process/start_child.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "process/limit_itself.h"

namespace culprit {
namespace {

/// posix_spawn's two settings, destroyed with it.
struct SpawnSettings {
  SpawnSettings() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};
};

void arrange_files(SpawnSettings& settings, int socket, int log) {
  // First to where nothing stands: a parent started with closed streams has its sockets on 0 to 3.
  const int aside = std::max({socket, log, channel_fd}) + 1;
  posix_spawn_file_actions_adddup2(&settings.files, socket, aside);
  posix_spawn_file_actions_adddup2(&settings.files, log, aside + 1);
  posix_spawn_file_actions_addopen(&settings.files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&settings.files, aside + 1, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&settings.files, aside + 1, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&settings.files, aside, channel_fd);
  posix_spawn_file_actions_addclosefrom_np(&settings.files, channel_fd + 1);
}

void arrange_signals(SpawnSettings& settings) {
  sigset_t all;
  sigset_t none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&settings.attributes, &all);
  posix_spawnattr_setsigmask(&settings.attributes, &none);
  posix_spawnattr_setflags(&settings.attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

}  // namespace

Result<Child> start_program(const std::filesystem::path& program, std::vector<std::string> arguments,
                            const std::filesystem::path& scratch) {
  auto log = LogFile::create(scratch);
  if (!log) return tl::unexpected(log.error());
  auto pair = make_channel();
  if (!pair) return tl::unexpected(pair.error());
  SpawnSettings settings;
  arrange_files(settings, pair->theirs.get(), log->fd());
  arrange_signals(settings);
  arguments.insert(arguments.begin(), program.string());
  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, words[0], &settings.files, &settings.attributes, words.data(), environ);
  if (error != 0) return fail(ErrorKind::io, "cannot start " + arguments[0] + ": " + std::strerror(error));
  return Child(pid, std::move(pair->ours), std::move(*log), true);
}

Result<Child> start_fork(const std::function<void(Channel&)>& body, const std::filesystem::path& scratch,
                         const Limits& limits) {
  auto log = LogFile::create(scratch);
  if (!log) return tl::unexpected(log.error());
  auto pair = make_channel();
  if (!pair) return tl::unexpected(pair.error());
  const pid_t self = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return fail(ErrorKind::io, std::string("cannot fork: ") + std::strerror(errno));
  if (pid == 0) {
    ::setpgid(0, 0);
    tie_to_parent(self);
    ::dup2(log->fd(), STDOUT_FILENO);
    ::dup2(log->fd(), STDERR_FILENO);
    limit_process(limits);
    Channel channel(std::move(pair->theirs));
    try {
      body(channel);
    } catch (...) {
      ::_exit(2);
    }
    ::_exit(0);
  }
  ::setpgid(pid, pid);  // also here: whoever comes first
  Child child(pid, std::move(pair->ours), std::move(*log), false);
  child.watch(limits);
  return child;
}

}  // namespace culprit
