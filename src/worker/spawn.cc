#include "worker/spawn.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>

namespace culprit {
namespace {

constexpr int kWorkerFd = 3;

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
  const int aside = std::max({socket, log, kWorkerFd}) + 1;
  posix_spawn_file_actions_adddup2(&settings.files, socket, aside);
  posix_spawn_file_actions_adddup2(&settings.files, log, aside + 1);
  posix_spawn_file_actions_addopen(&settings.files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&settings.files, aside + 1, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&settings.files, aside + 1, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&settings.files, aside, kWorkerFd);
  posix_spawn_file_actions_addclosefrom_np(&settings.files, kWorkerFd + 1);
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

Result<Child> spawn_worker(const std::filesystem::path& program, const std::filesystem::path& scratch) {
  auto log = LogFile::create(scratch);
  if (!log) return tl::unexpected(log.error());
  auto pair = make_channel();
  if (!pair) return tl::unexpected(pair.error());
  SpawnSettings settings;
  arrange_files(settings, pair->theirs.get(), log->fd());
  arrange_signals(settings);
  std::string name = program.string();
  std::string fd = std::to_string(kWorkerFd);
  std::string words[] = {"worker", "--fd"};
  char* const arguments[] = {name.data(), words[0].data(), words[1].data(), fd.data(), nullptr};
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, name.c_str(), &settings.files, &settings.attributes, arguments, environ);
  if (error != 0) return fail(ErrorKind::io, "cannot start a worker (" + name + "): " + std::strerror(error));
  return Child(pid, std::move(pair->ours), std::move(*log), true);
}

}  // namespace culprit
