#include "compare/compare_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/memory.h"
#include "base/text.h"
#include "compare/compare_outputs.h"
#include "compare/compared_graphs.h"
#include "compare/conclude.h"
#include "compare/first_divergence.h"
#include "compare/inner_values.h"
#include "compare/remade_values.h"
#include "compare/rewritten_nodes.h"
#include "compare/taken_branches.h"
#include "executor/feed_as_bound.h"
#include "executor/missing_operator.h"
#include "executor/run_all.h"
#include "judge/draw_need.h"
#include "judge/draw_results.h"
#include "judge/hidden_by_rounding.h"
#include "model/operators_differ.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

class ModelComparison {
 public:
  ModelComparison(const Model& a, const Model& b, const CompareSamples& samples, const CompareOptions& options,
                  const CompareTools& tools)
      : a_(a),
        b_(b),
        samples_(samples),
        options_(options),
        tools_(tools),
        draws_(tools.executor, tools.folder, options.draws) {
    report_.a = a.facts;
    report_.b = b.facts;
    report_.reference_level = std::string(name_of(options.session.level));
  }

  Result<CompareReport> run() {
    auto binding = bind_models(a_.interface, b_.interface, options_.map);
    if (!binding) {
      if (binding.error().kind == ErrorKind::unsupported)
        return ended(CompareStatus::cannot_judge, binding.error().text());
      if (binding.error().kind != ErrorKind::bad_input) return tl::unexpected(binding.error());
      return ended(CompareStatus::nothing_in_common, binding.error().text() + in_other_layouts());
    }
    binding_ = std::move(*binding);
    for (const BoundInput& input : binding_.inputs) report_.inputs.emplace_back(input.original, input.variant);
    report_.outputs = binding_.outputs;
    report_.unbound = binding_.unbound;
    if (options_.map.empty()) {  // whoever said what stands for what knows it
      if (auto warning = names_differ(binding_)) report_.warnings.push_back(std::move(*warning));
    }
    if (auto ok = run_whole(); !ok) return tl::unexpected(ok.error());
    if (is_ended_) return std::move(report_);
    if (auto ok = judge_outputs(); !ok) return tl::unexpected(ok.error());
    if (auto ok = compare_inside(); !ok) return tl::unexpected(ok.error());
    conclude_report();
    report_.peak_bytes = peak_resident_bytes();
    return std::move(report_);
  }

 private:
  CompareReport ended(CompareStatus status, std::string message) {
    is_ended_ = true;
    report_.status = status;
    report_.message = std::move(message);
    return report_;
  }

  [[nodiscard]] bool are_onnx() const { return a_.proto != nullptr && b_.proto != nullptr; }

  [[nodiscard]] std::string in_other_layouts() const {
    if (are_onnx()) return "";
    return ". Networks whose axes are in another order (NHWC, NCHW) are held against each other by culprit diagnose";
  }

  [[nodiscard]] Result<RunJob> whole_job(const Model& model, const std::string& folder) const {
    RunJob job;
    job.model = model.path;
    job.session = options_.session;
    job.limits = options_.limits;
    job.samples = samples_.samples;
    job.folder = tools_.folder / folder;
    std::error_code error;
    fs::create_directories(job.folder, error);
    if (error) return fail(ErrorKind::io, "cannot make the folder " + job.folder.string() + ": " + error.message());
    return job;
  }

  /// B on all samples; A too, where nobody has done it yet, and once more on the first, for it must repeat.
  Result<void> run_whole() {
    if (tools_.progress) tools_.progress(0, 0, "the two models");
    auto b = whole_job(b_, "whole-b");
    auto again = whole_job(a_, "again-a");
    auto a = whole_job(a_, "whole-a");
    if (!a || !b || !again) return tl::unexpected((!a ? a : !b ? b : again).error());
    feed_as_bound(*b, binding_);
    again->samples.resize(1);
    std::vector<RunJob> jobs = {*b, *again};
    if (samples_.reference.empty()) jobs.push_back(*a);
    auto outcomes = run_all(tools_.executor, std::move(jobs));
    if (!outcomes) return tl::unexpected(outcomes.error());
    const std::size_t count = samples_.samples.size();
    if (outcomes->size() > 2 && !ran(outcomes->at(2), count)) {
      ended(CompareStatus::cannot_judge, "A cannot be run: " + how_it_ended(outcomes->at(2)));
      return {};
    }
    reference_ = samples_.reference.empty() ? outcomes->at(2).outputs : samples_.reference;
    if (!ran(outcomes->at(0), count)) {
      const auto missing = are_onnx() ? missing_library(outcomes->at(0), a_, b_) : std::nullopt;
      if (missing)
        ended(CompareStatus::cannot_judge, "B cannot be judged: " + *missing);
      else
        ended(CompareStatus::part, "B does not do what A does: " + how_it_ended(outcomes->at(0)));
      return {};
    }
    found_ = outcomes->at(0).outputs;
    if (b_.proto != nullptr) report_.environment.onnxruntime = outcomes->at(0).runtime_version;
    return read_whole(outcomes->at(1));
  }

  Result<void> read_whole(const RunOutcome& again) {
    outputs_a_ = PackSequence(reference_);
    outputs_b_ = PackSequence(found_);
    const auto first = outputs_a_.at(0);
    if (!first) return tl::unexpected(first.error());
    const auto second = ran(again, 1) ? Pack::read(again.outputs.front()) : Result<Pack>();
    if (!second || !second->begins_with(*first))
      ended(CompareStatus::cannot_judge,
            "A gives other outputs when it is run again on the same sample, so no difference can be blamed on B");
    return {};
  }

  Result<void> judge_outputs() {
    const auto labels = bound_labels(outputs_a_, binding_);
    if (!labels) return tl::unexpected(labels.error());
    auto noise = noise_without_draws(*labels, outputs_a_, a_);
    if (!noise) return tl::unexpected(noise.error());
    if (auto ok = compare_whole(*noise); !ok) return ok;
    if (more_draws(0, *noise) > 0) {
      auto job = whole_job(a_, "drawn-a");
      if (!job) return tl::unexpected(job.error());
      for (int from = 0, to = options_.draws; to > from; from = std::exchange(to, more_draws(to, *noise))) {
        if (auto ok = draws_.add(*job, outputs_a_, *noise, from, to); !ok) return ok;
        if (auto ok = compare_whole(*noise); !ok) return ok;
      }
    }
    if (auto ok = draw_b(*noise); !ok) return ok;
    report_.verdict = verdict_of(report_.measurements = outputs_.measurements);
    return warn_of_rounding(*noise);
  }

  /// Where B computes by other operators, and its own rounding may explain what is wrong.
  Result<void> draw_b(const Noise& noise) {
    const bool computes_otherwise = !are_onnx() || operators_differ(*a_.proto, *b_.proto);
    if (!computes_otherwise || !may_be_of_b(outputs_, outputs_a_, options_, noise)) return {};
    const auto job = whole_job(b_, "drawn-b");
    const auto noise_of_b = draw_outputs_of_b(job, outputs_b_, b_, binding_, tools_);
    return noise_of_b ? compare_whole(noise, *noise_of_b) : tl::unexpected(noise_of_b.error());
  }

  /// Of outputs for which draws were made.
  Result<void> warn_of_rounding(const Noise& noise) {
    std::map<std::string, Hidden> found;
    for (std::size_t sample = 0; sample < outputs_a_.size(); ++sample) {
      const auto pack = outputs_a_.at(sample);
      if (!pack) return tl::unexpected(pack.error());
      for (const auto& [label, known] : noise) {
        const Tensor* tensor = pack->find(label);
        const bool is_drawn = sample < known.by_sample.size() && known.by_sample[sample].drawn.draws > 0;
        if (tensor != nullptr && is_drawn) found[label].add(*tensor, known.by_sample[sample], options_.tolerance);
      }
    }
    if (auto warning = floor_hides(found)) report_.warnings.push_back(std::move(*warning));
    return {};
  }

  Result<void> compare_whole(const Noise& noise, const Noise& noise_of_b = {}) {
    auto compared = compare_outputs(outputs_a_, outputs_b_, binding_, options_.tolerance, noise, noise_of_b);
    if (!compared) return tl::unexpected(compared.error());
    outputs_ = std::move(*compared);
    return {};
  }

  static double stands_out(const std::string& label, const Noise& noise) {
    const auto known = noise.find(label);
    if (known == noise.end()) return INFINITY;
    double most = 1;
    for (const Explained& explained : known->second.by_sample) most = std::max(most, explained.stands_out());
    return most;
  }

  /// How many draws would tell more of the outputs than these do; not more where that is settled.
  [[nodiscard]] int more_draws(int drawn, const Noise& noise) const {
    DrawNeed need;
    for (const Measurements& here : outputs_.by_sample) {
      for (const auto& [label, m] : here)
        need = more_of(need, draws_needed(m, stands_out(label, noise), drawn, options_.strict, all_draws));
    }
    return need.settled ? 0 : need.draws;
  }

  [[nodiscard]] Result<InnerSamples> inner_samples(std::span<const std::size_t> numbers) const {
    InnerSamples chosen;
    for (const std::size_t sample : numbers) {
      chosen.inputs.push_back(samples_.samples[sample]);
      auto one = outputs_a_.at(sample);
      auto other = outputs_b_.at(sample);
      if (!one || !other) return tl::unexpected((!one ? one : other).error());
      chosen.outputs_a.push_back(std::move(*one));
      chosen.outputs_b.push_back(std::move(*other));
    }
    return chosen;
  }

  Result<void> compare_inside() {
    if (!are_onnx()) {
      report_.capture.message = "inner values are compared between two ONNX models only";
      return {};
    }
    if (tools_.progress) tools_.progress(0, 0, "the map of values");
    auto one = make_editable_model(a_, tools_.folder);
    auto other = make_editable_model(b_, tools_.folder);
    if (!one || !other) {
      report_.capture.message = "inner values are not compared: " + (!one ? one : other).error().message;
      return {};
    }
    auto order = furthest_apart(outputs_);
    report_.inner_samples.assign(order.begin(), order.begin() + read_at_once(order.size()));
    const auto branches = open_branches(*one, *other);
    if (!branches) return tl::unexpected(branches.error());
    if (branches->count() > 0) order = report_.inner_samples;
    const ComparedGraphs graphs(std::move(*one), std::move(*other), binding_);
    report_.coverage = graphs.map.coverage;
    has_common_ = have_common(graphs);
    const auto chosen = inner_samples(report_.inner_samples);
    if (!chosen) return tl::unexpected(chosen.error());
    InnerValues inner(graphs, *chosen, draws_, options_, tools_);
    if (auto ok = inner.compare(); !ok) return ok;
    if (auto ok = ask_the_nodes(graphs, *chosen, inner); !ok) return ok;
    report_.values = compared_values(graphs, inner.values());
    report_.capture = inner.facts();
    report_.capture.runs += draws_.runs();
    if (!is_fault(report_.verdict, options_.strict)) {
      auto others = other_nodes_of_same_bits(graphs, inner);
      if (auto ok = look_for_limits(graphs, others, order); !ok) return ok;
      std::erase_if(others, [](const OtherNode& node) { return node.is_beside_a_limit; });
      warn_of_other_nodes(others);
      if (branches->others_differ) report_.warnings.push_back(other_branches_warning(*branches));
    }
    if (report_.verdict != Verdict::equivalent || !samples_.weak.empty())
      report_.first_divergence = first_divergence(graphs, inner);
    return {};
  }

  /// What is inside an If is compared as all else: as much as runs on the sample that differs most.
  Result<TakenBranches> open_branches(EditableModel& a, EditableModel& b) {
    auto job_a = whole_job(a_, "branches-a"), job_b = whole_job(b_, "branches-b");
    if (!job_a || !job_b) return tl::unexpected((!job_a ? job_a : job_b).error());
    feed_as_bound(*job_b, binding_);
    auto opened =
        take_branches_of_both({a, std::move(*job_a)}, {b, std::move(*job_b)}, report_.inner_samples, tools_.executor);
    if (!opened) return tl::unexpected(opened.error());
    if (opened->count() > 0) report_.warnings.push_back(branches_warning(*opened));
    report_.inner_samples = opened->samples;
    return opened;
  }

  /// Where rounding alone explains a difference beyond the tolerance, B's nodes on A's values have the last word.
  Result<void> ask_the_nodes(const ComparedGraphs& graphs, const InnerSamples& chosen, InnerValues& inner) {
    const auto is_excused = [](const auto& entry) { return entry.second.excused + entry.second.ties > 0; };
    if (is_fault(report_.verdict, options_.strict) || std::ranges::none_of(outputs_.measurements, is_excused))
      return {};
    auto remade = remade_values(graphs, inner, chosen, options_, tools_);
    if (!remade) return tl::unexpected(remade.error());
    if (!remade->message.empty()) {
      report_.warnings.push_back(
          {"nodes_not_asked", "what B's nodes make of A's values is not known: " + remade->message});
      return {};
    }
    for (const auto& [label, m] : outputs_.measurements) {
      const auto own = remade->outputs.find(label);
      if (m.excused + m.ties == 0 || own == remade->outputs.end()) continue;
      report_.remade.insert(*own);
      if (is_fault(verdict_of(own->second), options_.strict)) report_.verdict = verdict_of(own->second);
    }
    if (!is_fault(report_.verdict, options_.strict)) return {};
    inner.forget_what_is_made_here();  // by the whole model's rounding, which tells nothing here
    for (const auto& [value, wrong] : remade->wrong)
      inner.take(value, wrong.is_inherited ? ValueState::inherited : ValueState::made_here, wrong.measurement);
    return {};
  }

  void warn_of_other_nodes(const std::vector<OtherNode>& nodes) {
    if (nodes.empty()) return;
    report_.warnings.push_back({"same_bits_of_other_nodes",
                                text_of(nodes) + ". If they do not mean the same, no sample reaches the difference; " +
                                    "--data, --input and --samples give others"});
  }

  [[nodiscard]] std::ptrdiff_t read_at_once(std::size_t samples) const {
    return static_cast<std::ptrdiff_t>(std::min(samples, options_.inner_samples));
  }

  /// Nodes with another limit that gave the same bits are looked at on the other samples as well, until one tells them
  /// apart.
  Result<void> look_for_limits(const ComparedGraphs& graphs, const std::vector<OtherNode>& found,
                               std::span<const std::size_t> order) {
    std::ranges::copy_if(found, std::back_inserter(beside_limits_), &OtherNode::is_beside_a_limit);
    for (auto rest = order.subspan(report_.inner_samples.size()); !rest.empty() && !beside_limits_.empty();) {
      const auto here = rest.first(static_cast<std::size_t>(read_at_once(rest.size())));
      rest = rest.subspan(here.size());
      const auto chosen = inner_samples(here);
      if (!chosen) return tl::unexpected(chosen.error());
      InnerValues inner(graphs, *chosen, draws_, options_, tools_);
      if (auto ok = inner.compare(); !ok) return ok;
      const auto again = other_nodes_of_same_bits(graphs, inner);
      std::erase_if(beside_limits_, [&](const OtherNode& node) {
        return std::ranges::none_of(again, [&](const OtherNode& one) { return one.a.index == node.a.index; });
      });
    }
    return {};
  }

  void conclude_report() {
    // Whoever binds by hand has said what is to be compared.
    const bool has_lost_outputs = options_.map.empty() && binding_.outputs.size() < a_.interface.outputs.size();
    conclude(report_, {are_onnx(), has_common_, has_lost_outputs, options_.strict, samples_.weak, beside_limits_});
  }

  const Model& a_;
  const Model& b_;
  const CompareSamples& samples_;
  const CompareOptions& options_;
  const CompareTools& tools_;
  NoiseDraws draws_;
  ModelBinding binding_;
  std::vector<fs::path> reference_, found_;
  PackSequence outputs_a_, outputs_b_;  ///< of all samples: not mapped all at once
  OutputComparison outputs_;
  CompareReport report_;
  bool is_ended_ = false;
  bool has_common_ = true;
  std::vector<OtherNode> beside_limits_;  ///< whose limits differ, on no sample
};

}  // namespace

Result<CompareReport> compare_models(const Model& a, const Model& b, const CompareSamples& samples,
                                     const CompareOptions& options, const CompareTools& tools) {
  if (samples.samples.empty()) return fail(ErrorKind::internal, "there are no samples to compare the models on");
  return ModelComparison(a, b, samples, options, tools).run();
}

}  // namespace culprit
