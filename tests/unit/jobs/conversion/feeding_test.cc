// A target that is right, and only fed otherwise than its source.
#include <algorithm>
#include <functional>

#include "conversion/feeding/feeding_ways.h"
#include "conversion/feeding/picture_axes.h"
#include "diagnose_bench.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::Floats;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::wrong_weight;

std::vector<FeedingWay> ways_of(const std::string& graph, const std::vector<Tensor>& sample) {
  return feeding_ways(network_of(graph), {}, sample);
}

std::vector<std::string> names_of(const std::vector<FeedingWay>& ways) {
  std::vector<std::string> names;
  for (const FeedingWay& way : ways) names.push_back(way.name);
  return names;
}

Floats fed_by(const std::vector<FeedingWay>& ways, const std::string& name, const Tensor& tensor) {
  const auto way = std::ranges::find(ways, name, &FeedingWay::name);
  if (way == ways.end()) return {};
  const auto fed = way->fed({&tensor, 1});
  return fed ? Floats(fed->front().as<float>().begin(), fed->front().as<float>().end()) : Floats{};
}

const char* const picture_graph = "g (float[1,3,1,1] x) => (float[1,3,1,1] y) { y = Relu(x) }";

TEST(PictureAxes, AreWhereThreeOneOrFourStands) {
  EXPECT_EQ(picture_axes({2, 3, 8, 9}, false)->channel, 1U);
  EXPECT_EQ(picture_axes({2, 8, 9, 4}, false)->channel, 3U);
  EXPECT_EQ(picture_axes({8, 9, 3}, false)->channel, 2U);
  EXPECT_EQ(picture_axes({2, 3, 3, 3}, false)->channel, 1U);
  EXPECT_EQ(picture_axes({2, 3, 3, 3}, true)->channel, 3U);
  EXPECT_FALSE(picture_axes({2, 8, 9, 7}, false));
  EXPECT_FALSE(picture_axes({2, 3}, false));
}

TEST(FeedingWays, ReverseChannelsAndScale) {
  const Tensor pixel = Tensor::of<float>({1, 3, 1, 1}, {0, 127.5F, 255});
  const auto ways = ways_of(picture_graph, {pixel});
  EXPECT_THAT(fed_by(ways, "channels reversed", pixel), ElementsAre(255, 127.5F, 0));
  EXPECT_THAT(fed_by(ways, "0 to 1 in place of 0 to 255", pixel), ElementsAre(0, 0.5F, 1));
  EXPECT_THAT(fed_by(ways, "channels reversed, -1 to 1 in place of 0 to 255", pixel), ElementsAre(1, 0, -1));
  const Floats normal = fed_by(ways, "mean and std of ImageNet in place of 0 to 255", pixel);
  ASSERT_EQ(normal.size(), 3U);
  EXPECT_NEAR(normal[0], -0.485 / 0.229, 1e-6);
  EXPECT_NEAR(normal[2], (1 - 0.406) / 0.225, 1e-6);
}

TEST(FeedingWays, ExchangeHeightAndWidthWhereTheyAreEqual) {
  const Tensor square = Tensor::of<float>({1, 1, 2, 2}, {1, 2, 3, 4}), wide = Tensor::of<float>({1, 1, 1, 2}, {1, 2});
  const auto ways = ways_of("g (float[1,1,2,2] x) => (float[1,1,2,2] y) { y = Relu(x) }", {square});
  EXPECT_THAT(fed_by(ways, "height and width exchanged", square), ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(fed_by(ways, "height and width exchanged", wide), IsEmpty());
  EXPECT_THAT(names_of(ways), Not(Contains("channels reversed"))) << "there is one";
}

TEST(FeedingWays, ExchangeInputsOfOneForm) {
  const char* const graph = "g (float[2] a, float[2] b, float[3] c) => (float[2] y) { y = Sub(a, b) }";
  const std::vector<Tensor> sample{Tensor::of<float>({2}, {1, 2}), Tensor::of<float>({2}, {3, 4}),
                                   Tensor::of<float>({3}, {5, 6, 7})};
  const auto ways = ways_of(graph, sample);
  EXPECT_THAT(names_of(ways), ElementsAre("'a' and 'b' exchanged"));
  const auto fed = ways.front().fed(sample);
  ASSERT_TRUE(fed);
  EXPECT_TRUE((*fed)[0].identical(sample[1]));
  EXPECT_TRUE((*fed)[1].identical(sample[0]));
}

TEST(FeedingWays, ReshapeInPlaceOfATransposition) {
  const Network source = network_of("g (float[1,2,1,3] x) => (float[1,2,1,3] y) { y = Relu(x) }");
  const Tensor tensor = Tensor::of<float>({1, 2, 1, 3}, {1, 2, 3, 4, 5, 6});
  ValueMatch match{source.inputs[0], 0, {}, FoundBy::binding};
  match.order.axes.axes = {0, 2, 3, 1};
  const auto ways = feeding_ways(source, {match}, {&tensor, 1});
  const auto way = std::ranges::find(ways, "reshaped, not transposed", &FeedingWay::name);
  ASSERT_NE(way, ways.end());
  const auto fed = way->fed({&tensor, 1});
  ASSERT_TRUE(fed);
  const auto given = laid_out(fed->front(), match.order, {1, 1, 3, 2});
  ASSERT_TRUE(given);
  EXPECT_THAT(Floats(given->as<float>().begin(), given->as<float>().end()), ElementsAre(1, 2, 3, 4, 5, 6));
}

class Feeding : public testing::DiagnoseBench {
 protected:
  static Tensor of_reversed_channels(const Tensor& kernel) { return testing::flipped(kernel, 1); }
  static Tensor of_smaller_numbers(const Tensor& kernel) { return testing::scaled(kernel, 255); }

  /// A copy of the net with other names, with this mistake.
  static onnx::ModelProto target_of(const onnx::ModelProto& net, const testing::Fault& mistake = {}) {
    onnx::ModelProto target = net;
    if (mistake) mistake(target);
    testing::rename_all(target);
    return target;
  }

  /// What the target is fed: the source's samples, changed so.
  void feed_target(const onnx::ModelProto& source, const onnx::ModelProto& target,
                   const std::function<Tensor(const Tensor&)>& change) {
    for (const auto& sample : testing::samples_for(source, sample_count)) {
      const auto file = folder() / ("own-" + std::to_string(options.target_samples.size()) + ".pack");
      const std::vector<NamedTensor> fed{{target.graph().input(0).name(), change(sample[0].value)}};
      ASSERT_TRUE(write_pack(file, fed));
      options.target_samples.push_back(file);
    }
  }
};

TEST_F(Feeding, ChannelsReversed) {
  const Diagnosis found = diagnose_net(testing::cnn_net(), {testing::channels_last_input},
                                       wrong_weight("Conv", 0, 1, of_reversed_channels));
  EXPECT_EQ(found.status, DiagnosisStatus::faulty);
  ASSERT_THAT(found.faults, ::testing::SizeIs(1));
  EXPECT_EQ(found.faults[0].kind, FaultClass::preprocessing);
  EXPECT_TRUE(found.faults[0].confirmed);
  EXPECT_EQ(found.faults[0].source.name, "x");
  EXPECT_THAT(found.faults[0].evidence.message, HasSubstr("channels reversed"));
  EXPECT_LT(found.faults[0].repair.error_after, found.faults[0].repair.error_before / 1000);
  ASSERT_TRUE(found.feeding);
  EXPECT_EQ(found.feeding->fits, "channels reversed");
  EXPECT_TRUE(found.feeding->tried.at(0).is_right);
  EXPECT_FALSE(found.feeding->tried.at(1).is_right);
}

TEST_F(Feeding, AnotherScale) {
  const Diagnosis found =
      diagnose_net(testing::cnn_net(), {testing::fold_normalizations}, wrong_weight("Conv", 0, 1, of_smaller_numbers));
  ASSERT_TRUE(found.feeding);
  EXPECT_EQ(found.feeding->fits, "0 to 1 in place of 0 to 255");
}

/// The target is right as the source is fed. What it is really fed is the source's data with channels reversed.
TEST_F(Feeding, OwnDataThatAreWrong) {
  const auto source = testing::cnn_net(), target = target_of(source);
  feed_target(source, target, [](const Tensor& tensor) { return testing::flipped(tensor, 1); });
  const Diagnosis found = diagnose_models(source, target);
  EXPECT_EQ(found.status, DiagnosisStatus::faulty);
  ASSERT_THAT(found.faults, ::testing::SizeIs(1));
  EXPECT_EQ(found.faults[0].kind, FaultClass::preprocessing);
  EXPECT_THAT(found.faults[0].evidence.message, HasSubstr("which are the source's with channels reversed"));
  ASSERT_TRUE(found.feeding);
  EXPECT_TRUE(found.feeding->has_own_data);
  EXPECT_EQ(found.feeding->data.at(0).way, "channels reversed");
  EXPECT_TRUE(found.feeding->data.at(0).is_same);
  EXPECT_FALSE(found.feeding->data.at(1).is_same);
  EXPECT_THAT(found.feeding->tried, IsEmpty());
}

/// Of no way that is known: what is nearest is told with how far it is off.
TEST_F(Feeding, OwnDataThatAreOtherData) {
  const auto source = testing::cnn_net(), target = target_of(source);
  feed_target(source, target, [](const Tensor& tensor) { return testing::scaled(tensor, 1.3F); });
  const Diagnosis found = diagnose_models(source, target);
  ASSERT_THAT(found.faults, ::testing::SizeIs(1));
  EXPECT_THAT(found.faults[0].evidence.message, HasSubstr("the data of the source as they are, is 0.3 of their size"));
}

/// The target wants other data than the source, and is fed them.
TEST_F(Feeding, OwnDataThatAreRight) {
  const auto source = testing::cnn_net(), target = target_of(source, wrong_weight("Conv", 0, 1, of_smaller_numbers));
  feed_target(source, target, [](const Tensor& tensor) { return testing::scaled(tensor, 1 / 255.0F); });
  const Diagnosis found = diagnose_models(source, target);
  EXPECT_EQ(found.status, DiagnosisStatus::same);
  EXPECT_THAT(found.message, HasSubstr("right on its own data"));
  EXPECT_THAT(found.faults, IsEmpty());
  EXPECT_EQ(found.feeding->data.at(0).way, "0 to 1 in place of 0 to 255");
}

TEST_F(Feeding, OwnDataThatDoNotFit) {
  const auto source = testing::cnn_net(), target = target_of(source);
  feed_target(source, target, [](const Tensor&) { return Tensor::of<float>({1, 2}, {1, 2}); });
  const Diagnosis found = diagnose_models(source, target);
  EXPECT_EQ(found.status, DiagnosisStatus::cannot_judge);
  EXPECT_THAT(found.message, HasSubstr("does not run on its own data"));
}

/// A kernel that is wrong is blamed with own data as without.
TEST_F(Feeding, OwnDataDoNotHideAWrongKernel) {
  const auto source = testing::cnn_net();
  const auto target =
      target_of(source, wrong_weight("Conv", 0, 1, [](const Tensor& kernel) { return testing::flipped(kernel, 2); }));
  feed_target(source, target, [](const Tensor& tensor) { return tensor; });
  const Diagnosis found = diagnose_models(source, target);
  EXPECT_THAT(told(found), ElementsAre("layout Conv_1"));
  EXPECT_TRUE(found.feeding->data.at(0).is_same);
}

/// What no way explains stays a fault of its layer.
TEST_F(Feeding, IsNotBlamedForAWrongKernel) {
  const Diagnosis found =
      diagnose_net(testing::cnn_net(), {},
                   wrong_weight("Conv", 0, 1, [](const Tensor& kernel) { return testing::flipped(kernel, 2); }));
  EXPECT_THAT(told(found), ElementsAre("layout Conv_1"));
  ASSERT_TRUE(found.feeding);
  EXPECT_EQ(found.feeding->fits, "");
}

}  // namespace
}  // namespace culprit
