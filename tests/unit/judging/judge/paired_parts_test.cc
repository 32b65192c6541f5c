#include "judge/paired_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "judge/scales.h"
#include "tensor/structured_value.h"

namespace culprit {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using Kind = Value::Kind;
using Pack = std::vector<NamedTensor>;

Value tensor(float value) { return {.kind = Kind::tensor, .tensor = Tensor::of<float>({1}, {value})}; }
Value map_of(const std::vector<std::int64_t>& keys, const std::vector<float>& values) {
  Value map{.kind = Kind::map};
  map.keys = Tensor::of<std::int64_t>({static_cast<std::int64_t>(keys.size())}, keys);
  map.values = Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
  return map;
}
Pack sequence(const std::vector<Value>& items, const std::string& name = "x") {
  return flatten(name, {.kind = Kind::sequence, .items = items}).value();
}
Pack optional(const std::vector<Value>& items) {
  return flatten("x", {.kind = Kind::optional, .items = items}).value();
}

std::vector<std::string> labels(const std::vector<PartPair>& pairs) {
  std::vector<std::string> labels;
  for (const auto& pair : pairs) labels.push_back(pair.label);
  return labels;
}

/// What is said about the first part that tells of another form.
std::string change(const Pack& reference, const Pack& variant) {
  for (const auto& pair : pair_parts(reference, variant)) {
    if (pair.change.empty()) continue;
    const Measurement m = measure(pair, {});
    EXPECT_EQ(verdict_of(m), Verdict::diverged);
    EXPECT_TRUE(is_structural(m));
    EXPECT_EQ(m.note, pair.change);
    return pair.label + ": " + m.note;
  }
  return "";
}

TEST(Parts, OfTheSameFormAreComparedOneByOne) {
  const Pack one = sequence({tensor(1), tensor(2)}), other = sequence({tensor(1), tensor(3)});
  const auto pairs = pair_parts(one, other);
  EXPECT_THAT(labels(pairs), ElementsAre("x.length", "x[0]", "x[1]"));
  EXPECT_THAT(pairs, Each(Field(&PartPair::change, "")));
  EXPECT_EQ(verdict_of(measure(pairs[1], {})), Verdict::equivalent);
  EXPECT_EQ(verdict_of(measure(pairs[2], {})), Verdict::diverged);
  EXPECT_TRUE(pairs[0].is_form);
  EXPECT_FALSE(pairs[1].is_form);
}

TEST(Parts, AnotherFormIsSaid) {
  EXPECT_EQ(change(sequence({tensor(1), tensor(2)}), sequence({tensor(1)})), "x.length: sequence length 2 became 1");
  EXPECT_EQ(change(sequence({}), sequence({tensor(1)})), "x.length: sequence length 0 became 1");
  EXPECT_EQ(change(optional({tensor(1)}), optional({})), "x.present: a value became none");
  EXPECT_EQ(change(optional({}), optional({tensor(1)})), "x.present: no value became one");
  EXPECT_EQ(change(flatten("x", map_of({1, 2}, {1, 1})).value(), flatten("x", map_of({1, 3}, {1, 1})).value()),
            "x.keys: keys 1, 2 became 1, 3");
  EXPECT_EQ(change(sequence({tensor(1)}), flatten("x", map_of({}, {})).value()), "x.length: a sequence became a map");
  EXPECT_EQ(change(flatten("x", tensor(1)).value(), sequence({tensor(1)})), "x: a tensor became a sequence");
  const std::vector<Value> equal = {map_of({1}, {1}), map_of({1}, {1})}, own = {map_of({1}, {1}), map_of({2}, {1})};
  EXPECT_NE(change(sequence(equal), sequence(own)), "");
  EXPECT_NE(change(sequence(own), sequence(equal)), "");
}

TEST(Parts, OfLongSequencesTellOtherShapes) {
  std::vector<Value> many(100, tensor(1)), other = many;
  other[7] = {.kind = Kind::tensor, .tensor = Tensor::of<float>({1, 1}, {1})};
  EXPECT_NE(change(sequence(many), sequence(other)), "");
  EXPECT_EQ(change(sequence(many), sequence(many)), "");
}

TEST(Parts, AnotherShapeOrTypeInsideIsMeasured) {
  const Value wide{.kind = Kind::tensor, .tensor = Tensor::of<float>({2}, {1, 2})};
  const Pack one = sequence({tensor(1)}), other = sequence({wide});
  const auto pairs = pair_parts(one, other);
  EXPECT_EQ(measure(pairs.at(1), {}).note, "shape [1] became [2]");
}

TEST(Parts, OutputsStandWhereTheBindingSays) {
  Pack reference = sequence({tensor(1)}, "a");
  reference.push_back({"b", Tensor::of<float>({1}, {5})});
  Pack variant = {{"b2", Tensor::of<float>({1}, {5})}};
  for (const auto& part : sequence({tensor(1)}, "a2")) variant.push_back(part);
  for (const auto& pair : pair_parts(reference, variant, {1, 0})) {
    EXPECT_EQ(verdict_of(measure(pair, {})), Verdict::equivalent) << pair.label << measure(pair, {}).note;
  }
}

TEST(Parts, AnOutputThatIsNotThereIsAFault) {
  const Pack reference = sequence({tensor(1)});
  const auto pairs = pair_parts(reference, {});
  ASSERT_EQ(pairs.size(), 2U);
  for (const auto& pair : pairs) EXPECT_EQ(verdict_of(measure(pair, {})), Verdict::diverged);
}

TEST(Parts, KeysAreShortInMessages) {
  std::vector<std::int64_t> keys(20);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::int64_t>(i);
  EXPECT_EQ(change(flatten("x", map_of(keys, std::vector<float>(20))).value(), flatten("x", map_of({}, {})).value()),
            "x.keys: keys 0, 1, 2, 3, 4, 5, ... (20) became no keys");
}

/// Held against one draw of the first output.
Measurement held(const Pack& reference, const Pack& draw, const Pack& variant) {
  Drawn drawn{.nature = Nature::named};
  for (const PartPair& pair : pair_parts(reference, draw)) {
    if (pair.label == "x.length" || pair.label == "x.shapes") add_draw(drawn, pair, 1);
  }
  for (const PartPair& pair : pair_parts(reference, variant)) {
    if (pair.change.empty()) continue;
    const Explained explained = explain(*pair.reference, drawn);
    return measure(pair, {}, {&explained});
  }
  return {};
}

Pack of_length(std::size_t length) { return sequence(std::vector<Value>(length, tensor(1))); }

TEST(Parts, ALengthThatDrawsChangeIsATie) {
  const Measurement m = held(of_length(5), of_length(6), of_length(9));
  EXPECT_EQ(m.note, "sequence length 5 resized to 9, as rounding alone does");
  EXPECT_EQ(verdict_of(m), Verdict::inconclusive) << "nothing was compared";
  EXPECT_EQ(verdict_of(held(of_length(5), of_length(6), of_length(10))), Verdict::diverged) << "too far";
  EXPECT_EQ(verdict_of(held(of_length(5), of_length(5), of_length(6))), Verdict::diverged) << "no draw did";
}

TEST(Parts, ShapesInALongSequenceThatDrawsChangeAreATie) {
  const auto shaped = [](std::int64_t last) {
    std::vector<Value> items(70, tensor(1));
    const auto size = static_cast<std::size_t>(last);
    items.back() = {.kind = Kind::tensor, .tensor = Tensor::of<float>({last}, std::vector<float>(size, 1))};
    return sequence(items);
  };
  EXPECT_EQ(verdict_of(held(shaped(3), shaped(4), shaped(2))), Verdict::inconclusive);
  EXPECT_EQ(verdict_of(held(shaped(3), shaped(3), shaped(2))), Verdict::diverged);
}

TEST(Parts, OtherKeysAreNoTie) {
  const auto keyed = [](std::int64_t key) { return flatten("x", map_of({1, key}, {1, 1})).value(); };
  EXPECT_EQ(verdict_of(held(keyed(2), keyed(3), keyed(3))), Verdict::diverged);
}

}  // namespace
}  // namespace culprit
