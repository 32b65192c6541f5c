#include "data/sets/chosen_preprocessing.h"

#include <onnx/onnx_pb.h>

#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "data/data_beside.h"
#include "picture/guess_preprocessing.h"
#include "picture/read_preprocessing.h"
#include "task/read_task_description.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

Shape shape_of(const ValueInfo& value) {
  Shape shape;
  for (const Dim& dim : value.dims) shape.push_back(dim.value.value_or(-1));
  return shape;
}

/// The only input that has no value yet.
Result<ValueInfo> picture_input(const Model& model, const std::vector<NamedTensor>& given) {
  std::vector<ValueInfo> open;
  for (const ValueInfo& input : model.interface.inputs)
    if (std::ranges::find(given, input.name, &NamedTensor::name) == given.end()) open.push_back(input);
  if (open.empty()) return fail(ErrorKind::usage, "no input is left that could take the images");
  if (open.size() == 1) return open.front();
  std::vector<std::string> names;
  names.reserve(open.size());
  for (const ValueInfo& input : open) names.push_back("'" + input.name + "'");
  return fail(ErrorKind::usage,
              "the model has " + std::to_string(open.size()) + " inputs without a value, " + join(names, ", ") +
                  ": images go to one",
              "give the others with --input NAME=VALUE|FILE");
}

Result<Preprocessing> from_file(const fs::path& file) {
  const auto text = read_file(file, largest_description);
  if (!text) return tl::unexpected(text.error());
  return read_preprocessing(*text, printable(file.string()));
}

/// Nets that Windows ML and Core ML have had begin so: y = scale * x + bias.
std::vector<double> added_first(const onnx::GraphProto& graph, const std::string& input) {
  for (const onnx::NodeProto& node : graph.node()) {
    if (node.op_type() != "ImageScaler" || node.input_size() == 0 || node.input(0) != input) continue;
    for (const auto& attribute : node.attribute())
      if (attribute.name() == "bias") return {attribute.floats().begin(), attribute.floats().end()};
  }
  return {};
}

fs::path description_file(const Model& model) { return model.path.parent_path() / "culprit.yaml"; }

Result<ChosenPreprocessing> guessed(const Model& model, const ValueInfo& input) {
  InputFacts facts{{input.name, shape_of(input)}, input.dtype, {}, {}, {}, {}};
  for (const ValueInfo& output : model.interface.outputs) facts.outputs.push_back({output.name, shape_of(output)});
  if (model.proto != nullptr) {
    facts.producer = model.proto->producer_name();
    facts.added_first = added_first(model.proto->graph(), input.name);
    for (const auto& entry : model.proto->metadata_props()) facts.metadata.emplace_back(entry.key(), entry.value());
  }
  auto guess = guess_preprocessing(facts);
  if (!guess) return tl::unexpected(guess.error());
  return ChosenPreprocessing{input.name, std::move(guess->preprocessing), "guessed: " + guess->why};
}

}  // namespace

bool says_preprocessing(const Model& model) {
  const fs::path file = description_file(model);
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  const auto text = read_file(file, largest_description);
  return !text || names_preprocessing(*text) || !describes_task(*text);
}

Result<ChosenPreprocessing> choose_preprocessing(const Model& model, const std::string& wish,
                                                 const std::vector<NamedTensor>& given) {
  const auto input = picture_input(model, given);
  if (!input) return tl::unexpected(input.error());
  std::error_code ignored;
  Result<Preprocessing> read = Preprocessing{};
  std::string why;
  if (wish.empty() && says_preprocessing(model)) {
    read = from_file(description_file(model));
    why = "as culprit.yaml beside the model says";
  } else if (wish.empty() || wish == "auto") {
    return guessed(model, *input);
  } else {
    read = fs::is_regular_file(wish, ignored) ? from_file(wish) : preprocessing_named(wish);
    why = "as --preprocess " + printable(wish) + " says";
  }
  if (!read) return tl::unexpected(read.error());
  auto fit = fitted(std::move(*read), {shape_of(*input), input->dtype});
  if (!fit) return tl::unexpected(fit.error());
  return ChosenPreprocessing{input->name, std::move(*fit), std::move(why)};
}

}  // namespace culprit
