#include "compare/inner_values.h"

#include <algorithm>
#include <deque>
#include <set>
#include <system_error>
#include <unordered_set>

#include "base/text.h"
#include "compare/jobs.h"
#include "compare/regions.h"
#include "judge/tolerance.h"
#include "model/expose.h"
#include "tensor/tensor_proto.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

/// Runs that may fail because of what they bring out, before the rest is given up: each halves a chunk.
constexpr std::size_t most_failures = 64;
/// Nodes that are looked at behind a value, to see whether what is made of it differs as well.
constexpr std::size_t most_behind = 64;
/// Doubtful values that are looked at so; what differs and does not matter is rare.
constexpr std::size_t most_looks = 32;

std::size_t at(int number) { return static_cast<std::size_t>(number); }

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
      regions_(graphs, options, tools.executor, tools.folder),
      values_(graphs.index_a.values.size()),
      is_cut_(graphs.index_b.values.size(), false),
      a_of_(graphs.index_b.values.size(), -1),
      dtype_b_(graphs.index_b.values.size(), DType::undefined) {
  facts_.samples = static_cast<std::int64_t>(samples.inputs.size());
  choose();
}

bool InnerValues::can_be_read(int value) const {
  const int mate = graphs_.map.to_b[at(value)];
  return is_tensor(graphs_.index_a, value) && is_tensor(graphs_.index_b, mate) &&
         (is_computed(graphs_.index_b, mate) || graphs_.index_b.values[at(mate)].stored != nullptr ||
          graphs_.index_b.values[at(mate)].node < 0);
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
      const bool is_fit = is_computed(graphs_.index_b, mate) && !graphs_.index_b.values[at(mate)].is_constant;
      if (!is_fit || is_cut_[at(mate)]) continue;
      is_cut_[at(mate)] = true;
      a_of_[at(mate)] = value;
    }
  }
}

std::vector<std::optional<std::uint64_t>> InnerValues::declared_sizes() const {
  std::vector<std::optional<std::uint64_t>> sizes;
  for (const int value : targets_) {
    auto bytes = declared_bytes(graphs_.index_a.values[at(value)].type);
    if (bytes) *bytes *= samples_.inputs.size();
    sizes.push_back(bytes);
  }
  return sizes;
}

Result<void> InnerValues::compare() {
  Chunks chunks(declared_sizes(), options_.bytes_per_run);
  std::size_t begin = 0;
  for (std::size_t count = chunks.next(); count > 0; count = chunks.next()) {
    if (tools_.progress) tools_.progress(begin, targets_.size(), "values");
    const auto first = targets_.begin() + static_cast<std::ptrdiff_t>(begin);
    bytes_.clear();
    if (auto ok = read(Values(first, first + static_cast<std::ptrdiff_t>(count))); !ok) return ok;
    std::uint64_t total = 0;
    for (const auto bytes : bytes_) total += bytes;
    chunks.measured(total, bytes_.size());
    begin += count;
  }
  return find_unlike();
}

void InnerValues::refuse(int value, const std::string& why) {
  values_[at(value)].state = ValueState::not_read;
  ++facts_.not_read;
  const int mate = graphs_.map.to_b[at(value)];
  if (a_of_[at(mate)] == value) is_cut_[at(mate)] = false;
  if (facts_.message.empty()) facts_.message = "'" + printable(graphs_.name_a(value), 80) + "': " + why;
}

// --- capture ------------------------------------------------------------------------------------------------------

/// Also the values that B's nodes begin with, should they have to be run by themselves.
InnerValues::Values InnerValues::needed_of_a(const Values& values) const {
  Values mates, needed = values;
  for (const int value : values) mates.push_back(graphs_.map.to_b[at(value)]);
  std::unordered_set<int> known(values.begin(), values.end());
  for (const int border : region_before(graphs_.index_b, mates, is_cut_).borders) {
    if (known.insert(a_of_[at(border)]).second) needed.push_back(a_of_[at(border)]);
  }
  return needed;
}

Result<RunJob> InnerValues::reading_job(const Workpiece& piece, const std::vector<std::string>& names, bool of_b) {
  std::set<std::string> there;
  for (const auto& output : piece.proto.graph().output()) there.insert(output.name());
  std::vector<std::string> added;
  for (const std::string& name : names) {
    if (there.insert(name).second) added.push_back(name);
  }
  RunJob job;
  auto file = piece.save(expose(piece.proto, added), of_b ? "b.onnx" : "a.onnx");
  if (!file) return tl::unexpected(file.error());
  job.model = std::move(*file);
  job.session = options_.session;
  job.limits = options_.limits;
  job.samples = samples_.inputs;
  if (of_b) job.inputs = graphs_.binding.inputs;
  job.folder = tools_.folder / (of_b ? "read-b" : "read-a");
  std::error_code ignored;
  fs::create_directories(job.folder, ignored);
  return job;
}

/// Nothing where reading these values changes what the models give, or they do not run so.
Result<std::optional<InnerValues::Reading>> InnerValues::capture(const Values& values) {
  std::vector<std::string> names_a, names_b;
  for (const int value : needed_of_a(values)) names_a.push_back(graphs_.name_a(value));
  for (const int value : values) {
    const int mate = graphs_.map.to_b[at(value)];
    if (is_computed(graphs_.index_b, mate)) names_b.push_back(graphs_.name_b(mate));
  }
  auto job_a = reading_job(graphs_.a, names_a, false);
  if (!job_a) return tl::unexpected(job_a.error());
  auto job_b = reading_job(graphs_.b, names_b, true);
  if (!job_b) return tl::unexpected(job_b.error());
  auto outcomes = run_all(tools_.executor, {*job_a, *job_b});
  if (!outcomes) return tl::unexpected(outcomes.error());
  facts_.runs += 2 * static_cast<std::int64_t>(samples_.inputs.size());
  for (const RunOutcome& outcome : *outcomes) {
    if (ran(outcome, samples_.inputs.size())) continue;
    why_ = "with it as an output the model fails (" + how_it_ended(outcome) + ")";
    return std::nullopt;
  }
  auto packs_a = read_packs((*outcomes)[0].outputs);
  if (!packs_a) return tl::unexpected(packs_a.error());
  auto packs_b = read_packs((*outcomes)[1].outputs);
  if (!packs_b) return tl::unexpected(packs_b.error());
  for (std::size_t sample = 0; sample < samples_.inputs.size(); ++sample) {
    if ((*packs_a)[sample].begins_with(samples_.outputs_a[sample]) &&
        (*packs_b)[sample].begins_with(samples_.outputs_b[sample]))
      continue;
    why_ = "reading it changes the model's own outputs";
    return std::nullopt;
  }
  std::error_code ignored;  // what is mapped stays readable
  fs::remove_all(job_a->folder, ignored);
  fs::remove_all(job_b->folder, ignored);
  return Reading{std::move(*packs_a), std::move(*packs_b)};
}

/// Fewer at once: what cannot be read is found by halves.
Result<void> InnerValues::not_captured(const Values& values) {
  if (values.size() == 1 || ++failures_ > most_failures) {
    for (const int value : values) refuse(value, why_);
    return {};
  }
  ++facts_.halved;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  if (auto ok = read(Values(values.begin(), middle)); !ok) return ok;
  return read(Values(middle, values.end()));
}

Result<void> InnerValues::read(const Values& values) {
  auto reading = capture(values);
  if (!reading) return tl::unexpected(reading.error());
  if (!*reading) return not_captured(values);
  std::vector<std::string> names;
  for (const int value : values) names.push_back(graphs_.name_a(value));
  Noise noise = noise_without_draws(names, (*reading)->a, expose(graphs_.a.proto, names));
  measure_all(values, **reading, noise);
  Values differing = those_that_differ(values);
  if (differing.empty()) return {};
  if (auto ok = draw_again(differing, **reading, noise); !ok) return ok;
  measure_all(differing, **reading, noise);
  differing = those_that_differ(differing);
  return differing.empty() ? Result<void>() : make_alone(differing, **reading, noise);
}

// --- measurement --------------------------------------------------------------------------------------------------

/// What stands for the value in B: read, or stored in the model, or fed to it.
std::optional<Tensor> InnerValues::of_b(int value, const Reading& reading, std::size_t sample) const {
  const int mate = graphs_.map.to_b[at(value)];
  const auto& entry = graphs_.index_b.values[at(mate)];
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
      dtype_b_[at(graphs_.map.to_b[at(value)])] = found->dtype();
      bytes += reference->bytes().size();
      const auto casted = as_type(*found, reference->dtype());
      const Measurement here =
          measure(*reference, casted.value_or(*found), options_.tolerance, noise.at(name).rounding(sample));
      worst = worst ? worse(*worst, here) : here;
    }
    InnerValue& known = values_[at(value)];
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
                       [&](int value) { return values_[at(value)].state == ValueState::unclear; });
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

// --- B's nodes on A's values --------------------------------------------------------------------------------------

std::optional<std::vector<FedTensors>> InnerValues::fed_for(const Values& differing, const Reading& reading) const {
  Values mates;
  for (const int value : differing) mates.push_back(graphs_.map.to_b[at(value)]);
  std::vector<FedTensors> fed;
  for (const int border : region_before(graphs_.index_b, mates, is_cut_).borders) {
    FedTensors tensors{graphs_.name_b(border), {}};
    for (const Pack& pack : reading.a) {
      const Tensor* tensor = pack.find(graphs_.name_a(a_of_[at(border)]));
      if (tensor == nullptr) return std::nullopt;
      auto casted = as_type(*tensor, dtype_b_[at(border)]);
      if (!casted) return std::nullopt;
      tensors.by_sample.push_back(std::move(*casted));
    }
    fed.push_back(std::move(tensors));
  }
  return fed;
}

Result<void> InnerValues::make_alone(const Values& differing, const Reading& reading, const Noise& noise) {
  Values computed;
  for (const int value : differing) {
    const int mate = graphs_.map.to_b[at(value)];
    if (is_computed(graphs_.index_b, mate))
      computed.push_back(value);
    else  // nothing comes before a constant
      values_[at(value)].state = ValueState::made_here,
      values_[at(value)].alone = values_[at(value)].measurement.max_abs;
  }
  const auto fed = fed_for(computed, reading);
  std::vector<std::string> wanted;
  for (const int value : computed) wanted.push_back(graphs_.name_b(graphs_.map.to_b[at(value)]));
  if (!fed || wanted.empty()) return {};
  const auto made = regions_.run(wanted, *fed, samples_.inputs);
  if (!made) return tl::unexpected(made.error());
  if (!*made && computed.size() > 1) {
    const auto middle = computed.begin() + static_cast<std::ptrdiff_t>(computed.size() / 2);
    if (++failures_ > most_failures) return {};
    if (auto ok = make_alone(Values(computed.begin(), middle), reading, noise); !ok) return ok;
    return make_alone(Values(middle, computed.end()), reading, noise);
  }
  if (!*made) return {};
  for (std::size_t i = 0; i < computed.size(); ++i) {
    const std::string name = graphs_.name_a(computed[i]);
    std::optional<Measurement> worst;
    for (std::size_t sample = 0; sample < reading.a.size(); ++sample) {
      const Tensor& reference = *reading.a[sample].find(name);
      const auto casted = as_type((**made)[sample][i], reference.dtype());
      const Measurement here =
          measure(reference, casted.value_or((**made)[sample][i]), options_.tolerance, noise.at(name).rounding(sample));
      worst = worst ? worse(*worst, here) : here;
    }
    InnerValue& known = values_[at(computed[i])];
    known.alone = worst->max_abs;
    known.state = verdict_of(*worst) == Verdict::equivalent ? ValueState::inherited : ValueState::made_here;
  }
  return {};
}

bool InnerValues::differs(int value) const {
  const ValueState state = values_[at(value)].state;
  return state == ValueState::made_here || state == ValueState::inherited || state == ValueState::unclear;
}

/// The values that differ and are made of this one, itself first, and those behind them that do not.
InnerValues::Reach InnerValues::reach_of(int value) const {
  Reach reach;
  std::unordered_set<int> seen = {value};
  std::deque<int> open = {value};
  while (!open.empty() && seen.size() < most_behind) {
    const int from = open.front();
    open.pop_front();
    reach.differing.push_back(from);
    const auto behind = cut_values_behind(graphs_.index_b, graphs_.map.to_b[at(from)], is_cut_, most_behind);
    const bool is_output = std::ranges::any_of(graphs_.bound.outputs, [&](const auto& o) { return o.first == from; });
    reach.is_closed = reach.is_closed && !behind.empty() && !is_output;
    for (const int made : behind) {
      const int next = a_of_[at(made)];
      if (!seen.insert(next).second) continue;
      if (differs(next))
        open.push_back(next);
      else
        reach.equal.push_back(next);
    }
  }
  reach.is_closed = reach.is_closed && open.empty();
  return reach;
}

/// A value that was mapped by name or position and differs, while what follows does not: either that hides the
/// difference, or it was held against one that means something else, such as the result of a convolution before and
/// after a normalization was folded into it. Then B's next nodes make something wrong of A's values.
Result<void> InnerValues::find_unlike() {
  std::size_t looks = 0;
  for (const int value : targets_) {
    const MappedBy by = graphs_.map.by[at(value)];
    const int mate = graphs_.map.to_b[at(value)];
    if (!differs(value) || (by != MappedBy::name && by != MappedBy::position)) continue;
    const Reach reach = reach_of(value);
    if (!reach.is_closed || ++looks > most_looks) continue;
    if (is_cut_[at(mate)]) {  // what is constant is not fed
      const auto contradicted = is_contradicted(reach.equal);
      if (!contradicted) return tl::unexpected(contradicted.error());
      if (!*contradicted) continue;
    }
    for (const int one : reach.differing) values_[at(one)].state = ValueState::unlike;
  }
  return {};
}

/// Do B's nodes make something wrong of A's values there, or nothing at all, though B's own values are right?
Result<bool> InnerValues::is_contradicted(const Values& behind) {
  auto reading = capture(behind);
  if (!reading) return tl::unexpected(reading.error());
  if (!*reading) return false;
  std::vector<std::string> names;
  for (const int value : behind) names.push_back(graphs_.name_a(value));
  Noise noise = noise_without_draws(names, (*reading)->a, expose(graphs_.a.proto, names));
  if (auto ok = draw_again(behind, **reading, noise); !ok) return tl::unexpected(ok.error());
  std::vector<InnerValue> before;
  for (const int value : behind) {
    before.push_back(values_[at(value)]);
    values_[at(value)].state = ValueState::unclear;
  }
  auto made = make_alone(behind, **reading, noise);
  bool is_wrong = false;
  for (std::size_t i = 0; i < behind.size(); ++i) {
    is_wrong = is_wrong || values_[at(behind[i])].state != ValueState::inherited;
    values_[at(behind[i])] = before[i];
  }
  if (!made) return tl::unexpected(made.error());
  return is_wrong;
}

CaptureFacts InnerValues::facts() const {
  CaptureFacts facts = facts_;
  facts.runs += regions_.runs();
  return facts;
}

}  // namespace culprit
