#include "evaluate/show_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/folder.h"
#include "base/text.h"
#include "data/sets/picture_source.h"
#include "evaluate/choose_evaluated_task.h"
#include "picture/decode_picture.h"
#include "picture/encode_picture.h"
#include "stream/chunk_reader.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

constexpr int sheet_columns = 4, sheet_side = 240;

/// "data float32[1,3,224,224], -2.1 to 2.6, mean 0.1"
std::string text_of(const NamedTensor& input) {
  const Tensor& value = input.value;
  std::string text =
      fmt::format("{} {}{}", printable(input.name, 60), name_of(value.dtype()), to_string(value.shape()));
  if (value.count() == 0 || std::isnan(value.number(0))) return text;
  double least = std::numeric_limits<double>::infinity(), most = -least, sum = 0;
  for (std::int64_t i = 0; i < value.count(); ++i) {
    const double number = value.number(i);
    least = std::min(least, number);
    most = std::max(most, number);
    sum += number;
  }
  return text + fmt::format(", {:.4g} to {:.4g}, mean {:.4g}", least, most, sum / static_cast<double>(value.count()));
}

std::string text_of(const Truth& truth) {
  if (truth.boxes) return fmt::format("{} box{}", truth.boxes->size(), truth.boxes->size() == 1 ? "" : "es");
  if (truth.classes) {
    std::vector<std::string> classes;
    for (const std::int64_t number : *truth.classes) classes.push_back(std::to_string(number));
    return classes.empty() ? "no label is right" : (classes.size() == 1 ? "label " : "labels ") + join(classes, ", ");
  }
  return truth.label.empty() ? "" : "label " + printable(truth.label, 60);
}

Result<CaptionedPicture> as_seen(const PictureSource& source, const ShownSample& sample) {
  const auto picture = read_picture(source.file(sample.number));
  if (!picture) return tl::unexpected(picture.error());
  auto seen = seen_by_net(*picture, source.preprocessing());
  if (!seen) return tl::unexpected(seen.error());
  const Truth truth = source.truth(sample.number);
  for (const TruthBox& there : truth.boxes.value_or(std::vector<TruthBox>())) {
    const DrawnBox box{there.box.x0, there.box.y0, there.box.x1, there.box.y1};
    draw_box(*seen, box, colour_for(static_cast<std::size_t>(there.label)), std::to_string(there.label));
  }
  return CaptionedPicture{std::move(*seen), sample.truth.empty() ? sample.name : sample.name + ": " + sample.truth};
}

/// A sheet of those samples that could be read.
std::optional<Picture> sheet_of(const SampleSource& source, const std::vector<ShownSample>& samples) {
  const auto* pictures = dynamic_cast<const PictureSource*>(&source);
  if (pictures == nullptr) return std::nullopt;
  std::vector<CaptionedPicture> seen;
  for (const ShownSample& sample : samples) {
    if (!sample.bad.empty()) continue;
    if (auto one = as_seen(*pictures, sample)) seen.push_back(std::move(*one));
  }
  if (seen.empty()) return std::nullopt;
  return contact_sheet(seen, std::min(sheet_columns, static_cast<int>(seen.size())), sheet_side);
}

Result<ShownSample> shown(const SampleSource& source, std::int64_t number, const std::filesystem::path& pack) {
  ShownSample sample{number, source.name(number), "", text_of(source.truth(number)), {}};
  const auto inputs = read_pack(pack);
  if (!inputs) return tl::unexpected(inputs.error());
  for (const NamedTensor& input : *inputs) sample.inputs.push_back(text_of(input));
  return sample;
}

}  // namespace

Result<ShownData> show_data(const Model& model, const DataSetOptions& options, std::size_t count, const Limits& limits,
                            const Stop& stop) {
  auto classes = classes_beside(model, options.data);
  if (!classes) return tl::unexpected(classes.error());
  DataSetOptions with_classes = options;
  with_classes.classes = std::move(*classes);
  auto ways = open_data_set(model, with_classes);
  if (!ways) return tl::unexpected(ways.error());
  const SampleSource& source = *ways->front();
  ShownData data{source.description(), source.size(), {}, {}};
  auto chunk = read_chunk(source, in_order(std::min(source.size(), static_cast<std::int64_t>(count))), limits,
                          options.work, stop);
  if (!chunk) return tl::unexpected(chunk.error());
  if (chunk->packs.empty() && chunk->skipped.empty()) return data;
  for (std::size_t i = 0; i < chunk->packs.size(); ++i) {
    auto sample = shown(source, chunk->numbers[i], chunk->packs[i].file());
    if (!sample) return tl::unexpected(sample.error());
    data.first.push_back(std::move(*sample));
  }
  for (const SkippedSample& bad : chunk->skipped) data.first.push_back({bad.number, bad.name, bad.reason, "", {}});
  std::ranges::sort(data.first, {}, &ShownSample::number);
  remove_folder(chunk->folder);
  data.sheet = sheet_of(source, data.first);
  return data;
}

}  // namespace culprit
