#include "app/try_orders.h"

#include <algorithm>
#include <optional>

#include "app/check_models.h"
#include "app/free_places.h"
#include "app/name_lists.h"
#include "app/optimized_file.h"
#include "app/unverified_outputs.h"
#include "app/workshop.h"
#include "base/text.h"
#include "orders/make_orders.h"
#include "orders/sum_up_orders.h"

namespace culprit {
namespace {

StepOrder bundle_of(const OptimizerTraits& optimizer) {
  StepOrder bundle;
  for (const PassInfo& step : optimizer.steps)
    if (step.in_bundle) bundle.push_back(step.name);
  return bundle;
}

Result<void> order_must_count(const OptimizerTraits& optimizer) {
  if (optimizer.ordered) return {};
  return fail(ErrorKind::usage, "--optimizer " + printable(optimizer.name, 80) + ": it takes no order of its steps",
              "give an optimizer that does: onnx_optimizer (the default), onnxoptimizer, or a program whose YAML says "
              "`ordered: true`");
}

/// The steps of the first order.
Result<StepOrder> first_order(const StepOrder& asked, const OptimizerTraits& optimizer) {
  const StepOrder steps = asked.empty() ? bundle_of(optimizer) : asked;
  if (auto ok = each_once("--steps", steps); !ok) return tl::unexpected(ok.error());
  const auto is_step = [&](const std::string& name) {
    return std::ranges::find(optimizer.steps, name, &PassInfo::name) != optimizer.steps.end();
  };
  if (steps.size() < 2 && std::ranges::all_of(steps, is_step))  // the check says of another name that it is no step
    return fail(ErrorKind::usage, "one " + optimizer.step_word + " has no order",
                "name two steps or more with --steps");
  return steps;
}

/// Why no order can be called right, whatever came of it; "" where one can.
std::string question_of_all(const ModelReport& report) {
  ModelReport without_orders;
  without_orders.controls = report.controls;
  without_orders.witnesses = report.witnesses;
  return open_question(without_orders);
}

bool can_judge(const ModelReport& report) {
  return report.error.empty() && report.baseline.status == BaselineStatus::ok && question_of_all(report).empty();
}

/// One model in all its orders.
class OrdersOfModel {
 public:
  OrdersOfModel(const OrdersRequest& request, OptimizedFile* file) : request_(request), file_(file) {}

  Result<void> check(Workshop& workshop) {
    const CheckWith check_with = [this](const Model& model, const std::vector<Proposal>& proposals,
                                        const CheckOptions& options, const CheckTools& tools) {
      return check_orders(model, proposals, options, tools);
    };
    auto report = check_one(workshop, request_.check, 0, nullptr, check_with);
    if (!report) return tl::unexpected(report.error());
    told_.model = std::move(*report);
    told_.tried = sum_up(told_.model);
    return {};
  }

  /// Puts the file into its place where it is right.
  Result<void> deliver() {
    if (file_ == nullptr) return {};
    told_.why_not = why_not_written();
    if (!told_.why_not.empty()) return {};
    if (auto placed = file_->put_in_place(); !placed) return placed;
    told_.out = request_.out.string();
    told_.verified_on = delivery_.samples;
    return {};
  }

  [[nodiscard]] OrdersReport& told() { return told_; }

 private:
  Result<ModelReport> check_orders(const Model& model, const std::vector<Proposal>& proposals,
                                   const CheckOptions& given, const CheckTools& tools) {
    if (auto ok = are_outputs(request_.accept_weak, model); !ok) return tl::unexpected(ok.error());
    const auto steps = first_order(given.recipe, tools.optimizer);
    if (!steps) return tl::unexpected(steps.error());
    CheckOptions options = given;
    options.recipe.clear();
    options.orders = make_orders(*steps, {request_.count, request_.check.data.samples.seed});
    tell_plan(*steps, options.orders.size(), tools.optimizer);
    const ChooseVariant choose = [this](const ModelReport& report) -> std::optional<std::size_t> {
      if (file_ == nullptr) return std::nullopt;
      return best_variant(sum_up(report), report.variants);
    };
    const Deliver fill = [this, &model](const ModelReport&, const fs::path& variant) {
      return file_->fill(variant, model);
    };
    auto delivery = check_and_deliver_chosen(model, proposals, options, tools, choose, fill);
    if (!delivery) return tl::unexpected(delivery.error());
    delivery_ = std::move(*delivery);
    return delivery_.report;
  }

  void tell_plan(const StepOrder& steps, std::size_t orders, const OptimizerTraits& optimizer) {
    told_.steps = steps;
    told_.is_bundle = steps == bundle_of(optimizer);
    told_.orders = static_cast<std::int64_t>(orders);
    told_.all_orders = number_of_orders(steps.size(), orders + 1) == orders;
  }

  [[nodiscard]] TriedOrders sum_up(const ModelReport& report) const {
    return sum_up_orders(report.variants, can_judge(report), request_.check.judging.strict);
  }

  [[nodiscard]] std::string why_not_written() const {
    const ModelReport& report = told_.model;
    if (!report.error.empty()) return report.error;
    if (report.baseline.status != BaselineStatus::ok)
      return report.model.path + " cannot be judged: " + report.baseline.message;
    if (std::string open = question_of_all(report); !open.empty()) return open;
    if (!told_.tried.best) return "no order was found to be right";
    if (std::string unseen = unverified_outputs(report, request_.accept_weak); !unseen.empty()) return unseen;
    if (!delivery_.verified)
      return "the file that was written did not pass when it was run again: " + delivery_.message;
    return "";
  }

  const OrdersRequest& request_;
  OptimizedFile* file_;  // null: none is asked for
  OrdersReport told_;
  Delivery delivery_;
};

Result<std::optional<OptimizedFile>> file_of(const OrdersRequest& request) {
  if (request.out.empty()) return std::nullopt;
  auto file = OptimizedFile::beside(request.out, request.check.models.front());
  if (!file) return tl::unexpected(file.error());
  return std::optional(std::move(*file));
}

}  // namespace

Result<OrdersAnswer> try_orders(const OrdersRequest& request, const Caller& caller) {
  const WorkshopOrder order = order_of(request.check);
  if (!request.out.empty())
    if (auto free = place_must_be_free(request.out, order); !free) return tl::unexpected(free.error());
  auto workshop = Workshop::open(caller, order);
  if (!workshop) return tl::unexpected(workshop.error());
  if (auto ok = order_must_count(workshop->optimizer); !ok) return tl::unexpected(ok.error());
  auto file = file_of(request);
  if (!file) return tl::unexpected(file.error());
  OrdersOfModel orders(request, *file ? &**file : nullptr);
  if (auto ok = orders.check(*workshop); !ok)
    return tl::unexpected(ok.error().kind == ErrorKind::interrupted ? nothing_kept() : ok.error());
  if (caller.is_interrupted()) return tl::unexpected(nothing_kept());
  if (auto ok = orders.deliver(); !ok) return tl::unexpected(ok.error());
  OrdersReport told = std::move(orders.told());
  Report report = report_of(*workshop, request.check, {told.model});
  const bool keeps = keeps_earlier(report, workshop->folder);
  told.tool_version = std::move(report.tool_version);
  told.command = std::move(report.command);
  told.environment = std::move(report.environment);
  told.optimizer = workshop->optimizer.name;
  told.seed = request.check.data.samples.seed;
  told.seconds = caller.watch.seconds();
  return OrdersAnswer{std::move(told), std::move(workshop->folder), keeps};
}

int exit_code_of(const OrdersReport& report) {
  if (std::ranges::any_of(report.tried.results, &OrderResult::is_wrong)) return 1;
  return std::ranges::none_of(report.tried.results, &OrderResult::is_right) || !report.why_not.empty() ? 3 : 0;
}

}  // namespace culprit
