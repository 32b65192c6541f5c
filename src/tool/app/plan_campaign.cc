#include "app/plan_campaign.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "app/case_contents.h"
#include "app/tool_version.h"
#include "base/text.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// Where the text after the next '=' begins; npos where there is none.
std::size_t after_equals(const std::string& word, std::size_t begin) {
  const std::size_t at = word.find('=', begin);
  return at == std::string::npos ? at : at + 1;
}

class CasePlanner {
 public:
  CasePlanner(const FrameOf& frame_of, const BringModel& bring) : frame_of_(frame_of), bring_(bring) {}

  /// Nothing where its recipe is unfit for its optimizer, or its model cannot be had.
  Result<std::optional<PlannedCase>> plan(const CaseOrder& named) {
    const auto brought = with_files(named);
    if (!brought) return tl::unexpected(brought.error());
    if (!*brought) return std::nullopt;
    const CaseOrder& order = **brought;
    const auto model = contents_.contents_of(order.model);
    if (!model) return tl::unexpected(model.error());
    const auto frame = frame_for(order);
    if (!frame) return tl::unexpected(frame.error());
    if (frame->unfit) return std::nullopt;
    fitting_.insert(order.recipe);
    CaseParts parts;
    parts.add(KeyPart::job, std::string(name_of(order.job))).add(KeyPart::model, model->digest);
    parts.add(KeyPart::optimizer, frame->optimizer).add(KeyPart::optimizer_version, frame->optimizer_version);
    if (std::error_code error; fs::is_regular_file(order.optimizer, error)) {  // a program that a YAML describes
      const auto described = contents_.with_what_it_names(order.optimizer);
      if (!described) return tl::unexpected(described.error());
      parts.add_setting("optimizer file", *described);
    }
    parts.add(KeyPart::steps, order.recipe).add(KeyPart::runtime, frame->runtime);
    parts.add_setting("culprit", tool_version());
    std::uint64_t bytes = model->bytes;
    if (auto ok = add_target(parts, order, bytes); !ok) return tl::unexpected(ok.error());
    if (auto ok = add_data(parts, order); !ok) return tl::unexpected(ok.error());
    if (auto ok = add_flags(parts, order); !ok) return tl::unexpected(ok.error());
    const auto key = CaseKey::of(parts);
    if (!key) return tl::unexpected(key.error());
    return PlannedCase{*key, as_description(named), expected_seconds(order.job, bytes)};
  }

  [[nodiscard]] std::vector<std::string> not_brought() const {
    std::vector<std::string> told;
    for (const auto& [word, file] : brought_)
      if (!file) told.push_back(printable(word, 200) + ": " + file.error().text());
    return told;
  }

  /// ErrorKind::usage where there is a recipe that fits nowhere; else which ones do not fit where.
  [[nodiscard]] Result<std::vector<std::string>> left_out() const {
    std::vector<std::string> told;
    for (const Unfit& one : unfit_) {
      if (!fitting_.contains(one.recipe)) return tl::unexpected(fits_nowhere(one));
      const std::string words = one.recipe + " with " + one.optimizer;
      if (std::ranges::find(told, words) == told.end()) told.push_back(words);
    }
    return told;
  }

 private:
  struct Unfit {
    std::string recipe, optimizer;
    Error error;
  };

  /// The case with files of this machine in the place of words of hubs. Nothing where a hub's file is no model. A hub
  /// that does not answer is an Error.
  Result<std::optional<CaseOrder>> with_files(const CaseOrder& named) {
    CaseOrder order = named;
    for (std::string* model : {&order.model, &order.target}) {
      if (!bring_ || !names_hub(*model)) continue;
      const auto known = brought_.find(*model);
      const auto file = known == brought_.end() ? bring_(*model) : known->second;
      if (!file && ends_all(file.error())) return tl::unexpected(file.error());
      if (known == brought_.end()) brought_.emplace(*model, file);
      if (!file) return std::nullopt;
      *model = file->string();
    }
    return order;
  }

  static bool ends_all(const Error& error) {
    return error.kind == ErrorKind::io || error.kind == ErrorKind::interrupted || error.kind == ErrorKind::usage;
  }

  /// The error has the words of the first optimizer, and the names of all that were asked.
  [[nodiscard]] Error fits_nowhere(const Unfit& first) const {
    std::vector<std::string> asked;
    for (const Unfit& one : unfit_)
      if (one.recipe == first.recipe && std::ranges::find(asked, one.optimizer) == asked.end())
        asked.push_back(one.optimizer);
    Error error = first.error;
    if (asked.size() > 1)
      error.message =
          "recipe " + printable(first.recipe, 200) + " fits none of " + join(asked, ", ") + ": " + error.message;
    return error;
  }

  /// Asked once for all models.
  Result<CaseFrame> frame_for(const CaseOrder& order) {
    CaseOrder without_models = order;
    without_models.model = without_models.target = "";
    const std::string combination = as_description(without_models);
    if (const auto known = frames_.find(combination); known != frames_.end()) return known->second;
    auto frame = frame_of_(order);
    const bool was_asked_twice = !frame && may_be_chance(frame.error());
    if (was_asked_twice) frame = frame_of_(order);
    if (!frame) {
      Error error = with_title(order, frame.error());
      if (was_asked_twice) error.message += " (in a second try, too)";
      return tl::unexpected(error);
    }
    if (frame->unfit) unfit_.push_back({order.recipe, frame->optimizer, with_title(order, *frame->unfit)});
    frames_.emplace(combination, *frame);
    return frame;
  }

  static Error with_title(const CaseOrder& order, const Error& error) {
    return {error.kind, printable(title_of(order), 200) + ": " + error.message, error.hint};
  }

  /// A process that loads a runtime or an optimizer may have been killed by somebody else.
  static bool may_be_chance(const Error& error) {
    return error.kind == ErrorKind::bad_input || error.kind == ErrorKind::io || error.kind == ErrorKind::internal;
  }

  Result<void> add_target(CaseParts& parts, const CaseOrder& order, std::uint64_t& bytes) {
    if (order.target.empty()) return {};
    const auto target = contents_.contents_of(order.target);
    if (!target) return tl::unexpected(target.error());
    parts.add(KeyPart::other_model, target->digest);
    bytes += target->bytes;
    return {};
  }

  Result<void> add_data(CaseParts& parts, const CaseOrder& order) {
    if (order.data.empty()) {
      auto beside = contents_.beside(order.model);
      if (!beside) return tl::unexpected(beside.error());
      parts.add(KeyPart::data, "beside " + *beside);
      return {};
    }
    const auto data = contents_.contents_of(order.data);
    if (!data) return tl::unexpected(data.error());
    parts.add(KeyPart::data, "given " + data->digest);
    return {};
  }

  /// The words, and what stands in the files that they name.
  Result<void> add_flags(CaseParts& parts, const CaseOrder& order) {
    std::string words;
    for (std::size_t i = 0; i < order.flags.size(); ++i) {
      const std::string& word = order.flags[i];
      words += word + '\0';
      for (std::size_t begin = 0; begin != std::string::npos; begin = after_equals(word, begin)) {  // "--input=x=x.npy"
        const fs::path named = word.substr(begin);
        std::error_code error;
        if (!fs::exists(named, error)) continue;
        const auto contents = contents_.contents_of(named);
        if (!contents) return tl::unexpected(contents.error());
        parts.add_setting("file " + std::to_string(i) + " " + std::to_string(begin), contents->digest);
      }
    }
    if (!words.empty()) parts.add_setting("flags", words);
    return {};
  }

  const FrameOf& frame_of_;
  const BringModel& bring_;
  std::map<std::string, Result<fs::path>> brought_;  // files by the words of hubs
  ContentReader contents_;
  std::map<std::string, CaseFrame> frames_;  // by the description without models
  std::vector<Unfit> unfit_;
  std::set<std::string> fitting_;  // recipes with a case
};

}  // namespace

double expected_seconds(CampaignJob job, std::uint64_t model_bytes) {
  constexpr double each_megabyte = 0.2, start = 0.5, profiled = 10;
  const double seconds = start + each_megabyte * static_cast<double>(model_bytes) / 1e6;
  return job == CampaignJob::profile ? seconds * profiled : seconds;
}

Result<CampaignPlan> plan_campaign(const std::vector<CaseOrder>& orders, const FrameOf& frame_of,
                                   const Stop& is_interrupted, const BringModel& bring) {
  CasePlanner planner(frame_of, bring);
  CampaignPlan plan;
  std::set<CaseKey> seen;
  for (const CaseOrder& order : orders) {
    if (is_stopped(is_interrupted))
      return fail(ErrorKind::interrupted, "interrupted before anything ran", "start it again");
    auto planned = planner.plan(order);
    if (!planned) return tl::unexpected(planned.error());
    if (!*planned) continue;
    if (seen.insert((*planned)->key).second)
      plan.cases.push_back(std::move(**planned));
    else
      ++plan.same;
  }
  auto left_out = planner.left_out();
  if (!left_out) return tl::unexpected(left_out.error());
  plan.left_out = std::move(*left_out);
  plan.not_brought = planner.not_brought();
  if (plan.cases.empty() && !plan.not_brought.empty())
    return fail(ErrorKind::not_found, "no model can be had from a hub: " + plan.not_brought.front());
  return plan;
}

}  // namespace culprit
