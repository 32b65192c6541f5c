#include "compare/remade_values.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/as_index.h"
#include "executor/run_all.h"
#include "judge/draw_need.h"
#include "judge/draw_results.h"
#include "model/expose_values.h"
#include "model/graph_regions.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

/// Each takes what is wrong out of what is given. In the first ones a value may come back, for what was wrong before it
/// is not given any more; behind these nothing does, so they come to an end.
constexpr int free_rounds = 4, most_rounds = 12;
/// Bytes of all values together, in times of what one run may bring out.
constexpr std::uint64_t most_chunks = 4;

std::vector<BoundInput> own_inputs(const EditableModel& model) {
  std::vector<BoundInput> inputs;
  for (const auto& input : model.proto.graph().input())
    inputs.push_back({input.name(), input.name(), DType::undefined});
  return inputs;
}

class Remaking {
 public:
  Remaking(const ComparedGraphs& graphs, const InnerValues& inner, const InnerSamples& samples,
           const CompareOptions& options, const CompareTools& tools)
      : graphs_(graphs),
        inner_(inner),
        samples_(samples),
        options_(options),
        tools_(tools),
        draws_(tools.executor, tools.folder, options.draws),
        regions_a_(graphs.a, own_inputs(graphs.a), options, tools.executor, tools.folder, "remade-a"),
        regions_b_(graphs.b, graphs.binding.inputs, options, tools.executor, tools.folder, "remade-b") {
    for (std::size_t v = 0; v < inner.is_cut().size(); ++v) {
      const int value = inner.a_of()[v];
      if (!inner.is_cut()[v] || value < 0 || !is_computed(graphs.index_a, value)) continue;
      if (inner.values()[as_index(value)].state != ValueState::not_read) values_.push_back(value);
    }
    std::ranges::sort(values_);
    can_be_given_.assign(values_.size(), true);
    for (const auto& [of_a, of_b] : graphs.bound.outputs) add_output(of_a, of_b);
    for (const int value : values_) {
      names_a_.push_back(graphs.name_a(value));
      names_b_.push_back(graphs.name_b(graphs.map.to_b[as_index(value)]));
    }
  }

  Result<RemadeValues> judge() {
    if (!is_small()) return cannot("the values inside are too large to be given all at once");
    auto read = read_all();
    if (!read) return tl::unexpected(read.error());
    if (!*read) return cannot("A does not run as it does when all of them are read at once");
    std::vector<bool> is_given = can_be_given_, at_first;
    for (int round = 0; round < most_rounds; ++round) {
      if (is_stopped(tools_.is_time_up)) return cannot("the time was up");
      auto made = make_from(is_given);
      if (!made) return tl::unexpected(made.error());
      if (!*made) return cannot("the parts of a model do not run by themselves");
      if (round == 0) at_first = right();
      const auto before = std::exchange(is_given, both(round < free_rounds ? can_be_given_ : is_given, right()));
      if (before == is_given) return told(at_first);
    }
    return cannot("too many values in a row mean something else in B");
  }

 private:
  static RemadeValues cannot(std::string why) { return {{}, {}, std::move(why)}; }

  /// Outputs are asked about, also where an equal value before them stands for B's.
  void add_output(int of_a, int of_b) {
    const auto value = static_cast<std::size_t>(of_a);
    const bool is_read = graphs_.map.to_b[value] == of_b && inner_.values()[value].state != ValueState::not_read;
    const bool is_made = is_computed(graphs_.index_a, of_a) && is_computed(graphs_.index_b, of_b);
    if (!is_read || !is_made || std::ranges::find(values_, of_a) != values_.end()) return;
    values_.push_back(of_a);
    can_be_given_.push_back(false);
  }

  [[nodiscard]] std::vector<bool> right() const {
    std::vector<bool> right;
    for (const Measurement& m : made_) right.push_back(verdict_of(m) == Verdict::equivalent);
    return right;
  }

  static std::vector<bool> both(std::vector<bool> one, const std::vector<bool>& other) {
    for (std::size_t i = 0; i < one.size(); ++i) one[i] = one[i] && other[i];
    return one;
  }

  [[nodiscard]] bool is_small() const {
    std::uint64_t bytes = 0;
    for (const int value : values_)
      bytes += static_cast<std::uint64_t>(inner_.values()[as_index(value)].measurement.elements) * sizeof(double);
    return bytes <= most_chunks * options_.bytes_per_run;
  }

  /// A's values. False where reading them changes what A gives.
  Result<bool> read_all() {
    std::vector<std::string> added;
    for (const std::string& name : names_a_) {
      const auto is_it = [&](const auto& output) { return output.name() == name; };
      if (std::ranges::none_of(graphs_.a.proto.graph().output(), is_it)) added.push_back(name);
    }
    const auto file = graphs_.a.save(expose(graphs_.a.proto, added), "all-a.onnx");
    if (!file) return false;
    RunJob job;
    job.model = *file;
    job.session = options_.session;
    job.limits = options_.limits;
    job.samples = samples_.inputs;
    job.folder = tools_.folder / "all-a";
    std::error_code ignored;
    fs::create_directories(job.folder, ignored);
    const auto outcomes = run_all(tools_.executor, {job});
    if (!outcomes) return tl::unexpected(outcomes.error());
    if (!ran(outcomes->front(), samples_.inputs.size())) return false;
    auto packs = read_packs(outcomes->front().outputs);
    if (!packs) return tl::unexpected(packs.error());
    fs::remove_all(job.folder, ignored);  // what is mapped stays readable
    for (std::size_t sample = 0; sample < packs->size(); ++sample) {
      if (!(*packs)[sample].begins_with(samples_.outputs_a[sample])) return false;
    }
    read_ = std::move(*packs);
    return true;
  }

  /// A's values that are given, by the names of either model.
  [[nodiscard]] std::optional<std::vector<FedTensors>> fed(const std::vector<bool>& is_given, bool to_b) const {
    std::vector<FedTensors> all;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!is_given[i]) continue;
      FedTensors one{to_b ? names_b_[i] : names_a_[i], {}};
      for (const Pack& pack : read_) {
        const Tensor* tensor = pack.find(names_a_[i]);
        if (tensor == nullptr) return std::nullopt;
        const DType type = to_b ? inner_.dtype_b(graphs_.map.to_b[as_index(values_[i])]) : DType::undefined;
        auto casted = as_type(*tensor, type);
        if (!casted) return std::nullopt;
        one.by_sample.push_back(std::move(*casted));
      }
      all.push_back(std::move(one));
    }
    return all;
  }

  /// What both make of these, measured into `made_`. False where one of them does not run so.
  Result<bool> make_from(const std::vector<bool>& is_given) {
    const auto of_a = fed(is_given, false), of_b = fed(is_given, true);
    if (!of_a || !of_b) return false;
    const auto found = regions_b_.run(names_b_, *of_b, samples_.inputs);
    if (!found) return tl::unexpected(found.error());
    const auto asked = regions_a_.job(names_a_, *of_a, samples_.inputs);
    if (!asked) return tl::unexpected(asked.error());
    if (!*found || !*asked) return false;
    const auto outcomes = run_all(tools_.executor, {(*asked)->job});
    if (!outcomes) return tl::unexpected(outcomes.error());
    if (!ran(outcomes->front(), samples_.inputs.size())) return false;
    const auto packs = read_packs(outcomes->front().outputs);
    if (!packs) return tl::unexpected(packs.error());
    const auto expected = RegionRuns::made_by(**asked, *packs);
    return expected ? measure_all(**asked, *packs, *expected, **found) : Result<bool>(false);
  }

  using Tensors = std::vector<std::vector<Tensor>>;  // by sample

  Result<bool> measure_all(const RegionJob& asked, const Packs& packs, const Tensors& expected, const Tensors& found) {
    auto noise = noise_without_draws(asked.outputs, packs, asked.model);
    if (!noise) return tl::unexpected(noise.error());
    int drawn = 0;
    for (int more = measure(asked, expected, found, *noise, drawn); more > drawn;
         more = measure(asked, expected, found, *noise, drawn)) {
      if (auto ok = draws_.add(asked.job, packs, *noise, drawn, more); !ok) return tl::unexpected(ok.error());
      drawn = more;
    }
    return true;
  }

  /// How many draws would tell more.
  int measure(const RegionJob& asked, const Tensors& expected, const Tensors& found, const Noise& noise, int drawn) {
    int most = 0;
    made_.assign(values_.size(), {});
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const ValueNoise& known = noise.at(asked.outputs[i]);
      for (std::size_t sample = 0; sample < expected.size(); ++sample) {
        const Tensor& reference = expected[sample][i];
        const auto casted = as_type(found[sample][i], reference.dtype());
        const Measurement here =
            culprit::measure(reference, casted.value_or(found[sample][i]), options_.tolerance, known.rounding(sample));
        const double stands_out = sample < known.by_sample.size() ? known.by_sample[sample].stands_out() : INFINITY;
        const int all = options_.draws == 0 ? 0 : all_draws;
        most = std::max(most, draws_needed(here, stands_out, drawn, options_.strict, all).draws);
        made_[i] = sample == 0 ? here : worse(made_[i], here);
      }
    }
    return most;
  }

  [[nodiscard]] RemadeValues told(const std::vector<bool>& at_first) const {
    const std::vector<bool> is_right = right();
    const std::vector<bool> leads = lead_to_wrong_outputs(is_right);
    RemadeValues told;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!is_right[i] && leads[i]) told.wrong[values_[i]] = {made_[i], at_first[i]};
      if (is_output(values_[i])) told.outputs[names_a_[i]] = made_[i];
    }
    return told;
  }

  [[nodiscard]] bool is_output(int value) const {
    return std::ranges::any_of(graphs_.bound.outputs, [&](const auto& output) { return output.first == value; });
  }

  /// Not past values that are right: what these take back is not wrong.
  [[nodiscard]] std::vector<bool> lead_to_wrong_outputs(const std::vector<bool>& is_right) const {
    std::vector<bool> is_cut(graphs_.index_b.values.size(), false);
    std::vector<int> wrong, mates;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      mates.push_back(graphs_.map.to_b[as_index(values_[i])]);
      if (is_right[i] && can_be_given_[i]) is_cut[as_index(mates[i])] = true;
      if (!is_right[i] && is_output(values_[i])) wrong.push_back(mates[i]);
    }
    const std::vector<int> nodes = region_before(graphs_.index_b, wrong, is_cut).nodes;
    std::vector<bool> leads(mates.size());
    for (std::size_t i = 0; i < mates.size(); ++i)
      leads[i] = std::ranges::find(nodes, graphs_.index_b.values[as_index(mates[i])].node) != nodes.end();
    return leads;
  }

  const ComparedGraphs& graphs_;
  const InnerValues& inner_;
  const InnerSamples& samples_;
  const CompareOptions& options_;
  const CompareTools& tools_;
  NoiseDraws draws_;
  RegionRuns regions_a_, regions_b_;
  std::vector<int> values_;         // of A, that can be given to B's nodes
  std::vector<bool> can_be_given_;  // by `values_`
  std::vector<std::string> names_a_, names_b_;
  Packs read_;                     // A's values
  std::vector<Measurement> made_;  // by `values_`: B's nodes' against A's
};

}  // namespace

Result<RemadeValues> remade_values(const ComparedGraphs& graphs, const InnerValues& inner, const InnerSamples& samples,
                                   const CompareOptions& options, const CompareTools& tools) {
  return Remaking(graphs, inner, samples, options, tools).judge();
}

}  // namespace culprit
