#include "conversion/feeding/own_data.h"

#include <algorithm>
#include <limits>

#include "conversion/axis_order.h"
#include "conversion/feeding/fed_packs.h"
#include "conversion/feeding/feeding_ways.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

constexpr double same_data = 1e-3;  // data come by pictures of 8 bits, and by other sums than ours
constexpr std::size_t most_samples_held = 4;
constexpr double no_data_alike = std::numeric_limits<double>::infinity();

FeedingWay as_the_source() {
  return {"the data of the source as they are", 0,
          [](std::span<const Tensor> inputs) { return std::vector<Tensor>(inputs.begin(), inputs.end()); }};
}

double data_apart(const std::vector<NamedTensor>& expected, const std::vector<NamedTensor>& given) {
  double most = 0;
  for (const NamedTensor& one : expected) {
    const Tensor* other = find_value(given, one.name);
    const auto right = cast(one.value, DType::f32), found = other == nullptr ? right : cast(*other, DType::f32);
    if (other == nullptr || !right || !found || right->count() != found->count()) return no_data_alike;
    most = std::max(most, distance(right->as<float>(), found->as<float>()));
  }
  return most;
}

}  // namespace

Result<std::vector<DataTry>> ways_of_own_data(const BothSides& sides, const std::vector<ValueMatch>& binding,
                                              const std::vector<std::filesystem::path>& data) {
  std::vector<DataTry> tried;
  if (data.empty() || sides.source.samples.empty()) return tried;
  const auto first = inputs_in(sides.source, sides.source.samples[0]);
  if (!first) return tl::unexpected(first.error());
  std::vector<FeedingWay> ways = feeding_ways(sides.source.network(), binding, *first);
  ways.insert(ways.begin(), as_the_source());
  for (const FeedingWay& way : ways) tried.push_back({way.name, 0, false});
  for (std::size_t i = 0; i < std::min({most_samples_held, data.size(), sides.source.samples.size()}); ++i) {
    const auto inputs = inputs_in(sides.source, sides.source.samples[i]);
    if (!inputs) return tl::unexpected(inputs.error());
    const auto given = read_pack(data[i]);
    if (!given) return tl::unexpected(given.error());
    for (std::size_t way = 0; way < ways.size(); ++way) {
      const auto fed = ways[way].fed(*inputs);
      const auto bound = fed ? bound_inputs(sides, binding, *fed) : std::vector<NamedTensor>();
      if (!bound) return tl::unexpected(bound.error());
      double apart = no_data_alike;
      if (fed) apart = data_apart(*bound, *given);
      tried[way].apart = std::max(tried[way].apart, apart);
    }
  }
  for (DataTry& one : tried) one.is_same = one.apart <= same_data;
  std::ranges::stable_sort(tried, {}, &DataTry::apart);
  return tried;
}

}  // namespace culprit
