#include "data/sets/coco.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/text.h"

namespace culprit {
namespace {

using Json = nlohmann::json;
using Event = Json::parse_event_t;

const std::set<std::string> dropped = {"segmentation", "keypoints", "counts", "caption", "info", "licenses"};

struct Annotation {
  std::int64_t image = 0;
  std::int64_t category = 0;
  ListedBox box;
};

std::optional<std::int64_t> whole(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_number_integer() ? std::optional(at->get<std::int64_t>()) : std::nullopt;
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
    if (event == Event::key) return !dropped.contains(parsed.get<std::string>());
    if (event != Event::object_end || depth != 2) return true;
    if (list_ == "images") take_picture(parsed);
    if (list_ == "annotations") take_annotation(parsed);
    if (list_ == "categories") take_category(parsed);
    return false;
  }

  Result<ListedBoxes> boxes(const std::filesystem::path& path) && {
    for (const auto& [what, is_missing] : {std::pair{"images", files_.empty()}, {"categories", categories_.empty()}}) {
      if (is_missing)
        return fail(ErrorKind::bad_input, printable(path.string()) + " lists no \"" + what + "\"",
                    "COCO's instances_*.json has \"images\", \"annotations\" and \"categories\"");
    }
    ListedBoxes all;
    std::map<std::int64_t, std::int32_t> places;
    for (const auto& [id, name] : categories_) {
      places[id] = static_cast<std::int32_t>(all.categories.size());
      all.categories.push_back(name);
      all.category_ids.push_back(id);
    }
    all.left_out = left_out_;
    for (const auto& [id, file] : files_) all.by_file[file];
    for (Annotation& annotation : annotations_) {
      const auto file = files_.find(annotation.image);
      const auto place = places.find(annotation.category);
      const bool is_known = file != files_.end() && place != places.end();
      if (!is_known) ++all.left_out;
      if (!is_known) continue;
      annotation.box.category = place->second;
      all.by_file[file->second].push_back(annotation.box);
    }
    return all;
  }

 private:
  void take_picture(const Json& picture) {
    const auto id = whole(picture, "id");
    const auto file = text(picture, "file_name");
    if (id && file) files_.emplace(*id, *file);
  }

  void take_annotation(const Json& annotation) {
    const auto image = whole(annotation, "image_id");
    const auto category = whole(annotation, "category_id");
    const auto box = box_of(annotation);
    if (image && category && box)
      annotations_.push_back({*image, *category, *box});
    else
      ++left_out_;
  }

  void take_category(const Json& category) {
    const auto id = whole(category, "id");
    if (id) categories_.emplace(*id, text(category, "name").value_or(std::to_string(*id)));
  }

  std::string list_;
  std::unordered_map<std::int64_t, std::string> files_;
  std::map<std::int64_t, std::string> categories_;
  std::vector<Annotation> annotations_;
  std::int64_t left_out_ = 0;
};

}  // namespace

Result<ListedBoxes> read_coco(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorKind::not_found, "cannot read " + printable(path.string()));
  Collector collector;
  const Json document = Json::parse(
      file, [&](int depth, Event event, Json& parsed) { return collector(depth, event, parsed); },
      /*allow_exceptions=*/false);
  if (document.is_discarded() || !document.is_object())
    return fail(ErrorKind::bad_input, printable(path.string()) + " is no JSON object, or ends too early");
  return std::move(collector).boxes(path);
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
