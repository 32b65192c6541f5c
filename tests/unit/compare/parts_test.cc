// Regions, chunks and bindings, each by itself.
#include "compare/bind_models.h"
#include "compare/graph_regions.h"
#include "compare/read_chunks.h"
#include "graphs.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

class Regions : public testing::Test {
 protected:
  std::vector<bool> cut(const std::vector<std::string>& names) {
    std::vector<bool> is_cut(index.values.size(), false);
    for (const std::string& name : names) is_cut[static_cast<std::size_t>(index.find(name))] = true;
    return is_cut;
  }
  std::vector<std::string> names(const std::vector<int>& values) {
    std::vector<std::string> found;
    for (const int value : values) found.emplace_back(index.values[static_cast<std::size_t>(value)].name);
    return found;
  }
  std::vector<std::string> ops(const std::vector<int>& nodes) {
    std::vector<std::string> found;
    for (const int node : nodes) found.push_back(index.nodes[static_cast<std::size_t>(node)].proto->op_type());
    return found;
  }

  onnx::ModelProto model = parse(
      "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}>"
      "{ a = Relu(x)  b = Abs(a)  k = Sqrt(w)  c = Mul(b, k)  d = Add(c, a)  e = Sin(d)  y = Neg(d) }");
  GraphIndex index = index_of(model);
};

TEST_F(Regions, ReachBackToValuesThatAreCutAndLeaveConstantsOut) {
  const Region region = region_before(index, {index.find("d")}, cut({"a", "d"}));
  EXPECT_THAT(ops(region.nodes), ElementsAre("Add", "Mul", "Abs")) << "the maker first";
  EXPECT_THAT(names(region.borders), ElementsAre("a"));
}

TEST_F(Regions, ReachForwardToTheNextCutValues) {
  EXPECT_THAT(names(cut_values_behind(index, index.find("a"), cut({"a", "d", "y"}), 10)), UnorderedElementsAre("d"));
  EXPECT_THAT(names(cut_values_behind(index, index.find("d"), cut({"e", "y"}), 10)), UnorderedElementsAre("e", "y"));
  EXPECT_THAT(names(cut_values_behind(index, index.find("a"), cut({"y"}), 2)), IsEmpty()) << "too far";
}

TEST(Chunks, KeepToTheBudgetWhereSizesAreDeclared) {
  Chunks chunks({10, 10, 10, 35, 100, 1}, 30);
  std::vector<std::size_t> counts;
  for (std::size_t count = chunks.next(); count > 0; count = chunks.next()) counts.push_back(count);
  EXPECT_THAT(counts, ElementsAre(3, 1, 1, 1)) << "what is larger than the budget is read alone";
}

TEST(Chunks, BeginSmallWhereNothingIsKnownAndLearnFromWhatWasMeasured) {
  Chunks chunks(std::vector<std::optional<std::uint64_t>>(40), 100);
  EXPECT_EQ(chunks.next(), 4U);
  chunks.measured(40, 4);
  EXPECT_EQ(chunks.next(), 8U) << "twice as many at most";
  chunks.measured(80, 8);
  EXPECT_EQ(chunks.next(), 10U) << "ten of ten bytes each";
}

ValueInfo vector(const std::string& name, std::int64_t size = 3, DType type = DType::f32) {
  ValueInfo value;
  value.name = name;
  value.dtype = type;
  value.has_shape = true;
  value.dims = {{size, ""}};
  return value;
}

TEST(BindModels, ByNameInAnyOrder) {
  const Interface a{{vector("x"), vector("z", 4)}, {}, {vector("y"), vector("u", 4)}};
  const Interface b{{vector("z", 4), vector("x")}, {}, {vector("u", 4), vector("y")}};
  const auto binding = bind_models(a, b, {});
  ASSERT_TRUE(binding) << binding.error().text();
  EXPECT_EQ(binding->inputs.at(1).variant, "z");
  EXPECT_THAT(binding->outputs, ElementsAre(Pair("y", "y"), Pair("u", "u")));
  EXPECT_THAT(binding->unbound, IsEmpty());
}

TEST(BindModels, WhatIsLeftByPositionAndTypesAreCast) {
  const Interface a{{vector("x"), vector("ids", 3, DType::i64)}, {}, {vector("y"), vector("more")}};
  const Interface b{{vector("x"), vector("tokens", 3, DType::i32)}, {}, {vector("out")}};
  const auto binding = bind_models(a, b, {});
  ASSERT_FALSE(binding) << "two outputs and one: which it is would be a guess";
  const std::vector<std::string> map = {"y=out"};
  const auto mapped = bind_models(a, b, map);
  ASSERT_TRUE(mapped) << mapped.error().text();
  EXPECT_EQ(mapped->inputs.at(1).variant, "tokens");
  EXPECT_EQ(mapped->inputs.at(1).cast_to, DType::i32);
  EXPECT_THAT(mapped->outputs, ElementsAre(Pair("y", "out")));
  EXPECT_THAT(mapped->unbound, ElementsAre("output 'more' of A"));
}

TEST(BindModels, WhatStandsForTwoIsRefused) {
  const Interface a{{vector("a"), vector("b")}, {}, {vector("y")}};
  const Interface b{{vector("p"), vector("q")}, {}, {vector("y")}};
  for (const std::vector<std::string>& map : {std::vector<std::string>{"a=p", "a=q"}, {"a=p", "b=p"}}) {
    const auto binding = bind_models(a, b, map);
    ASSERT_FALSE(binding);
    EXPECT_EQ(binding.error().kind, ErrorKind::usage);
    EXPECT_THAT(binding.error().text(), testing::HasSubstr("contradict each other"));
  }
  EXPECT_TRUE(bind_models(a, b, std::vector<std::string>{"a=q", "a=q", "b=p"})) << "said twice is no contradiction";
}

TEST(BindModels, WhatIsLeftInAnotherOrderByShape) {
  const Interface a{{vector("x")}, {}, {vector("y", 3), vector("u", 4)}};
  const auto binding = bind_models(a, {{vector("p")}, {}, {vector("q", 4), vector("r", 3)}}, {});
  ASSERT_TRUE(binding) << binding.error().text();
  EXPECT_THAT(binding->outputs, ElementsAre(Pair("y", "r"), Pair("u", "q")));
  ValueInfo any = vector("r");
  any.has_shape = false;
  any.dims.clear();
  const Interface open{{vector("p")}, {}, {vector("q", 4), any}};
  EXPECT_FALSE(bind_models(a, open, {})) << "which of two it is would be a guess";
}

TEST(BindModels, ByTheNamesOfTensorsBehindASignature) {
  const auto called = [](const std::string& name, const std::string& tensor) {
    ValueInfo value = vector(name);
    value.tensor = tensor;
    return value;
  };
  const Interface a{{vector("in:0")}, {}, {vector("call:1"), vector("call:2")}};
  const Interface b{{called("x", "in:0")}, {}, {called("onset", "call:2"), called("note", "call:1")}};
  for (const bool is_turned : {false, true}) {
    const auto binding = is_turned ? bind_models(b, a, {}) : bind_models(a, b, {});
    ASSERT_TRUE(binding) << binding.error().text();
    EXPECT_THAT(binding->outputs, is_turned ? ElementsAre(Pair("onset", "call:2"), Pair("note", "call:1"))
                                            : ElementsAre(Pair("call:1", "note"), Pair("call:2", "onset")));
  }
  const Interface c{{called("y", "in:0")}, {}, {called("p", "call:1"), called("q", "call:2")}};
  EXPECT_THAT(bind_models(b, c, {})->outputs, ElementsAre(Pair("onset", "q"), Pair("note", "p")));
}

TEST(BindModels, InputsWithDefaultsNeedNoCounterpart) {
  const Interface a{{vector("x")}, {vector("w")}, {vector("y")}};
  const Interface b{{vector("x")}, {vector("other")}, {vector("y")}};
  EXPECT_TRUE(bind_models(a, b, {}));
}

TEST(BindModels, WhatBNeedsBeyondAllThatAHasIsNamed) {
  const Interface a{{vector("x")}, {}, {vector("y")}};
  const auto binding = bind_models(a, {{vector("x"), vector("k")}, {}, {vector("y")}}, {});
  ASSERT_FALSE(binding);
  EXPECT_EQ(binding.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(binding.error().message, testing::HasSubstr("B needs an input that A does not have: k"));
  const auto other = bind_models(a, {{vector("p"), vector("q")}, {}, {vector("y")}}, {});
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().text(), testing::HasSubstr("--map A_NAME=B_NAME")) << "it may be either of them";
}

TEST(BindModels, SizesThatDifferAreRefusedWithBoth) {
  const auto binding = bind_models({{vector("x", 3)}, {}, {vector("y")}}, {{vector("x", 5)}, {}, {vector("y")}}, {});
  ASSERT_FALSE(binding);
  EXPECT_EQ(binding.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(binding.error().message, HasSubstr("x: float32[3] of A cannot stand for x: float32[5] of B"));
}

TEST(BindModels, NamesWithAnEqualsSignCanBeMapped) {
  const std::vector<std::string> map = {"x=1=p", "y=q=2"};
  const auto binding = bind_models({{vector("x=1")}, {}, {vector("y")}}, {{vector("p")}, {}, {vector("q=2")}}, map);
  ASSERT_TRUE(binding) << binding.error().text();
  EXPECT_EQ(binding->inputs.at(0).variant, "p");
  EXPECT_THAT(binding->outputs, ElementsAre(Pair("y", "q=2")));
}

}  // namespace
}  // namespace culprit
