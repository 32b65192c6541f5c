#include "conversion/faults/unfolded_parts.h"

#include <algorithm>
#include <cmath>

namespace culprit {
namespace {

using Kind = FoldedPart::Kind;

/// What folding in single precision leaves, of an element over the larger of itself and the rms.
constexpr double folded_within = 1e-5, factor_within = 3e-5;

double rms_of(const std::vector<float>& numbers) {
  double squares = 0;
  for (const float number : numbers) squares += static_cast<double>(number) * static_cast<double>(number);
  return numbers.empty() ? 0 : std::sqrt(squares / static_cast<double>(numbers.size()));
}

bool is_multiplier(const FoldedPart& part) { return part.kind != Kind::kernel && part.kind != Kind::summand; }

/// The slice of O in which an element lies.
class SliceOf {
 public:
  explicit SliceOf(const TargetParameter& form) {
    const auto axis = form.axes.find('O');
    if (axis == std::string::npos || axis >= form.tensor.shape.size()) return;
    count_ = static_cast<std::size_t>(form.tensor.shape[axis]);
    for (std::size_t i = axis + 1; i < form.tensor.shape.size(); ++i)
      stride_ *= static_cast<std::size_t>(form.tensor.shape[i]);
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  std::size_t operator()(std::size_t element) const { return element / stride_ % count_; }

 private:
  std::size_t count_ = 0, stride_ = 1;
};

/// What each slice of a kernel is to be multiplied with, where that alone makes all of it right.
struct SliceFactors {
  std::vector<double> by_slice;
  bool explains = false;  ///< else some slice is wrong in another way
  bool is_wrong = false;
  bool is_uniform = true;
};

SliceFactors slice_factors(const FoldedForm& kernel, const SliceOf& slice_of) {
  const std::vector<float>& found = kernel.form->tensor.numbers;
  const double rms = rms_of(kernel.right);
  std::vector<double> products(slice_of.count()), squares(slice_of.count());
  SliceFactors factors;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto one = static_cast<double>(kernel.right[i]), other = static_cast<double>(found[i]);
    products[slice_of(i)] += one * other;
    squares[slice_of(i)] += other * other;
    if (!(std::abs(one - other) <= folded_within * std::max(std::abs(one), rms))) factors.is_wrong = true;
  }
  for (std::size_t slice = 0; slice < slice_of.count(); ++slice) {
    const double factor = squares[slice] > 0 ? products[slice] / squares[slice] : 1;
    factors.by_slice.push_back(std::abs(factor - 1) <= folded_within ? 1 : factor);
  }
  factors.explains = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto one = static_cast<double>(kernel.right[i]);
    const double off = std::abs(one - factors.by_slice[slice_of(i)] * static_cast<double>(found[i]));
    if (!(off <= factor_within * std::max(std::abs(one), rms))) factors.explains = false;
  }
  for (const double factor : factors.by_slice)
    if (!(std::abs(factor - factors.by_slice[0]) <= factor_within * std::abs(factor))) factors.is_uniform = false;
  return factors;
}

/// An epsilon that explains all factors; to few digits where it can be.
std::optional<double> epsilon_for(const FoldedPart& variance, const std::vector<double>& factors) {
  std::vector<double> found;
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (factors[i] != 1)
      found.push_back((variance.numbers[i] + variance.epsilon) / (factors[i] * factors[i]) - variance.numbers[i]);
  if (found.size() < 2) return std::nullopt;
  std::ranges::nth_element(found, found.begin() + std::ssize(found) / 2);
  const double epsilon = found[found.size() / 2];
  const auto explains = [&](double one) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const double factor = std::sqrt((variance.numbers[i] + variance.epsilon) / (variance.numbers[i] + one));
      if (!(std::abs(factor - factors[i]) <= factor_within * std::abs(factor))) return false;
    }
    return true;
  };
  if (!(epsilon > 0) || !explains(epsilon)) return std::nullopt;
  const double digit = std::pow(10, std::floor(std::log10(epsilon)) - 1);
  const double rounded = std::round(epsilon / digit) * digit;
  return explains(rounded) ? rounded : epsilon;
}

class Unfolding {
 public:
  explicit Unfolding(const UnfoldedTask& task) : task_(task) {}

  std::vector<UnfoldedChange> changes() {
    const FoldedPart* multiplied = nullptr;
    std::vector<double> factors;
    if (task_.kernel) {
      const SliceOf slice_of(*task_.kernel->form);
      if (slice_of.count() == 0) return {};
      const SliceFactors found = slice_factors(*task_.kernel, slice_of);
      if (found.is_wrong) multiplied = blame_kernel_or_factor(found, slice_of);
      if (multiplied != nullptr) factors = found.by_slice;
    }
    if (task_.bias) add_summands(multiplied, factors);
    std::ranges::stable_sort(changes_, {}, &UnfoldedChange::is_alternative);
    return std::move(changes_);
  }

 private:
  /// The part that multiplies and is blamed; nullptr: the kernel is.
  const FoldedPart* blame_kernel_or_factor(const SliceFactors& found, const SliceOf& slice_of) {
    const auto& parts = task_.kernel->form->folded;
    const FoldedPart* blamed = nullptr;
    if (found.explains && !is_kernel_alone(found)) {
      for (const FoldedPart& part : parts)
        if (is_multiplier(part) && add_multiplier(part, found.by_slice, blamed != nullptr) && blamed == nullptr)
          blamed = &part;
    }
    add_kernel(slice_of, blamed != nullptr);
    if (blamed == nullptr && found.explains)
      for (const FoldedPart& part : parts)
        if (is_multiplier(part)) add_multiplier(part, found.by_slice, true);
    return blamed;
  }

  /// A factor would change the bias as well, or is one for all.
  [[nodiscard]] bool is_kernel_alone(const SliceFactors& found) const {
    if (!task_.bias) return found.is_uniform && task_.is_bias_right;
    if (!is_bias_off(nullptr, {})) {
      const bool may_be_factor = std::ranges::any_of(task_.bias->form->folded, [&](const FoldedPart& part) {
        return is_multiplier(part) && !is_bias_off(&part, found.by_slice);
      });
      return !may_be_factor || found.is_uniform;
    }
    return false;
  }

  [[nodiscard]] bool is_bias_off(const FoldedPart* multiplied, const std::vector<double>& factors) const {
    const auto off = residuals(multiplied, factors);
    return std::ranges::any_of(off, [](double one) { return one != 0; });
  }

  /// What the bias lacks, by slice, where `multiplied` is what it should be; 0 where rounding explains it.
  [[nodiscard]] std::vector<double> residuals(const FoldedPart* multiplied, const std::vector<double>& factors) const {
    const auto& parts = task_.bias->form->folded;
    std::vector<double> off(task_.bias->right.begin(), task_.bias->right.end());
    std::vector<double> sizes(off.size());
    for (std::size_t i = 0; i < off.size(); ++i) sizes[i] = std::abs(off[i]);
    std::size_t multiplied_at = 0;
    for (std::size_t at = 0; at < parts.size() && multiplied != nullptr; ++at)
      if (parts[at].layer == multiplied->layer && parts[at].value == multiplied->value) multiplied_at = at;
    for (std::size_t at = 0; at < parts.size(); ++at) {
      if (parts[at].kind != Kind::summand) continue;
      for (std::size_t i = 0; i < off.size(); ++i) {
        const double summand = parts[at].numbers[i] * parts[at].behind[i] * (at < multiplied_at ? factors[i] : 1);
        off[i] -= summand;
        sizes[i] += std::abs(summand);
      }
    }
    const double rms = rms_of(task_.bias->right);
    for (std::size_t i = 0; i < off.size(); ++i)
      if (std::abs(off[i]) <= folded_within * std::max(sizes[i], rms)) off[i] = 0;
    return off;
  }

  bool add_multiplier(const FoldedPart& part, const std::vector<double>& factors, bool is_alternative) {
    UnfoldedChange made{part, part.numbers, std::nullopt, is_alternative};
    for (std::size_t i = 0; i < factors.size(); ++i) {
      double& number = made.right[i];
      if (part.kind == Kind::variance)
        number = factors[i] == 1 ? number : (number + part.epsilon) / (factors[i] * factors[i]) - part.epsilon;
      else if (part.kind == Kind::divisor)
        number /= factors[i];
      else
        number *= factors[i];
    }
    if (part.kind == Kind::variance) {
      if (auto epsilon = epsilon_for(part, factors)) {
        made.epsilon = epsilon;  // one number explains all
        for (UnfoldedChange& other : changes_) other.is_alternative = true;
        made.is_alternative = false;
        changes_.insert(changes_.begin(), made);
        return true;
      }
      if (std::ranges::any_of(made.right, [](double one) { return !(one >= 0); })) return false;
    }
    if (!std::ranges::all_of(made.right, [](double one) { return std::isfinite(one); })) return false;
    changes_.push_back(std::move(made));
    return true;
  }

  /// Nothing can be said of a slice where what multiplies it is 0.
  void add_kernel(const SliceOf& slice_of, bool is_alternative) {
    const auto& parts = task_.kernel->form->folded;
    const auto kernel = std::ranges::find(parts, Kind::kernel, &FoldedPart::kind);
    const std::vector<float>& found = task_.kernel->form->tensor.numbers;
    const double rms = rms_of(task_.kernel->right);
    UnfoldedChange made{*kernel, {}, std::nullopt, is_alternative};
    made.right.reserve(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto right = static_cast<double>(task_.kernel->right[i]), is = static_cast<double>(found[i]);
      const double factor = kernel->behind[slice_of(i)];
      const bool is_right = std::abs(right - is) <= folded_within * std::max(std::abs(right), rms) || factor == 0;
      // NaN says: as it is stored.
      made.right.push_back(is_right ? std::nan("") : right / factor);
    }
    if (std::ranges::all_of(made.right, [](double one) { return std::isnan(one); })) return;
    changes_.push_back(std::move(made));
  }

  void add_summands(const FoldedPart* multiplied, const std::vector<double>& factors) {
    const auto off = residuals(multiplied, factors);
    if (std::ranges::all_of(off, [](double one) { return one == 0; })) return;
    std::vector<const FoldedPart*> summands;
    for (const FoldedPart& part : task_.bias->form->folded)
      if (part.kind == Kind::summand) summands.insert(summands.begin(), &part);
    std::stable_partition(summands.begin(), summands.end(), [](const FoldedPart* part) {
      return part->numbers.size() > 1 &&
             std::ranges::all_of(part->numbers, [&](double one) { return one == part->numbers[0]; });
    });
    bool is_alternative = false;
    for (const FoldedPart* part : summands) {
      UnfoldedChange made{*part, part->numbers, std::nullopt, is_alternative};
      for (std::size_t i = 0; i < off.size(); ++i)
        if (off[i] != 0) made.right[i] += off[i] / part->behind[i];
      if (!std::ranges::all_of(made.right, [](double one) { return std::isfinite(one); })) continue;
      changes_.push_back(std::move(made));
      is_alternative = true;
    }
  }

  const UnfoldedTask& task_;
  std::vector<UnfoldedChange> changes_;
};

}  // namespace

std::vector<UnfoldedChange> unfolded_changes(const UnfoldedTask& task) { return Unfolding(task).changes(); }

}  // namespace culprit
