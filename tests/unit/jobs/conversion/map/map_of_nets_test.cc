// The whole map of small networks and what converters make of them.
#include <gmock/gmock.h>

#include <algorithm>

#include "conversion/map/channel_order.h"
#include "conversion/map/coverage.h"
#include "map_bench.h"
#include "support/conversion_faults.h"
#include "support/conversion_nets.h"
#include "support/conversion_rewrites.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using testing::Fault;
using Kind = TensorMatch::Kind;

/// A network, one that was made of it, and the map of both.
struct MappedNets {
  MappedNets(const onnx::ModelProto& model, const std::vector<Fault>& changes, bool is_channels_last = false)
      : source(model), target(changed(model, changes)) {
    for (const auto& sample : testing::samples_for(model)) {
      std::map<std::string, Tensor> ours, theirs;
      for (const NamedTensor& tensor : sample) {
        ours[tensor.name] = tensor.value;
        theirs[tensor.name] = is_channels_last ? with_axes(tensor.value, {0, 2, 3, 1}) : tensor.value;
      }
      source.add_sample(ours);
      target.add_sample(theirs);
    }
    NetPair pair{source, target};
    pair.bind("x", "x", is_channels_last ? ValueOrder{{{0, 2, 3, 1}}} : ValueOrder{});
    pair.match();
    map.derived = derived_tensors(source.network);
    map.target_parameters = parameters_of(target.network);
    map.parameters = match_parameters(map.derived, map.target_parameters);
    map.values = pair.matches;
    count_coverage(map, *source.ways, *target.ways);
  }

  static onnx::ModelProto changed(onnx::ModelProto model, const std::vector<Fault>& changes) {
    for (const Fault& change : changes) change(model);
    return model;
  }

  /// Matches that are not the same numbers in the expected order.
  [[nodiscard]] std::vector<const ParameterMatch*> suspicious() const {
    std::vector<const ParameterMatch*> found;
    for (const ParameterMatch& match : map.parameters)
      if (match.kind != Kind::same || !match.is_order_expected) found.push_back(&match);
    return found;
  }
  /// Parameters of the target of more than one number that none of the source is.
  [[nodiscard]] std::ptrdiff_t unmatched() const {
    return std::ranges::count_if(map.target_parameters, [&](const TargetParameter& target) {
      const auto at = static_cast<std::size_t>(&target - map.target_parameters.data());
      return target.tensor.numbers.size() > 1 &&
             std::ranges::find(map.parameters, at, &ParameterMatch::target) == map.parameters.end();
    });
  }

  ComputedNet source, target;
  ConversionMap map;
};

struct CleanRow {
  const char* what;
  onnx::ModelProto model;
  std::vector<Fault> rewrites;
  bool is_channels_last = false;
  std::int64_t by_consumer = 0;
};

std::vector<CleanRow> clean_rows() {
  using testing::attention_net, testing::cnn_net, testing::residual_net, testing::rename_all;
  return {
      {"renamed", cnn_net(), {rename_all}},
      {"folded", cnn_net(), {testing::fold_normalizations, rename_all}, false, 3},
      {"folded, channels last",
       cnn_net(),
       {testing::fold_normalizations, testing::split_gemms, testing::channels_last_input, rename_all},
       true,
       3},
      {"permuted", cnn_net(), {testing::permute_channels, rename_all}},
      {"residual", residual_net(), {rename_all}},
      {"PRelus as Relus", residual_net(), {testing::prelus_as_relus, testing::channels_last_input, rename_all}, true},
      {"Gemm in two", residual_net(), {testing::split_gemms, rename_all}},
      {"attention", attention_net(), {rename_all}}};
}

TEST(MapOfNets, AllOfCleanOnesIsFound) {
  for (const CleanRow& row : clean_rows()) {
    const MappedNets nets(row.model, row.rewrites, row.is_channels_last);
    const MapCounts& counts = nets.map.counts;
    EXPECT_GT(counts.with_parameters, 0) << row.what;
    EXPECT_EQ(counts.not_found, 0) << row.what;
    EXPECT_EQ(counts.by_consumer, row.by_consumer) << row.what;
    EXPECT_EQ(nets.unmatched(), 0) << row.what;
    const std::string what = row.what;
    if (what == "permuted") {
      EXPECT_EQ(nets.suspicious().size(), 6U);  // two kernels, the vectors of one normalization: all scrambled
      for (const ParameterMatch* match : nets.suspicious()) EXPECT_EQ(match->kind, Kind::scrambled);
    } else {
      EXPECT_TRUE(nets.suspicious().empty()) << row.what;
    }
    for (const ParameterMatch& match : nets.map.parameters)
      EXPECT_TRUE(match.wrong == 0 || match.kind != Kind::same)
          << row.what << " " << nets.map.derived[match.source].how;
  }
}

TEST(MapOfNets, ThePermutedChannelsAreToldByValuesAndByKernels) {
  const MappedNets nets(testing::cnn_net(), {testing::permute_channels});
  const ValueMatch& first = nets.map.values.at(nets.source("v1"));
  ASSERT_FALSE(first.order.channels.empty());
  EXPECT_EQ(first.order.channel_axis, 1);
  for (const ParameterMatch& match : nets.map.parameters) {
    const DerivedTensor& kernel = nets.map.derived[match.source];
    if (kernel.layers[0] != 0 || !kernel.is_stored()) continue;
    EXPECT_EQ(channel_order(kernel, nets.map.target_parameters[match.target], {}), first.order.channels);
  }
}

struct FaultyRow {
  const char* what;
  onnx::ModelProto model;
  Fault fault;
  const char* role;
  Kind kind;
  std::int64_t wrong;  // 0: not counted
};

TEST(MapOfNets, WrongParametersAreToldOneByOne) {
  using testing::cnn_net, testing::residual_net, testing::wrong_weight;
  const auto rounded = [](const Tensor& tensor) { return testing::to_decimals(tensor, 1); };
  const auto turned = [](const Tensor& tensor) { return testing::flipped(tensor, 2); };
  for (const bool is_folded : {false, true})
    for (const FaultyRow& row : std::vector<FaultyRow>{
             {"one number", cnn_net(), wrong_weight("Conv", 1, 1, testing::one_wrong), "kernel", Kind::changed, 1},
             {"flipped", cnn_net(), wrong_weight("Conv", 2, 1, turned), "kernel", Kind::scrambled, 0},
             {"rounded", cnn_net(), wrong_weight("Conv", 0, 1, rounded), "kernel", Kind::changed, 0},
             {"to half", cnn_net(), wrong_weight("Conv", 0, 1, testing::to_half), "kernel", Kind::changed, 0},
             {"dense", cnn_net(), wrong_weight("Gemm", 0, 2, testing::one_wrong), "bias", Kind::changed, 1},
             {"slope", residual_net(),
              wrong_weight("PRelu", 1, 1, [](const Tensor& t) { return testing::times_rows(t, {1.5F}); }), "slope",
              Kind::changed, 0}}) {
      std::vector<Fault> changes{row.fault};
      if (is_folded) changes.insert(changes.end(), {testing::fold_normalizations, testing::split_gemms});
      const MappedNets nets(row.model, changes);
      const auto found = nets.suspicious();
      ASSERT_EQ(found.size(), 1U) << row.what << is_folded;
      EXPECT_EQ(nets.map.derived[found[0]->source].role, row.role) << row.what << is_folded;
      EXPECT_EQ(found[0]->kind, row.kind) << row.what << is_folded;
      EXPECT_GT(found[0]->wrong, 0) << row.what << is_folded;
      EXPECT_TRUE(row.wrong == 0 || row.wrong == found[0]->wrong) << row.what << is_folded;
      EXPECT_EQ(nets.unmatched(), 0) << row.what << is_folded;
    }
}

}  // namespace
}  // namespace culprit
