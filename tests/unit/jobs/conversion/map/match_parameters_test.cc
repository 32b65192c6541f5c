#include "conversion/map/match_parameters.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "map_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = TensorMatch::Kind;

TensorOfNumbers numbers_of_tensor(const Tensor& tensor, int place) {
  return {"", tensor.shape(), numbers_in(tensor), place};
}

DerivedTensor stored_parameter(const Tensor& tensor, int place, const std::string& role = "kernel",
                               const std::string& axes = "") {
  DerivedTensor made{numbers_of_tensor(tensor, place), {place}, {place}, role, axes, ""};
  made.stands_for = {{place, role == "bias" ? 1000 + place : place}};
  return made;
}

TargetParameter target_parameter(const Tensor& tensor, int place, const std::string& role = "kernel",
                                 const std::string& axes = "") {
  return {place, place, 1, role, axes, numbers_of_tensor(tensor, place)};
}

std::vector<std::pair<std::size_t, std::size_t>> pairs_in(const std::vector<ParameterMatch>& matches) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  pairs.reserve(matches.size());
  for (const ParameterMatch& match : matches) pairs.emplace_back(match.source, match.target);
  return pairs;
}

using PairsOf = std::vector<std::pair<std::size_t, std::size_t>>;

Tensor rounded_to(const Tensor& tensor, double step) {
  std::vector<float> numbers = numbers_in(tensor);
  for (float& number : numbers) number = static_cast<float>(std::round(static_cast<double>(number) / step) * step);
  return Tensor::of(tensor.shape(), numbers);
}

struct LettersRow {
  const char *source, *target;
  std::vector<int> axes;  // empty: none
};

TEST(ParameterMatch, OrderByLetters) {
  for (const LettersRow& row : std::vector<LettersRow>{{"OIHW", "OHWI", {0, 2, 3, 1}},
                                                       {"OIHW", "HWIO", {2, 3, 1, 0}},
                                                       {"IO", "OI", {1, 0}},
                                                       {"OI", "OI", {0, 1}},
                                                       {"OIHW", "IO", {}},
                                                       {"OIHW", "", {}},
                                                       {"", "", {}},
                                                       {"C", "O", {}},
                                                       {"OOHW", "OHWO", {}}}) {
    const auto order = order_by_letters(row.source, row.target);
    EXPECT_EQ(order.has_value(), !row.axes.empty()) << row.source << " " << row.target;
    EXPECT_EQ(order.value_or(AxisOrder{}).axes, row.axes) << row.source << " " << row.target;
  }
}

struct OrderRowOfParameters {
  const char* what;
  Shape shape;
  const char* axes;
  std::vector<int> moved;  // how the target has it
  Shape target;
  const char* target_axes;
  bool is_expected;
};

TEST(ParameterMatch, OrderAgainstLetters) {
  for (const OrderRowOfParameters& row : std::vector<OrderRowOfParameters>{
           {"channels last", {8, 4, 3, 3}, "OIHW", {0, 2, 3, 1}, {8, 3, 3, 4}, "OHWI", true},
           {"a square kernel turned", {6, 6}, "OI", {1, 0}, {6, 6}, "OI", false},
           {"and rightly turned", {6, 6}, "OI", {1, 0}, {6, 6}, "IO", true},
           {"not turned, and should be", {6, 6}, "OI", {0, 1}, {6, 6}, "IO", false},
           {"H and W exchanged", {4, 2, 3, 3}, "OIHW", {0, 1, 3, 2}, {4, 2, 3, 3}, "OIHW", false},
           {"a dense layer as a 1x1 convolution", {6, 5}, "IO", {1, 0}, {5, 6, 1, 1}, "OIHW", true},
           {"depthwise", {8, 1, 3, 3}, "OIHW", {2, 3, 0, 1}, {1, 3, 3, 8}, "1HWO", true},
           {"no letters", {6, 6}, "", {1, 0}, {6, 6}, "IO", true}}) {
    const Tensor source = normal_tensor(row.shape, 4);
    const Tensor target = laid_out(source, ValueOrder{{row.moved}}, row.target).value();
    const auto found = match_parameters({stored_parameter(source, 0, "kernel", row.axes)},
                                        {target_parameter(target, 0, "kernel", row.target_axes)});
    ASSERT_EQ(found.size(), 1U) << row.what;
    EXPECT_EQ(found[0].kind, Kind::same) << row.what;
    EXPECT_EQ(found[0].is_order_expected, row.is_expected) << row.what;
    EXPECT_EQ(found[0].wrong, 0) << row.what;
    EXPECT_EQ(found[0].distance, 0) << row.what;
    EXPECT_EQ(found[0].order == found[0].expected, row.is_expected) << row.what;
  }
}

TEST(ParameterMatch, ASymmetricKernelHasTheExpectedOrder) {
  const Tensor source = Tensor::of<float>({3, 3}, {1, 2, 3, 2, 4, 5, 3, 5, 6});
  const auto found =
      match_parameters({stored_parameter(source, 0, "kernel", "OI")}, {target_parameter(source, 0, "kernel", "IO")});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].is_order_expected);
  EXPECT_THAT(found[0].order.axes, ElementsAre(1, 0));
}

TEST(ParameterMatch, ChangedNumbersAreCounted) {
  const Tensor source = normal_tensor({10, 20}, 1);
  std::vector<float> numbers = numbers_in(with_axes(source, {1, 0}));
  numbers[5] += 2;
  const auto found =
      match_parameters({stored_parameter(source, 0)}, {target_parameter(Tensor::of({20, 10}, numbers), 0)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Kind::changed);
  EXPECT_EQ(found[0].wrong, 1);
  EXPECT_NEAR(found[0].mean_difference, 0.01, 1e-6);
}

TEST(ParameterMatch, OneWrongNumberOfManyIsAChange) {
  const Tensor source = normal_tensor({1000, 1000}, 1);
  std::vector<float> numbers = numbers_in(source);
  numbers[77] += 2;
  const auto found =
      match_parameters({stored_parameter(source, 0)}, {target_parameter(Tensor::of(source.shape(), numbers), 0)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_LT(found[0].distance, MatchLimits{}.same_within);
  EXPECT_EQ(found[0].kind, Kind::changed);
  EXPECT_EQ(found[0].wrong, 1);
}

TEST(ParameterMatch, RoundedOnesAreTheirOwn) {
  for (const double step : {1e-3, 0.1, 0.5}) {
    std::vector<DerivedTensor> sources;
    std::vector<TargetParameter> targets;
    for (int i = 0; i < 60; ++i) {
      const Tensor kernel = normal_tensor({8, 9}, static_cast<std::uint64_t>(i + 1));
      sources.push_back(stored_parameter(kernel, i));
      targets.insert(targets.begin(), target_parameter(rounded_to(with_axes(kernel, {1, 0}), step), i));
    }
    const auto found = match_parameters(sources, targets);
    ASSERT_EQ(found.size(), 60U) << step;
    for (const ParameterMatch& match : found) {
      EXPECT_EQ(match.target, 59 - match.source) << step;
      EXPECT_EQ(match.kind, Kind::changed) << step;
    }
  }
}

TEST(ParameterMatch, ScrambledIsFoundBeforeWhatIsFarOff) {
  const Tensor one = normal_tensor({4, 6}, 1);
  std::vector<float> numbers = numbers_in(one);
  std::ranges::reverse(numbers);
  std::vector<float> off = numbers_in(one);
  for (float& number : off) number *= 1.4F;
  const auto found = match_parameters({stored_parameter(one, 0)}, {target_parameter(Tensor::of({4, 6}, off), 0),
                                                                   target_parameter(Tensor::of({4, 6}, numbers), 1)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].target, 1U);
  EXPECT_EQ(found[0].kind, Kind::scrambled);
}

TEST(ParameterMatch, EqualOnesByTheirPlaces) {
  std::vector<DerivedTensor> sources;
  std::vector<TargetParameter> targets;
  // Three layers of the source are one of the target, but for the last ones.
  for (int i = 0; i < 6; ++i) {
    sources.push_back(stored_parameter(Tensor::of<float>({4}, {0, 0, 0, 0}), 3 * i, "bias"));
    sources.push_back(stored_parameter(normal_tensor({5, 5}, static_cast<std::uint64_t>(i + 1)), 3 * i));
    if (i != 2) targets.push_back(target_parameter(Tensor::of<float>({4}, {0, 0, 0, 0}), i, "bias"));
    targets.push_back(target_parameter(normal_tensor({5, 5}, static_cast<std::uint64_t>(i + 1)), i));
  }
  for (const ParameterMatch& match : match_parameters(sources, targets))
    EXPECT_EQ(3 * targets[match.target].tensor.place, sources[match.source].tensor.place);
  EXPECT_EQ(match_parameters(sources, targets).size(), 11U);
}

TEST(ParameterMatch, WeightsOfAnotherLayerAreNoMatch) {
  const Tensor one = normal_tensor({6, 6}, 1), other = normal_tensor({6, 6}, 2), third = normal_tensor({6, 6}, 3);
  const auto found =
      match_parameters({stored_parameter(one, 0), stored_parameter(other, 1), stored_parameter(third, 2)},
                       {target_parameter(other, 0), target_parameter(other, 1), target_parameter(third, 2)});
  EXPECT_EQ(pairs_in(found), (PairsOf{{1, 1}, {2, 2}}));
}

TEST(ParameterMatch, AFoldedKernelTakesThePlaceOfItsParts) {
  const NamedWeights weights{{"w", normal_tensor({5, 3, 3, 3}, 1)},
                             {"g", normal_tensor({5}, 2, 0.3, 1)},
                             {"b", normal_tensor({5}, 3)},
                             {"m", normal_tensor({5}, 4)},
                             {"v", Tensor::of<float>({5}, {1, 2, 0.5F, 0.1F, 3})}};
  const ComputedNet net(
      "g (float[1,3,4,4] x) => (float[N] y) { a = Conv(x, w) y = BatchNormalization<epsilon = 0.001>(a, g, b, m, v) }",
      weights);
  const auto derived = derived_tensors(net.network);
  const auto role_of = [&](const ParameterMatch& match) { return derived[match.source].how; };
  // As they are: each stored one.
  auto found = match_parameters(derived, parameters_of(net.network));
  ASSERT_EQ(found.size(), 5U);
  for (const ParameterMatch& match : found) EXPECT_EQ(role_of(match), "");
  // Folded: the kernel and the bias, and nothing else, though there is another tensor that is like the scale.
  std::vector<TargetParameter> targets;
  for (const DerivedTensor& tensor : derived)
    if (tensor.layers.size() == 2)
      targets.push_back(
          target_parameter(Tensor::of(tensor.tensor.shape, tensor.tensor.numbers), 0, tensor.role, tensor.axes));
  ASSERT_EQ(targets.size(), 2U);
  std::vector<float> like_scale = numbers_in(weights.at("g"));
  for (float& number : like_scale) number *= 1.1F;
  targets.push_back(target_parameter(Tensor::of({5}, like_scale), 7, "scale"));
  found = match_parameters(derived, targets);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].kind, Kind::same);
  EXPECT_EQ(derived[found[0].source].role, "kernel");
  EXPECT_EQ(derived[found[1].source].role, "bias");
  EXPECT_EQ(found[0].wrong + found[1].wrong, 0);
}

TEST(ParameterMatch, RolesThatAreOthersNeedTheVeryNumbers) {
  const Tensor table = normal_tensor({30}, 1), near = rounded_to(table, 0.2);
  EXPECT_THAT(match_parameters({stored_parameter(table, 0)}, {target_parameter(near, 0, "bias")}), IsEmpty());
  EXPECT_EQ(match_parameters({stored_parameter(table, 0)}, {target_parameter(near, 0, "operand")}).size(), 1U);
  EXPECT_EQ(match_parameters({stored_parameter(table, 0)}, {target_parameter(table, 0, "bias")}).size(), 1U);
}

TEST(ParameterMatch, TargetsAreUsesOfConstants) {
  const ComputedNet net("g (float[2,5] x) => (float[N] y) { a = MatMul(x, w) b = Relu(a) y = MatMul(b, w) }",
                        {{"w", normal_tensor({5, 5}, 1)}});
  const auto found = parameters_of(net.network);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].layer, 0);
  EXPECT_EQ(found[1].layer, 2);
  EXPECT_EQ(found[1].at, 1U);
  EXPECT_EQ(found[1].axes, "IO");
  EXPECT_EQ(pairs_in(match_parameters(derived_tensors(net.network), found)), (PairsOf{{0, 0}, {1, 1}}));
}

}  // namespace
}  // namespace culprit
