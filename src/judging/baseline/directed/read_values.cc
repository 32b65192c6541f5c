// Directed samples: the values at the places, read as further outputs, and which samples come to the places at all.
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "baseline/directed/directed_samples.h"
#include "baseline/directed/samples_to_vary.h"
#include "model/expose_inside.h"
#include "model/expose_values.h"
#include "tensor/pack_file.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_exposed_values = 12;   // exposed
constexpr std::size_t most_surveyed = 8;          // samples
constexpr std::uint64_t most_model = 64'000'000;  // bytes of a model that is written once more
constexpr std::uint64_t most_input = 1'000'000;   // bytes of a sample: values inside are a few times as large

std::uint64_t bytes_of(const std::vector<NamedTensor>& sample) {
  std::uint64_t bytes = 0;
  for (const NamedTensor& input : sample) bytes += input.value.bytes().size();
  return bytes;
}

/// The model's own outputs stand first.
bool has_same_outputs(const std::vector<NamedTensor>& own, const std::vector<NamedTensor>& more) {
  return own.size() <= more.size() &&
         std::equal(own.begin(), own.end(), more.begin(), [](const NamedTensor& a, const NamedTensor& b) {
           return a.name == b.name && a.value.identical(b.value);
         });
}

/// Values that nodes of the top graph make.
std::set<std::string> made_in(const onnx::GraphProto& graph) {
  std::set<std::string> made;
  for (const auto& node : graph.node()) made.insert(node.output().begin(), node.output().end());
  return made;
}

}  // namespace

std::size_t Directed::number_of(const Want& want) const {
  return static_cast<std::size_t>(std::ranges::find(watched_, Watched{want.value, want.inside}) - watched_.begin());
}

/// As which output a value is read.
const std::string& Directed::output_of(const std::string& value) const {
  const auto at = read_as_.find(value);
  return at == read_as_.end() ? value : at->second;
}

/// False also where that cannot be told.
bool Directed::came_to(const std::string& inside, const Pack& outputs) const {
  const Tensor* made = inside.empty() ? nullptr : find_value(outputs, output_of(inside));
  return made != nullptr && made->count() > 0;
}

/// What a value shows counts only where the run came to the place that wants it, as far as that can be told.
Patterns Directed::patterns_in(const Pack& inputs, const Pack& outputs) const {
  Patterns patterns;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const Watched& watched = watched_[i];
    if (read_as_.contains(watched.inside) && !came_to(watched.inside, outputs)) continue;
    const Tensor* value = find_value(inputs, watched.value);
    if (value == nullptr) value = find_value(outputs, output_of(watched.value));
    if (value != nullptr) patterns.merge(patterns_of(*value, i));
  }
  std::uint64_t number = watched_.size();
  for (const NamedTensor& output : outputs) {
    if (most_not_finite_.contains(output.name)) patterns.merge(patterns_of(output.value, number++));
  }
  return patterns;
}

// --- what is read -------------------------------------------------------------------------------------------------

/// What the places want, and what they make where they are inside; without what the model tells as it is.
std::vector<std::string> Directed::values_to_read(Reading reading) const {
  const auto& graph = reference_.model.proto->graph();
  std::set<std::string> known;
  for (const auto& input : graph.input()) known.insert(input.name());
  for (const auto& output : graph.output()) known.insert(output.name());
  const auto made = made_in(graph);
  std::vector<std::string> values;
  const auto add = [&](const std::string& value) {
    if (value.empty() || (reading == Reading::above && !made.contains(value))) return;
    if (known.insert(value).second) values.push_back(value);
  };
  for (const Watched& watched : watched_) add(watched.inside);
  for (const Watched& watched : watched_) add(watched.value);
  return spread(values, most_exposed_values);
}

/// Only of a small model, and if it can be written: else its outputs have to tell.
bool Directed::expose_values(Reading reading) {
  const auto values = values_to_read(reading);
  const auto first = read_pack(reference_.samples.front());
  const bool is_small = !reference_.model.has_external_data && reference_.model.facts.bytes <= most_model && first &&
                        bytes_of(*first) <= most_input;
  if (values.empty() || !is_small) return false;
  std::error_code error;
  folder_ = reference_.folder / "outputs" / "directed";
  fs::create_directories(folder_, error);
  const Exposed exposed = expose_inside(*reference_.model.proto, values);
  if (error || !save_model(exposed.model, folder_ / "original.onnx", Durability::buffered)) return false;
  for (std::size_t i = 0; i < values.size(); ++i) read_as_[values[i]] = exposed.outputs[i];
  values_ = values;
  return true;
}

/// With them as outputs, is the model another?
bool Directed::is_disturbed(std::size_t sample, const fs::path& output) const {
  const auto own = read_pack(reference_.outputs[sample]);
  const auto more = read_pack(output);
  return !own || !more || !has_same_outputs(*own, *more);
}

/// The values inside of one plain sample stand for those of all. False: reading them changes the model.
bool Directed::take_plain(const fs::path& output) {
  const auto inputs = read_pack(reference_.samples.front());
  const auto more = read_pack(output);
  if (!inputs || !more || is_disturbed(0, output)) return false;
  known_.merge(patterns_in(*inputs, *more));
  plain_ = reference_.samples.front();
  plain_output_ = output;
  return true;
}

void Directed::stop_reading() {
  values_.clear();
  read_as_.clear();
}

// --- who comes there ----------------------------------------------------------------------------------------------

/// A branch is not taken by every sample, and a Loop may make no turn: all samples there are tell.
void Directed::survey() {
  RunJob job;
  job.model = folder_ / "original.onnx";
  job.session = reference_.session;
  job.limits = reference_.options.limits;
  job.folder = new_folder();
  const std::size_t count = std::min(reference_.samples.size(), most_surveyed);
  job.samples.assign(reference_.samples.begin(), reference_.samples.begin() + static_cast<std::ptrdiff_t>(count));
  dispatcher_.run(std::move(job), [this, count](const RunOutcome& outcome) {
    if (outcome.outputs.size() == count) take_survey(outcome.outputs);
    if (surveyed_.empty()) stop_reading();
    go_on();
  });
}

void Directed::take_survey(const std::vector<fs::path>& outputs) {
  std::vector<std::set<std::string>> reached;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto read = read_pack(outputs[i]);
    if (!read || is_disturbed(i, outputs[i])) return;
    auto& places = reached.emplace_back();
    for (const Watched& watched : watched_) {
      if (came_to(watched.inside, *read)) places.insert(watched.inside);
    }
  }
  surveyed_ = outputs;
  bases_ = bases_of(reached);
  const std::size_t shown = bases_.empty() ? 0 : bases_.front();
  plain_ = reference_.samples[shown];
  plain_output_ = outputs[shown];
}

}  // namespace culprit
