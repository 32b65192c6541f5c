#include "conversion/map/bind_sides.h"

#include <gmock/gmock.h>

#include "base/file.h"
#include "map_bench.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

struct SideInterface {
  std::string name;
  std::vector<std::int64_t> dims;
  DType dtype = DType::f32;
};

/// A network of inputs and outputs alone.
Network interface_of(const std::vector<SideInterface>& inputs, const std::vector<SideInterface>& outputs) {
  Network network;
  for (const auto* list : {&inputs, &outputs})
    for (const SideInterface& value : *list) {
      (list == &inputs ? network.inputs : network.outputs).push_back(static_cast<int>(network.values.size()));
      network.values.push_back({.name = value.name, .dtype = value.dtype, .has_rank = true, .dims = value.dims});
    }
  return network;
}

struct Binding {
  Network source, target;
  std::vector<std::vector<Tensor>> samples = {};
  std::vector<std::string> map = {};
  std::vector<double> shares = {};  // what the attempts give, one after the other
  int attempts = 0;

  [[nodiscard]] InputsSeen seen() const { return {source, target, samples, map}; }
  Result<SideBinding> bind() {
    return bind_inputs_of_sides(seen(), [&](const std::vector<ValueMatch>&) -> Result<double> {
      return shares.at(static_cast<std::size_t>(attempts++));
    });
  }
  /// "a=b [0,2,3,1]" for each.
  std::vector<std::string> bound() {
    std::vector<std::string> words;
    const auto binding = bind();
    EXPECT_TRUE(binding) << binding.error().text();
    for (const ValueMatch& match : binding->inputs) {
      std::string word = source.values[static_cast<std::size_t>(match.source)].name + "=" +
                         target.values[static_cast<std::size_t>(match.target)].name;
      for (const int axis : match.order.axes.axes) word += " " + std::to_string(axis);
      words.push_back(word);
    }
    return words;
  }
};

TEST(BindSides, ShapesTellAlone) {
  Binding one{interface_of({{"x", {1, 3, 16, 16}}}, {}),
              interface_of({{"in", {-1, 16, 16, 3}}}, {}),
              {{normal_tensor({1, 3, 16, 16}, 1)}}};
  EXPECT_THAT(one.bound(), ElementsAre("x=in 0 2 3 1"));
  Binding same{interface_of({{"x", {1, 3, 16, 16}}}, {}),
               interface_of({{"in", {1, 3, 16, 16}}}, {}),
               {{normal_tensor({1, 3, 16, 16}, 1)}}};
  EXPECT_THAT(same.bound(), ElementsAre("x=in"));
  Binding flat{interface_of({{"x", {1, 3, 4, 4}}}, {}),
               interface_of({{"in", {-1, 48}}}, {}),
               {{normal_tensor({2, 3, 4, 4}, 1)}}};
  EXPECT_THAT(flat.bound(), ElementsAre("x=in"));
  Binding first{interface_of({{"x", {1, 8, 9, 3}}}, {}),
                interface_of({{"in", {1, 3, 8, 9}}}, {}),
                {{normal_tensor({1, 8, 9, 3}, 1)}}};
  EXPECT_THAT(first.bound(), ElementsAre("x=in 0 3 1 2"));
  Binding odd{interface_of({{"x", {1, 3, 8, 9}}}, {}),
              interface_of({{"in", {1, 9, 3, 8}}}, {}),
              {{normal_tensor({1, 3, 8, 9}, 1)}}};
  EXPECT_THAT(odd.bound(), ElementsAre("x=in 0 3 1 2"));
  for (const auto* binding : {&one, &same, &flat, &first, &odd}) EXPECT_EQ(binding->attempts, 0);
}

TEST(BindSides, TheFirstResultOfANodeIsItsName) {
  Binding turned{interface_of({{"left:0", {1, 5}}, {"right:0", {1, 5}}}, {}),
                 interface_of({{"right", {1, 5}}, {"left", {1, 5}}}, {}),
                 {{normal_tensor({1, 5}, 1), normal_tensor({1, 5}, 2)}}};
  EXPECT_THAT(turned.bound(), ElementsAre("left:0=left", "right:0=right"));
  EXPECT_EQ(turned.attempts, 0);
}

TEST(BindSides, WhereShapesDoNotTellRunsDo) {
  Binding cube{interface_of({{"x", {1, 4, 4, 4}}}, {}),
               interface_of({{"in", {1, 4, 4, 4}}}, {}),
               {{normal_tensor({1, 4, 4, 4}, 1)}}};
  cube.shares = {0.1, 0.9, 0.2};
  EXPECT_THAT(cube.bound(), ElementsAre("x=in 0 2 3 1"));
  EXPECT_EQ(cube.attempts, 3);
  Binding two{interface_of({{"x", {1, 5}}, {"z", {1, 5}}}, {}),
              interface_of({{"a", {1, 5}}, {"b", {1, 5}}}, {}),
              {{normal_tensor({1, 5}, 1), normal_tensor({1, 5}, 2)}}};
  two.shares = {0.25, 0.75};
  EXPECT_THAT(two.bound(), ElementsAre("x=b", "z=a"));
}

TEST(BindSides, TwoAsGoodAreTakenByPositionWithAWarning) {
  Binding two{interface_of({{"x", {1, 5}}, {"z", {1, 5}}}, {}),
              interface_of({{"a", {1, 5}}, {"b", {1, 5}}}, {}),
              {{normal_tensor({1, 5}, 1), normal_tensor({1, 5}, 2)}}};
  two.shares = {0.5, 0.5};
  const auto binding = two.bind();
  ASSERT_TRUE(binding);
  ASSERT_THAT(binding->warnings, SizeIs(1));
  EXPECT_EQ(binding->warnings[0].code, "binding_by_position");
  EXPECT_EQ(binding->inputs[0].target, 0);
}

TEST(BindSides, NamesComeFirstAndTheMapBeforeThem) {
  Binding two{interface_of({{"a", {1, 5}}, {"b", {1, 5}}}, {}),
              interface_of({{"b", {1, 5}}, {"a", {1, 5}}}, {}),
              {{normal_tensor({1, 5}, 1), normal_tensor({1, 5}, 2)}}};
  EXPECT_THAT(two.bound(), ElementsAre("a=a", "b=b"));
  two.map = {"a=b"};
  EXPECT_THAT(two.bound(), ElementsAre("a=b", "b=a"));
  EXPECT_EQ(two.attempts, 0);
  two.map = {"a=nobody"};
  EXPECT_EQ(two.bind().error().kind, ErrorKind::usage);
  EXPECT_THAT(two.bind().error().hint, HasSubstr("the target has b, a"));
  two.map = {"a=b", "b=b"};
  EXPECT_EQ(two.bind().error().kind, ErrorKind::usage);
}

TEST(BindSides, WhatFitsNowhereIsAnError) {
  Binding other{interface_of({{"x", {1, 5}}}, {}), interface_of({{"x", {1, 6}}}, {}), {{normal_tensor({1, 5}, 1)}}};
  EXPECT_EQ(other.bind().error().kind, ErrorKind::bad_input);
  Binding kind{
      interface_of({{"x", {1, 5}}}, {}), interface_of({{"in", {1, 5}, DType::i32}}, {}), {{normal_tensor({1, 5}, 1)}}};
  EXPECT_EQ(kind.bind().error().kind, ErrorKind::bad_input);
  Binding more{interface_of({{"x", {1, 5}}}, {}),
               interface_of({{"x", {1, 5}}, {"z", {1, 5}}}, {}),
               {{normal_tensor({1, 5}, 1)}}};
  EXPECT_EQ(more.bind().error().kind, ErrorKind::bad_input);
  Binding fewer{interface_of({{"x", {1, 5}}, {"mask", {1, 7}}}, {}),
                interface_of({{"x", {1, 5}}}, {}),
                {{normal_tensor({1, 5}, 1), normal_tensor({1, 7}, 1)}}};
  const auto binding = fewer.bind();
  ASSERT_TRUE(binding);
  EXPECT_THAT(binding->inputs, SizeIs(1));
  EXPECT_THAT(binding->unbound, ElementsAre("input 'mask' of the source"));
}

/// "a=b" for each output.
std::vector<std::string> bound_outputs(const Binding& sides, const std::vector<std::vector<NamedTensor>>& source,
                                       const std::vector<std::vector<NamedTensor>>& target, SideBinding& binding) {
  std::vector<std::string> words;
  const auto ok = bind_outputs_of_sides(binding, sides.seen(), source, target);
  EXPECT_TRUE(ok);
  for (const ValueMatch& match : binding.outputs)
    words.push_back(sides.source.values[static_cast<std::size_t>(match.source)].name + "=" +
                    sides.target.values[static_cast<std::size_t>(match.target)].name);
  return words;
}

TEST(BindSides, OutputsByCloseness) {
  const Binding sides{interface_of({}, {{"a", {1, 4}}, {"b", {1, 4}}, {"c", {1, 3, 2, 2}}}),
                      interface_of({}, {{"p", {1, 2, 2, 3}}, {"q", {1, 4}}, {"r", {1, 4}}})};
  const Tensor a = normal_tensor({1, 4}, 1), b = normal_tensor({1, 4}, 2), c = normal_tensor({1, 3, 2, 2}, 3);
  const std::vector<std::vector<NamedTensor>> source{{{"a", a}, {"b", b}, {"c", c}}};
  std::vector<float> near = numbers_in(a);
  near[0] += 0.3F;  // wrong, yet nearer than the other
  const std::vector<std::vector<NamedTensor>> target{
      {{"p", with_axes(c, {0, 2, 3, 1})}, {"q", Tensor::of({1, 4}, near)}, {"r", b}}};
  SideBinding binding;
  EXPECT_THAT(bound_outputs(sides, source, target, binding), ElementsAre("a=q", "b=r", "c=p"));
  EXPECT_THAT(binding.outputs[2].order.axes.axes, ElementsAre(0, 2, 3, 1));
  EXPECT_TRUE(binding.outputs[0].order.moves_nothing());
  EXPECT_THAT(binding.warnings, IsEmpty());
  EXPECT_THAT(binding.unbound, IsEmpty());
}

/// A fault before both leaves neither close: by chance each is nearer to the other's.
TEST(BindSides, OutputsByTheirParametersWhereNothingIsClose) {
  const Binding sides{interface_of({}, {{"a", {1, 4}}, {"b", {1, 4}}}),
                      interface_of({}, {{"p", {1, 4}}, {"q", {1, 4}}})};
  const Tensor a = normal_tensor({1, 4}, 1), b = normal_tensor({1, 4}, 2);
  std::vector<float> like_b = numbers_in(b), like_a = numbers_in(a);
  like_b[0] += 0.3F;
  like_a[1] -= 0.3F;
  const std::vector<std::vector<NamedTensor>> source{{{"a", a}, {"b", b}}},
      target{{{"p", Tensor::of({1, 4}, like_b)}, {"q", Tensor::of({1, 4}, like_a)}}};
  SideBinding by_closeness;
  EXPECT_THAT(bound_outputs(sides, source, target, by_closeness), ElementsAre("a=q", "b=p"));
  const RestOnTheSame in_order = [&](int one, int other) {
    return (one == sides.source.outputs[0]) == (other == sides.target.outputs[0]);
  };
  SideBinding by_parameters;
  ASSERT_TRUE(bind_outputs_of_sides(by_parameters, sides.seen(), source, target, in_order));
  EXPECT_EQ(by_parameters.outputs.at(0).target, sides.target.outputs[0]);
  EXPECT_EQ(by_parameters.outputs.at(1).target, sides.target.outputs[1]);
  // What is equal is equal, whatever it rests on.
  SideBinding equal;
  ASSERT_TRUE(bind_outputs_of_sides(equal, sides.seen(), source, {{{"p", b}, {"q", a}}}, in_order));
  EXPECT_EQ(equal.outputs.at(0).target, sides.target.outputs[1]);
}

TEST(BindSides, AnOutputOfAnotherSizeIsBoundAllTheSame) {
  const Binding sides{interface_of({}, {{"a", {1, 4}}}), interface_of({}, {{"p", {1, 5}}})};
  SideBinding binding;
  EXPECT_THAT(bound_outputs(sides, {{{"a", normal_tensor({1, 4}, 1)}}}, {{{"p", normal_tensor({1, 5}, 1)}}}, binding),
              ElementsAre("a=p"));
  SideBinding silent;
  EXPECT_THAT(bound_outputs(sides, {{{"a", normal_tensor({1, 4}, 1)}}}, {}, silent), ElementsAre("a=p"));
}

TEST(BindSides, OutputsThatStandForNoneAreListed) {
  const Binding sides{interface_of({}, {{"a", {1, 4}}, {"same", {1, 4}}}),
                      interface_of({}, {{"same", {1, 4}}, {"p", {1, 5}}, {"q", {1, 6}}})};
  SideBinding binding;
  const auto ok = bind_outputs_of_sides(
      binding, sides.seen(), {{{"a", normal_tensor({1, 4}, 1)}, {"same", normal_tensor({1, 4}, 2)}}},
      {{{"same", normal_tensor({1, 4}, 2)}, {"p", normal_tensor({1, 5}, 1)}, {"q", normal_tensor({1, 6}, 1)}}});
  ASSERT_TRUE(ok);
  EXPECT_THAT(binding.outputs, SizeIs(1));
  EXPECT_THAT(binding.unbound,
              ElementsAre("output 'a' of the source", "output 'p' of the target", "output 'q' of the target"));
}

TEST(BindSides, SamplesAsTheTargetTakesThem) {
  const auto folder = TemporaryFolder::create(std::filesystem::temp_directory_path(), "culprit-bound").value();
  const auto path = folder.path() / "sample.pack";
  const Tensor x = normal_tensor({1, 3, 4, 4}, 1);
  ASSERT_TRUE(write_pack(path, std::vector<NamedTensor>{{"n", Tensor::of<std::int64_t>({1}, {5})}, {"x", x}}));
  const Network source = interface_of({{"x", {1, 3, 4, 4}}, {"n", {1}, DType::i64}}, {});
  const Network target = interface_of({{"in", {1, 4, 4, 3}, DType::f16}, {"k", {1}, DType::i32}}, {});
  SideBinding binding;
  binding.inputs = {{0, 0, {{{0, 2, 3, 1}}}, FoundBy::binding}, {1, 1, {}, FoundBy::binding}};
  const auto written = write_bound_samples(binding, source, target, {path}, folder.path());
  ASSERT_TRUE(written);
  const auto pack = read_pack(written->at(0)).value();
  ASSERT_THAT(pack, SizeIs(2));
  EXPECT_TRUE(find_value(pack, "in")->identical(cast(with_axes(x, {0, 2, 3, 1}), DType::f16).value()));
  EXPECT_TRUE(find_value(pack, "k")->identical(Tensor::of<std::int32_t>({1}, {5})));
  binding.inputs[0].source = 1;
  binding.inputs[1].source = 0;
  EXPECT_FALSE(
      write_bound_samples(binding, interface_of({{"gone", {1}}, {"n", {1}}}, {}), target, {path}, folder.path()));
}

}  // namespace
}  // namespace culprit
