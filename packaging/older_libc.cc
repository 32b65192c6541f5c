// What our compiler's libraries and our own code take from newer C libraries than the one that a portable program is
// linked with (glibc 2.31), as far as it can be had there. Only that program has this file (cmake/Portable.cmake).
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <linux/close_range.h>
#include <spawn.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#if __GLIBC_PREREQ(2, 35) && defined(__x86_64__)

namespace {

struct Wanted {
  std::uintptr_t address;
  dl_find_object* found;
};

// dl_iterate_phdr calls this for each loaded file until it returns another number than 0.
int look_for(dl_phdr_info* file, std::size_t, void* data) {
  const auto* wanted = static_cast<const Wanted*>(data);
  bool holds_it = false;
  std::uintptr_t first = UINTPTR_MAX, end = 0, frames = 0;
  for (int i = 0; i < file->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = file->dlpi_phdr[i];
    const std::uintptr_t begins = file->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_GNU_EH_FRAME) frames = begins;
    if (part.p_type != PT_LOAD) continue;
    holds_it |= wanted->address >= begins && wanted->address < begins + part.p_memsz;
    if (begins < first) first = begins;
    if (begins + part.p_memsz > end) end = begins + part.p_memsz;
  }
  if (!holds_it) return 0;
  *wanted->found = {};
  if (frames == 0) return -1;
  wanted->found->dlfo_map_start = reinterpret_cast<void*>(first);
  wanted->found->dlfo_map_end = reinterpret_cast<void*>(end);
  wanted->found->dlfo_eh_frame = reinterpret_cast<void*>(frames);
  return 1;
}

using CloseFrom = int (*)(posix_spawn_file_actions_t*, int);

CloseFrom close_from_of_this_machine() {
  return reinterpret_cast<CloseFrom>(dlvsym(RTLD_DEFAULT, "posix_spawn_file_actions_addclosefrom_np", "GLIBC_2.34"));
}

int highest_open_file() {
  DIR* open_files = opendir("/proc/self/fd");
  if (!open_files) return 1023;
  int highest = 0;
  while (const dirent* entry = readdir(open_files)) highest = std::max(highest, std::atoi(entry->d_name));
  closedir(open_files);
  return highest;
}

}  // namespace

extern "C" {

// In glibc since 2.32. There may always be another thread.
char __libc_single_threaded = 0;

// In glibc since 2.35. libgcc asks for it when an exception is thrown.
int _dl_find_object(void* address, dl_find_object* result) noexcept {
  Wanted wanted{reinterpret_cast<std::uintptr_t>(address), result};
  return dl_iterate_phdr(look_for, &wanted) == 1 ? 0 : -1;
}

// In glibc since 2.36. libstdc++ calls it for std::random_device.
std::uint32_t arc4random() noexcept {
  std::uint32_t number = 0;
  arc4random_buf(&number, sizeof number);
  return number;
}

// In glibc since 2.36.
void arc4random_buf(void* bytes, std::size_t size) noexcept {
  auto* next = static_cast<unsigned char*>(bytes);
  while (size > 0) {
    const ssize_t got = getrandom(next, size, 0);
    if (got < 0 && errno != EINTR) std::abort();
    if (got <= 0) continue;
    next += got;
    size -= static_cast<std::size_t>(got);
  }
}

// In glibc since 2.32.
const char* sigabbrev_np(int number) noexcept {
  constexpr std::pair<int, const char*> names[] = {
      {SIGHUP, "HUP"},   {SIGINT, "INT"},   {SIGQUIT, "QUIT"}, {SIGILL, "ILL"},   {SIGTRAP, "TRAP"},
      {SIGABRT, "ABRT"}, {SIGBUS, "BUS"},   {SIGFPE, "FPE"},   {SIGKILL, "KILL"}, {SIGUSR1, "USR1"},
      {SIGSEGV, "SEGV"}, {SIGUSR2, "USR2"}, {SIGPIPE, "PIPE"}, {SIGALRM, "ALRM"}, {SIGTERM, "TERM"},
      {SIGCHLD, "CHLD"}, {SIGCONT, "CONT"}, {SIGSTOP, "STOP"}, {SIGTSTP, "TSTP"}, {SIGTTIN, "TTIN"},
      {SIGTTOU, "TTOU"}, {SIGURG, "URG"},   {SIGXCPU, "XCPU"}, {SIGXFSZ, "XFSZ"}, {SIGVTALRM, "VTALRM"},
      {SIGPROF, "PROF"}, {SIGPOLL, "POLL"}, {SIGPWR, "PWR"},   {SIGSYS, "SYS"}};
  for (const auto& [signal, name] : names)
    if (signal == number) return name;
  return nullptr;
}

// In glibc since 2.34. Linux has it since 5.9, and CLOSE_RANGE_CLOEXEC since 5.11. Called between fork and exec, so
// nothing is allocated.
int close_range(unsigned first, unsigned last, int flags) noexcept {
  if (syscall(SYS_close_range, first, last, flags) == 0) return 0;
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  for (rlim_t file = first; file < files.rlim_cur && file <= last; ++file) {
    if ((flags & CLOSE_RANGE_CLOEXEC) != 0) {
      fcntl(static_cast<int>(file), F_SETFD, FD_CLOEXEC);
    } else {
      close(static_cast<int>(file));
    }
  }
  return 0;
}

// In glibc since 2.34. An older one closes the numbers that are open now, and some above, which earlier actions may
// have opened.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t* actions, int from) noexcept {
  static const CloseFrom close_from = close_from_of_this_machine();
  if (close_from) return close_from(actions, from);
  const int above = highest_open_file() + 9;
  for (int file = from; file < above; ++file) {
    if (posix_spawn_file_actions_addclose(actions, file) != 0) break;  // beyond what a process may open
  }
  return 0;
}

}  // extern "C"

#endif
