#include "data/random_structures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-data.pb.h>

#include "base/file.h"
#include "data/structure_files.h"
#include "interfaces.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = ValueInfo::Kind;

ValueInfo structured(Kind kind, std::vector<Kind> inside = {}) {
  ValueInfo info = value("x", DType::f32, {open("N"), fixed(3)});
  info.kind = kind;
  info.inside = std::move(inside);
  return info;
}
ValueInfo map_of(DType keys) {
  ValueInfo info = value("x", DType::f32, {});
  info.kind = Kind::map;
  info.keys = keys;
  return info;
}

std::vector<std::string> drawn(const ValueInfo& declared, std::int64_t index, const SynthesisPlan& plan) {
  std::vector<std::string> parts;
  const auto sample = synthesize(model_with({declared}).interface, plan, 0, index);
  if (!sample) return {sample.error().message};
  for (const auto& part : sample->inputs) parts.push_back(part.part + to_string(part.value.shape()));
  return parts;
}

const SynthesisPlan bold = {.dims = {{"N", 5}}};
const SynthesisPlan careful = {.dims = {{"N", 5}}, .way = 1};

TEST(Structures, SequencesHaveSeveralLengths) {
  const ValueInfo sequence = structured(Kind::sequence);
  EXPECT_THAT(drawn(sequence, 0, bold), ElementsAre(".length[]", "[0][5,3]", "[1][5,3]"));
  EXPECT_THAT(drawn(sequence, 1, bold), ElementsAre(".length[]", "[0][5,3]", "[1][5,3]", "[2][5,3]"));
  EXPECT_THAT(drawn(sequence, 2, bold), ElementsAre(".length[]"));
  EXPECT_THAT(drawn(sequence, 2, careful), ElementsAre(".length[]", "[0][5,3]"));
}

TEST(Structures, OptionalsAreAbsentInOneOfThreeSamples) {
  const ValueInfo optional = structured(Kind::optional);
  EXPECT_THAT(drawn(optional, 0, bold), ElementsAre(".present[]", "[5,3]"));
  EXPECT_THAT(drawn(optional, 1, bold), ElementsAre(".present[]"));
  EXPECT_THAT(drawn(optional, 1, careful), ElementsAre(".present[]", "[5,3]"));
  EXPECT_THAT(drawn(structured(Kind::optional, {Kind::sequence}), 0, bold),
              ElementsAre(".present[]", ".length[]", "[0][5,3]", "[1][5,3]"));
}

TEST(Structures, ElementsOfUnknownRankGetALikelyShape) {
  ValueInfo sequence = structured(Kind::sequence);
  sequence.has_shape = false;
  sequence.dims.clear();
  EXPECT_THAT(drawn(sequence, 0, bold), ElementsAre(".length[]", "[0][2,3]", "[1][2,3]"));
}

TEST(Structures, MapsHaveTheKeysThatAreLookedUp) {
  SynthesisPlan plan = bold;
  plan.map_keys["x"] = Tensor::from_strings({4}, {"red", "green", "blue", "grey"}).value();
  const auto first = synthesize(model_with({map_of(DType::string)}).interface, plan, 0, 0).value();
  EXPECT_THAT(first.inputs[0].value.strings(), ElementsAre("blue", "green", "grey", "red"));
  bool leaves_out = false;
  for (std::int64_t index = 1; index < 8; ++index) {
    const auto later = synthesize(model_with({map_of(DType::string)}).interface, plan, 0, index).value();
    ASSERT_GT(later.inputs[0].value.count(), 0);
    leaves_out = leaves_out || later.inputs[0].value.count() < 4;
  }
  EXPECT_TRUE(leaves_out);
  EXPECT_THAT(drawn(map_of(DType::i64), 0, plan), ElementsAre(".keys[3]", ".values[3]")) << "other keys than those";
}

TEST(Structures, WhatCannotBeFedIsNamed) {
  EXPECT_THAT(drawn(structured(Kind::sparse_tensor), 0, bold)[0], HasSubstr("'x: sparse(float32[N,3])' cannot be fed"));
  EXPECT_THAT(drawn(structured(Kind::sequence, {Kind::sequence}), 0, bold)[0], HasSubstr("nested too deeply"));
}

TEST(Structures, EachPlanIsTriedInEveryWay) {
  const Interface plain = model_with({value("x", DType::f32, {open("N")})}).interface;
  const Interface listed = model_with({structured(Kind::sequence)}).interface;
  EXPECT_EQ(in_all_ways({{bold}, {careful}}, plain, 9).size(), 2U);
  const auto ways = in_all_ways({{bold}, {bold}}, listed, 6);
  ASSERT_EQ(ways.size(), 6U);
  EXPECT_EQ(ways[1].plan.way, 1U);
  EXPECT_EQ(ways[4].plan.way, 0U);
}

class StructureFiles : public ::testing::Test {
 protected:
  std::string put(const std::string& name, const std::string& bytes) {
    EXPECT_TRUE(write_file_atomic(folder_.path() / name, bytes));
    return folder_.path() / name;
  }
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-structures").value();
};

std::string sequence_bytes() {
  onnx::SequenceProto sequence;
  *sequence.add_tensor_values() = to_proto(Tensor::of<float>({1, 3}, {1, 2, 3}), "");
  return sequence.SerializeAsString();
}

TEST_F(StructureFiles, AreReadAsDeclared) {
  const auto parts = read_input_file(put("input_0.pb", sequence_bytes()), structured(Kind::sequence));
  ASSERT_TRUE(parts) << parts.error().text();
  EXPECT_EQ(parts->at(1).part, "[0]");
  ValueInfo wide = structured(Kind::sequence);
  wide.dims[1] = fixed(4);
  EXPECT_THAT(read_input_file(put("input_0.pb", sequence_bytes()), wide).error().message,
              HasSubstr("is sequence(float32[1,3]), but the model wants x: sequence(float32[N,4])"));
  EXPECT_THAT(read_input_file(put("input_0.pb", "garbage"), structured(Kind::sequence)).error().message,
              HasSubstr("is no ONNX sequence"));
}

TEST_F(StructureFiles, AreArgumentsToo) {
  EXPECT_EQ(structured_argument(put("x.pb", sequence_bytes()), structured(Kind::sequence))->size(), 2U);
  EXPECT_EQ(structured_argument("none", structured(Kind::optional))->size(), 1U);
  const auto tensor = to_proto(Tensor::of<float>({1, 3}, {1, 2, 3}), "").SerializeAsString();
  EXPECT_FALSE(structured_argument(put("t.pb", tensor), structured(Kind::sequence, {Kind::map})));
  EXPECT_EQ(structured_argument("3", structured(Kind::sequence)).error().kind, ErrorKind::usage);
  EXPECT_EQ(structured_argument("none", structured(Kind::sequence)).error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace culprit
