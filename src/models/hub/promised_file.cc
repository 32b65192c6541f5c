#include "hub/promised_file.h"

#include <cstdint>
#include <system_error>

#include "base/hash.h"
#include "base/text.h"

namespace culprit {

Result<std::string> promised_digest(const std::filesystem::path& file, const HubFile& promised) {
  auto digest = sha256_of_file(file);
  if (!digest || promised.sha256.empty() || *digest == promised.sha256) return digest;
  return fail(ErrorKind::bad_input, printable(file.string(), 300) + " has the sha256 " + *digest +
                                        ", and the manifest says " + promised.sha256);
}

Result<void> expect_promised_bytes(const std::filesystem::path& file, const HubFile& promised,
                                   const std::string& where) {
  std::error_code error;
  const std::uint64_t bytes = std::filesystem::file_size(file, error);
  if (error || !promised.bytes || bytes == *promised.bytes) return {};
  return fail(ErrorKind::bad_input, printable(where, 300) + " has " + std::to_string(bytes) +
                                        " bytes, and the manifest says " + std::to_string(*promised.bytes));
}

}  // namespace culprit
