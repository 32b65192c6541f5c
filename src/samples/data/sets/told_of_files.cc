#include "data/sets/told_of_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "data/sets/one_or_many.h"

namespace culprit {
namespace {

constexpr std::size_t shown = 3;

/// " on 3 of 13 images"; " on 13 images" where it is all of them.
std::string on_files(std::int64_t count, std::int64_t all, const FileKind& kind) {
  const std::string files = one_or_many(all, kind.one, kind.many);
  return count == all ? " on " + files : fmt::format(" on {} of {}", count, files);
}

/// The first ones: "a, b, c and 4 more".
std::string first_of(const std::vector<std::string>& texts) {
  const std::vector<std::string> first(texts.begin(),
                                       texts.begin() + std::min(std::ssize(texts), static_cast<std::ptrdiff_t>(shown)));
  return join(first, ", ") + (texts.size() > shown ? fmt::format(" and {} more", texts.size() - shown) : "");
}

}  // namespace

std::vector<std::string> told_of_files(const LabelledFiles& files) {
  const auto size = static_cast<std::int64_t>(files.names.size());
  std::vector<std::string> lines = {one_or_many(size, files.kind->one, files.kind->many) + " in " +
                                    printable(files.folder.string())};
  if (files.other.size() > 0)
    lines.push_back(
        one_or_many(static_cast<std::int64_t>(files.other.size()), "other file, ", "other files, such as ") +
        printable(files.other[0], 80));
  std::vector<std::string> passed_over;
  for (const PassedOver& one : files.passed_over)
    passed_over.push_back(fmt::format("{} ({})", printable(one.name, 80), one.reason));
  if (!passed_over.empty()) lines.push_back("passed over: " + first_of(passed_over));
  return lines;
}

namespace {

/// How many files have labels, and how many classes these are.
struct Labelled {
  std::int64_t files = 0, with = 0, classes = 0;
};

Labelled labelled(const LabelledFiles& files) {
  std::set<std::int64_t> classes(files.labels.begin(), files.labels.end());
  classes.erase(-1);
  std::int64_t with = std::ssize(files.labels) - std::ranges::count(files.labels, -1);
  for (const auto& several : files.several) {
    if (!several) continue;
    ++with;
    classes.insert(several->begin(), several->end());
  }
  return {std::ssize(files.labels) + std::ssize(files.several), with, std::ssize(classes)};
}

}  // namespace

namespace {

/// "labels from l.csv: 3 classes on 3 of 13 images, numbered ..."
std::string told_of_classes(const LabelledFiles& files) {
  const Labelled told = labelled(files);
  return fmt::format("labels from {}: {}{}{}{}", files.labels_from, one_or_many(told.classes, "class", "classes"),
                     files.several.empty() ? "" : " of which several may be right",
                     told.with == told.files ? "" : on_files(told.with, told.files, *files.kind),
                     files.numbered.empty() ? "" : ", " + files.numbered);
}

std::string told_of_texts(const LabelledFiles& files) {
  const auto said = std::ranges::count_if(files.texts, [](const auto& text) { return text.has_value(); });
  return "labels from " + files.labels_from + ": what is said" + on_files(said, std::ssize(files.texts), *files.kind);
}

}  // namespace

std::vector<std::string> told_of_labels(const LabelledFiles& files) {
  const std::string &one = files.kind->one, &many = files.kind->many;
  std::vector<std::string> lines;
  if (!files.no_folders.empty()) lines.push_back("the names of folders are no labels: " + files.no_folders);
  if (!files.texts.empty()) lines.push_back(told_of_texts(files));
  if (!files.labels.empty() || !files.several.empty()) lines.push_back(told_of_classes(files));
  if (!files.read_as.empty()) lines.push_back(files.labels_from + ": " + files.read_as);
  if (files.taken_as_none > 0)
    lines.push_back(one_or_many(files.taken_as_none, one + " has", many + " have") +
                    " the label -1, which is taken as none");
  std::vector<std::string> elsewhere;
  for (const std::string& name : files.listed_elsewhere) elsewhere.push_back(printable(name, 80));
  if (!elsewhere.empty())
    lines.push_back(files.labels_from + " also names " +
                    one_or_many(std::ssize(elsewhere), one + " that is", many + " that are") +
                    " not in the folder: " + first_of(elsewhere));
  std::vector<std::string> empty;
  for (const std::string& folder : files.empty_folders) empty.push_back(printable(folder, 80));
  if (!empty.empty())
    lines.push_back("no class, because no " + one + " lies in " + std::string(empty.size() == 1 ? "it: " : "them: ") +
                    first_of(empty));
  return lines;
}

std::vector<std::string> told_of_boxes(const ListedBoxes& boxes, std::int64_t listed, std::int64_t pictures) {
  if (boxes.by_file.empty()) return {};
  std::vector<std::string> lines = {fmt::format("boxes from {}: {}{}", boxes.from,
                                                one_or_many(std::ssize(boxes.categories), "category", "categories"),
                                                on_files(listed, pictures, picture_kind()))};
  std::int64_t count = 0;
  std::vector<std::string> reasons;
  for (const auto& [reason, times] : boxes.left_out) {
    count += times;
    reasons.push_back(fmt::format("{} {}", times, reason));
  }
  if (count > 0)
    lines.push_back(fmt::format("{} of {} left out: {}", count,
                                one_or_many(boxes.annotations, "annotation is", "annotations are"),
                                join(reasons, ", ")));
  if (boxes.pictures_left_out > 0)
    lines.push_back(one_or_many(boxes.pictures_left_out, "entry", "entries") +
                    " of \"images\" left out, without a whole number as id or without a file_name");
  if (boxes.categories_left_out > 0)
    lines.push_back(one_or_many(boxes.categories_left_out, "entry", "entries") +
                    " of \"categories\" left out, without a whole number as id");
  const std::int64_t missing = std::ssize(boxes.by_file) - listed;
  if (missing > 0)
    lines.push_back(boxes.from + " also names " + one_or_many(missing, "image", "images") +
                    (missing == 1 ? " that is" : " that are") + " not in the folder");
  return lines;
}

}  // namespace culprit
