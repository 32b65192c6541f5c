#include "data/sets/picture_source.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/text.h"
#include "data/given_inputs.h"
#include "data/sample_folders.h"
#include "data/sets/chosen_preprocessing.h"
#include "data/sets/coco.h"
#include "data/sets/labelled_files.h"
#include "data/sets/told_of_files.h"
#include "data/sets/truth_of_file.h"
#include "data/sets/truth_pictures.h"
#include "data/sets/truth_warnings.h"
#include "picture/decode_picture.h"
#include "picture/feed_alike.h"
#include "picture/read_preprocessing.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

class Pictures : public PictureSource {
 public:
  Pictures(LabelledFiles files, ListedBoxes boxes, TruthPictureFiles right, ChosenPreprocessing chosen,
           std::vector<NamedTensor> given)
      : files_(std::move(files)),
        boxes_(std::move(boxes)),
        right_(std::move(right)),
        chosen_(std::move(chosen)),
        given_(std::move(given)),
        boxes_on_(boxes_of_pictures(boxes_, files_.names, files_.folder)),
        has_labels_(is_known(files_)),
        listed_(std::ssize(boxes_on_) - std::ranges::count(boxes_on_, nullptr)) {}

  [[nodiscard]] DataFacts facts() const override {
    DataFacts facts;
    facts.source = DataSource::pictures;
    facts.samples = size();
    facts.choices = description();
    return facts;
  }
  [[nodiscard]] std::int64_t size() const override { return static_cast<std::int64_t>(files_.names.size()); }
  [[nodiscard]] std::string name(std::int64_t number) const override {
    return std::string(files_.names[static_cast<std::size_t>(number)]);
  }
  [[nodiscard]] fs::path file(std::int64_t number) const override { return files_.folder / name(number); }
  [[nodiscard]] const Preprocessing& preprocessing() const override { return chosen_.preprocessing; }
  [[nodiscard]] std::string preparation() const override { return to_yaml(for_any_size(chosen_.preprocessing)); }

  /// Whatever is wrong with a file is a reason to pass it over.
  [[nodiscard]] Result<Sample> at(std::int64_t number, const Stop& /*stop*/) const override {
    const auto picture = read_picture(file(number));
    if (!picture) return useless(picture.error());
    auto tensor = preprocess(*picture, chosen_.preprocessing);
    if (!tensor) return useless(tensor.error());
    if (const auto right = right_.read(number, file(number), chosen_.preprocessing); !right)
      return useless(right.error());
    Sample sample{name(number), {{chosen_.input, std::move(*tensor)}}};
    sample.inputs.insert(sample.inputs.end(), given_.begin(), given_.end());
    return sample;
  }

  [[nodiscard]] bool has_truth() const override { return has_labels_ || listed_ > 0 || right_.size() > 0; }
  [[nodiscard]] Truth truth(std::int64_t number) const override {
    Truth truth = truth_of_file(files_, number);
    if (listed_ > 0) truth.boxes = boxes_on(number);
    if (auto right = right_.read(number, file(number), chosen_.preprocessing)) truth.values = std::move(*right);
    return truth;
  }

  [[nodiscard]] bool gives_the_same_as(const SampleSource& other) const override {
    const auto* pictures = dynamic_cast<const Pictures*>(&other);
    return pictures != nullptr && files_.folder == pictures->files_.folder && size() == pictures->size() &&
           chosen_.input == pictures->chosen_.input && chosen_.preprocessing == pictures->chosen_.preprocessing &&
           are_identical(given_, pictures->given_);
  }

  [[nodiscard]] std::vector<Warning> warnings(const std::vector<std::int64_t>& numbers) const override {
    std::vector<Warning> warnings = warnings_of_folders(files_);
    if (listed_ > 0)
      std::ranges::move(warnings_of_boxes(boxes_, boxes_on_, files_, numbers), std::back_inserter(warnings));
    return warnings;
  }

  [[nodiscard]] std::vector<std::string> description() const override {
    std::vector<std::string> lines = told_of_files(files_);
    for (const auto& told : {told_of_labels(files_), told_of_boxes(boxes_, listed_, size()), right_.description()})
      lines.insert(lines.end(), told.begin(), told.end());
    lines.push_back("input '" + chosen_.input + "': images prepared " + chosen_.why);
    return lines;
  }

 private:
  static tl::unexpected<Error> useless(Error error) {
    error.kind = ErrorKind::bad_input;
    return tl::unexpected(std::move(error));
  }

  /// In pixels of the model's input; nothing where the picture is not listed, or cannot be read.
  [[nodiscard]] std::optional<std::vector<TruthBox>> boxes_on(std::int64_t number) const {
    const auto* listed = boxes_on_[static_cast<std::size_t>(number)];
    if (listed == nullptr) return std::nullopt;
    const auto size = picture_size(file(number));
    const auto place = size ? placement_of(*size, chosen_.preprocessing) : tl::unexpected(size.error());
    if (!place) return std::nullopt;
    std::vector<TruthBox> boxes;
    for (const ListedBox& box : listed->boxes) {
      const auto x = [&](double at) { return at * place->scale_x + place->offset_x; };
      const auto y = [&](double at) { return at * place->scale_y + place->offset_y; };
      const Box there{x(box.x), y(box.y), x(double(box.x) + box.width), y(double(box.y) + box.height)};
      const auto category = static_cast<std::size_t>(box.category);
      const std::int64_t id = boxes_.category_ids[category];
      // An id below 0 is no class, and must not say that there is none.
      boxes.push_back(
          {there, box.category, box.is_crowd, false, id < 0 ? std::numeric_limits<std::int64_t>::max() : id});
    }
    return boxes;
  }

  LabelledFiles files_;
  ListedBoxes boxes_;
  TruthPictureFiles right_;
  ChosenPreprocessing chosen_;
  std::vector<NamedTensor> given_;
  std::vector<const ListedPicture*> boxes_on_;  // each picture
  bool has_labels_ = false;
  std::int64_t listed_ = 0;  // pictures of which the list of boxes tells
};

bool names_folder(const fs::path& labels) {
  std::error_code ignored;
  return !labels.empty() && fs::is_directory(labels, ignored);
}

/// The list of boxes that the user names, or the only one that lies in the folder.
Result<ListedBoxes> find_boxes(const PictureSetOptions& options) {
  if (!options.labels.empty()) {
    if (options.labels.extension() != ".json" || names_folder(options.labels)) return ListedBoxes{};
    return read_coco(options.labels);
  }
  std::vector<fs::path> lists;
  for (const fs::path& folder :
       {options.folder, options.folder / "annotations", options.folder.parent_path() / "annotations"}) {
    std::error_code error;
    for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
      if (may_be_coco(entry->path())) lists.push_back(entry->path());
    if (!lists.empty()) break;
  }
  if (lists.empty()) return ListedBoxes{};
  if (lists.size() == 1) return read_coco(lists.front());
  return fail(ErrorKind::usage,
              "there are several lists of boxes: " + printable(lists[0].string()) + ", " + printable(lists[1].string()),
              "name one with --labels");
}

Result<void> expect_listed(const ListedBoxes& boxes, const LabelledFiles& files) {
  const auto found = boxes_of_pictures(boxes, files.names, files.folder);
  if (std::ranges::any_of(found, [](const auto* listed) { return listed != nullptr; })) return {};
  return fail(ErrorKind::bad_input, boxes.from + " names none of the images in " + printable(files.folder.string()),
              "it names such as " + printable(boxes.by_file.begin()->first, 100) + ", and here lies " +
                  printable(files.names[0], 100));
}

}  // namespace

TaskSettings with_frame_of(const SampleSource& source, TaskSettings settings) {
  if (const auto* pictures = dynamic_cast<const PictureSource*>(&source)) {
    const Preprocessing& preprocessing = pictures->preprocessing();
    settings.frame = {static_cast<double>(preprocessing.net_width), static_cast<double>(preprocessing.net_height)};
  }
  return settings;
}

bool is_picture_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) && !holds_test_data(path) && has_files(picture_kind(), path);
}

Result<std::unique_ptr<PictureSource>> open_pictures(const Model& model, const PictureSetOptions& options) {
  auto boxes = find_boxes(options);
  if (!boxes) return tl::unexpected(boxes.error());
  const bool is_folder = names_folder(options.labels);
  if (is_folder && !options.label_folder)
    return fail(ErrorKind::usage, "--labels " + printable(options.labels.string()) + " is a folder",
                "masks and images that are right are read by culprit eval; else name a list of labels");
  const bool lists_boxes = !is_folder && options.labels.extension() == ".json";
  auto files = list_files(picture_kind(), options.folder, lists_boxes ? fs::path() : options.labels, options.classes);
  if (!files) return tl::unexpected(files.error());
  if (files->names.size() == 0)
    return fail(ErrorKind::bad_input, "no image lies in " + printable(options.folder.string()),
                "images end with .jpg, .png, .gif, .webp, .bmp, .ppm");
  if (!boxes->by_file.empty()) {
    files->labels.clear();
    files->several.clear();
    if (auto ok = expect_listed(*boxes, *files); !ok) return tl::unexpected(ok.error());
  }
  auto right = is_folder ? TruthPictureFiles::open(options.labels, files->folder, files->names, *options.label_folder)
                         : TruthPictureFiles();
  if (!right) return tl::unexpected(right.error());
  auto chosen = choose_preprocessing(model, options.preprocess, options.given);
  if (!chosen) return tl::unexpected(chosen.error());
  return std::make_unique<Pictures>(std::move(*files), std::move(*boxes), std::move(*right), std::move(*chosen),
                                    options.given);
}

}  // namespace culprit
