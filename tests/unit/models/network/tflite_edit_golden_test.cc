// Each change of the small network changes what was meant, and nothing else that is read.
#include "base/text.h"
#include "network/tflite/flat_bytes.h"
#include "tflite_samples.h"

namespace culprit {
namespace {

template <class Change>
TfliteFile changed(const TfliteFile& file, const Change& change) {
  auto edit = TfliteEdit::start(file);
  if (!edit) throw std::runtime_error(edit.error().text());
  if (auto done = change(*edit); !done) throw std::runtime_error(done.error().text());
  auto made = edit->finish();
  if (!made) throw std::runtime_error(made.error().text());
  return *made;
}

/// The lines that are only in one of two texts: "-" of the first, "+" of the second.
std::vector<std::string> changed_lines(const TfliteFile& a, const TfliteFile& b) {
  std::vector<std::string> lines;
  const auto before = split(told(a), '\n');
  const auto after = split(told(b), '\n');
  for (const auto& line : before) {
    if (std::ranges::count(after, line) < std::ranges::count(before, line)) lines.push_back("-" + line);
  }
  for (const auto& line : after) {
    if (std::ranges::count(before, line) < std::ranges::count(after, line)) lines.push_back("+" + line);
  }
  return lines;
}

using testing::ElementsAre;
using testing::HasSubstr;

const std::string three_floats(12, '\x40');

TEST(TfliteEditGolden, NoChangeGivesTheSameBytes) {
  const auto file = small_tflite();
  EXPECT_EQ(changed(file, [](TfliteEdit&) { return Result<void>(); }).bytes(), file.bytes());
}

TEST(TfliteEditGolden, DataOfTheSameSizeAreWrittenOver) {
  const auto file = small_tflite();
  const auto made = changed(file, [](TfliteEdit& edit) { return edit.set_data({0, 1}, std::string(24, '\x3f')); });
  ASSERT_EQ(made.bytes().size(), file.bytes().size());
  const auto place = file.graph().buffers[2].at;
  for (std::size_t at = 0; at < file.bytes().size(); ++at) {
    EXPECT_EQ(made.bytes()[at], at >= place && at < place + 24 ? '\x3f' : file.bytes()[at]);
  }
}

TEST(TfliteEditGolden, LargerDataAreAppendedAndAligned) {
  const auto file = small_tflite();
  const auto made = changed(file, [](TfliteEdit& edit) { return edit.set_data({0, 1}, std::string(48, '\x3f')); });
  EXPECT_THAT(changed_lines(file, made), ElementsAre(HasSubstr("-tensor weights"), HasSubstr("+tensor weights")));
  EXPECT_EQ(made.graph().buffers[2].at % 16, 0U);
  EXPECT_EQ(made.graph().buffers[2].size, 48U);
}

TEST(TfliteEditGolden, ASharedBufferIsLeftToTheOther) {
  const auto file = small_tflite();
  const auto made = changed(file, [](TfliteEdit& edit) { return edit.set_data({0, 4}, three_floats); });
  EXPECT_THAT(changed_lines(file, made), ElementsAre(HasSubstr("-tensor bias_again"), HasSubstr("+tensor bias_again")));
  EXPECT_EQ(made.graph().subgraphs[0].tensors[4].buffer, 6U);
}

TEST(TfliteEditGolden, AnOptionThatIsNotStoredIsAdded) {
  const auto file = small_tflite();
  const auto made = changed(file, [](TfliteEdit& edit) {
    return edit.set_option({0, 0}, "dilation_h_factor", std::int64_t{2});
  });
  EXPECT_THAT(changed_lines(file, made),
              ElementsAre(HasSubstr("dilation_h_factor=1"), HasSubstr("dilation_h_factor=2")));
  const auto less = changed(made, [](TfliteEdit& edit) { return edit.set_option({0, 0}, "padding", std::int64_t{0}); });
  EXPECT_THAT(changed_lines(made, less), ElementsAre(HasSubstr("padding=1"), HasSubstr("padding=0")));
  EXPECT_EQ(less.bytes().size(), made.bytes().size());
}

TEST(TfliteEditGolden, PresetsOfOptionsThatAreNotStoredChangeNothing) {
  const auto file = small_tflite();
  const auto made = changed(file, [&file](TfliteEdit& edit) {
    Result<void> done;
    for (const auto& option : file.graph().subgraphs[0].operators[0].options) {
      if (done) done = edit.set_option({0, 0}, option.name, option.value);
    }
    return done;
  });
  EXPECT_EQ(made.bytes(), file.bytes());
}

TEST(TfliteEditGolden, ShapesThatTwoTensorsShareAreParted) {
  const auto file = small_tflite();
  std::string bytes(file.bytes());
  const FlatBytes flat{std::as_bytes(std::span(bytes))};
  const auto graph = flat.target(flat.target(flat.field(flat.target(0), 2)) + 4);
  const auto tensors = flat.target(flat.field(graph, 0));
  const auto slot_of = [&](std::size_t t) { return flat.field(flat.target(tensors + 4 + 4 * t), 0); };
  const auto from = std::min(slot_of(3), slot_of(5)) == slot_of(3) ? 3 : 5;  // offsets lead forward
  const auto to = 8 - from;
  const auto target = std::max(flat.target(slot_of(3)), flat.target(slot_of(5)));
  for (const auto tensor : {from, to}) {
    const auto slot = slot_of(static_cast<std::size_t>(tensor));
    flat_put(std::as_writable_bytes(std::span(bytes)), slot, static_cast<std::uint32_t>(target - slot));
  }
  const auto shared = TfliteFile::parse(bytes, "shared").value();
  const std::vector<std::int32_t> shape{1, 4, 4, 9};
  const auto made = changed(shared, [&](TfliteEdit& edit) { return edit.set_shape({0, 3}, shape); });
  EXPECT_THAT(changed_lines(shared, made),
              ElementsAre(HasSubstr("-tensor conv"), HasSubstr("+tensor conv 0 [1, 4, 4, 9]")));
}

TEST(TfliteEditGolden, OperatorsAndTensorsComeAndGo) {
  const auto file = small_tflite();
  const auto made = changed(file, [](TfliteEdit& edit) -> Result<void> {
    const auto tensor = edit.append_tensor(0, {"extra", 0, {1, 4, 4, 3}, {}});
    if (!tensor) return tl::unexpected(tensor.error());
    const auto number = static_cast<std::int32_t>(*tensor);
    const TfliteNewOperator leaky{98, 1, {}, {3}, {number}, {{"alpha", 0.25}}};
    return edit.insert_operator({0, 1}, leaky);
  });
  EXPECT_THAT(changed_lines(file, made),
              ElementsAre("+tensor extra 0 [1, 4, 4, 3] 0 false ", "+LEAKY_RELU [3] [7] alpha=0.25"));
  EXPECT_EQ(made.operator_name(made.graph().subgraphs[0].operators[1]), "LEAKY_RELU");
  const auto back = changed(made, [](TfliteEdit& edit) { return edit.remove_operator({0, 1}); });
  EXPECT_THAT(changed_lines(made, back), ElementsAre("-LEAKY_RELU [3] [7] alpha=0.25"));
}

/// The first operator alone is left, and a large constant that only the others took is gone with its bytes.
TEST(TfliteEditGolden, WhatNobodyTakesIsDropped) {
  const auto file = small_tflite();
  const std::vector<std::int32_t> output = file.graph().subgraphs[0].operators[0].outputs;
  auto edit = TfliteEdit::start(file).value();
  const auto extra = edit.append_tensor(0, {"extra", 0, {64, 16}, std::string(4096, '\x3f')});
  ASSERT_TRUE(extra);
  ASSERT_TRUE(edit.set_graph_outputs(0, output));
  while (edit.finish().value().graph().subgraphs[0].operators.size() > 1) ASSERT_TRUE(edit.remove_operator({0, 1}));
  ASSERT_TRUE(edit.drop_unused());
  const auto whole = edit.finish().value(), small = edit.finish_without_gaps().value();
  EXPECT_LT(small.bytes().size() + 4000, whole.bytes().size());
  EXPECT_EQ(told(small), told(whole));
  const auto& graph = small.graph();
  EXPECT_EQ(graph.subgraphs[0].tensors[*extra].buffer, 0U);
  for (const std::int32_t input : graph.subgraphs[0].operators[0].inputs) {
    const auto& tensor = graph.subgraphs[0].tensors[static_cast<std::size_t>(input)];
    EXPECT_TRUE(std::ranges::equal(small.buffer(tensor.buffer), file.buffer(tensor.buffer))) << tensor.name;
    EXPECT_EQ(graph.buffers[tensor.buffer].at % 16, file.graph().buffers[tensor.buffer].at % 16);
  }
}

TEST(TfliteEditGolden, InnerTensorsAreShown) {
  const auto file = small_tflite();
  const std::vector<std::int32_t> inner{3, 5};
  const auto made = changed(file, [&](TfliteEdit& edit) { return edit.show_tensors(0, inner); });
  EXPECT_THAT(changed_lines(file, made),
              ElementsAre("-graph main [0] [6]", "-signature serving_default y=6", "+graph main [0] [6, 3, 5]",
                          "+signature serving_default y=6 inner_3=3 inner_5=5"));
}

TEST(TfliteEditGolden, WhatIsFedIsAnInputAndItsMakerGivesAnotherTensor) {
  const auto file = small_tflite();
  auto edit = TfliteEdit::start(file).value();
  const auto own = edit.feed_tensors(0, std::vector<std::int32_t>{3, 0, 5});
  ASSERT_TRUE(own) << own.error().text();
  EXPECT_THAT(*own, ElementsAre(7, -1, 8));
  const auto made = edit.finish().value();
  EXPECT_THAT(changed_lines(file, made),
              ElementsAre("-graph main [0] [6]", HasSubstr("-CONV_2D [0, 1, 2] [3]"), HasSubstr("-ADD [3, 4] [5]"),
                          "+graph main [0, 3, 5] [6]", "+tensor made_3 0 [1, 4, 4, 3] 0 false ",
                          "+tensor made_5 0 [1, 4, 4, 3] 0 false ", HasSubstr("+CONV_2D [0, 1, 2] [7]"),
                          HasSubstr("+ADD [3, 4] [8]")));
  using Named = std::pair<std::string, std::uint32_t>;
  EXPECT_THAT(made.graph().signatures[0].inputs, ElementsAre(Named("x", 0), Named("fed_3", 3), Named("fed_5", 5)));
}

TEST(TfliteEditGolden, WhatIsFedKeepsItsQuantizationAndConstantsCannotBeFed) {
  auto edit = TfliteEdit::start(small_tflite()).value();
  TfliteQuantization quantization;
  quantization.scale = {0.125F};
  quantization.zero_point = {7};
  ASSERT_TRUE(edit.set_quantization({0, 3}, quantization));
  ASSERT_TRUE(edit.feed_tensors(0, std::vector<std::int32_t>{3}));
  const auto made = edit.finish().value();
  EXPECT_THAT(made.graph().subgraphs[0].tensors[7].quantization.value().scale, ElementsAre(0.125F));
  const auto refused = edit.feed_tensors(0, std::vector<std::int32_t>{1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::unsupported);
  EXPECT_FALSE(edit.feed_tensors(0, std::vector<std::int32_t>{99}));
}

TEST(TfliteEditGolden, QuantizationCodesAndInputsAreSet) {
  const auto file = small_tflite();
  const std::vector<std::int32_t> inputs{3, 2};
  const auto made = changed(file, [&](TfliteEdit& edit) -> Result<void> {
    TfliteQuantization quantization;
    quantization.scale = {0.125F};
    quantization.zero_point = {7};
    if (auto done = edit.set_quantization({0, 3}, quantization); !done) return done;
    if (auto done = edit.set_code({0, 1}, 41, 1); !done) return done;
    return edit.set_inputs({0, 1}, inputs);
  });
  EXPECT_THAT(changed_lines(file, made), ElementsAre(HasSubstr("-tensor conv"), HasSubstr("-ADD [3, 4]"),
                                                     HasSubstr("[0.125] [7]"), HasSubstr("+SUB [3, 2]")));
}

TEST(TfliteEditGolden, WhatCannotBeIsAnError) {
  auto edit = TfliteEdit::start(small_tflite()).value();
  EXPECT_THAT(edit.set_data({0, 99}, "").error().text(), HasSubstr("99: there are 7"));
  EXPECT_THAT(edit.set_option({0, 0}, "beta", 1.0).error().text(), HasSubstr("CONV_2D has no option 'beta'"));
  EXPECT_THAT(edit.set_option({0, 0}, "padding", 1.0).error().text(), HasSubstr("of another type"));
}

}  // namespace
}  // namespace culprit
