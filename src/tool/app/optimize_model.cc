#include "app/optimize_model.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include "app/check_models.h"
#include "app/free_places.h"
#include "app/optimized_file.h"
#include "app/unverified_outputs.h"
#include "app/workshop.h"
#include "base/folder.h"
#include "base/text.h"

namespace culprit {
namespace {

/// What became of the file.
struct OptimizedModel {
  Delivery delivery;
  bool is_copy = false;
  std::uint64_t bytes = 0;
};

/// Why there is no file; "" where there is one.
std::string why_not_written(const OptimizeRequest& request, const Delivery& delivery) {
  const ModelReport& report = delivery.report;
  if (!report.error.empty()) return report.error;
  if (report.baseline.status != BaselineStatus::ok)
    return report.model.path + " cannot be judged: " + report.baseline.message;
  const auto& safe = report.safe_recipe;
  if (!safe || !safe->verified) return "nothing safe was found" + (safe ? ": " + safe->message : "");
  if (std::string unseen = unverified_outputs(report, request.accept_weak); !unseen.empty()) return unseen;
  if (!delivery.is_delivered && request.require_all) {
    return "--require-all, but to be right " + recipe_text({}, request) + " must do without " +
           names_of(safe->left_out);
  }
  if (!delivery.verified) return "the file that was written did not pass when it was run again: " + delivery.message;
  return "";
}

/// What is safe on a few samples may decide otherwise on others of a data set. Then it is looked for again, with those
/// among the samples: once for each such answer, and until nothing more is learnt.
Result<Delivery> delivered(const Model& model, const std::vector<Proposal>& proposals, const CheckOptions& options,
                           CheckTools tools, const Deliver& deliver) {
  constexpr int most_rounds = 8;
  const fs::path folder = tools.folder;
  std::optional<DecisionData> data;
  for (int round = 1;; ++round) {
    auto delivery = check_and_deliver(model, proposals, options, tools, deliver);
    const bool is_known = !delivery || tools.data_set == nullptr || delivery->against_safe.empty();
    if (is_known || round == most_rounds || is_stopped(tools.is_time_up) || is_stopped(tools.is_interrupted))
      return delivery;
    if (!data) data.emplace(*tools.data_set);
    const std::size_t before = data->telling.size();
    for (const std::int64_t number : delivery->against_safe)
      if (std::ranges::find(data->telling, number) == data->telling.end()) data->telling.push_back(number);
    if (data->telling.size() == before) return delivery;
    tools.data_set = &*data;
    tools.folder = folder / ("again-" + std::to_string(round));
    if (auto ok = make_folder(tools.folder); !ok) return tl::unexpected(ok.error());
  }
}

Result<OptimizedModel> make(Workshop& workshop, const OptimizeRequest& request, OptimizedFile& file) {
  OptimizedModel made;
  const CheckWith check_with = [&](const Model& model, const std::vector<Proposal>& proposals,
                                   const CheckOptions& options, const CheckTools& tools) -> Result<ModelReport> {
    if (auto ok = are_outputs(request.accept_weak, model); !ok) return tl::unexpected(ok.error());
    const Deliver deliver = [&](const ModelReport& checked, const fs::path& variant) -> Result<fs::path> {
      if (request.require_all && !checked.safe_recipe->left_out.empty()) return fs::path();
      made.is_copy = variant.empty();
      auto filled = file.fill(variant, model);
      std::error_code ignored;
      if (filled) made.bytes = fs::file_size(*filled, ignored);
      if (const auto data = filled ? file.filled_data() : fs::path(); !data.empty())
        made.bytes += fs::file_size(data, ignored);
      return filled;
    };
    return delivered(model, proposals, options, tools, deliver).map([&](Delivery&& delivery) {
      made.delivery = std::move(delivery);
      return made.delivery.report;
    });
  };
  auto report = check_one(workshop, request.check, 0, nullptr, check_with);
  if (!report) return tl::unexpected(report.error().kind == ErrorKind::interrupted ? nothing_kept() : report.error());
  made.delivery.report = std::move(*report);
  return made;
}

}  // namespace

std::string recipe_text(const SafeRecipe& safe, const OptimizeRequest& request) {
  return kind_of(safe.recipe, request.check.optimizer.recipe.empty()) +
         (safe.left_out.empty() ? "" : " without " + names_of(safe.left_out));
}

Result<OptimizeAnswer> optimize_model(const OptimizeRequest& request, const Caller& caller) {
  const WorkshopOrder order = order_of(request.check);
  if (auto free = place_must_be_free(request.out, order); !free) return tl::unexpected(free.error());
  auto workshop = Workshop::open(caller, order);
  if (!workshop) return tl::unexpected(workshop.error());
  auto file = OptimizedFile::beside(request.out, request.check.models.front());
  if (!file) return tl::unexpected(file.error());
  auto made = make(*workshop, request, *file);
  if (!made) return tl::unexpected(made.error());
  if (caller.is_interrupted()) return tl::unexpected(nothing_kept());
  const std::string why_not = why_not_written(request, made->delivery);
  if (why_not.empty()) {
    if (const auto placed = file->put_in_place(); !placed) return tl::unexpected(placed.error());
  }
  Report report = report_of(*workshop, request.check, {made->delivery.report});
  const bool keeps = keeps_earlier(report, workshop->folder);
  const bool is_unseen = made->delivery.is_delivered && made->delivery.verified &&
                         !unverified_outputs(made->delivery.report, request.accept_weak).empty();
  return OptimizeAnswer{.report = std::move(report),
                        .folder = std::move(workshop->folder),
                        .keeps_earlier = keeps,
                        .delivery = std::move(made->delivery),
                        .is_copy = made->is_copy,
                        .bytes = made->bytes,
                        .data = file->data(),
                        .why_not = why_not,
                        .is_unseen = is_unseen};
}

}  // namespace culprit
