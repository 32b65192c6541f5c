#include "data/sets/coco.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/text.h"
#include "data/sets/listed_names.h"

namespace culprit {
namespace {

using Json = nlohmann::json;
using Event = Json::parse_event_t;

const std::set<std::string> dropped = {"segmentation", "keypoints", "counts", "caption", "info", "licenses"};

struct File {
  std::string name;
  PictureSize size;
};

struct Annotation {
  std::int64_t image = 0;
  std::int64_t category = 0;
  ListedBox box;
};

std::optional<std::int64_t> whole(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_number_integer() ? std::optional(at->get<std::int64_t>()) : std::nullopt;
}

/// In pixels; 0 where none is said, or no such side can be.
int side_of(const Json& picture, const char* key) {
  const auto side = whole(picture, key);
  return side && *side > 0 && *side <= std::numeric_limits<int>::max() ? static_cast<int>(*side) : 0;
}

std::optional<std::string> text(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? std::optional(at->get<std::string>()) : std::nullopt;
}

std::optional<ListedBox> box_of(const Json& annotation) {
  const auto at = annotation.find("bbox");
  if (at == annotation.end() || !at->is_array() || at->size() != 4) return std::nullopt;
  std::array<float, 4> sides{};
  for (std::size_t i = 0; i < 4; ++i) {
    if (!(*at)[i].is_number()) return std::nullopt;
    sides[i] = (*at)[i].get<float>();
    if (!std::isfinite(sides[i])) return std::nullopt;
  }
  return ListedBox{sides[0], sides[1], sides[2], sides[3], 0, whole(annotation, "iscrowd").value_or(0) != 0};
}

/// Takes pictures, annotations and categories as they are read, and drops them from the document.
class Collector {
 public:
  bool operator()(int depth, Event event, Json& parsed) {
    if (event == Event::key && depth == 1) list_ = parsed.get<std::string>();
    if (event == Event::key && depth == 1 && list_ == "annotations") has_annotations_ = true;
    if (event == Event::key) return !dropped.contains(parsed.get<std::string>());
    if (event != Event::object_end || depth != 2) return true;
    if (list_ == "images") take_picture(parsed);
    if (list_ == "annotations") take_annotation(parsed);
    if (list_ == "categories") take_category(parsed);
    return false;
  }

  Result<ListedBoxes> boxes(const std::filesystem::path& path) && {
    for (const auto& [what, is_missing] :
         {std::pair{"images", files_.empty()}, {"annotations", !has_annotations_}, {"categories", categories_.empty()}})
      if (is_missing)
        return fail(ErrorKind::bad_input, printable(path.string()) + " lists no \"" + what + "\"" + no_use(what),
                    "COCO's instances_*.json has \"images\", \"annotations\" and \"categories\"");
    all_.from = printable(path.filename().string(), 100);
    std::map<std::int64_t, std::int32_t> places;
    for (const auto& [id, name] : categories_) {
      places[id] = static_cast<std::int32_t>(all_.categories.size());
      all_.categories.push_back(name);
      all_.category_ids.push_back(id);
    }
    for (const auto& [id, picture] : files_) all_.by_file[picture.name].size = picture.size;
    std::int64_t taken = 0;
    for (Annotation& annotation : annotations_) {
      const auto file = files_.find(annotation.image);
      const auto place = places.find(annotation.category);
      if (file == files_.end()) ++all_.left_out["of an image that it does not list"];
      if (file != files_.end() && place == places.end()) ++all_.left_out["of a category that it does not list"];
      if (file == files_.end() || place == places.end()) continue;
      annotation.box.category = place->second;
      all_.by_file[file->second.name].boxes.push_back(annotation.box);
      ++taken;
    }
    if (all_.annotations > 0 && taken == 0)
      return fail(ErrorKind::bad_input, none_of_use(path),
                  "an annotation has an \"image_id\", a \"category_id\" and a \"bbox\" of [x, y, width, height]");
    return std::move(all_);
  }

 private:
  void take_picture(const Json& picture) {
    const auto id = whole(picture, "id");
    const auto file = text(picture, "file_name");
    if (id && file)
      files_.emplace(*id, File{*file, {side_of(picture, "width"), side_of(picture, "height")}});
    else
      ++all_.pictures_left_out;
  }

  void take_annotation(const Json& annotation) {
    const auto image = whole(annotation, "image_id");
    const auto category = whole(annotation, "category_id");
    const auto box = box_of(annotation);
    ++all_.annotations;
    if (!image || !category)
      ++all_.left_out["without a whole number as image_id or category_id"];
    else if (!box)
      ++all_.left_out["without a box of four numbers"];
    else
      annotations_.push_back({*image, *category, *box});
  }

  void take_category(const Json& category) {
    const auto id = whole(category, "id");
    if (id)
      categories_.emplace(*id, text(category, "name").value_or(std::to_string(*id)));
    else
      ++all_.categories_left_out;
  }

  /// ": none of its 3 entries has an id"
  [[nodiscard]] std::string no_use(std::string_view what) const {
    if (what == "images" && all_.pictures_left_out > 0)
      return fmt::format(" that are of use: none of {} has a whole number as \"id\" and a \"file_name\"",
                         all_.pictures_left_out);
    if (what == "categories" && all_.categories_left_out > 0)
      return fmt::format(" that are of use: none of {} has a whole number as \"id\"", all_.categories_left_out);
    return "";
  }

  [[nodiscard]] std::string none_of_use(const std::filesystem::path& path) const {
    std::vector<std::string> reasons;
    for (const auto& [reason, count] : all_.left_out) reasons.push_back(fmt::format("{} {}", count, reason));
    return fmt::format("none of the {} annotations in {} is of use: {}", all_.annotations, printable(path.string()),
                       join(reasons, ", "));
  }

  std::string list_;
  std::unordered_map<std::int64_t, File> files_;
  std::map<std::int64_t, std::string> categories_;
  std::vector<Annotation> annotations_;
  bool has_annotations_ = false;
  ListedBoxes all_;
};

/// Tells where a byte stands, and the text before it: "line 1, column 812, at `"bbox": [N`".
std::string place_of(const std::filesystem::path& path, std::size_t byte) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::size_t number = 1, column = 0;
  for (std::size_t at = 0; at < byte; ++at) {
    const int c = file.get();
    if (c < 0) return "the end of the file";
    ++column;
    line.push_back(static_cast<char>(c));
    if (line.size() > 30) line.erase(0, 10);
    if (c != '\n' || at + 1 == byte) continue;
    ++number;
    column = 0;
    line.clear();
  }
  return fmt::format("line {}, column {}, at `{}`", number, column, printable(line, 40));
}

}  // namespace

Result<ListedBoxes> read_coco(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorKind::not_found, "cannot read " + printable(path.string()));
  Collector collector;
  try {
    const Json document =
        Json::parse(file, [&](int depth, Event event, Json& parsed) { return collector(depth, event, parsed); });
    if (document.is_object()) return std::move(collector).boxes(path);
  } catch (const Json::parse_error& error) {
    return fail(ErrorKind::bad_input,
                printable(path.string()) + " is no JSON, or ends too early: " + place_of(path, error.byte),
                "NaN and Infinity, which Python's json writes, are no JSON");
  } catch (const Json::exception& error) {
    return fail(ErrorKind::bad_input, printable(path.string()) + " is no JSON: " + printable(error.what(), 200));
  }
  return fail(ErrorKind::bad_input, printable(path.string()) + " is no JSON object",
              "COCO's instances_*.json begins with {");
}

std::vector<const ListedPicture*> boxes_of_pictures(const ListedBoxes& boxes, const NameTable& pictures,
                                                    const std::filesystem::path& folder) {
  std::vector<std::string_view> names;
  std::vector<const ListedPicture*> entries, found;
  for (const auto& [name, listed] : boxes.by_file) {
    names.push_back(name);
    entries.push_back(&listed);
  }
  for (const auto& entry : entries_of_files(names, pictures, folder))
    found.push_back(entry ? entries[*entry] : nullptr);
  return found;
}

bool may_be_coco(const std::filesystem::path& path) {
  if (path.extension() != ".json") return false;
  std::ifstream file(path, std::ios::binary);
  std::string begin(4096, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  const auto has = [&](const char* word) { return begin.find(word) != std::string::npos; };
  return has("\"images\"") || has("\"annotations\"") || has("\"categories\"") ||
         (has("\"info\"") && has("\"licenses\""));
}

}  // namespace culprit
