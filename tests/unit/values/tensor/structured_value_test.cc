#include "tensor/structured_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = Value::Kind;

Value of(Tensor tensor) { return {.kind = Kind::tensor, .tensor = std::move(tensor)}; }
Value numbers(std::vector<float> values) {
  return of(Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values));
}
Value sequence(std::vector<Value> items) { return {.kind = Kind::sequence, .items = std::move(items)}; }
Value optional(std::vector<Value> items) { return {.kind = Kind::optional, .items = std::move(items)}; }
Value map_of(const std::vector<std::int64_t>& keys, const std::vector<float>& values) {
  Value map{.kind = Kind::map};
  map.keys = Tensor::of<std::int64_t>({static_cast<std::int64_t>(keys.size())}, keys);
  map.values = Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
  return map;
}

std::vector<std::string> parts_of(const Value& value) {
  std::vector<std::string> parts;
  const auto flat = flatten("x", value).value();
  for (const auto& part : flat) parts.push_back(part.part + to_string(part.value.shape()));
  return parts;
}

TEST(Value, BecomesParts) {
  EXPECT_THAT(parts_of(numbers({1, 2})), ElementsAre("[2]"));
  EXPECT_THAT(parts_of(map_of({7, 3}, {1, 2})), ElementsAre(".keys[2]", ".values[2]"));
  EXPECT_THAT(parts_of(sequence({numbers({1}), numbers({1, 2})})), ElementsAre(".length[]", "[0][1]", "[1][2]"));
  EXPECT_THAT(parts_of(sequence({})), ElementsAre(".length[]"));
  EXPECT_THAT(parts_of(optional({})), ElementsAre(".present[]"));
  EXPECT_THAT(parts_of(optional({numbers({1})})), ElementsAre(".present[]", "[1]"));
  EXPECT_THAT(parts_of(optional({sequence({numbers({1})})})), ElementsAre(".present[]", ".length[]", "[0][1]"));
}

TEST(Value, RowsOfAClassifierAreOneTable) {
  std::vector<Value> rows;
  for (int i = 0; i < 1000; ++i) rows.push_back(map_of({0, 1, 2}, {0.5F, 0.25F, 0.25F}));
  EXPECT_THAT(parts_of(sequence(rows)), ElementsAre(".length[]", ".keys[3]", ".values[1000,3]"));
  EXPECT_THAT(parts_of(sequence({map_of({0, 1}, {1, 2}), map_of({0}, {1})})),
              ElementsAre(".length[]", ".sizes[2]", ".keys[3]", ".values[3]"));
}

TEST(Value, LongSequencesAreBounded) {
  std::vector<Value> items(most_parts + 1, numbers({1, 2}));
  EXPECT_THAT(parts_of(sequence(items)), ElementsAre(".length[]", ".ranks[65]", ".shapes[65]", ".values[130]"));
  items.pop_back();
  EXPECT_EQ(parts_of(sequence(items)).size(), most_parts + 1);
}

TEST(Value, MapsAreSortedByKey) {
  const auto parts = flatten("x", map_of({7, 3}, {1, 2})).value();
  EXPECT_THAT(parts[0].value.as<std::int64_t>(), ElementsAre(3, 7));
  EXPECT_THAT(parts[1].value.as<float>(), ElementsAre(2, 1));
}

void expect_same(const Value& a, const Value& b) {
  ASSERT_EQ(a.kind, b.kind);
  EXPECT_TRUE(a.tensor.identical(b.tensor));
  EXPECT_TRUE(a.keys.identical(b.keys) && a.values.identical(b.values));
  ASSERT_EQ(a.items.size(), b.items.size());
  for (std::size_t i = 0; i < a.items.size(); ++i) expect_same(a.items[i], b.items[i]);
}

TEST(Value, ComesBackFromItsParts) {
  Value words{.kind = Kind::map};
  words.keys = Tensor::from_strings({2}, {"a", "b"}).value();
  words.values = Tensor::from_strings({2}, {"x", ""}).value();
  std::vector<Value> many(100, numbers({1, 2}));
  many[50] = of(Tensor::of<float>({}, {3}));
  many[51] = of(Tensor::of<float>({0, 4}, {}));
  for (const Value& value :
       {numbers({1, 2}), words, map_of({}, {}), sequence({}), sequence({numbers({1}), numbers({})}), sequence(many),
        sequence({map_of({1, 2}, {3, 4}), map_of({1, 2}, {5, 6})}),
        sequence({map_of({1}, {3}), map_of({2, 3}, {4, 5})}), sequence({map_of({}, {}), map_of({}, {})}), optional({}),
        optional({numbers({1})}), optional({sequence({numbers({1})})})}) {
    const auto parts = flatten("x", value).value();
    const auto back = assemble(parts);
    ASSERT_TRUE(back) << back.error().text();
    expect_same(*back, value);
  }
}

std::string complaint(const Value& value) {
  const auto parts = flatten("x", value);
  return parts ? "flattened" : parts.error().message;
}

TEST(Value, WhatCannotBeComparedIsNamed) {
  EXPECT_THAT(complaint(map_of({1, 1}, {1, 2})), HasSubstr("'x' is a map that has a key twice"));
  EXPECT_THAT(complaint(map_of({1, 2}, {1})), HasSubstr("another number of keys"));
  EXPECT_THAT(complaint(sequence({sequence({})})), HasSubstr("a sequence of sequences"));
  EXPECT_THAT(complaint(optional({optional({})})), HasSubstr("optional of optionals"));
  EXPECT_THAT(complaint(sequence({numbers({1}), map_of({1}, {1})})), HasSubstr("different things"));
  EXPECT_THAT(complaint(sequence({numbers({1}), of(Tensor::of<double>({}, {1}))})), HasSubstr("different things"));
  Value odd = map_of({1}, {1});
  odd.keys = Tensor::of<float>({1}, {1});
  EXPECT_THAT(complaint(odd), HasSubstr("a map from float32"));
}

TEST(Value, PartsThatDoNotFitAreErrors) {
  const auto length = [](std::int64_t n) { return NamedTensor{"x", Tensor::of<std::int64_t>({}, {n}), ".length"}; };
  const NamedTensor keys{"x", Tensor::of<std::int64_t>({2}, {1, 2}), ".keys"};
  const NamedTensor values{"x", Tensor::of<float>({1}, {1}), ".values"};
  EXPECT_FALSE(assemble({}));
  EXPECT_FALSE(assemble(std::vector{length(2)}));
  EXPECT_FALSE(assemble(std::vector{length(-1)}));
  EXPECT_FALSE(assemble(std::vector{length(INT64_MAX), keys, values}));
  EXPECT_FALSE(assemble(std::vector{keys}));
  EXPECT_FALSE(assemble(std::vector{keys, values}));
  EXPECT_FALSE(assemble(std::vector{values}));
}

TEST(Parts, BelongToTheValueOfTheirName) {
  std::vector<NamedTensor> pack = flatten("a", sequence({numbers({1})})).value();
  pack.push_back({"b", Tensor::of<float>({}, {1})});
  pack.push_back({"b", Tensor::of<float>({}, {2})});  // an invalid model, but no crash
  const auto values = values_in(pack);
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(values[0].size(), 2U);
  EXPECT_EQ(kind_of(values[0]), Kind::sequence);
  EXPECT_EQ(kind_of(values[1]), Kind::tensor);
}

TEST(Parts, HaveNamesOfTheirOwn) {
  const NamedTensor length{"x.length", Tensor::of<float>({}, {1})};
  std::vector<NamedTensor> pack = flatten("x", sequence({numbers({1})})).value();
  EXPECT_THAT(labels_of(pack), ElementsAre("x.length", "x[0]"));
  pack.push_back(length);
  EXPECT_THAT(labels_of(pack), ElementsAre("x'.length", "x'[0]", "x.length"));
  std::vector<NamedTensor> nested = flatten("x", sequence({numbers({1})})).value();
  const auto map = flatten("x[0]", map_of({1}, {1})).value();
  nested.insert(nested.end(), map.begin(), map.end());
  EXPECT_THAT(labels_of(nested), ElementsAre("x'.length", "x'[0]", "x[0].keys", "x[0].values"));
}

}  // namespace
}  // namespace culprit
