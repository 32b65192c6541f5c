#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "data/data_set.h"
#include "data/sample_folders.h"
#include "interfaces.h"
#include "npz_file.h"
#include "tensor/npy.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Dims = std::map<std::string, std::int64_t>;

Tensor row(float first) { return Tensor::of<float>({1, 3}, {first, 2, 3}); }

class Propose : public testing::Test {
 protected:
  Propose() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-data").value()) {
    model = model_with({value("x", DType::f32, {open("N"), fixed(3)})}, folder_.path() / "model.onnx");
  }

  [[nodiscard]] fs::path at(const std::string& name) const { return folder_.path() / name; }

  void put(const std::string& set, const std::string& file, const Tensor& tensor, const std::string& name = "") const {
    fs::create_directories(at(set));
    ASSERT_TRUE(write_tensor_proto(at(set) / file, {name, tensor}));
  }

  void put_npz(const std::string& file, const std::vector<NamedTensor>& members) const { write_npz(at(file), members); }

  [[nodiscard]] std::string complaint(const DataOptions& options) const {
    const auto proposals = propose(model, options);
    return proposals ? "proposed" : proposals.error().text();
  }

  Model model;
  TemporaryFolder folder_;
};

/// It lies in a file, and is read when it is asked for.
Sample given(const Proposal& proposal, std::size_t number) { return proposal.sample(number).value(); }

/// Such as one of TFLite.
TEST_F(Propose, WithoutAGraphBytesAreQuantizedNumbers) {
  const Model other = model_with({value("x", DType::i8, {fixed(1), fixed(200)})}, at("model.tflite"));
  const auto numbers = input(*propose(other, {}).value().front().sample(0), "x").as<std::int8_t>();
  EXPECT_LT(*std::ranges::min_element(numbers), -100);
  EXPECT_GT(*std::ranges::max_element(numbers), 100);
}

TEST_F(Propose, ThreeSynthesizedSamplesByDefault) {
  const auto proposals = propose(model, {.seed = 5}).value();
  const Proposal& first = proposals.front();
  EXPECT_EQ(first.facts.source, DataSource::synthesized);
  EXPECT_EQ(first.facts.seed, 5U);
  EXPECT_EQ(first.facts.samples, 3);
  EXPECT_EQ(first.size(), 3U);
  EXPECT_EQ(first.facts.dims, (Dims{{"N", 1}}));
  EXPECT_EQ(first.facts.other_dims, (Dims{{"N", 2}}));
  EXPECT_EQ(first.description, "random inputs, N=1 and N=2");
  EXPECT_EQ(first.sample(1)->name, "seed 5 #1");
  EXPECT_EQ(input(*first.sample(1), "x").shape(), (Shape{2, 3}));
  EXPECT_EQ(input(*first.sample(2), "x").shape(), (Shape{1, 3}));
}

TEST_F(Propose, SamplesAndDimsAreObeyed) {
  const auto proposals = propose(model, {.dims = {{"N", 4}}, .samples = 7}).value();
  ASSERT_EQ(proposals.size(), 2U) << "and plain ones";
  EXPECT_EQ(proposals[0].size(), 7U);
  EXPECT_TRUE(proposals[0].facts.other_dims.empty());
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(input(*proposals[0].sample(i), "x").shape(), (Shape{4, 3}));
  EXPECT_THAT(complaint({.samples = -1}), HasSubstr("--samples -1"));
}

TEST_F(Propose, AnUnknownDimensionGetsTheClosest) {
  model.interface.inputs[0].dims[0].name = "batch";
  EXPECT_THAT(complaint({.dims = {{"bacth", 4}}}), HasSubstr("did you mean 'batch'?"));
  EXPECT_THAT(complaint({.dims = {{"whatever", 4}}}), HasSubstr("it has: batch"));
  EXPECT_THAT(complaint({.dims = {{"batch", -4}}}), HasSubstr("negative"));
}

TEST_F(Propose, DimensionsWithoutANameAreGivenByPlace) {
  model.interface.inputs = silero_inputs();
  const auto proposals = propose(model, {.dims = {{"input.1", 576}, {"state.1", 1}}}).value();
  for (const auto& proposal : proposals) EXPECT_EQ(input(*proposal.sample(0), "input").shape().at(1), 576);
}

TEST_F(Propose, AGivenInputOverridesAndSizesFollowFromIt) {
  model.interface.inputs.push_back(value("z", DType::f32, {open("N")}));
  const auto proposals = propose(model, {.inputs = {"x=[[1,2,3],[4,5,6]]"}}).value();
  for (const Proposal& proposal : proposals) EXPECT_TRUE(proposal.facts.other_dims.empty()) << "N is known now";
  EXPECT_EQ(proposals[0].facts.source, DataSource::synthesized);
  EXPECT_EQ(proposals[0].facts.dims, (Dims{{"N", 2}}));
  EXPECT_EQ(input(*proposals[0].sample(2), "x").number(5), 6);
  EXPECT_EQ(input(*proposals[0].sample(2), "z").shape(), (Shape{2}));
  EXPECT_THAT(complaint({.inputs = {"x=1", "x=2"}}), HasSubstr("given twice"));
}

TEST_F(Propose, AllInputsGivenAreOneSample) {
  const auto proposals = propose(model, {.inputs = {"x=[1,2,3]"}, .samples = 5}).value();
  ASSERT_EQ(proposals.size(), 1U);
  EXPECT_EQ(proposals[0].facts.source, DataSource::input);
  EXPECT_EQ(proposals[0].size(), 1U);
}

TEST_F(Propose, AnInputThatCannotBeMadeUpCanBeGiven) {
  model.interface.inputs[0].has_shape = false;
  model.interface.inputs[0].dims.clear();
  EXPECT_THAT(complaint({}), HasSubstr("--input x="));
  EXPECT_EQ(complaint({.inputs = {"x=[1,2]"}}), "proposed");
}

TEST_F(Propose, TestDataBesideTheModelComesBeforeSynthesis) {
  put("test_data_set_10", "input_0.pb", row(10));
  put("test_data_set_9", "input_0.pb", row(9));
  const auto proposals = propose(model, {}).value();
  ASSERT_EQ(proposals.size(), 1U);
  EXPECT_EQ(proposals[0].facts.source, DataSource::test_data_set);
  ASSERT_EQ(proposals[0].size(), 2U);
  EXPECT_EQ(given(proposals[0], 0).name, "test_data_set_9") << "by number, not by letters";
  EXPECT_EQ(input(given(proposals[0], 0), "x").number(0), 9);
  EXPECT_EQ(proposals[0].facts.dims, (Dims{{"N", 1}}));
}

TEST_F(Propose, DataInAFolderNamedByTheModelComeBeforeThoseBesideIt) {
  put("test_data_set_0", "input_0.pb", row(1));
  put(test_data_of(model.path).filename().string() + "/test_data_set_0", "input_0.pb", row(2));
  EXPECT_EQ(input(given(propose(model, {}).value()[0], 0), "x").number(0), 2);
  model.path = at("other.onnx");
  EXPECT_EQ(input(given(propose(model, {}).value()[0], 0), "x").number(0), 1);
}

TEST_F(Propose, SamplesLimitsWhatLiesThereAndCannotExtendIt) {
  put("test_data_set_0", "input_0.pb", row(0));
  put("test_data_set_1", "input_0.pb", row(1));
  EXPECT_EQ(propose(model, {.samples = 1}).value()[0].size(), 1U);
  const auto more = propose(model, {.samples = 5}).value();
  EXPECT_EQ(more[0].size(), 2U);
  ASSERT_EQ(more[0].warnings.size(), 1U);
  EXPECT_EQ(more[0].warnings[0].code, "fewer_samples");
}

TEST_F(Propose, UnfittingDataIsAnErrorWhereAskedForAndLeftAloneWhereFound) {
  put("test_data_set_0", "input_0.pb", Tensor::of<double>({1, 3}, {1, 2, 3}));
  const auto found = propose(model, {}).value();
  EXPECT_EQ(found[0].facts.source, DataSource::synthesized);
  ASSERT_EQ(found[0].warnings.size(), 1U);
  EXPECT_EQ(found[0].warnings[0].code, "test_data_ignored");
  EXPECT_THAT(complaint({.data = at("test_data_set_0")}),
              HasSubstr("'x' is float64[1,3], but the model wants x: float32[N,3]"));
  put("test_data_set_0", "input_0.pb", Tensor::of<float>({1, 4}, {1, 2, 3, 4}));
  EXPECT_THAT(complaint({.data = folder_.path()}), HasSubstr("'x' is float32[1,4]"));
}

TEST_F(Propose, TestDataBesideTheModelOfOtherSizesThanAreAskedForIsLeftAlone) {
  put("test_data_set_0", "input_0.pb", row(0));
  EXPECT_EQ(propose(model, {.dims = {{"N", 1}}}).value()[0].facts.source, DataSource::test_data_set)
      << "it has that size";
  const auto found = propose(model, {.dims = {{"N", 4}}}).value();
  EXPECT_EQ(found[0].facts.source, DataSource::synthesized);
  EXPECT_EQ(input(*found[0].sample(0), "x").shape(), (Shape{4, 3}));
  ASSERT_EQ(found[0].warnings.size(), 1U);
  EXPECT_EQ(found[0].warnings[0].code, "test_data_ignored");
  EXPECT_THAT(found[0].warnings[0].message, HasSubstr("in test_data_set_0 N is 1, and N=4 is asked for"));
  const auto lines = open_data_set(model, {{.dims = {{"N", 4}}}, {}, folder_.path()}).value()[0]->description();
  EXPECT_THAT(lines.back(), HasSubstr("N=4 is asked for")) << "`eval` says it, too";
  put("test_data_set_1", "input_0.pb", Tensor::of<float>({4, 3}, std::vector<float>(12)));
  EXPECT_THAT(propose(model, {.dims = {{"N", 1}}}).value()[0].warnings[0].message, HasSubstr("in test_data_set_1"));
}

TEST_F(Propose, ExpectedOutputsAreWhatIsRightWhereTheyAreAskedFor) {
  model.interface.outputs = {value("y", DType::f32, {open("N")}), value("z", DType::f32, {open("N")})};
  put("test_data_set_0", "input_0.pb", row(0));
  put("test_data_set_0", "output_0.pb", row(7));
  put("test_data_set_0", "output_1.pb", row(8), "mine");
  put("test_data_set_1", "input_0.pb", row(1));
  for (const fs::path& data : {fs::path(), folder_.path()}) {
    const auto without = open_data_set(model, {{.data = data}, {}, folder_.path(), {}, false}).value();
    EXPECT_FALSE(without[0]->has_truth());
    EXPECT_TRUE(without[0]->truth(0).values.empty());
    const auto with = open_data_set(model, {{.data = data}, {}, folder_.path(), {}, true}).value();
    EXPECT_TRUE(with[0]->has_truth());
    const auto right = with[0]->truth(0).values;
    ASSERT_EQ(right.size(), 2U);
    EXPECT_EQ(right[0].name, "y") << "as the model calls it";
    EXPECT_EQ(right[0].value.number(0), 7);
    EXPECT_EQ(right[1].name, "mine");
    EXPECT_TRUE(with[0]->truth(1).values.empty());
  }
  const auto data = at("sets");
  put("sets/test_data_set_0", "input_0.pb", row(0));
  put("sets/test_data_set_1", "input_0.pb", row(1));
  ASSERT_TRUE(write_file_atomic(data / "test_data_set_1" / "output_0.pb", "no tensor"));
  const auto broken = open_data_set(model, {{.data = data}, {}, folder_.path(), {}, true}).value();
  EXPECT_EQ(broken[0]->at(1, {}).error().kind, ErrorKind::bad_input) << "that sample is passed over";
  EXPECT_TRUE(broken[0]->at(0, {}));
}

TEST_F(Propose, OfManySetsACheckTakesTenByTheirNumbersAndAllByWhatTheyDecide) {
  for (int set = 0; set < 25; ++set)
    put("sets/test_data_set_" + std::to_string(set), "input_0.pb", row(static_cast<float>(set)));
  put("sets/test_data_set_3", "input_0.pb", Tensor::of<double>({1, 3}, {1, 2, 3}));
  const CheckData many = open_check_data(model, {{.data = at("sets")}, {}, folder_.path()}).value();
  ASSERT_EQ(many.proposals[0].size(), 10U);
  EXPECT_EQ(many.proposals[0].facts.dims, (Dims{{"N", 1}}));
  EXPECT_EQ(given(many.proposals[0], 1).name, "test_data_set_2") << "spread over all";
  EXPECT_EQ(given(many.proposals[0], 9).name, "test_data_set_22");
  EXPECT_EQ(many.whole->size(), 25);
  EXPECT_EQ(many.numbers.size(), 25U);
  EXPECT_EQ(input(many.whole->at(24, {}).value(), "x").number(0), 24);
  EXPECT_EQ(many.whole->at(3, {}).error().kind, ErrorKind::bad_input) << "the others are as good as before";
  put("sets/test_data_set_2", "input_0.pb", Tensor::of<double>({1, 3}, {1, 2, 3}));
  EXPECT_FALSE(open_check_data(model, {{.data = at("sets")}, {}, folder_.path()})) << "one of the ten";
}

TEST_F(Propose, FewSetsAreAllJudgedByTheirNumbers) {
  for (int set = 0; set < 10; ++set)
    put("sets/test_data_set_" + std::to_string(set), "input_0.pb", row(static_cast<float>(set)));
  const CheckData few = open_check_data(model, {{.data = at("sets")}, {}, folder_.path()}).value();
  EXPECT_EQ(few.proposals[0].size(), 10U);
  EXPECT_EQ(few.numbers.size(), 10U);
  const CheckData first = open_check_data(model, {{.data = at("sets"), .samples = 3}, {}, folder_.path()}).value();
  EXPECT_EQ(given(first.proposals[0], 2).name, "test_data_set_2");
  EXPECT_EQ(first.whole->size(), 3);
}

TEST_F(Propose, GivenInputsOverrideFilesToo) {
  put("test_data_set_0", "input_0.pb", row(0));
  const auto proposals = propose(model, {.inputs = {"x=[[7,7,7]]"}}).value();
  EXPECT_EQ(input(given(proposals[0], 0), "x").number(0), 7);
}

TEST_F(Propose, SizesAreNotGivenForDataThatHaveThem) {
  put("test_data_set_0", "input_0.pb", row(1));
  EXPECT_THAT(complaint({.data = folder_.path(), .dims = {{"N", 2}}}), HasSubstr("--dim N beside --data"));
  EXPECT_EQ(complaint({.data = folder_.path(), .inputs = {"x=1"}, .dims = {{"N", 2}}}), "proposed");
}

TEST_F(Propose, DataMustBeSomethingWeKnow) {
  EXPECT_THAT(complaint({.data = at("nothing")}), HasSubstr("there is no such file or folder"));
  fs::create_directories(at("empty"));
  EXPECT_THAT(complaint({.data = at("empty")}), HasSubstr("holds no samples"));
  std::ofstream(at("data.txt")) << "text";
  EXPECT_THAT(complaint({.data = at("data.txt")}), HasSubstr(".npz"));
}

TEST_F(Propose, NpzArchivesSortedByName) {
  fs::create_directories(at("archives"));
  put_npz("archives/b.npz", {{"x", row(2)}});
  put_npz("archives/a.npz", {{"arr_0", row(1)}});
  const auto proposals = propose(model, {.data = at("archives")}).value();
  ASSERT_EQ(proposals[0].size(), 2U);
  EXPECT_EQ(given(proposals[0], 0).name, "a.npz");
  EXPECT_EQ(input(given(proposals[0], 0), "x").number(0), 1) << "numpy's positions";
  EXPECT_EQ(input(given(proposals[0], 1), "x").number(0), 2);
  EXPECT_EQ(proposals[0].facts.source, DataSource::file);
  EXPECT_EQ(propose(model, {.data = at("archives/b.npz")}).value()[0].size(), 1U);
  put_npz("wrong.npz", {{"xx", row(2)}});
  EXPECT_THAT(complaint({.data = at("wrong.npz")}), HasSubstr("the model has no input 'xx'. did you mean 'x'?"));
}

class TestDataSet : public Propose {
 protected:
  TestDataSet() {
    model.interface.inputs.push_back(value("z", DType::f32, {fixed(1)}));
    model.interface.optional_inputs = {value("w", DType::f32, {fixed(2)})};
  }
  Tensor z = Tensor::of<float>({1}, {26});
  Tensor w = Tensor::of<float>({2}, {23, 23});
};

TEST_F(TestDataSet, FilesFollowTheTrueInputs) {
  put("s", "input_0.pb", row(1));
  put("s", "input_1.pb", z);
  const auto sample = read_test_data_set(at("s"), model.interface);
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(input(*sample, "z").number(0), 26);
}

TEST_F(TestDataSet, OrAllDeclaredInputs) {
  put("s", "input_0.pb", row(1));
  put("s", "input_1.pb", z);
  put("s", "input_2.pb", w);
  const auto sample = read_test_data_set(at("s"), model.interface);
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(input(*sample, "w").number(0), 23);
}

TEST_F(TestDataSet, NamesInTheFilesComeFirst) {
  put("s", "input_0.pb", z, "z");
  put("s", "input_1.pb", row(1), "x");
  const auto sample = read_test_data_set(at("s"), model.interface);
  ASSERT_TRUE(sample) << sample.error().message;
  EXPECT_EQ(input(*sample, "z").number(0), 26);
}

TEST_F(TestDataSet, OneKnownNameMeansThatAllAreNames) {
  put("s", "input_0.pb", z, "z");
  put("s", "input_1.pb", row(1), "stranger");
  auto sample = read_test_data_set(at("s"), model.interface);
  ASSERT_FALSE(sample) << "by position z would be fed to x";
  EXPECT_THAT(sample.error().message, HasSubstr("input_1.pb holds 'stranger': the model has no input 'stranger'"));
  put("s", "input_1.pb", row(1), "z");
  sample = read_test_data_set(at("s"), model.interface);
  ASSERT_FALSE(sample);
  EXPECT_THAT(sample.error().message, HasSubstr("input_1.pb holds the input 'z', as "));
  put("s", "input_0.pb", row(1), "foreign");
  put("s", "input_1.pb", z, "stranger");
  EXPECT_TRUE(read_test_data_set(at("s"), model.interface)) << "no name is known: by position";
}

TEST_F(TestDataSet, AnotherCountIsAnError) {
  put("s", "input_0.pb", row(1));
  const auto sample = read_test_data_set(at("s"), model.interface);
  ASSERT_FALSE(sample);
  EXPECT_THAT(sample.error().message, HasSubstr("holds 1 inputs, but the model has 2 (and 1 with a default)"));
}

TEST_F(TestDataSet, AMissingInputIsNamed) {
  put("s", "input_0.pb", row(1), "x");
  put("s", "input_1.pb", w, "w");
  const auto sample = read_test_data_set(at("s"), model.interface);
  ASSERT_FALSE(sample);
  EXPECT_THAT(sample.error().message, HasSubstr("no value for input 'z'"));
}

// As the wheels of text detectors have them: the batch and both sides open, with names that say nothing.
TEST_F(Propose, AnonymousPicturesAreABatchOfOne) {
  model = model_with({value("x", DType::f32,
                            {open("p2o.DynamicDimension.0"), fixed(3), open("p2o.DynamicDimension.1"),
                             open("p2o.DynamicDimension.2")})},
                     at("model.onnx"));
  const auto proposals = propose(model, {});
  ASSERT_TRUE(proposals) << proposals.error().text();
  EXPECT_THAT(input(*proposals->front().sample(0), "x").shape(), ElementsAre(1, 3, 224, 224));
}

TEST_F(Propose, GuessesDoNotFillTheMemory) {
  model = model_with({value("x", DType::f32, {open("a"), open("b"), open("c"), open("d")})}, at("model.onnx"));
  const auto proposals = propose(model, {});  // one guess is 512 along each side
  ASSERT_TRUE(proposals) << proposals.error().text();
  EXPECT_GE(proposals->size(), 4U);
  for (const Proposal& proposal : *proposals) {
    if (proposal.begins_as_before) continue;
    EXPECT_LE(input(*proposal.sample(0), "x").count(), 16'000'000);
  }
}

TEST_F(Propose, GivenSizesMayBeLarge) {
  model = model_with({value("x", DType::u8, {open("a"), open("b")})}, at("model.onnx"));
  const auto proposals = propose(model, {.dims = {{"a", 5000}, {"b", 5000}}, .samples = 1});
  ASSERT_TRUE(proposals) << proposals.error().text();
  EXPECT_EQ(input(*proposals->front().sample(0), "x").count(), 25'000'000);
}

TEST_F(Propose, WhatDoesNotFitIsRefusedBeforeAnythingIsMade) {
  model = model_with({value("x", DType::f32, {open("n")})}, at("model.onnx"));
  const auto with_room = [&](std::int64_t samples, Room room) {
    return propose(model, {.dims = {{"n", 1000}}, .samples = samples, .room = room});
  };
  EXPECT_TRUE(with_room(2, {}));
  EXPECT_TRUE(with_room(2, {12'000, 8'000}));
  const auto memory = with_room(2, {11'999, 8'000});
  ASSERT_FALSE(memory);
  EXPECT_THAT(memory.error().message, HasSubstr("12.0 KB of memory"));
  EXPECT_THAT(memory.error().hint, HasSubstr("--dim"));
  const auto disk = with_room(3, {12'000, 8'000});
  ASSERT_FALSE(disk);
  EXPECT_THAT(disk.error().message, HasSubstr("3 of 4.0 KB each"));
  EXPECT_THAT(disk.error().hint, HasSubstr("--samples"));
  model = model_with({value("x", DType::f32, {fixed(1000)})}, at("model.onnx"));
  const auto fixed_size = propose(model, {.samples = 2, .room = {11'999, 8'000}});
  ASSERT_FALSE(fixed_size);
  EXPECT_THAT(fixed_size.error().hint, HasSubstr("the model itself fixes the sizes"));
  model = model_with({value("x", DType::u8, {fixed(1000)})}, at("model.onnx"));
  EXPECT_TRUE(propose(model, {.samples = 2, .room = {17'000, 8'000}}));
  EXPECT_FALSE(propose(model, {.samples = 2, .room = {16'999, 8'000}})) << "bytes are drawn as 64-bit integers";
}

}  // namespace
}  // namespace culprit
