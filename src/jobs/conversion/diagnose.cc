#include "conversion/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "base/folder.h"
#include "base/text.h"
#include "conversion/blame_layers.h"
#include "conversion/coarse/judge_coarse.h"
#include "conversion/coarse/quantization_faults.h"
#include "conversion/faults/static_evidence.h"
#include "conversion/feeding/try_feeding.h"
#include "conversion/keep/keep_in_float.h"
#include "conversion/mended_target.h"
#include "conversion/runs/bind_by_runs.h"
#include "conversion/runs/bound_output.h"
#include "conversion/runs/exchanged_outputs.h"
#include "conversion/runs/judged_outputs.h"
#include "conversion/runs/map_samples.h"
#include "conversion/runs/match_target.h"
#include "conversion/runs/prefix_run.h"
#include "conversion/tell_diagnosis.h"
#include "conversion/walk/kernel_mates.h"
#include "record/phases.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

class Diagnosing {
 public:
  Diagnosing(const Side& source, const Side& target, const CompareSamples& samples, const DiagnoseOptions& options,
             const CompareTools& tools)
      : options_(options),
        tools_(tools),
        weak_(samples.weak),
        reference_(samples.reference),
        reading_{options.bytes_per_run, {options.tolerance, options.draws, std::max(options.draws, 27)}},
        source_(source, tools.executor, tools.folder / "source", reading_),
        target_(target, tools.executor, tools.folder / "target", reading_),
        most_map_samples_(samples_with_room(source_, target_, options.map_samples)) {
    source_.samples = samples.samples;
    source_.map_samples = first_of(source_.samples);
  }

  Result<DiagnosedPair> diagnose() {
    for (const char* name : {"source", "target", "mended", "samples", "outputs"})
      if (auto ok = make_folder(tools_.folder / name); !ok) return tl::unexpected(ok.error());
    using Phase = Result<bool> (Diagnosing::*)();
    // Each gives false where nothing more can be said.
    constexpr std::array<Phase, 15> phases = {&Diagnosing::run_source,
                                              &Diagnosing::bind_inputs,
                                              &Diagnosing::run_target,
                                              &Diagnosing::match_all_parameters,
                                              &Diagnosing::bind_outputs,
                                              &Diagnosing::read_both,
                                              &Diagnosing::judge_outputs,
                                              &Diagnosing::exchange_outputs,
                                              &Diagnosing::weigh_few_bits,
                                              &Diagnosing::look_at_feeding,
                                              &Diagnosing::match_few_bits,
                                              &Diagnosing::looks_deeper,
                                              &Diagnosing::mend_rounding,
                                              &Diagnosing::blame,
                                              &Diagnosing::tell};
    for (const Phase phase : phases) {
      const auto goes_on = (this->*phase)();
      if (!goes_on) return tl::unexpected(goes_on.error());
      if (!*goes_on) break;
    }
    if (!why_it_stops_.empty()) found_.message = why_it_stops_;
    found_.runs = source_.runs.facts().runs + target_.runs.facts().runs;
    return DiagnosedPair{std::move(found_), {target_.samples, target_packs_, {}}, std::move(faults_)};
  }

 private:
  [[nodiscard]] std::vector<fs::path> first_of(const std::vector<fs::path>& samples) const {
    const auto count = static_cast<std::ptrdiff_t>(std::min(samples.size(), most_map_samples_));
    return {samples.begin(), samples.begin() + count};
  }

  void show(const std::string& what) const {
    if (tools_.progress) tools_.progress(0, 0, what);
  }

  bool ends(DiagnosisStatus status, std::string message) {
    found_.status = status;
    found_.message = std::move(message);
    return false;
  }

  Result<bool> run_source() {
    show("running the source");
    auto outcome = run_unless_known(source_.runs, source_.samples, reference_);
    if (!outcome) return tl::unexpected(outcome.error());
    if (!outcome->has_run) return ends(DiagnosisStatus::cannot_judge, "the source does not run: " + outcome->why);
    source_outputs_ = std::move(outcome->outputs);
    if (auto ok = source_.sketch_inputs(); !ok) return tl::unexpected(ok.error());
    return true;
  }

  Result<bool> bind_inputs() {
    show("binding inputs");
    auto tensors = inputs_on_map(source_);
    if (!tensors) return tl::unexpected(tensors.error());
    seen_.emplace(InputsSeen{source_.network(), target_.network(), std::move(*tensors), options_.map});
    auto binding = bind_inputs_by_runs(source_, target_, *seen_, tools_.folder / "samples");
    if (!binding && binding.error().kind == ErrorKind::bad_input)
      return ends(DiagnosisStatus::nothing_in_common, binding.error().message);
    if (!binding) return tl::unexpected(binding.error());
    binding_ = std::move(*binding);
    return true;
  }

  Result<bool> run_target() {
    show("running the target");
    auto samples =
        samples_of_target(source_, target_, binding_.inputs, source_.samples, tools_.folder / "samples" / "all");
    if (!samples) return tl::unexpected(samples.error());
    target_.samples = std::move(*samples);
    target_.map_samples = first_of(target_.samples);
    if (auto ok = target_.sketch_inputs(); !ok) return tl::unexpected(ok.error());
    auto outcome = target_.runs.run({}, target_.samples);
    if (!outcome) return tl::unexpected(outcome.error());
    if (!outcome->has_run) {
      stops_at_ = FirstBadLayer{-1, outcome->stage == RunOutcome::Stage::run, outcome->reason};
      return true;
    }
    target_outputs_ = std::move(outcome->outputs);
    if (!options_.keeps_outputs) return true;
    auto packs = write_outputs(target_.network(), target_outputs_, tools_.folder / "outputs");
    if (!packs) return tl::unexpected(packs.error());
    target_packs_ = std::move(*packs);
    return true;
  }

  Result<bool> bind_outputs() {
    const auto mates = kernel_mates(map_.derived, map_.target_parameters, map_.parameters);
    const auto bound = bind_outputs_of_sides(
        binding_, *seen_, source_outputs_, target_outputs_,
        [&](int one, int other) { return rest_on_the_same_kernels(mates, source_.ways, one, target_.ways, other); });
    if (!bound && bound.error().kind == ErrorKind::bad_input)
      return ends(DiagnosisStatus::nothing_in_common, bound.error().message);
    if (!bound) return tl::unexpected(bound.error());
    found_.warnings = binding_.warnings;
    if (!binding_.unbound.empty())
      found_.warnings.push_back({"not_bound", "nothing stands for " + join(binding_.unbound, ", ")});
    return true;
  }

  /// The map is made on the samples whose outputs are the furthest apart.
  Result<bool> read_both() {
    show("reading values");
    const auto known = values_of_outputs(target_.network(), target_outputs_);
    source_elements_ = source_.elements(source_.task(true), values_of_outputs(source_.network(), source_outputs_));
    target_elements_ = target_.elements(target_.task(true), known);
    if (auto ok = choose_map_samples(source_, target_, {*source_elements_, *target_elements_}, binding_.outputs,
                                     most_map_samples_);
        !ok)
      return tl::unexpected(ok.error());
    for (ReadSide* side : {&source_, &target_}) {
      side->sketches.clear();
      if (auto ok = side->sketch_inputs(); !ok) return tl::unexpected(ok.error());
      if (side == &target_ && stops_at_) continue;
      const auto not_read = side->read_shown();
      if (!not_read) return tl::unexpected(not_read.error());
      if (*not_read > 0)
        found_.warnings.push_back({"not_read", fmt::format("{} values of the {} cannot be read", *not_read,
                                                           side == &source_ ? "source" : "target")});
    }
    if (auto ok = read_what_runs(); !ok) return tl::unexpected(ok.error());
    source_elements_ = source_.elements(source_.task(true), values_of_outputs(source_.network(), source_outputs_));
    target_elements_ = target_.elements(target_.task(true), known);
    source_on_map_ = source_.elements_on_map();
    sides_.emplace(BothSides{source_, target_, *source_on_map_, *source_elements_});
    return true;
  }

  /// Reads the values that a target still makes which stops in the middle.
  Result<void> read_what_runs() {
    if (!stops_at_ || options_.depth == DiagnosisDepth::outputs) return {};
    const auto prefix = read_prefix(target_, {});
    if (!prefix) return tl::unexpected(prefix.error());
    if (prefix->bad) stops_at_ = prefix->bad;
    for (const auto& [value, tensors] : prefix->values) target_.sketches[value] = sketch_of(tensors);
    return {};
  }

  Result<bool> match_all_parameters() {
    show("matching parameters");
    const auto of_source = show_constants(source_.runs, source_.map_samples);
    if (!of_source) return tl::unexpected(of_source.error());
    map_.derived = derived_tensors(source_.network(), *of_source);
    if (auto ok = match_target_parameters(target_, map_); !ok) return tl::unexpected(ok.error());
    must_be_equal_ = values_under_suspicion(map_, source_.network(), target_.network());
    return true;
  }

  /// Holds the outputs of both against each other on all samples.
  Result<bool> judge_outputs() {
    show("comparing outputs");
    for (const ValueMatch& input : binding_.inputs) found_.inputs.push_back(bound_output(input, *sides_, {}));
    const auto of_target = [this](int value) { return target_elements_->of(value); };
    auto judged = judge_all_outputs(*sides_, binding_.outputs, of_target, target_.draws(true), target_outputs_.size(),
                                    options_.strict);
    if (!judged) return tl::unexpected(judged.error());
    found_.outputs = std::move(judged->told);
    found_.samples = std::move(judged->samples);
    wrong_outputs_ = std::move(judged->wrong);
    if (weak_.empty()) weak_ = judged->weak;
    return true;
  }

  /// Outputs with each other's names are one fault. What else is wrong is looked for with each in its place.
  Result<bool> exchange_outputs() {
    if (stops_at_ || wrong_outputs_.size() < 2 || !options_.map.empty()) return true;
    const auto of_target = outputs_of_run(target_.network(), target_outputs_);
    auto found = exchanged_outputs({*sides_, wrong_outputs_, of_target, target_outputs_.size(), options_.strict});
    if (!found) return tl::unexpected(found.error());
    if (!*found) return true;
    exchanged_ = std::move((*found)->fault);
    for (const ValueMatch& right : (*found)->right) {
      *std::ranges::find(binding_.outputs, right.source, &ValueMatch::source) = right;
      std::erase_if(wrong_outputs_, [&](const ValueMatch& wrong) { return wrong.source == right.source; });
    }
    return true;
  }

  [[nodiscard]] bool are_outputs_wrong() const { return exchanged_ || !wrong_outputs_.empty(); }

  /// A target that has few bits on purpose is off by what these cost.
  Result<bool> weigh_few_bits() {
    if (stops_at_) return true;
    auto verdict = judge_coarse(*sides_, map_, wrong_outputs_);
    if (!verdict) return tl::unexpected(verdict.error());
    coarse_ = std::move(*verdict);
    found_.is_in_few_bits = coarse_.has_value();
    return true;
  }

  /// Is it right, and only fed otherwise? What is wrong then is no layer.
  Result<bool> look_at_feeding() {
    if (wrong_outputs_.empty() && options_.target_samples.empty()) return true;
    show("looking at what the target is fed");
    const FeedingTask task{*sides_,
                           binding_.inputs,
                           binding_.outputs,
                           target_outputs_,
                           wrong_outputs_,
                           coarse_ ? &*coarse_ : nullptr,
                           options_.target_samples,
                           tools_.folder / "samples",
                           options_.strict};
    const auto fed = culprit::look_at_feeding(task);
    if (!fed) return tl::unexpected(fed.error());
    return !take_feeding(*fed, is_right_as_source(task), found_);
  }

  /// No layer is blamed for having few bits where the target has few on purpose.
  Result<bool> match_few_bits() {
    if (!coarse_) return true;
    auto found = match_coarsely(*sides_, binding_.inputs);
    if (!found) return tl::unexpected(found.error());
    map_.values = std::move(*found);
    if (options_.depth != DiagnosisDepth::all || !coarse_->is_within) return true;
    auto keep = keep_in_float({*sides_, map_, coarse_->types, binding_.outputs, options_.changes, tools_.progress});
    if (keep) found_.keep = std::move(*keep);
    return keep.map([](const auto&) { return true; });
  }

  /// Where outputs are all that is asked for, the status ends it.
  Result<bool> looks_deeper() {
    if (options_.depth == DiagnosisDepth::all) return true;
    if (options_.depth == DiagnosisDepth::faults_if_wrong && are_outputs_wrong()) return true;
    tell_status(are_outputs_wrong(), coarse_, weak_, found_);
    if (stops_at_) note_not_compared(found_);
    return false;
  }

  /// Weights that were all rounded are one fault. What else is wrong is looked for without it.
  Result<bool> mend_rounding() {
    if (coarse_ || stops_at_) return true;
    auto rounded = rounded_weights(map_, target_.network());
    if (!rounded) return true;
    show("putting back weights that were rounded");
    auto mended = MendedTarget::open({*sides_, binding_.outputs, tools_.executor, tools_.folder / "mended",
                                      largest_error(found_.samples), options_.strict},
                                     map_, std::move(*rounded));
    if (!mended) return tl::unexpected(mended.error());
    if (!*mended) return true;
    mended_ = std::move(*mended);
    found_.parameters = mapped_parameters(map_, *sides_);
    if (auto ok = mended_->match_again(map_); !ok) return tl::unexpected(ok.error());
    must_be_equal_ = values_under_suspicion(map_, source_.network(), mended_->sides().target.network());
    return true;
  }

  [[nodiscard]] const BothSides& looked_at() const { return mended_ ? mended_->sides() : *sides_; }

  Result<bool> blame() {
    show("looking for what is wrong");
    if (coarse_)
      return add_quantization_faults({*sides_, map_, wrong_outputs_, *coarse_}, faults_).map([] { return true; });
    // Where no output is wrong and no value must be equal, nothing is blamed: few draws are enough.
    const std::vector<ValueMatch>& wrong = mended_ ? mended_->wrong() : wrong_outputs_;
    if (wrong.empty() && std::ranges::none_of(must_be_equal_, std::identity()))
      source_.options.floors.most_draws = options_.draws;
    auto blamed = blame_layers({looked_at(), map_, binding_.inputs, binding_.outputs, wrong, must_be_equal_,
                                options_.strict, options_.most_faults, options_.most_cuts});
    if (!blamed) return tl::unexpected(blamed.error());
    if (mended_) blamed->faults.push_back(mended_->fault(map_, *blamed));
    faults_ = std::move(blamed->faults);
    found_.warnings.insert(found_.warnings.end(), blamed->warnings.begin(), blamed->warnings.end());
    walked_ = std::move(blamed->walked);
    if (mended_) walked_.as_it_came.clear();  // rows tell of the target with its rounded weights
    // Where it stops, something before is wrong as a rule, and mended it would run.
    if (stops_at_) why_it_stops_ = tell_where_it_stops(found_, faults_, target_.network(), *stops_at_);
    return true;
  }

  Result<bool> tell() {
    if (exchanged_) faults_.push_back(*exchanged_);
    number_faults(faults_);
    found_.faults = without_edits(faults_);
    count_coverage(map_, source_.ways, target_.ways);
    found_.map = map_record(map_, looked_at());
    if (!mended_) found_.parameters = mapped_parameters(map_, *sides_);
    const auto as_it_came = target_.elements_on_map();
    auto rows = layer_rows(map_, walked_, found_.faults, looked_at(), *as_it_came);
    if (!rows) return tl::unexpected(rows.error());
    found_.layers = std::move(*rows);
    if (mended_) mended_->mark(found_.layers, found_.faults);
    tell_status(are_outputs_wrong(), coarse_, weak_, found_);
    return true;
  }

  const DiagnoseOptions& options_;
  const CompareTools& tools_;
  std::string weak_;
  std::vector<fs::path> reference_;  // what the source gave where that is known already
  SideReading reading_;
  ReadSide source_, target_;
  std::size_t most_map_samples_;
  std::optional<InputsSeen> seen_;
  SideBinding binding_;
  OutputsBySample source_outputs_, target_outputs_;
  std::vector<fs::path> target_packs_;     // the latter, kept
  std::string why_it_stops_;               // where that is the fault
  std::optional<FirstBadLayer> stops_at_;  // of a target that does not run as a whole; the layer where one was found
  std::unique_ptr<Elements> source_elements_, target_elements_;  // on all samples
  std::unique_ptr<Elements> source_on_map_;
  std::optional<BothSides> sides_;
  ConversionMap map_;
  std::unique_ptr<MendedTarget> mended_;  // where its weights were all rounded
  std::vector<bool> must_be_equal_;
  std::vector<ValueMatch> wrong_outputs_;
  std::optional<MendableFault> exchanged_;
  std::optional<CoarseVerdict> coarse_;
  WalkResult walked_;
  std::vector<MendableFault> faults_;
  Diagnosis found_;
};

}  // namespace

Result<Diagnosis> diagnose(const Side& source, const Side& target, const CompareSamples& samples,
                           const DiagnoseOptions& options, const CompareTools& tools) {
  auto pair = Diagnosing(source, target, samples, options, tools).diagnose();
  if (!pair) return tl::unexpected(pair.error());
  return std::move(pair->diagnosis);
}

Result<DiagnosedPair> diagnose_and_keep(const Side& source, const Side& target, const CompareSamples& samples,
                                        DiagnoseOptions options, const CompareTools& tools) {
  options.keeps_outputs = true;
  return Diagnosing(source, target, samples, options, tools).diagnose();
}

}  // namespace culprit
