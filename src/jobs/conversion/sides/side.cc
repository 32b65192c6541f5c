#include "conversion/sides/side.h"

#include <fmt/format.h>

namespace culprit {

Result<std::filesystem::path> Side::write_whole(const std::vector<Edit>& /*edits*/,
                                                const std::vector<SeenOutput>& /*seen*/) const {
  return fail(ErrorKind::unsupported,
              fmt::format("files of the format '{}' are not written, only ONNX and TFLite are", network().format));
}

}  // namespace culprit
