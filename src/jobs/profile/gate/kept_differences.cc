#include "profile/gate/kept_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "profile/gate/paired_rows.h"
#include "profile/named_rows.h"
#include "record/environment.h"

namespace culprit {
namespace {

struct Difference {
  std::string what, kept, now;
  std::vector<std::string> rows;  ///< empty: the reports as a whole
};

std::string steps_in(const std::vector<std::string>& steps) {
  return steps.empty() ? "none" : fmt::format("{} ({})", join(steps, ","), steps.size());
}

std::string optimizer_of(const ProfileEntry& entry, const Environment& environment) {
  if (entry.optimizer.empty()) return "none";
  const bool is_told = environment.optimizer.name == entry.optimizer;
  return is_told ? entry.optimizer + " " + environment.optimizer.version : entry.optimizer;
}

std::string model_of(const ProfileEntry& entry) {
  return entry.model_sha256.empty() ? entry.model : entry.model + ", sha256 " + entry.model_sha256.substr(0, 12);
}

/// By the contents where both tell them: the same file lies elsewhere on another machine.
bool is_other_model(const ProfileEntry& kept, const ProfileEntry& now) {
  const bool are_known = !kept.model_sha256.empty() && !now.model_sha256.empty();
  return are_known ? kept.model_sha256 != now.model_sha256 : kept.model != now.model;
}

class Differences {
 public:
  Differences(const ProfileReport& kept, const ProfileReport& now) : kept_(kept), now_(now) {}

  std::vector<Warning> warnings() {
    for (const PairedRow& pair : paired_rows(kept_, now_))
      compare_rows(kept_.entries[pair.kept], now_.entries[pair.now]);
    compare_wholes();
    std::vector<Warning> warnings;
    for (const Difference& one : found_)
      warnings.push_back(
          {"kept_differs", fmt::format("{}: {} in the kept report, {} here{}", one.what, shown(one.kept),
                                       shown(one.now), one.rows.empty() ? "" : " (" + named_rows(one.rows) + ")")});
    return warnings;
  }

 private:
  static std::string shown(const std::string& value) { return value.empty() ? "nothing" : printable(value, 300); }

  void compare(const std::string& what, const std::string& kept, const std::string& now, const std::string& row = "") {
    if (kept != now) add(what, kept, now, row);
  }

  void add(const std::string& what, const std::string& kept, const std::string& now, const std::string& row) {
    const auto same = std::ranges::find_if(
        found_, [&](const Difference& one) { return one.what == what && one.kept == kept && one.now == now; });
    Difference& difference = same != found_.end() ? *same : found_.emplace_back(Difference{what, kept, now, {}});
    if (!row.empty()) difference.rows.push_back(row);
  }

  void compare_rows(const ProfileEntry& kept, const ProfileEntry& now) {
    if (is_other_model(kept, now)) add("the model", model_of(kept), model_of(now), now.name);
    if (kept.verdict != SpeedVerdict::failed && now.verdict != SpeedVerdict::failed)
      compare("the runtime's version", kept.runtime, now.runtime, now.name);
    compare("the provider", kept.provider, now.provider, now.name);
    compare("the level", kept.level, now.level, now.name);
    compare("the optimizer", optimizer_of(kept, kept_.environment), optimizer_of(now, now_.environment), now.name);
    compare("the steps", steps_in(kept.recipe), steps_in(now.recipe), now.name);
    compare("the steps left out", steps_in(kept.disabled), steps_in(now.disabled), now.name);
    if (kept.batch && now.batch)
      compare("the batch", std::to_string(*kept.batch), std::to_string(*now.batch), now.name);
  }

  void compare_wholes() {
    const Environment &kept = kept_.environment, &now = now_.environment;
    compare("the samples", samples_of(kept_), samples_of(now_));
    compare("what rows decide on", join(kept_.quality_about, "; "), join(now_.quality_about, "; "));
    compare("threads", std::to_string(kept.threads), std::to_string(now.threads));
    compare("the processor", kept.cpu, now.cpu);
    compare("cores", std::to_string(kept.cores), std::to_string(now.cores));
    compare("the system", kept.os, now.os);
    compare("the protocol", kept_.protocol, now_.protocol);
    compare("culprit's version", kept_.tool_version, now_.tool_version);
  }

  [[nodiscard]] std::string samples_of(const ProfileReport& report) const {
    if (kept_.samples == now_.samples && !report.data.empty()) return report.data;
    return std::to_string(report.samples) + (report.data.empty() ? "" : " (" + report.data + ")");
  }

  const ProfileReport& kept_;
  const ProfileReport& now_;
  std::vector<Difference> found_;
};

}  // namespace

std::vector<Warning> kept_differs(const ProfileReport& kept, const ProfileReport& now) {
  return Differences(kept, now).warnings();
}

}  // namespace culprit
