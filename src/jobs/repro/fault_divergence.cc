#include "repro/fault_divergence.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/folder.h"
#include "base/text.h"
#include "compare/compare_models.h"
#include "compare/first_divergence.h"
#include "repro/repro_contents.h"

namespace culprit {
namespace {

constexpr std::int64_t whole_runs = 2;  // the variant, and the original again

/// "" where there is something to look for.
std::string why_not(const FaultCase& shown, const DivergenceTools& tools) {
  const std::string level(name_of(shown.session.level));
  if (level != shown.reference_level)
    return "not looked for: it shows at the level " + level +
           " only, where the runtime makes other values of those that are read";
  if (is_stopped(tools.is_time_up)) return "not looked for: the time was up";
  if (repro_bytes(shown.model) > most_compared_bytes)
    return fmt::format("not looked for: the model has more than {}", human_bytes(most_compared_bytes));
  return "";
}

DivergenceRecord record_of(const CompareReport& report) {
  const FirstDivergence& first = *report.first_divergence;
  DivergenceRecord record;
  record.original = first.a;
  record.variant = first.b;
  record.nodes_original = first.nodes_a;
  record.nodes_variant = first.nodes_b;
  record.error = first.error;
  record.floor = first.floor;
  record.coverage = report.coverage.percent();
  record.runs = report.capture.runs + whole_runs;
  Measurement measured;
  const auto value = std::ranges::find(report.values, first.a, &ComparedValue::a);
  if (value != report.values.end()) {
    record.state = std::string(name_of(value->state));
    measured = value->measurement;
  }
  record.message = fmt::format(
      "first mismatch at '{}', made by {} in the original, by {} in the variant; given the original's values "
      "there, {}",
      printable(first.a, 80), text_of(first.nodes_a), text_of(first.nodes_b), how_far(first, measured));
  return record;
}

std::string why_none(const CompareReport& report) {
  const CaptureFacts& capture = report.capture;
  std::string why = report.status == CompareStatus::same
                        ? "on the sample that shows it by itself the outputs are within the tolerance"
                        : "not found (A is the original, B the variant): " + printable(report.message);
  if (capture.not_read > 0) why += fmt::format("; {} of the values could not be read", capture.not_read);
  if (!capture.message.empty()) why += ": " + printable(capture.message);
  return why;
}

}  // namespace

Result<FaultDivergence> fault_divergence(const FaultCase& shown, const DivergenceTools& tools) {
  if (!has_values(shown)) return FaultDivergence{};
  if (std::string why = why_not(shown, tools); !why.empty()) return FaultDivergence{std::nullopt, std::move(why)};
  const auto variant = load_model(shown.variant);
  if (!variant) return FaultDivergence{std::nullopt, "not looked for: " + variant.error().text()};
  if (auto made = make_folder(tools.folder); !made)
    return FaultDivergence{std::nullopt, "not looked for: " + made.error().text()};
  const auto report = compare_models(shown.model, *variant, {{shown.inputs}, {shown.expected}, {}},
                                     compare_options(shown.options, shown.session),
                                     {tools.executor, tools.folder, {}, tools.is_time_up});
  remove_folder(tools.folder);
  if (!report && report.error().kind == ErrorKind::interrupted) return tl::unexpected(report.error());
  if (!report) return FaultDivergence{std::nullopt, "not found: " + report.error().text()};
  if (!report->first_divergence) return FaultDivergence{std::nullopt, why_none(*report)};
  return FaultDivergence{record_of(*report), ""};
}

}  // namespace culprit
