#pragma once
// The machine that we run on.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace culprit {

struct Machine {
  std::string cpu;                            ///< "AMD EPYC 7B13"
  std::string os;                             ///< "Debian GNU/Linux 12 (bookworm), Linux 6.1.0"
  int cores = 1;                              ///< that this process may use
  std::uint64_t memory = 0;                   ///< bytes of physical memory
  std::optional<std::uint64_t> memory_limit;  ///< of the container, where it has one
};

Machine this_machine();

/// How many jobs run at once where --jobs asked for so many: 0, or less, means one for each core.
std::size_t jobs_at_once(int asked);

/// Free bytes for us on the disk of this folder, or of its nearest parent that exists.
std::optional<std::uint64_t> free_disk(const std::filesystem::path& folder);

/// This program's own file, to be started again as a worker.
std::filesystem::path own_program();

}  // namespace culprit
