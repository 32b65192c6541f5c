#include "data/sets/truth_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "data/sets/folder_walk.h"
#include "data/sets/listed_names.h"
#include "picture/class_mask.h"
#include "picture/decode_picture.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::uint16_t white = 255;
constexpr std::int32_t nothing = -1;
constexpr std::size_t most_looked_at = 16;

bool is_of_two(const ClassMask& mask) {
  return std::ranges::all_of(mask.classes, [](std::uint16_t value) { return value == 0 || value == white; });
}

/// The pixel of the picture under the middle of this one of the net's; -1 where there is none.
std::vector<int> places_along(int net, int picture, double scale, double offset) {
  std::vector<int> places;
  for (int i = 0; i < net; ++i) {
    const double at = std::floor((i + 0.5 - offset) / scale);
    places.push_back(at >= 0 && at < picture ? static_cast<int>(at) : -1);
  }
  return places;
}

}  // namespace

Result<TruthPictureFiles> TruthPictureFiles::open(const fs::path& folder, const fs::path& pictures_folder,
                                                  const NameTable& pictures, TruthPictures kind) {
  TruthPictureFiles files;
  files.folder_ = folder;
  files.kind_ = kind;
  if (kind == TruthPictures::none) return files;
  std::vector<std::string> names;
  const auto walked = walk_folder(folder, [&](std::string name) {
    if (may_be_picture(name)) names.push_back(std::move(name));
    return true;
  });
  if (!walked) return tl::unexpected(walked.error());
  std::ranges::sort(names);
  std::vector<std::string_view> stems;
  for (const std::string& name : names) {
    files.names_.add(name);
    stems.push_back(std::string_view(name).substr(0, name.rfind('.')));
  }
  files.entries_ = entries_of_files(stems, pictures, pictures_folder);
  files.found_ = std::ranges::count_if(files.entries_, [](const auto& entry) { return entry.has_value(); });
  if (files.found_ == 0)
    return fail(ErrorKind::bad_input,
                fmt::format("none of the {} image files in {} has the name of an image in {}", names.size(),
                            printable(folder.string()), printable(pictures_folder.string())),
                "what is right of " + printable(pictures[0], 100) + " has the same name there, such as " +
                    printable(fs::path(pictures[0]).replace_extension(".png").string(), 100));
  if (auto ok = files.look_at_masks(); !ok) return tl::unexpected(ok.error());
  return files;
}

fs::path TruthPictureFiles::file(std::size_t entry) const { return folder_ / names_[entry]; }

/// A few, spread over all. What cannot be read is told when its picture is.
Result<void> TruthPictureFiles::look_at_masks() {
  if (kind_ != TruthPictures::classes) return {};
  std::vector<std::size_t> there;
  for (const auto& entry : entries_)
    if (entry) there.push_back(*entry);
  bool has_white = false;
  const std::size_t count = std::min(most_looked_at, there.size());
  for (std::size_t part = 0; part < count; ++part) {
    const auto mask = read_class_mask(file(there[there.size() * part / count]));
    if (!mask && mask.error().kind == ErrorKind::io) return tl::unexpected(mask.error());
    if (mask && !is_of_two(*mask)) return {};
    has_white |= mask && std::ranges::find(mask->classes, white) != mask->classes.end();
  }
  is_black_and_white_ = has_white;
  return {};
}

std::vector<std::string> TruthPictureFiles::description() const {
  if (kind_ == TruthPictures::none) return {};
  const std::string where = fmt::format("{} on {} of {} images", printable(folder_.string()), found_, entries_.size());
  if (kind_ == TruthPictures::colours)
    return {"images that are right from " + where + ", prepared as those that are shown"};
  return {"masks from " + where +
          (is_black_and_white_ ? "; they hold 0 and 255: 255 is class 1"
                               : "; each value is a class, and 255 counts for nothing")};
}

Result<Tensor> TruthPictureFiles::read_mask(const fs::path& mask_file, const fs::path& picture,
                                            const Preprocessing& preprocessing) const {
  const auto mask = read_class_mask(mask_file);
  if (!mask) return tl::unexpected(mask.error());
  const auto size = picture_size(picture);
  if (!size) return tl::unexpected(size.error());
  if (mask->size != *size)
    return fail(ErrorKind::bad_input,
                fmt::format("the mask {} is {}x{}, and its image {}x{}", printable(mask_file.string()),
                            mask->size.width, mask->size.height, size->width, size->height));
  if (is_black_and_white_ && !is_of_two(*mask))
    return fail(ErrorKind::bad_input,
                fmt::format("the mask {} holds other values than 0 and 255, and others hold nothing else",
                            printable(mask_file.string())),
                "are they masks of the same kind?");
  const auto place = placement_of(*size, preprocessing);
  const auto net = place ? size_for_net(*size, preprocessing) : tl::unexpected(place.error());
  if (!net) return tl::unexpected(net.error());
  const auto columns = places_along(net->width, size->width, place->scale_x, place->offset_x);
  const auto rows = places_along(net->height, size->height, place->scale_y, place->offset_y);
  std::vector<std::int32_t> classes;
  classes.reserve(rows.size() * columns.size());
  for (const int y : rows) {
    for (const int x : columns) {
      const bool is_there = x >= 0 && y >= 0;
      const std::uint16_t value =
          is_there ? mask->classes[static_cast<std::size_t>(y) * static_cast<std::size_t>(size->width) +
                                   static_cast<std::size_t>(x)]
                   : white;
      const std::int32_t of_white = is_there && is_black_and_white_ ? 1 : nothing;
      classes.push_back(value == white ? of_white : value);
    }
  }
  return Tensor::of<std::int32_t>({1, net->height, net->width}, classes);
}

Result<std::vector<NamedTensor>> TruthPictureFiles::read(std::int64_t number, const fs::path& picture,
                                                         const Preprocessing& preprocessing) const {
  const auto at = static_cast<std::size_t>(number);
  if (at >= entries_.size() || !entries_[at]) return std::vector<NamedTensor>();
  const fs::path right = file(*entries_[at]);
  auto tensor = [&]() -> Result<Tensor> {
    if (kind_ == TruthPictures::classes) return read_mask(right, picture, preprocessing);
    const auto wanted = read_picture(right);
    if (!wanted) return tl::unexpected(wanted.error());
    const auto size = picture_size(picture);
    if (!size) return tl::unexpected(size.error());
    Preprocessing own = preprocessing;
    if (wanted->size() != *size) {
      own.steps.clear();
      own.net_width = own.net_height = 0;
    }
    return preprocess(*wanted, own);
  }();
  if (!tensor) return tl::unexpected(tensor.error());
  std::vector<NamedTensor> values;
  values.push_back({right.filename().string(), std::move(*tensor)});
  return values;
}

}  // namespace culprit
