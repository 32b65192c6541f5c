#include "base/flush_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/parent_folder.h"

namespace culprit {

void flush_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = parent_folder(file);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace culprit
