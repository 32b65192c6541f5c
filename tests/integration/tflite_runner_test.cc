// TFLite models by LiteRT's own library, where there is one.
#include <gmock/gmock.h>

#include "base/file.h"
#include "base/folder.h"
#include "network/tflite/tflite_edit.h"
#include "runtime/find_library.h"
#include "runtime/open_runner.h"
#include "runtime/tflite/known_model.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

class TfliteRunner : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto library = find_tflite();
    if (!library) GTEST_SKIP() << library.error().text();
    auto opened = open_runner({*library, std::string(tflite_kind)});
    ASSERT_TRUE(opened) << opened.error().text();
    runner_ = std::move(*opened);
  }

  /// y = x + x, as changed.
  static TfliteEdit known() {
    const auto file = TfliteFile::parse(std::string(litert::known_model()), "known.tflite");
    return TfliteEdit::start(file.value()).value();
  }

  std::vector<NamedTensor> run(const std::string& bytes, const std::vector<NamedTensor>& inputs, Level level) {
    SessionOptions options;
    options.level = level;
    auto session = runner_->load(ModelInMemory{bytes, {}}, options);
    EXPECT_TRUE(session) << session.error().text();
    if (!session) return {};
    auto outputs = (*session)->run(inputs);
    EXPECT_TRUE(outputs) << outputs.error().text();
    return outputs.value_or(std::vector<NamedTensor>{});
  }

  std::unique_ptr<Runner> runner_;
};

TEST_F(TfliteRunner, ComputesAtEachLevelInTheShapeThatIsFed) {
  const std::string model(litert::known_model());
  for (const Level level : {Level::off, Level::all})
    for (const Shape& shape : {Shape{1, 2}, Shape{3, 2}, Shape{1, 4}}) {
      std::vector<float> values(static_cast<std::size_t>(shape[0] * shape[1]), 1.5F), sums(values.size(), 3);
      const auto outputs = run(model, {{"x", Tensor::of(shape, values)}}, level);
      ASSERT_EQ(outputs.size(), 1U);
      EXPECT_EQ(outputs[0].name, "y");
      EXPECT_TRUE(outputs[0].value.identical(Tensor::of(shape, sums)));
    }
}

TEST_F(TfliteRunner, TwoRunsOfASessionDoNotMix) {
  auto session = runner_->load(ModelInMemory{std::string(litert::known_model()), {}}, {});
  ASSERT_TRUE(session);
  for (const float value : {1.0F, 5.0F, -2.0F}) {
    const auto outputs = (*session)->run({{"x", Tensor::of<float>({1, 2}, {value, 0})}});
    ASSERT_TRUE(outputs) << outputs.error().text();
    EXPECT_TRUE(outputs->front().value.identical(Tensor::of<float>({1, 2}, {2 * value, 0})));
  }
}

/// Reshape by the shape of another tensor: nobody knows the result's before it ran.
TEST_F(TfliteRunner, AShapeThatIsComputedMayChangeFromRunToRun) {
  TfliteEdit edit = known();
  ASSERT_EQ(edit.append_tensor(0, {"shape", 2, {2}, {}}).value(), 2U);
  ASSERT_EQ(edit.append_tensor(0, {"z", 0, {1, 2}, {}}).value(), 3U);
  ASSERT_TRUE(edit.insert_operator({0, 1}, {77, 1, {}, {0}, {2}, {{"out_type", std::int64_t{2}}}}));
  ASSERT_TRUE(edit.insert_operator({0, 2}, {22, 1, {}, {1, 2}, {3}, {}}));
  ASSERT_TRUE(edit.set_graph_outputs(0, std::vector<std::int32_t>{3, 1}));
  auto session = runner_->load(ModelInMemory{std::string(edit.finish().value().bytes()), {}}, {});
  ASSERT_TRUE(session) << session.error().text();
  for (const std::int64_t batch : {1, 300, 2, 1, 70}) {
    const std::vector<float> ones(static_cast<std::size_t>(2 * batch), 1), twos(ones.size(), 2);
    const auto outputs = (*session)->run({{"x", Tensor::of<float>({batch, 2}, ones)}});
    ASSERT_TRUE(outputs) << batch << outputs.error().text();
    for (const NamedTensor& output : *outputs)
      EXPECT_TRUE(output.value.identical(Tensor::of<float>({batch, 2}, twos))) << output.name << batch;
  }
}

TEST_F(TfliteRunner, ShownTensorsAreOutputs) {
  TfliteEdit edit = known();
  const std::int32_t input = 0;
  ASSERT_TRUE(edit.show_tensors(0, {&input, 1}));
  const auto file = edit.finish();
  ASSERT_TRUE(file);
  const auto outputs = run(std::string(file->bytes()), {{"x", Tensor::of<float>({1, 2}, {3, 4})}}, Level::off);
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_TRUE(outputs[0].value.identical(Tensor::of<float>({1, 2}, {6, 8})));
  EXPECT_TRUE(outputs[1].value.identical(Tensor::of<float>({1, 2}, {3, 4})));
}

/// y = x + x, then z = y + y; the file has no signature.
TEST_F(TfliteRunner, FedTensorsAreInputs) {
  TfliteEdit edit = known();
  ASSERT_EQ(edit.append_tensor(0, {"z", 0, {1, 2}, {}}).value(), 2U);
  ASSERT_TRUE(edit.insert_operator({0, 1}, {0, 1, {}, {1, 1}, {2}, {}}));
  ASSERT_TRUE(edit.set_graph_outputs(0, std::vector<std::int32_t>{2}));
  const auto own = edit.feed_tensors(0, std::vector<std::int32_t>{1});
  ASSERT_TRUE(own) << own.error().text();
  ASSERT_TRUE(edit.show_tensors(0, *own));
  const auto file = edit.finish();
  ASSERT_TRUE(file) << file.error().text();
  const auto outputs =
      run(std::string(file->bytes()),
          {{"x", Tensor::of<float>({1, 2}, {3, 4})}, {"fed_1", Tensor::of<float>({1, 2}, {5, 7})}}, Level::off);
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(outputs[0].name, "z");
  EXPECT_TRUE(outputs[0].value.identical(Tensor::of<float>({1, 2}, {10, 14})));
  EXPECT_EQ(outputs[1].name, "inner_3");
  EXPECT_TRUE(outputs[1].value.identical(Tensor::of<float>({1, 2}, {6, 8}))) << "what its maker gives";
}

/// z = y in the shape [rows of y, columns], where the rows are computed from y, as Keras writes a Reshape with an open
/// batch; `columns` computed, too, is nothing that can be known before.
std::string with_computed_reshape(TfliteEdit edit, bool has_two_computed) {
  constexpr std::int8_t f32 = 0, i32 = 2;
  constexpr std::int64_t int32 = 2;
  const auto bytes = [](std::int32_t number) { return std::string(reinterpret_cast<const char*>(&number), 4); };
  const std::int32_t y = 1;
  const auto add = [&](const char* name, std::int8_t type, std::vector<std::int32_t> shape, std::string data = "") {
    return static_cast<std::int32_t>(edit.append_tensor(0, {name, type, std::move(shape), std::move(data)}).value());
  };
  const std::int32_t sizes = add("sizes", i32, {2}), rows = add("rows", i32, {}), shape = add("shape", i32, {2});
  const std::int32_t zero = add("zero", i32, {1}, bytes(0)), one = add("one", i32, {1}, bytes(1));
  const std::int32_t two = has_two_computed ? rows : add("two", i32, {}, bytes(2)), z = add("z", f32, {1, 2});
  const auto put = [&](std::size_t at, const char* name, std::vector<std::int32_t> in, std::int32_t out,
                       std::vector<std::pair<std::string, TfliteValue>> options) {
    const TfliteNewOperator made{tflite_operator(name)->code, 1, "", std::move(in), {out}, std::move(options)};
    EXPECT_TRUE(edit.insert_operator({0, at}, made));
  };
  put(1, "SHAPE", {y}, sizes, {{"out_type", int32}});
  put(2, "STRIDED_SLICE", {sizes, zero, one, one}, rows, {{"shrink_axis_mask", std::int64_t{1}}});
  put(3, "PACK", {rows, two}, shape, {{"values_count", std::int64_t{2}}});
  put(4, "RESHAPE", {y, shape}, z, {});
  EXPECT_TRUE(edit.set_graph_outputs(0, {&z, 1}));
  return std::string(edit.finish().value().bytes());
}

TEST_F(TfliteRunner, AnOutputOfAComputedShapeIsHandedOutInEachRun) {
  auto session = runner_->load(ModelInMemory{with_computed_reshape(known(), false), {}}, {});
  ASSERT_TRUE(session) << session.error().text();
  for (const std::int64_t rows : {1, 1, 3, 2}) {
    std::vector<float> values(static_cast<std::size_t>(rows) * 2, 1.5F), sums(values.size(), 3);
    const auto outputs = (*session)->run({{"x", Tensor::of(Shape{rows, 2}, values)}});
    ASSERT_TRUE(outputs) << outputs.error().text();
    EXPECT_EQ(outputs->front().name, "z");
    EXPECT_TRUE(outputs->front().value.identical(Tensor::of(Shape{rows, 2}, sums)));
  }
}

TEST_F(TfliteRunner, AnOutputThatLiteRtLeavesIsNoResult) {
  auto session = runner_->load(ModelInMemory{with_computed_reshape(known(), true), {}}, {});
  ASSERT_TRUE(session) << session.error().text();
  const auto outputs = (*session)->run({{"x", Tensor::of<float>({2, 2}, {1, 2, 3, 4})}});
  ASSERT_FALSE(outputs) << to_string(outputs->front().value.shape());
  EXPECT_THAT(outputs.error().message, HasSubstr("does not hand out the output z"));
}

TEST_F(TfliteRunner, WhatCannotBeRunIsSaid) {
  EXPECT_FALSE(runner_->load(ModelInMemory{"no model at all", {}}, {}));
  const std::string whole(litert::known_model());
  EXPECT_FALSE(runner_->load(ModelInMemory{whole.substr(0, 100), {}}, {}));
  auto session = runner_->load(ModelInMemory{whole, {}}, {});
  ASSERT_TRUE(session);
  const auto unnamed = (*session)->run({{"z", Tensor::of<float>({1, 2}, {1, 2})}});
  ASSERT_FALSE(unnamed);
  EXPECT_THAT(unnamed.error().message, HasSubstr("the input x"));
  EXPECT_FALSE((*session)->run({{"x", Tensor::of<std::int32_t>({1, 2}, {1, 2})}}));
}

TEST_F(TfliteRunner, AnUnknownOperatorIsRefusedAndNothingElseIsLost) {
  TfliteEdit edit = known();
  ASSERT_TRUE(edit.set_code({0, 0}, tflite_custom_code, 1, "Foo"));
  const auto file = edit.finish();
  ASSERT_TRUE(file);
  auto session = runner_->load(ModelInMemory{std::string(file->bytes()), {}}, {});  // refused here, or when it runs
  EXPECT_FALSE(session && (*session)->run({{"x", Tensor::of<float>({1, 2}, {1, 2})}}));
  EXPECT_EQ(run(std::string(litert::known_model()), {{"x", Tensor::of<float>({1, 2}, {1, 2})}}, Level::off).size(), 1U);
}

TEST(OpenTflite, RefusesWhatIsNotLiteRt) {
  const auto missing = open_tflite("/no/such/libLiteRt.so");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().hint, HasSubstr("scripts/setup tflite"));
  const auto other = open_tflite("libm.so.6");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("not LiteRT"));
}

}  // namespace
}  // namespace culprit
