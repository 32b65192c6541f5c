#include "compare/inner_values.h"

#include <algorithm>

#include "base/as_index.h"
#include "base/text.h"
#include "model/expose_values.h"
#include "tensor/tensor_proto.h"

namespace culprit {

namespace {

std::optional<std::uint64_t> declared_bytes(const onnx::TypeProto* type) {
  if (type == nullptr || !type->has_tensor_type() || !type->tensor_type().has_shape()) return std::nullopt;
  Shape shape;
  for (const auto& dim : type->tensor_type().shape().dim()) {
    if (!dim.has_dim_value() || dim.dim_value() < 0) return std::nullopt;
    shape.push_back(dim.dim_value());
  }
  const auto dtype = dtype_from_onnx(type->tensor_type().elem_type());
  const auto count = element_count(shape);
  if (!dtype || !count) return std::nullopt;
  return bytes_for(*dtype, *count);
}

}  // namespace

InnerValues::InnerValues(const ComparedGraphs& graphs, const InnerSamples& samples, NoiseDraws& draws,
                         const CompareOptions& options, const CompareTools& tools)
    : graphs_(graphs),
      samples_(samples),
      draws_(draws),
      options_(options),
      tools_(tools),
      regions_(graphs.b, graphs.binding.inputs, options, tools.executor, tools.folder, "region"),
      values_(graphs.index_a.values.size()),
      is_cut_(graphs.index_b.values.size(), false),
      a_of_(graphs.index_b.values.size(), -1),
      dtype_b_(graphs.index_b.values.size(), DType::undefined) {
  facts_.samples = static_cast<std::int64_t>(samples.inputs.size());
  choose();
}

bool InnerValues::can_be_read(int value) const {
  const int mate = graphs_.map.to_b[as_index(value)];
  return is_tensor(graphs_.index_a, value) && is_tensor(graphs_.index_b, mate) &&
         (is_computed(graphs_.index_b, mate) || graphs_.index_b.values[as_index(mate)].stored != nullptr ||
          graphs_.index_b.values[as_index(mate)].node < 0);
}

void InnerValues::choose() {
  const auto& map = graphs_.map;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const int value = static_cast<int>(i), mate = map.to_b[i];
    if (!map.is_counted[i]) continue;
    if (mate < 0) {
      values_[i].state = map.into[i] >= 0 ? ValueState::fused : ValueState::gone;
    } else if (!can_be_read(value)) {
      refuse(value, "not a tensor");
    } else {
      targets_.push_back(value);
      const bool is_fit = is_computed(graphs_.index_b, mate) && !graphs_.index_b.values[as_index(mate)].is_constant;
      if (!is_fit || is_cut_[as_index(mate)]) continue;
      is_cut_[as_index(mate)] = true;
      a_of_[as_index(mate)] = value;
    }
  }
}

std::vector<std::optional<std::uint64_t>> InnerValues::declared_sizes() const {
  std::vector<std::optional<std::uint64_t>> sizes;
  for (const int value : targets_) {
    auto bytes = declared_bytes(graphs_.index_a.values[as_index(value)].type);
    if (bytes) *bytes *= samples_.inputs.size();
    sizes.push_back(bytes);
  }
  return sizes;
}

Result<void> InnerValues::compare() {
  Chunks chunks(declared_sizes(), options_.bytes_per_run);
  std::size_t begin = 0;
  for (std::size_t count = chunks.next(); count > 0; count = chunks.next()) {
    if (is_stopped(tools_.is_time_up)) break;
    if (tools_.progress) tools_.progress(begin, targets_.size(), "values");
    const auto first = targets_.begin() + static_cast<std::ptrdiff_t>(begin);
    bytes_.clear();
    if (auto ok = read(Values(first, first + static_cast<std::ptrdiff_t>(count))); !ok) return ok;
    std::uint64_t total = 0;
    for (const auto bytes : bytes_) total += bytes;
    chunks.measured(total, bytes_.size());
    begin += count;
  }
  for (; begin < targets_.size(); ++begin) refuse(targets_[begin], "the time was up");
  return find_unlike();
}

void InnerValues::refuse(int value, const std::string& why) {
  values_[as_index(value)].state = ValueState::not_read;
  ++facts_.not_read;
  const int mate = graphs_.map.to_b[as_index(value)];
  if (a_of_[as_index(mate)] == value) is_cut_[as_index(mate)] = false;
  if (facts_.message.empty()) facts_.message = "'" + printable(graphs_.name_a(value), 80) + "': " + why;
}

Result<void> InnerValues::read(const Values& values) {
  auto reading = capture(values);
  if (!reading) return tl::unexpected(reading.error());
  if (!*reading) return not_captured(values);
  std::vector<std::string> names;
  for (const int value : values) names.push_back(graphs_.name_a(value));
  auto floors = noise_without_draws(names, (*reading)->a, expose(graphs_.a.proto, names));
  if (!floors) return tl::unexpected(floors.error());
  Noise noise = std::move(*floors);
  measure_all(values, **reading, noise);
  Values differing = those_that_differ(values);
  if (differing.empty()) return {};
  if (auto ok = draw_again(differing, **reading, noise); !ok) return ok;
  measure_all(differing, **reading, noise);
  differing = those_that_differ(differing);
  return differing.empty() ? Result<void>() : make_alone(differing, **reading, noise);
}

/// What stands for the value in B: read, or stored in the model, or fed to it.
std::optional<Tensor> InnerValues::of_b(int value, const Reading& reading, std::size_t sample) const {
  const int mate = graphs_.map.to_b[as_index(value)];
  const auto& entry = graphs_.index_b.values[as_index(mate)];
  if (is_computed(graphs_.index_b, mate)) {
    const Tensor* tensor = reading.b[sample].find(graphs_.name_b(mate));
    return tensor == nullptr ? std::nullopt : std::optional(*tensor);
  }
  if (entry.stored != nullptr) {
    auto tensor = from_proto(*entry.stored);
    return tensor ? std::optional(std::move(*tensor)) : std::nullopt;
  }
  const auto bound = std::ranges::find(graphs_.binding.inputs, entry.name, &BoundInput::variant);
  if (bound == graphs_.binding.inputs.end()) return std::nullopt;
  const auto inputs = Pack::read(samples_.inputs[sample]);
  const Tensor* tensor = inputs ? inputs->find(bound->original) : nullptr;
  return tensor == nullptr ? std::nullopt : std::optional(*tensor);
}

void InnerValues::measure_all(const Values& values, const Reading& reading, const Noise& noise) {
  for (const int value : values) {
    const std::string name = graphs_.name_a(value);
    std::optional<Measurement> worst;
    std::uint64_t bytes = 0;
    for (std::size_t sample = 0; sample < reading.a.size(); ++sample) {
      const Tensor* reference = reading.a[sample].find(name);
      const auto found = of_b(value, reading, sample);
      if (reference == nullptr || !found) continue;
      dtype_b_[as_index(graphs_.map.to_b[as_index(value)])] = found->dtype();
      bytes += reference->bytes().size();
      const auto casted = as_type(*found, reference->dtype());
      const Measurement here =
          measure(*reference, casted.value_or(*found), options_.tolerance, noise.at(name).rounding(sample));
      worst = worst ? worse(*worst, here) : here;
    }
    InnerValue& known = values_[as_index(value)];
    if (!worst) {
      refuse(value, "no run brought it out");
      continue;
    }
    if (known.state == ValueState::gone) ++facts_.values, bytes_.push_back(bytes);
    known.measurement = *worst;
    known.state = verdict_of(*worst) == Verdict::equivalent ? ValueState::equal : ValueState::unclear;
  }
}

InnerValues::Values InnerValues::those_that_differ(const Values& values) const {
  Values differing;
  std::ranges::copy_if(values, std::back_inserter(differing),
                       [&](int value) { return values_[as_index(value)].state == ValueState::unclear; });
  return differing;
}

Result<void> InnerValues::draw_again(const Values& differing, const Reading& reading, Noise& noise) {
  std::vector<std::string> names;
  Noise some;
  for (const int value : differing) {
    names.push_back(graphs_.name_a(value));
    some.emplace(names.back(), noise.at(names.back()));
  }
  auto job = reading_job(graphs_.a, names, false);
  if (!job) return tl::unexpected(job.error());
  if (auto ok = draws_.add(*job, reading.a, some); !ok) return ok;
  for (auto& [name, known] : some) noise[name] = std::move(known);
  return {};
}

void InnerValues::forget_what_is_made_here() {
  for (InnerValue& value : values_) {
    if (value.state == ValueState::made_here) value.state = ValueState::unclear;
  }
}

void InnerValues::take(int value, ValueState state, const Measurement& remade) {
  values_[as_index(value)] = {state, remade, remade.max_abs};
}

CaptureFacts InnerValues::facts() const {
  CaptureFacts facts = facts_;
  facts.runs += regions_.runs();
  return facts;
}

}  // namespace culprit
