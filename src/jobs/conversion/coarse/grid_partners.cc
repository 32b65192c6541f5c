#include "conversion/coarse/grid_partners.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "conversion/axis_order.h"
#include "conversion/faults/right_parameter.h"

namespace culprit {
namespace {

/// Beyond that (distance of axis_order.h) the form of two tensors has nothing in common: of drawn numbers it is 1.4.
constexpr double most_apart_in_form = 0.8;
/// The map's own pair is taken up to that.
constexpr double surely_of_one_form = 0.4;

/// Less the mean, over the mean magnitude of what is left: no scale and no zero point shows. Empty: all are the same.
std::vector<float> form_of(const std::vector<float>& numbers) {
  double mean = 0, size = 0;
  for (const float number : numbers) mean += static_cast<double>(number);
  mean /= static_cast<double>(std::max<std::size_t>(numbers.size(), 1));
  for (const float number : numbers) size += std::abs(static_cast<double>(number) - mean);
  size /= static_cast<double>(std::max<std::size_t>(numbers.size(), 1));
  std::vector<float> form;
  if (!(size > 0) || !std::isfinite(size)) return form;
  form.reserve(numbers.size());
  for (const float number : numbers) form.push_back(static_cast<float>((static_cast<double>(number) - mean) / size));
  return form;
}

struct FormPair {
  double apart = 0;
  std::size_t source = 0, grid = 0;
  AxisOrder order = {};
};

class GridPartners {
 public:
  GridPartners(const ConversionMap& map, const std::vector<WeightGrid>& grids)
      : map_(map), grids_(grids), found_(grids.size()) {
    for (const DerivedTensor& derived : map.derived) forms_.push_back(form_of(derived.tensor.numbers));
    for (const WeightGrid& grid : grids) grid_forms_.push_back(form_of(grid.numbers.numbers));
  }

  std::vector<std::optional<RightNumbers>> find() {
    take_from_map(false);
    take_by_form();
    take_in_order();
    for (std::size_t grid = 0; grid < grids_.size(); ++grid)
      if (grids_[grid].is_bias()) take_of_kernel(grid);
    take_from_map(true);
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool is_open(std::size_t source) const {
    return std::ranges::none_of(map_.derived[source].stands_for, [&](const ReplacedParameter& part) {
      return std::ranges::any_of(taken_, [&](const ReplacedParameter& other) { return other.overlaps(part); });
    });
  }

  void take(std::size_t grid, std::size_t source, const AxisOrder& order) {
    const DerivedTensor& one = map_.derived[source];
    const auto laid = laid_out(Tensor::of(one.tensor.shape, one.tensor.numbers), order, grids_[grid].numbers.shape);
    if (!laid) return;
    found_[grid] = RightNumbers{source, {laid->as<float>().begin(), laid->as<float>().end()}};
    taken_.insert(taken_.end(), one.stands_for.begin(), one.stands_for.end());
  }

  [[nodiscard]] std::optional<FoundOrder> nearest(std::size_t source, std::size_t grid) const {
    if (forms_[source].empty() || forms_[source].size() != grid_forms_[grid].size()) return std::nullopt;
    return nearest_order(map_.derived[source].tensor.shape, forms_[source], grids_[grid].numbers.shape,
                         grid_forms_[grid], most_apart_in_form);
  }

  void take_from_map(bool of_biases) {
    for (std::size_t grid = 0; grid < grids_.size(); ++grid) {
      if (found_[grid] || grids_[grid].is_bias() != of_biases || !grids_[grid].parameter) continue;
      for (const ParameterMatch& match : map_.parameters) {
        if (match.target != *grids_[grid].parameter || !is_open(match.source)) continue;
        const auto order = nearest(match.source, grid);
        if (order && order->distance <= surely_of_one_form) take(grid, match.source, match.order);
      }
    }
  }

  void take_by_form() {
    std::vector<FormPair> pairs;
    for (std::size_t grid = 0; grid < grids_.size(); ++grid) {
      if (found_[grid] || grids_[grid].is_bias() || grid_forms_[grid].empty()) continue;
      for (std::size_t source = 0; source < map_.derived.size(); ++source) {
        if (!is_open(source) || map_.derived[source].role == "bias") continue;
        const auto order = nearest(source, grid);
        if (order && order->distance <= most_apart_in_form)
          pairs.push_back({order->distance, source, grid, order->order});
      }
    }
    std::ranges::stable_sort(pairs, {}, &FormPair::apart);
    for (const FormPair& pair : pairs)
      if (!found_[pair.grid] && is_open(pair.source)) take(pair.grid, pair.source, pair.order);
  }

  /// Kernels of which nothing is left that looks like any other: all 0, or one number.
  void take_in_order() {
    std::map<std::size_t, std::vector<std::size_t>> grids, sources;
    for (std::size_t grid = 0; grid < grids_.size(); ++grid)
      if (!found_[grid] && grids_[grid].role == "kernel") grids[grids_[grid].numbers.numbers.size()].push_back(grid);
    for (std::size_t source = 0; source < map_.derived.size(); ++source)
      if (map_.derived[source].is_stored() && map_.derived[source].role == "kernel" && is_open(source))
        sources[map_.derived[source].tensor.numbers.size()].push_back(source);
    for (const auto& [count, some] : grids) {
      if (sources[count].size() != some.size()) continue;
      for (std::size_t i = 0; i < some.size(); ++i) {
        const DerivedTensor& one = map_.derived[sources[count][i]];
        TargetParameter like;
        like.axes = grids_[some[i]].axes;
        like.tensor = grids_[some[i]].numbers;
        if (const auto order = likely_order(one, like)) take(some[i], sources[count][i], *order);
      }
    }
  }

  void take_of_kernel(std::size_t bias) {
    for (std::size_t kernel = 0; kernel < grids_.size(); ++kernel) {
      if (!found_[kernel] || grids_[kernel].is_bias() || grids_[kernel].layer != grids_[bias].layer) continue;
      const std::vector<int>& layers = map_.derived[found_[kernel]->source].layers;
      for (std::size_t source = 0; source < map_.derived.size(); ++source) {
        const DerivedTensor& one = map_.derived[source];
        if (found_[bias] || one.role != "bias" || one.layers != layers) continue;
        if (one.tensor.numbers.size() != grids_[bias].numbers.numbers.size()) continue;
        found_[bias] = RightNumbers{source, one.tensor.numbers};
      }
    }
  }

  const ConversionMap& map_;
  const std::vector<WeightGrid>& grids_;
  std::vector<std::vector<float>> forms_, grid_forms_;
  std::vector<ReplacedParameter> taken_;
  std::vector<std::optional<RightNumbers>> found_;
};

}  // namespace

std::vector<std::optional<RightNumbers>> right_numbers(const ConversionMap& map, const std::vector<WeightGrid>& grids) {
  return GridPartners(map, grids).find();
}

}  // namespace culprit
