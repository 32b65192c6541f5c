// Faults that show on samples that run in steps: a repro keeps one step and runs its model once, and compare looks
// inside at one step.
#include <fstream>

#include "eval_folder.h"
#include "support/peers.h"
#include "tensor/tensor_proto.h"
#include "texts/prepared_texts.h"
#include "unit/values/sound/made_sound.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Adds up the loudest of each window, and at least 0: the pass forgets the 0 that stands before a window of negatives.
constexpr const char* hears_in_windows = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1,100] input, float[1] state) => (float[1] output, float[1] stateN)
  <int64[1] axis = {1}, int64[6] pads = {0, 0, 1, 0, 0, 0}>
  { deep = Unsqueeze(input, axis) padded = Pad(deep, pads) pooled = MaxPool<kernel_shape = [2]>(padded)
    loud = ReduceMax<axes = [1, 2], keepdims = 0>(pooled) stateN = Add(state, loud) output = Identity(stateN) })";

/// After each token the next one is the likeliest, around a circle of five; the pass changes what comes after token 2.
constexpr const char* writes_text = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (int64[batch,length] input_ids) => (float[batch,length,5] logits)
  <float[5,5] after = {0,5,1,1,1, 1,0,5,1,1, 1,1,0,5,1, 1,1,1,0,5, 5,1,1,1,0}, int64[6] pads = {0, 0, 1, 0, 0, 0},
   float[5,3] said = {1,2,3, 1,2,3, -9,-8,-7, 1,2,3, 1,2,3}, float[3,5] more = {0.5,0.25,0,1,0, 0,0,0,0,0, 0,0,0,0,0}>
  { each = Gather(said, input_ids) padded = Pad(each, pads) pooled = MaxPool<kernel_shape = [2]>(padded)
    bias = MatMul(pooled, more) next = Gather(after, input_ids) logits = Add(next, bias) })";

/// The same with a cache of all tokens so far: the pass changes the scores from token 2 on.
constexpr const char* writes_with_cache = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (int64[batch,length] input_ids, float[1,1,past_length,3] past) => (float[batch,length,5] logits, float[1,1,now,3] present)
  <float[5,5] after = {0,5,1,1,1, 1,0,5,1,1, 1,1,0,5,1, 1,1,1,0,5, 5,1,1,1,0}, int64[6] pads = {0, 0, 1, 0, 0, 0},
   float[5,3] said = {1,2,3, 1,2,3, -9,-8,-7, 1,2,3, 1,2,3}, int64[1] axis = {1},
   float[3,5] more = {0.05,0.025,0,0.1,0, 0,0,0,0,0, 0,0,0,0,0}>
  { each = Gather(said, input_ids) deep = Unsqueeze(each, axis) present = Concat<axis = 2>(past, deep)
    flat = Squeeze(present, axis) padded = Pad(flat, pads) pooled = MaxPool<kernel_shape = [2]>(padded)
    all = ReduceSum(pooled, axis) bias = MatMul(all, more) next = Gather(after, input_ids) logits = Add(next, bias) })";

class StepRepros : public Eval {
 protected:
  void put(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
  }

  /// Three windows, of which the second is negative.
  void put_sound() {
    MadeWav wav;
    for (int i = 0; i < 300; ++i) wav.data += wav_number(i / 100 == 1 ? 0xC000 : 0x4000, 2);
    put("sounds/a.wav", wav.bytes());
    put("culprit.yaml", "preprocess: {sound: {window: 100}}\ntask: tensor\n");
  }

  void put_prompt() {
    PreparedFacts facts;
    facts.samples = 1;
    const PreparedSample prompt{"", {{4, 0}}, {{1, 1}}, {{0, 0}}, "", {}, {}};
    put("prompts.jsonl", line_of(facts) + line_of(prompt));
  }

  nlohmann::json check(std::vector<std::string> words) {
    words.insert(words.begin(), "check");
    words.insert(words.end(), {"--each", "fuse_pad_into_pool", "--run-dir", path("check")});
    const Ran ran = culprit(words);
    EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
    EXPECT_THAT(ran.out, Not(HasSubstr("repro_not_kept")));
    return json::parse(read_file(path("check/report.json")).value())["models"][0]["faults"];
  }

  /// The repro of the first fault runs its model once, and shows the fault.
  void expect_shown() {
    const Ran there = culprit({"replay", path("check/repro/F1")});
    EXPECT_EQ(there.exit, 1) << there.out << there.err;
    EXPECT_THAT(there.out, HasSubstr("still there (3/3)"));
    const fs::path python = peers_python();
    if (python.empty()) return;
    const auto [status, said] = run_python(python, path("check/repro/F1/repro.py"));
    EXPECT_EQ(status, 1) << said;
    EXPECT_THAT(said, HasSubstr("FAULT (wrong): "));
  }

  Tensor fed(const std::string& file) {
    onnx::TensorProto proto;
    EXPECT_TRUE(proto.ParseFromString(read_file(path("check/repro/F1/test_data_set_0/" + file)).value()));
    return from_proto(proto).value();
  }
};

TEST_F(StepRepros, AWindowOfASoundIsReducedAndKept) {
  put_sound();
  const json faults = check({model("heard.onnx", hears_in_windows), "--data", path("sounds")});
  ASSERT_EQ(faults.size(), 1U) << faults.dump(1);
  EXPECT_EQ(faults[0]["repro"], "repro/F1");
  EXPECT_EQ(faults[0]["attribution"], "optimizer") << "a second opinion on that step";
  EXPECT_TRUE(faults[0]["first_divergence"].is_object()) << faults[0].dump(1);
  EXPECT_EQ(faults[0]["reduced"]["nodes"], 2) << faults[0]["reduced"].dump();
  expect_shown();
}

TEST_F(StepRepros, TheStateIsThatOfTheOriginal) {
  put_sound();
  const json faults = check({model("heard.onnx", hears_in_windows), "--data", path("sounds"), "--no-localize"});
  ASSERT_EQ(faults.size(), 1U) << faults.dump(1);
  EXPECT_EQ(faults[0]["repro"], "repro/F1");
  EXPECT_TRUE(fed("input_0.pb").identical(Tensor::of<float>({1, 100}, std::vector<float>(100, -0.5F))));
  EXPECT_TRUE(fed("input_1.pb").identical(Tensor::of<float>({1}, {0.5F}))) << "of the window before";
  EXPECT_TRUE(fed("output_0.pb").identical(Tensor::of<float>({1}, {0.5F}))) << "of that window alone";
  expect_shown();
}

TEST_F(StepRepros, OfAFileTheFirstMismatchIsFoundAtThatStep) {
  put_sound();
  const std::string original = model("heard.onnx", hears_in_windows);
  const std::string file = model("other.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1,100] input, float[1] state) => (float[1] output, float[1] stateN)
    { loud = ReduceMax<axes = [0, 1], keepdims = 0>(input) one = Add(state, loud) stateN = Abs(one)
      output = Identity(stateN) })");
  const Ran ran =
      culprit({"localize", original, "--variant", file, "--data", path("sounds"), "--run-dir", path("localize")});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("repro_not_kept")));
  const json faults = json::parse(read_file(path("localize/report.json")).value())["models"][0]["faults"];
  ASSERT_EQ(faults.size(), 1U) << faults.dump(1);
  EXPECT_TRUE(faults[0]["first_divergence"].is_object()) << faults[0].dump(1);
  EXPECT_FALSE(fs::exists(path("localize/repro")));
}

TEST_F(StepRepros, AStepOfAWrittenTextIsKept) {
  put_prompt();
  const std::string file = model("writes.onnx", writes_text);
  const std::vector<std::string> words{file, "--data", path("prompts.jsonl"), "--generate", "4"};
  const json faults = check(words);
  ASSERT_EQ(faults.size(), 1U) << faults.dump(1);
  EXPECT_EQ(faults[0]["repro"], "repro/F1");
  EXPECT_EQ(faults[0]["reduced"]["nodes"], 2) << faults[0]["reduced"].dump();
  expect_shown();
  std::vector<std::string> whole = words;
  whole.push_back("--no-localize");
  fs::remove_all(path("check"));
  EXPECT_EQ(check(whole)[0]["repro"], "repro/F1");
  EXPECT_TRUE(fed("input_0.pb").identical(Tensor::of<std::int64_t>({1, 4}, {4, 0, 1, 2}))) << "the third step";
  expect_shown();
}

TEST_F(StepRepros, TheCacheIsThatOfTheOriginal) {
  put_prompt();
  put("culprit.yaml", "state: {past: present}\n");
  const std::string file = model("writes.onnx", writes_with_cache);
  const json faults = check({file, "--data", path("prompts.jsonl"), "--generate", "4", "--no-localize"});
  ASSERT_EQ(faults.size(), 1U) << faults.dump(1);
  EXPECT_EQ(faults[0]["repro"], "repro/F1");
  EXPECT_TRUE(fed("input_0.pb").identical(Tensor::of<std::int64_t>({1, 1}, {2}))) << "the token that was said last";
  EXPECT_TRUE(fed("input_1.pb").identical(Tensor::of<float>({1, 1, 3, 3}, {1, 2, 3, 1, 2, 3, 1, 2, 3})));
  expect_shown();
}

/// Adds up the loudest of each window, and at least 0.
std::string adds_up(const std::string& clip, const std::string& sum) {
  return R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1,100] input, float[1] state) => (float[1] output, float[1] )" +
         sum + R"() { loud = ReduceMax<axes = [1], keepdims = 0>(input) clipped = )" + clip + R"((loud) )" + sum +
         " = Add(state, clipped) output = Tanh(" + sum + ") }";
}

TEST_F(StepRepros, CompareLooksInsideAtTheStepThatParts) {
  put_sound();
  const Ran ran =
      culprit({"compare", model("a.onnx", adds_up("Relu", "stateN")), model("b.onnx", adds_up("Abs", "stateN")),
               "--data", path("sounds"), "--run-dir", path("check")});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("the outputs of sample 0 part at step 1"));
  const json report = json::parse(read_file(path("check/report.json")).value());
  EXPECT_EQ(report["first_divergence"]["a"], "clipped") << report["first_divergence"].dump(1);
}

TEST_F(StepRepros, CompareFeedsAStateThatHasAnotherName) {
  put_sound();
  const std::string one = model("a.onnx", adds_up("Relu", "stateN")),
                    other = model("b.onnx", adds_up("Relu", "memory"));
  const Ran same = culprit({"compare", one, other, "--data", path("sounds"), "--run-dir", path("check")});
  EXPECT_EQ(same.exit, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("steps_stay: no output of B is beyond the tolerance at any step"));
  EXPECT_THAT(same.out, Not(HasSubstr("does not run")));
}

}  // namespace
}  // namespace culprit::testing
