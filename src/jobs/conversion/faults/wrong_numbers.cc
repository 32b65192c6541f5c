#include "conversion/faults/wrong_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "conversion/faults/element_order.h"
#include "conversion/faults/rounding_grid.h"
#include "conversion/number_profile.h"

namespace culprit {
namespace {

constexpr std::size_t most_elements = 5;
constexpr double same_numbers = 1e-5, plain_factor = 1e-4;

std::vector<std::int64_t> index_in(const Shape& shape, std::int64_t at) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = at % shape[axis];
    at /= shape[axis];
  }
  return index;
}

double rms_of_numbers(std::span<const float> numbers) {
  double sum = 0;
  for (const float number : numbers) sum += static_cast<double>(number) * static_cast<double>(number);
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(numbers.size(), 1)));
}

/// The number by which all are multiplied; nullopt where there is none.
std::optional<double> factor_between(std::span<const float> right, std::span<const float> found) {
  double both = 0, own = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    both += static_cast<double>(right[i]) * static_cast<double>(found[i]);
    own += static_cast<double>(right[i]) * static_cast<double>(right[i]);
  }
  if (right.size() < 2 || own == 0 || both == 0) return std::nullopt;
  const double factor = both / own;
  double left = 0, size = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    left += std::abs(factor * static_cast<double>(right[i]) - static_cast<double>(found[i]));
    size += std::abs(static_cast<double>(found[i]));
  }
  return left <= plain_factor * size ? std::optional(factor) : std::nullopt;
}

class NumbersJudge {
 public:
  explicit NumbersJudge(const NumbersTask& task) : task_(task) {
    const double rms = rms_of_numbers(task.right);
    for (std::size_t i = 0; i < task.right.size(); ++i) {
      const double right = static_cast<double>(task.right[i]), found = static_cast<double>(task.found[i]);
      const double off = std::abs(right - found);
      sum_ += std::isfinite(off) ? off : 0;
      if (task.right[i] != task.found[i] && !(off <= task.within * std::max(std::abs(right), rms))) wrong_.push_back(i);
    }
  }

  std::optional<WrongNumbers> judge() {
    if (wrong_.empty()) return std::nullopt;
    told_.evidence.numbers = {{"wrong", static_cast<double>(wrong_.size())},
                              {"of", static_cast<double>(task_.right.size())},
                              {"mean_difference", sum_ / static_cast<double>(task_.right.size())}};
    for (std::size_t i = 0; i < wrong_.size() && i < most_elements; ++i)
      told_.evidence.elements.push_back({{},
                                         index_in(task_.shape, static_cast<std::int64_t>(wrong_[i])),
                                         static_cast<double>(task_.right[wrong_[i]]),
                                         static_cast<double>(task_.found[wrong_[i]])});
    if (is_rounded() || is_elsewhere(task_.right, task_.found, "") || is_elsewhere_before_folding() || is_zero() ||
        is_factor())
      return told_;
    told_.kind = FaultClass::parameter;
    told_.evidence.kind = "elements";
    const WrongElement& first = told_.evidence.elements.front();
    told_.evidence.message =
        fmt::format("{} of {} numbers {} wrong: {} is {:.6g}, should be {:.6g}; mean difference {:.2g}", wrong_.size(),
                    task_.right.size(), wrong_.size() == 1 ? "is" : "are", to_string(first.target), first.wrong,
                    first.right, told_.evidence.numbers["mean_difference"]);
    return told_;
  }

 private:
  bool is_rounded() {
    auto grid = grid_of(task_.right, task_.found);
    const bool is_folded = !grid && !task_.factors.empty();
    if (is_folded) grid = grid_of(task_.right, task_.found, task_.factors);
    if (!grid) return false;
    told_.kind = FaultClass::precision;
    told_.evidence.kind = "rounding";
    if (grid->digits > 0) told_.evidence.numbers["digits"] = grid->digits;
    if (grid->step > 0) told_.evidence.numbers["step"] = grid->step;
    told_.evidence.message = fmt::format("all numbers are rounded: {}{}", to_string(*grid),
                                         is_folded ? ", before a scale was folded in" : "");
    return true;
  }

  bool is_elsewhere(std::span<const float> right, std::span<const float> found, std::string_view when) {
    const auto order = element_order(task_.shape, right, found, task_.pictures);
    if (!order) return false;
    if (order->kind == ElementOrder::Kind::other &&
        (NumberProfile(right).distance(NumberProfile(found)) > same_numbers || NumberProfile(right).distinct() < 2))
      return false;
    told_.kind = FaultClass::layout;
    told_.evidence.kind = "order";
    told_.evidence.numbers["elsewhere"] = static_cast<double>(order->elsewhere);
    told_.evidence.message = fmt::format("the right numbers in another order: {}; {} of {} are elsewhere{}",
                                         to_string(*order, task_.shape), order->elsewhere, right.size(), when);
    return true;
  }

  bool is_elsewhere_before_folding() {
    if (task_.factors.size() != task_.right.size()) return false;
    const auto unfolded = [&](std::span<const float> numbers) {
      std::vector<float> made(numbers.begin(), numbers.end());
      for (std::size_t i = 0; i < made.size(); ++i) made[i] /= task_.factors[i];
      return made;
    };
    return is_elsewhere(unfolded(task_.right), unfolded(task_.found), ", before a scale was folded in");
  }

  bool is_zero() {
    if (std::ranges::any_of(task_.found, [](float number) { return number != 0; })) return false;
    told_.evidence.kind = "elements";
    told_.evidence.message = fmt::format("all {} numbers are 0", task_.right.size());
    return true;
  }

  bool is_factor() {
    const auto factor = factor_between(task_.right, task_.found);
    if (!factor) return false;
    told_.evidence.kind = "factor";
    told_.evidence.numbers["factor"] = *factor;
    told_.evidence.message =
        std::abs(*factor + 1) < plain_factor
            ? fmt::format("all {} numbers have the other sign", task_.right.size())
            : fmt::format("all {} numbers are {:.6g} times what they should be", task_.right.size(), *factor);
    return true;
  }

  const NumbersTask& task_;
  std::vector<std::size_t> wrong_;
  double sum_ = 0;
  WrongNumbers told_;
};

}  // namespace

std::optional<WrongNumbers> wrong_numbers(const NumbersTask& task) {
  if (task.right.empty() || task.right.size() != task.found.size()) return std::nullopt;
  return NumbersJudge(task).judge();
}

}  // namespace culprit
