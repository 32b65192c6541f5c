#include "model/bind_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

ValueInfo vector_named(const std::string& name, std::int64_t size = 3, DType type = DType::f32) {
  ValueInfo value;
  value.name = name;
  value.dtype = type;
  value.has_shape = true;
  value.dims = {{size, ""}};
  return value;
}

TEST(BindModels, ByNameInAnyOrder) {
  const Interface a{{vector_named("x"), vector_named("z", 4)}, {}, {vector_named("y"), vector_named("u", 4)}};
  const Interface b{{vector_named("z", 4), vector_named("x")}, {}, {vector_named("u", 4), vector_named("y")}};
  const auto binding = bind_models(a, b, {});
  ASSERT_TRUE(binding) << binding.error().text();
  EXPECT_EQ(binding->inputs.at(1).variant, "z");
  EXPECT_THAT(binding->outputs, ElementsAre(Pair("y", "y"), Pair("u", "u")));
  EXPECT_THAT(binding->unbound, IsEmpty());
}

TEST(BindModels, WhatIsLeftByPositionAndTypesAreCast) {
  const Interface a{
      {vector_named("x"), vector_named("ids", 3, DType::i64)}, {}, {vector_named("y"), vector_named("more")}};
  const Interface b{{vector_named("x"), vector_named("tokens", 3, DType::i32)}, {}, {vector_named("out")}};
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
  const Interface a{{vector_named("a"), vector_named("b")}, {}, {vector_named("y")}};
  const Interface b{{vector_named("p"), vector_named("q")}, {}, {vector_named("y")}};
  for (const std::vector<std::string>& map : {std::vector<std::string>{"a=p", "a=q"}, {"a=p", "b=p"}}) {
    const auto binding = bind_models(a, b, map);
    ASSERT_FALSE(binding);
    EXPECT_EQ(binding.error().kind, ErrorKind::usage);
    EXPECT_THAT(binding.error().text(), testing::HasSubstr("contradict each other"));
  }
  EXPECT_TRUE(bind_models(a, b, std::vector<std::string>{"a=q", "a=q", "b=p"})) << "said twice is no contradiction";
}

TEST(BindModels, WhatIsLeftInAnotherOrderByShape) {
  const Interface a{{vector_named("x")}, {}, {vector_named("y", 3), vector_named("u", 4)}};
  const auto binding = bind_models(a, {{vector_named("p")}, {}, {vector_named("q", 4), vector_named("r", 3)}}, {});
  ASSERT_TRUE(binding) << binding.error().text();
  EXPECT_THAT(binding->outputs, ElementsAre(Pair("y", "r"), Pair("u", "q")));
  ValueInfo any = vector_named("r");
  any.has_shape = false;
  any.dims.clear();
  const Interface open{{vector_named("p")}, {}, {vector_named("q", 4), any}};
  EXPECT_FALSE(bind_models(a, open, {})) << "which of two it is would be a guess";
}

TEST(BindModels, ByTheNamesOfTensorsBehindASignature) {
  const auto called = [](const std::string& name, const std::string& tensor) {
    ValueInfo value = vector_named(name);
    value.tensor = tensor;
    return value;
  };
  const Interface a{{vector_named("in:0")}, {}, {vector_named("call:1"), vector_named("call:2")}};
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
  const Interface a{{vector_named("x")}, {vector_named("w")}, {vector_named("y")}};
  const Interface b{{vector_named("x")}, {vector_named("other")}, {vector_named("y")}};
  EXPECT_TRUE(bind_models(a, b, {}));
}

TEST(BindModels, WhatBNeedsBeyondAllThatAHasIsNamed) {
  const Interface a{{vector_named("x")}, {}, {vector_named("y")}};
  const auto binding = bind_models(a, {{vector_named("x"), vector_named("k")}, {}, {vector_named("y")}}, {});
  ASSERT_FALSE(binding);
  EXPECT_EQ(binding.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(binding.error().message, testing::HasSubstr("B needs an input that A does not have: k"));
  const auto other = bind_models(a, {{vector_named("p"), vector_named("q")}, {}, {vector_named("y")}}, {});
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().text(), testing::HasSubstr("--map A_NAME=B_NAME")) << "it may be either of them";
}

TEST(BindModels, SizesThatDifferAreRefusedWithBoth) {
  const auto binding = bind_models({{vector_named("x", 3)}, {}, {vector_named("y")}},
                                   {{vector_named("x", 5)}, {}, {vector_named("y")}}, {});
  ASSERT_FALSE(binding);
  EXPECT_EQ(binding.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(binding.error().message, HasSubstr("x: float32[3] of A cannot stand for x: float32[5] of B"));
}

TEST(BindModels, NamesWithAnEqualsSignCanBeMapped) {
  const std::vector<std::string> map = {"x=1=p", "y=q=2"};
  const auto binding = bind_models({{vector_named("x=1")}, {}, {vector_named("y")}},
                                   {{vector_named("p")}, {}, {vector_named("q=2")}}, map);
  ASSERT_TRUE(binding) << binding.error().text();
  EXPECT_EQ(binding->inputs.at(0).variant, "p");
  EXPECT_THAT(binding->outputs, ElementsAre(Pair("y", "q=2")));
}

}  // namespace
}  // namespace culprit
