#include "data/sets/sound_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/lower_case.h"
#include "base/text.h"
#include "data/data_beside.h"
#include "data/given_inputs.h"
#include "data/random_samples.h"
#include "data/sample_folders.h"
#include "data/sets/first_state.h"
#include "data/sets/labelled_files.h"
#include "data/sets/told_of_files.h"
#include "data/sets/told_states.h"
#include "data/sets/truth_of_file.h"
#include "data/sets/truth_warnings.h"
#include "model/state_pairs.h"
#include "sound/read_sound.h"
#include "sound/read_sound_preparation.h"
#include "sound/sound_preparation.h"
#include "tensor/steps.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// Which inputs are fed with what.
struct SoundInputs {
  ValueInfo sound;
  std::optional<ValueInfo> rate, mask;
  std::vector<StatePair> states;
  std::vector<NamedTensor> first_states;  // what each state begins with
};

struct ChosenSoundPreparation {
  SoundPreparation preparation;
  std::string why;
};

bool is_float_input(const ValueInfo& input) {
  return input.kind == ValueInfo::Kind::tensor && (input.dtype == DType::f32 || input.dtype == DType::f16);
}

bool is_rate_input(const ValueInfo& input) {
  const bool is_number = input.dtype == DType::i64 || input.dtype == DType::i32 || input.dtype == DType::f32;
  return is_number && input.dims.size() < 2 &&
         is_one_of(lower_case(input.name), {"sr", "rate", "sample_rate", "sampling_rate", "samplerate"});
}

/// A mask says where each sound of a batch ends. Here each sound is alone, so the mask is all ones.
bool is_mask_input(const ValueInfo& input) {
  const bool is_number = input.dtype == DType::i64 || input.dtype == DType::i32;
  return input.kind == ValueInfo::Kind::tensor && is_number && input.dims.size() < 4 &&
         lower_case(input.name) == "attention_mask";
}

Result<SoundInputs> inputs_for(const Model& model, const std::vector<NamedTensor>& given) {
  const Interface& interface = model.interface;
  auto states = states_of(model);
  if (!states) return tl::unexpected(states.error());
  SoundInputs found;
  std::vector<ValueInfo> sounds;
  for (const ValueInfo& input : interface.inputs) {
    if (std::ranges::find(given, input.name, &NamedTensor::name) != given.end()) continue;
    const auto state = std::ranges::find(*states, input.name, &StatePair::input);
    if (state != states->end()) {
      auto zeros = first_state(input);
      if (!zeros) return tl::unexpected(zeros.error());
      found.states.push_back(*state);
      found.first_states.push_back({input.name, std::move(*zeros), state_part(state->output)});
    } else if (!found.rate && is_rate_input(input)) {
      found.rate = input;
    } else if (!found.mask && is_mask_input(input)) {
      found.mask = input;
    } else if (is_float_input(input)) {
      sounds.push_back(input);
    } else {
      return fail(ErrorKind::usage, "nobody knows what of a sound input '" + printable(input.name, 100) + "' takes",
                  "give it with --input NAME=VALUE|FILE, or name the state that it is in culprit.yaml: state: {" +
                      printable(input.name, 60) + ": OUTPUT}");
    }
  }
  if (sounds.size() == 1 && sounds.front().dims.size() < 4) {
    found.sound = sounds.front();
    return found;
  }
  std::vector<std::string> names;
  names.reserve(sounds.size());
  for (const ValueInfo& input : sounds) names.push_back("'" + printable(input.name, 60) + "'");
  return fail(ErrorKind::usage,
              sounds.empty()
                  ? "no input is left that could take the sounds"
                  : "sounds go to one input [L], [N,L] or [N,1,L] of floats, and here is " + join(names, ", "),
              "give the others with --input NAME=VALUE|FILE; those that are fed back at each window are states: name "
              "them as `state: {INPUT: OUTPUT}` in culprit.yaml beside the model");
}

Result<ChosenSoundPreparation> chosen_preparation(const Model& model, const std::string& wish,
                                                  const SoundInputs& inputs) {
  if (!wish.empty() && wish != "auto") {
    std::error_code ignored;
    const bool is_file = fs::is_regular_file(wish, ignored);
    const auto text = is_file ? read_file(wish, largest_description) : Result<std::string>("");
    if (!text) return tl::unexpected(text.error());
    auto read = is_file ? read_sound_preparation(*text, printable(wish)) : sound_preparation_named(wish);
    if (!read) return tl::unexpected(read.error());
    return ChosenSoundPreparation{*read, "as --preprocess " + printable(wish) + " says"};
  }
  const auto beside = description_beside(model);
  if (!beside) return tl::unexpected(beside.error());
  if (*beside && names_sound_preparation((*beside)->text)) {
    auto read = read_sound_preparation((*beside)->text, (*beside)->where);
    if (!read) return tl::unexpected(read.error());
    return ChosenSoundPreparation{*read, "as culprit.yaml beside the model says"};
  }
  const bool is_silero = inputs.rate && inputs.states.size() == 1 && inputs.states.front().input == "state";
  if (is_silero)
    return ChosenSoundPreparation{sound_preparation_named("silero").value(),
                                  "guessed: silero, for it has a rate and one state"};
  if (inputs.sound.name == "input_values")
    return ChosenSoundPreparation{sound_preparation_named("wav2vec").value(),
                                  "guessed: wav2vec, for its input is called input_values"};
  return fail(
      ErrorKind::usage, "nobody knows how sounds are prepared for this model",
      "--preprocess wav2vec|silero|FILE, or culprit.yaml beside the model: preprocess: {sound: {resample: 16000}}");
}

class Sounds final : public SampleSource {
 public:
  Sounds(LabelledFiles files, SoundInputs inputs, ChosenSoundPreparation chosen, std::vector<NamedTensor> given)
      : files_(std::move(files)), inputs_(std::move(inputs)), chosen_(std::move(chosen)), given_(std::move(given)) {}

  [[nodiscard]] DataFacts facts() const override {
    DataFacts facts;
    facts.source = DataSource::file;
    facts.samples = size();
    facts.choices = description();
    return facts;
  }
  [[nodiscard]] std::int64_t size() const override { return static_cast<std::int64_t>(files_.names.size()); }
  [[nodiscard]] std::string name(std::int64_t number) const override {
    return std::string(files_.names[static_cast<std::size_t>(number)]);
  }

  [[nodiscard]] std::string preparation() const override { return to_yaml(chosen_.preparation); }

  /// Whatever is wrong with a file is a reason to pass it over; that a library is missing is none.
  [[nodiscard]] Result<Sample> at(std::int64_t number, const Stop& /*stop*/) const override {
    const auto sound = read_sound(files_.folder / name(number));
    if (!sound) return tl::unexpected(sound.error());
    const auto prepared = prepare_sound(*sound, chosen_.preparation);
    if (!prepared) return tl::unexpected(prepared.error());
    auto value = shaped(*prepared, inputs_.sound);
    if (!value) return tl::unexpected(value.error());
    const std::string part(chosen_.preparation.window > 0 ? each_step_part : std::string_view());
    Sample sample{name(number), {}};
    sample.inputs.push_back({inputs_.sound.name, std::move(*value), part});
    if (inputs_.mask) {
      const std::vector<float> ones(static_cast<std::size_t>(prepared->count()), 1.0F);
      auto mask = shaped(Tensor::of<float>(prepared->shape(), ones), *inputs_.mask);
      if (!mask) return tl::unexpected(mask.error());
      sample.inputs.push_back({inputs_.mask->name, std::move(*mask), part});
    }
    if (inputs_.rate) sample.inputs.push_back({inputs_.rate->name, rate_of(*sound)});
    sample.inputs.insert(sample.inputs.end(), inputs_.first_states.begin(), inputs_.first_states.end());
    put_given(sample, given_);
    return sample;
  }

  [[nodiscard]] bool has_truth() const override { return is_known(files_); }
  [[nodiscard]] Truth truth(std::int64_t number) const override { return truth_of_file(files_, number); }

  [[nodiscard]] std::vector<Warning> warnings(const std::vector<std::int64_t>& /*numbers*/) const override {
    std::vector<Warning> warnings = warnings_of_folders(files_);
    std::ranges::move(warnings_of_list(files_), std::back_inserter(warnings));
    return warnings;
  }

  [[nodiscard]] bool gives_the_same_as(const SampleSource& other) const override {
    const auto* sounds = dynamic_cast<const Sounds*>(&other);
    return sounds != nullptr && files_.folder == sounds->files_.folder && size() == sounds->size() &&
           chosen_.preparation == sounds->chosen_.preparation && inputs_.sound == sounds->inputs_.sound &&
           inputs_.rate == sounds->inputs_.rate && inputs_.mask == sounds->inputs_.mask &&
           inputs_.states == sounds->inputs_.states && are_identical(given_, sounds->given_);
  }

  [[nodiscard]] std::vector<std::string> description() const override {
    const SoundPreparation& how = chosen_.preparation;
    std::string line = fmt::format("input '{}': sounds prepared {}", inputs_.sound.name, chosen_.why);
    if (how.rate > 0) line += fmt::format("; {} Hz", how.rate);
    if (how.window > 0) line += fmt::format("; in windows of {}, each a step", how.window);
    std::vector<std::string> lines = told_of_files(files_);
    lines.push_back(line);
    if (inputs_.mask)
      lines.push_back(fmt::format("input '{}': ones, as many as the sound has samples", inputs_.mask->name));
    for (const StatePair& state : inputs_.states)
      lines.push_back(fmt::format("output '{}' is fed back as '{}', which begins with zeros",
                                  printable(state.output, 60), printable(state.input, 60)));
    std::ranges::move(told_of_labels(files_), std::back_inserter(lines));
    return lines;
  }

 private:
  /// The sound, or what is as long, in the shape that the input wants: [L] or [windows, L], with more axes of 1.
  [[nodiscard]] Result<Tensor> shaped(const Tensor& prepared, const ValueInfo& input) const {
    Shape shape = prepared.shape();
    const std::size_t wanted = std::max<std::size_t>(1, input.dims.size());
    const std::size_t windows = chosen_.preparation.window > 0 ? 1 : 0;
    while (shape.size() < wanted + windows) shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(windows), 1);
    auto value = Tensor::from_bytes(prepared.dtype(), shape, {prepared.bytes().begin(), prepared.bytes().end()});
    return value ? cast(*value, input.dtype) : value;
  }

  [[nodiscard]] Tensor rate_of(const Sound& sound) const {
    const std::int64_t rate = chosen_.preparation.rate > 0 ? chosen_.preparation.rate : sound.rate;
    const Shape shape(inputs_.rate->dims.size(), 1);
    return cast(Tensor::of<std::int64_t>(shape, {rate}), inputs_.rate->dtype).value();
  }

  LabelledFiles files_;
  SoundInputs inputs_;
  ChosenSoundPreparation chosen_;
  std::vector<NamedTensor> given_;
};

Result<LabelledFiles> labelled_sounds(const SoundSetOptions& options) {
  std::error_code ignored;
  const bool is_folder = !options.labels.empty() && fs::is_directory(options.labels, ignored);
  if (!is_folder && options.labels.extension() != ".json")
    return list_files(sound_kind(), options.folder, options.labels, options.classes);
  return fail(ErrorKind::usage, "--labels " + printable(options.labels.string()) + " is no list of labels of sounds",
              "a list is a .csv or a .jsonl: docs/evaluating.md");
}

}  // namespace

bool is_sound_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) && !holds_test_data(path) && has_files(sound_kind(), path);
}

bool says_sound_preparation(const Model& model) {
  const auto beside = description_beside(model);
  return !beside || (*beside && names_sound_preparation((*beside)->text));
}

Result<std::unique_ptr<SampleSource>> open_sounds(const Model& model, const SoundSetOptions& options) {
  auto inputs = inputs_for(model, options.given);
  if (!inputs) return tl::unexpected(inputs.error());
  auto chosen = chosen_preparation(model, options.preprocess, *inputs);
  if (!chosen) return tl::unexpected(chosen.error());
  if (!inputs->states.empty() && chosen->preparation.window == 0)
    return fail(ErrorKind::usage, "the model keeps a state from window to window, and no window is told",
                "culprit.yaml beside the model: preprocess: {sound: {window: 512}}");
  auto files = labelled_sounds(options);
  if (!files) return tl::unexpected(files.error());
  return std::make_unique<Sounds>(std::move(*files), std::move(*inputs), std::move(*chosen), options.given);
}

}  // namespace culprit
