#include "base/cpu_wait.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>

namespace culprit {

CpuWait::CpuWait() : file_(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}

CpuWait::~CpuWait() {
  if (file_ >= 0) ::close(file_);
}

double CpuWait::seconds() const {
  std::array<char, 80> text{};  // three numbers of at most 20 digits
  const ssize_t size = file_ < 0 ? 0 : ::pread(file_, text.data(), text.size(), 0);
  return size > 0 ? waited_seconds({text.data(), static_cast<std::size_t>(size)}) : 0;
}

double waited_seconds(std::string_view schedstat) {
  const std::size_t space = schedstat.find(' ');
  if (space == std::string_view::npos) return 0;
  std::uint64_t nanoseconds = 0;
  const char* const end = schedstat.data() + schedstat.size();
  const auto [stop, error] = std::from_chars(schedstat.data() + space + 1, end, nanoseconds);
  const bool is_number = error == std::errc() && stop != end && *stop == ' ';
  return is_number ? static_cast<double>(nanoseconds) * 1e-9 : 0;
}

double seconds_less_wait(double seconds, double waited) { return waited <= seconds ? seconds - waited : seconds; }

}  // namespace culprit
