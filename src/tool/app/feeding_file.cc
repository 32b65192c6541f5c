#include "app/feeding_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/file.h"
#include "base/parent_folder.h"
#include "base/text.h"
#include "data/sets/picture_source.h"
#include "picture/read_preprocessing.h"

namespace culprit {

Result<void> feeding_must_be_free(const fs::path& file) {
  const auto refused = [&](const std::string& why) {
    return fail(ErrorKind::usage, fmt::format("--feeding {}: {}", printable(file.string()), why), "name another file");
  };
  std::error_code ignored;
  if (fs::exists(file, ignored)) return refused("it is there already");
  if (!file.has_filename()) return refused("not the name of a file");
  if (!fs::is_directory(parent_folder(file), ignored)) return refused("its folder is not there");
  return {};
}

Result<std::string> feeding_text(const FeedingRecord& feeding, const CheckData& of_source) {
  if (!feeding.pixels)
    return fail(ErrorKind::unsupported, fmt::format("no culprit.yaml can say '{}'", printable(feeding.fits)),
                "change the program that feeds the target");
  Preprocessing made;
  const auto* pictures = dynamic_cast<const PictureSource*>(of_source.whole.get());
  if (pictures != nullptr) made = pictures->preprocessing();
  const PixelFeeding& pixels = *feeding.pixels;
  made.layout.reset();  // as the target's own input has it
  made.dtype.reset();
  if (pixels.is_scaled) {
    made.scale = pixels.scale;
    made.mean = pixels.mean;
    made.std = pixels.std;
  }
  if (pixels.is_reversed) {
    const bool was_bgr = made.color == ColorOrder::bgr;
    made.color = was_bgr ? ColorOrder::rgb : ColorOrder::bgr;
    const bool is_by_channel = made.mean.size() > 1 || made.std.size() > 1;
    if (!pixels.is_scaled && is_by_channel) {  // the source's, in the other order
      std::ranges::reverse(made.mean);
      std::ranges::reverse(made.std);
    }
  }
  const std::string head = fmt::format("# the target wants {}\npreprocess:\n", printable(feeding.fits));
  if (pictures == nullptr && !pixels.is_scaled)  // nobody knows the scale of arrays
    return head + fmt::format("  color: {}\n", name_of(*made.color));
  std::string text = head;
  for (const std::string& line : split(to_yaml(made), '\n'))
    if (!line.empty()) text += "  " + line + "\n";
  return text;
}

}  // namespace culprit
