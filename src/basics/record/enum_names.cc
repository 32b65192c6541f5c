#include "record/enum_names.h"

#include <cmath>

#include "base/word_names.h"
#include "record/evaluation.h"
#include "record/phases.h"
#include "record/profile.h"
#include "record/score_record.h"

namespace culprit {
namespace {

constexpr WordNames<Verdict, 11> verdict_words{{
    {Verdict::unchanged, "unchanged"},
    {Verdict::equivalent, "equivalent"},
    {Verdict::deviates, "deviates"},
    {Verdict::diverged, "diverged"},
    {Verdict::interface_changed, "interface_changed"},
    {Verdict::optimizer_crashed, "optimizer_crashed"},
    {Verdict::rejected, "rejected"},
    {Verdict::run_failed, "run_failed"},
    {Verdict::timed_out, "timed_out"},
    {Verdict::out_of_memory, "out_of_memory"},
    {Verdict::inconclusive, "inconclusive"},
}};
constexpr WordNames<Contract, 3> contract_words{
    {{Contract::equivalent, "equivalent"}, {Contract::interface, "interface"}, {Contract::partition, "partition"}}};
constexpr WordNames<Repeat, 3> repeat_words{
    {{Repeat::once, "once"}, {Repeat::library, "library"}, {Repeat::stable, "stable"}}};
constexpr WordNames<BaselineStatus, 6> status_words{{{BaselineStatus::ok, "ok"},
                                                     {BaselineStatus::weak_data, "weak_data"},
                                                     {BaselineStatus::does_not_load, "does_not_load"},
                                                     {BaselineStatus::does_not_run, "does_not_run"},
                                                     {BaselineStatus::nondeterministic, "nondeterministic"},
                                                     {BaselineStatus::machine_failed, "machine_failed"}}};
constexpr WordNames<FaultKind, 5> fault_kind_words{{{FaultKind::single, "single"},
                                                    {FaultKind::interaction, "interaction"},
                                                    {FaultKind::control, "control"},
                                                    {FaultKind::runtime, "runtime"},
                                                    {FaultKind::given, "given"}}};
constexpr WordNames<SpeedVerdict, 7> speed_words{{{SpeedVerdict::baseline, "baseline"},
                                                  {SpeedVerdict::same, "same"},
                                                  {SpeedVerdict::slower, "slower"},
                                                  {SpeedVerdict::faster, "faster"},
                                                  {SpeedVerdict::ambiguous, "ambiguous"},
                                                  {SpeedVerdict::failed, "failed"},
                                                  {SpeedVerdict::not_measured, "not measured"}}};
constexpr WordNames<SameAs, 4> same_as_words{{{SameAs::none, ""},
                                              {SameAs::original, "original"},
                                              {SameAs::round_trip, "round_trip"},
                                              {SameAs::variant, "variant"}}};
constexpr WordNames<ControlName, 6> control_words{{{ControlName::repeat, "repeat"},
                                                   {ControlName::import, "import"},
                                                   {ControlName::round_trip, "round_trip"},
                                                   {ControlName::optimizer_repeat, "optimizer_repeat"},
                                                   {ControlName::runtime_optimized, "runtime_optimized"},
                                                   {ControlName::capture, "capture"}}};
constexpr WordNames<EvidenceStage, 7> stage_words{{{EvidenceStage::none, ""},
                                                   {EvidenceStage::import, "import"},
                                                   {EvidenceStage::optimize, "optimize"},
                                                   {EvidenceStage::checker, "checker"},
                                                   {EvidenceStage::interface, "interface"},
                                                   {EvidenceStage::load, "load"},
                                                   {EvidenceStage::run, "run"}}};
constexpr WordNames<EvidenceEnding, 9> ending_words{{{EvidenceEnding::none, ""},
                                                     {EvidenceEnding::threw, "threw"},
                                                     {EvidenceEnding::crashed, "crashed"},
                                                     {EvidenceEnding::exited, "exited"},
                                                     {EvidenceEnding::timed_out, "timed_out"},
                                                     {EvidenceEnding::out_of_memory, "out_of_memory"},
                                                     {EvidenceEnding::refused, "refused"},
                                                     {EvidenceEnding::machine, "machine"},
                                                     {EvidenceEnding::skipped, "skipped"}}};
constexpr WordNames<DataSource, 6> source_words{{{DataSource::none, ""},
                                                 {DataSource::synthesized, "synthesized"},
                                                 {DataSource::test_data_set, "test_data_set"},
                                                 {DataSource::file, "file"},
                                                 {DataSource::input, "input"},
                                                 {DataSource::pictures, "pictures"}}};
constexpr WordNames<Verdict, 11> verdict_reader_words{{
    {Verdict::unchanged, "unchanged"},
    {Verdict::equivalent, "ok"},
    {Verdict::deviates, "small difference"},
    {Verdict::diverged, "wrong"},
    {Verdict::interface_changed, "interface changed"},
    {Verdict::optimizer_crashed, "optimizer crashed"},
    {Verdict::rejected, "rejected"},
    {Verdict::run_failed, "run failed"},
    {Verdict::timed_out, "timed out"},
    {Verdict::out_of_memory, "out of memory"},
    {Verdict::inconclusive, "inconclusive"},
}};
constexpr WordNames<DataSource, 6> source_reader_words{{{DataSource::none, ""},
                                                        {DataSource::synthesized, "random inputs"},
                                                        {DataSource::test_data_set, "test_data_set"},
                                                        {DataSource::file, "file"},
                                                        {DataSource::input, "input"},
                                                        {DataSource::pictures, "images"}}};
constexpr WordNames<SureAnswer, 3> answer_words{
    {{SureAnswer::undecided, "undecided"}, {SureAnswer::holds, "holds"}, {SureAnswer::fails, "fails"}}};
constexpr WordNames<FailedAt, 4> failed_at_words{
    {{FailedAt::nowhere, ""}, {FailedAt::make, "make"}, {FailedAt::load, "load"}, {FailedAt::run, "run"}}};
constexpr WordNames<Attribution, 4> attribution_words{{{Attribution::optimizer, "optimizer"},
                                                       {Attribution::runtime, "runtime"},
                                                       {Attribution::kernel, "kernel"},
                                                       {Attribution::model, "model"}}};

constexpr WordNames<CurveKind, 4> curve_words{{{CurveKind::none, "none"},
                                               {CurveKind::one_class, "one_class"},
                                               {CurveKind::macro, "macro"},
                                               {CurveKind::micro, "micro"}}};

constexpr WordNames<Phase, 12> phase_words{{{Phase::reference, "reference"},
                                            {Phase::variants, "variants"},
                                            {Phase::confirming, "confirming"},
                                            {Phase::inside, "inside"},
                                            {Phase::explaining, "explaining"},
                                            {Phase::witnesses, "witnesses"},
                                            {Phase::rewrites, "rewrites"},
                                            {Phase::opinions, "opinions"},
                                            {Phase::divergence, "divergence"},
                                            {Phase::reducing, "reducing"},
                                            {Phase::repro, "repro"},
                                            {Phase::delivering, "delivering"}}};

}  // namespace

std::string_view name_of(Verdict verdict) { return name_in(verdict_words, verdict); }
std::string_view name_of(Contract contract) { return name_in(contract_words, contract); }
std::string_view name_of(Repeat repeat) { return name_in(repeat_words, repeat); }
std::string_view name_of(BaselineStatus status) { return name_in(status_words, status); }
std::string_view name_of(FaultKind kind) { return name_in(fault_kind_words, kind); }
std::string_view name_of(SameAs same_as) { return name_in(same_as_words, same_as); }
std::string_view name_of(ControlName name) { return name_in(control_words, name); }
std::string_view name_of(SpeedVerdict verdict) { return name_in(speed_words, verdict); }
std::string_view name_of(CurveKind kind) { return name_in(curve_words, kind); }
std::string_view name_of(EvidenceStage stage) { return name_in(stage_words, stage); }
std::string_view name_of(EvidenceEnding ending) { return name_in(ending_words, ending); }
std::string_view name_of(DataSource source) { return name_in(source_words, source); }
std::string_view reader_word(Verdict verdict) { return name_in(verdict_reader_words, verdict); }
std::string_view reader_word(DataSource source) { return name_in(source_reader_words, source); }
std::string_view name_of(SureAnswer answer) { return name_in(answer_words, answer); }
std::string_view name_of(FailedAt place) { return name_in(failed_at_words, place); }
std::string_view name_of(Phase phase) { return name_in(phase_words, phase); }
std::string_view name_of(Attribution attribution) { return name_in(attribution_words, attribution); }

std::optional<Verdict> verdict_named(std::string_view name) { return word_in(verdict_words, name); }
std::optional<Repeat> repeat_named(std::string_view name) { return word_in(repeat_words, name); }
std::optional<Contract> contract_named(std::string_view name) { return word_in(contract_words, name); }
std::optional<FaultKind> fault_kind_named(std::string_view name) { return word_in(fault_kind_words, name); }
std::optional<EvidenceStage> evidence_stage_named(std::string_view name) { return word_in(stage_words, name); }
std::optional<EvidenceEnding> evidence_ending_named(std::string_view name) { return word_in(ending_words, name); }
std::optional<FailedAt> failed_at_named(std::string_view name) { return word_in(failed_at_words, name); }
std::optional<ControlName> control_named(std::string_view name) { return word_in(control_words, name); }
std::string_view short_provider(std::string_view provider) {
  constexpr std::string_view ending = "ExecutionProvider";
  if (provider.size() > ending.size() && provider.ends_with(ending)) provider.remove_suffix(ending.size());
  return provider;
}

bool has_interval(const RatioRecord& ratio) { return ratio.low > 0 && std::isfinite(ratio.high); }

std::optional<SpeedVerdict> speed_verdict_named(std::string_view name) { return word_in(speed_words, name); }
std::optional<Attribution> attribution_named(std::string_view name) { return word_in(attribution_words, name); }

bool is_fault(Verdict verdict, bool strict) {
  switch (verdict) {
    case Verdict::unchanged:
    case Verdict::equivalent:
    case Verdict::inconclusive:
      return false;
    case Verdict::deviates:
      return strict;
    default:
      return true;
  }
}

std::string kind_of(const Recipe& recipe, bool is_bundle) {
  if (runs_in_session(recipe) && (is_bundle || is_whole_level(recipe))) return "level " + recipe.level;
  if (is_of_program(recipe) && is_bundle) return recipe.optimizer;
  const bool has_steps = runs_in_session(recipe) || is_of_program(recipe);
  return is_bundle ? "the default pass list" : has_steps ? "the step list" : "the pass list";
}

}  // namespace culprit
