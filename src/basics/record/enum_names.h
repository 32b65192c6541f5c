#pragma once
// Words that stand in reports: verdicts, contracts, recipes. Names are spelled as in report.json.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

enum class Verdict {
  unchanged,
  equivalent,
  deviates,
  diverged,
  interface_changed,
  optimizer_crashed,
  rejected,
  run_failed,
  timed_out,
  out_of_memory,
  inconclusive,
};
std::string_view name_of(Verdict verdict);
/// For people: "ok" (equivalent), "small difference" (deviates), "wrong" (diverged), "run failed".
std::string_view reader_word(Verdict verdict);
std::optional<Verdict> verdict_named(std::string_view name);
/// Is it a fault? `deviates` is one only under --strict; `inconclusive` never is.
bool is_fault(Verdict verdict, bool strict);

/// What a pass promises, and so what it is judged by.
enum class Contract {
  equivalent,  ///< same interface, same values
  interface,   ///< may rename or cast inputs and outputs
  partition,   ///< gives half a model by design; each half must be valid and load
};
std::string_view name_of(Contract contract);
std::optional<Contract> contract_named(std::string_view name);

enum class Repeat { once, library, stable };
std::string_view name_of(Repeat repeat);
std::optional<Repeat> repeat_named(std::string_view name);

/// A list of passes, or steps of another optimizer: in their order, or a set where order has no meaning. None at all is
/// the round trip: import and export alone.
struct Recipe {
  std::string optimizer = "onnx_optimizer";
  std::vector<std::string> passes;
  Repeat repeat = Repeat::once;
  std::string level = {};  ///< of a runtime that optimizes what it loads: the level of its session; else ""
  std::vector<std::string> disabled = {};  ///< and the steps of that level that it is told to leave out
  /// What a program is called with to do just these steps, "{input}" and "{output}" for the two files. Of none the
  /// model stays as it is.
  std::vector<std::string> command = {};
  bool may_use_network = false;  ///< of a program
  bool operator==(const Recipe&) const = default;
};

/// The entry of a session of ONNX Runtime that names the steps to leave out, with ';' between and no spaces.
inline constexpr const char* disabling_entry = "optimization.disable_specified_optimizers";

/// Is its variant the model itself, as a session of the runtime optimizes it, and not a file that somebody made?
inline bool runs_in_session(const Recipe& recipe) { return !recipe.level.empty(); }
/// All that a level of the runtime does, as users run it?
inline bool is_whole_level(const Recipe& recipe) { return runs_in_session(recipe) && recipe.disabled.empty(); }
/// Is its variant what a program writes?
inline bool is_of_program(const Recipe& recipe) { return !recipe.command.empty(); }
/// "the default pass list", "the pass list", "the step list"; of what a runtime does "level all", of all that a program
/// does its name.
std::string kind_of(const Recipe& recipe, bool is_bundle);

enum class BaselineStatus { ok, weak_data, does_not_load, does_not_run, nondeterministic, machine_failed };
std::string_view name_of(BaselineStatus status);

enum class FaultKind { single, interaction, control, runtime, given };
std::string_view name_of(FaultKind kind);
std::optional<FaultKind> fault_kind_named(std::string_view name);

/// What a variant means the same as, so that it is not run itself.
enum class SameAs { none, original, round_trip, variant };
std::string_view name_of(SameAs same_as);  ///< "" for `none`

/// Runs in which nothing should differ (docs/judging.md), and the import, which they rest on.
enum class ControlName { repeat, import, round_trip, optimizer_repeat, runtime_optimized, capture };
std::string_view name_of(ControlName name);
std::optional<ControlName> control_named(std::string_view name);

/// The step at which a variant failed before anything could be measured: while it was made, at a check of what was
/// made, or in the runtime.
enum class EvidenceStage { none, import, optimize, checker, interface, load, run };
std::string_view name_of(EvidenceStage stage);  ///< "" for `none`
std::optional<EvidenceStage> evidence_stage_named(std::string_view name);

/// How a variant failed at such a step.
enum class EvidenceEnding { none, threw, crashed, exited, timed_out, out_of_memory, refused, machine, skipped };
std::string_view name_of(EvidenceEnding ending);  ///< "" for `none`
std::optional<EvidenceEnding> evidence_ending_named(std::string_view name);

/// The kinds of places that samples come from.
enum class DataSource { none, synthesized, test_data_set, file, input, pictures };
std::string_view name_of(DataSource source);  ///< "" for `none`
/// For people: "random inputs" (synthesized), "images" (pictures).
std::string_view reader_word(DataSource source);

enum class Attribution { optimizer, runtime, kernel, model };
std::string_view name_of(Attribution attribution);
std::optional<Attribution> attribution_named(std::string_view name);

}  // namespace culprit
