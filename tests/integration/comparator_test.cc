// `culprit eval --comparator`: programs of users as tasks, those of examples/ and some that misbehave.
#include <sys/types.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "base/text.h"
#include "eval_folder.h"
#include "tensor/npy.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;

const std::string examples = CULPRIT_SOURCE "/examples/comparators/";

std::string one_number(const std::string& last) {
  return R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1,1] x) => (float[1,1] y)
    <float[1] half = {0.5}> { a = Identity(x) y = )" +
         last + "}";
}

class Comparators : public Eval {
 protected:
  std::string program(const std::string& name, const std::string& text) {
    EXPECT_TRUE(write_file_atomic(path(name), text));
    fs::permissions(path(name), fs::perms::owner_all);
    return path(name);
  }
  /// Behaves until it is asked of this number, and then does that. Its own number and that of a child are in `pids`.
  std::string misbehaving(const std::string& deed, int number = 5) {
    return program("bad.sh", "#!/bin/bash\nsleep 1000 >&2 & echo $$ $! >> '" + path("pids") + R"('
      while read -r line; do
        n=${line##*\"number\":}; n=${n%%,*}
        good="{\"number\": $n, \"changed\": false, \"reference\": \"r\", \"variant\": \"v\"}"
        if [ $n = )" + std::to_string(number) +
                                 " ]; then " + deed + R"(; else echo "$good"; fi
      done)");
  }
  void numbers(const std::vector<float>& values) {
    ASSERT_TRUE(write_npy(path("x.npy"), Tensor::of<float>({static_cast<std::int64_t>(values.size()), 1}, values)));
  }
  /// Of what was started no process is left.
  void expect_nothing_left() {
    std::ifstream pids(path("pids"));
    int count = 0;
    for (pid_t pid = 0; pids >> pid; ++count) EXPECT_FALSE(lives(pid)) << pid;
    EXPECT_GE(count, 2);
  }
  static bool lives(pid_t pid) {
    for (int i = 0; i < 400; ++i) {
      std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
      std::string id, name, state;
      stat >> id >> name >> state;
      if (!stat || state == "Z" || state == "X") return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }
};

TEST_F(Comparators, AProgramStandsBesideTheTasks) {
  const std::string one = model("one.onnx", one_number("Identity(a)"));
  const std::string two = model("two.onnx", one_number("Sub(half, a)"));
  std::vector<float> values;
  values.reserve(600);
  for (int i = 0; i < 600; ++i) values.push_back(static_cast<float>(i % 100) / 64 + 0.005F);
  numbers(values);
  const auto changed = std::ranges::count_if(values, [](float value) { return value > 0.5; });
  double difference = 0;
  for (const float value : values) difference += std::abs(2 * static_cast<double>(value) - 0.5);
  json first;
  for (const std::string jobs : {"1", "3"}) {
    const Ran ran =
        eval({one, two, "--data", path("x.npy"), "--comparator", examples + "same_sign.py", "--jobs", jobs});
    ASSERT_EQ(ran.exit, 0) << ran.err;
    EXPECT_EQ(ran.report["task"]["name"], "same_sign.py");
    const json& model = ran.report["models"][1];
    EXPECT_EQ(model["samples"], 600);
    EXPECT_EQ(model["changed"], changed);
    EXPECT_NEAR(model["against_first"]["difference"]["value"].get<double>(), difference / 600, 1e-6);
    EXPECT_EQ(model["worst"].size(), 10U);
    EXPECT_EQ(model["worst"][0]["reference"], "1.55");
    EXPECT_EQ(model["worst"][0]["variant"], "-1.05");
    EXPECT_TRUE(ran.report["models"][0]["against_first"].is_null());
    EXPECT_THAT(ran.out, HasSubstr("other predictions than M1 on " + std::to_string(changed) + " of 600 samples"));
    EXPECT_THAT(ran.out, HasSubstr("1.55 became -1.05 (score gap 2.6)"));
    const json said{model["against_first"], model["worst"], model["changed"]};
    if (first.is_null()) first = said;
    EXPECT_EQ(said, first) << "chunks and processes make no difference";
  }
}

TEST_F(Comparators, AStreamStopsWhenAProgramIsSure) {
  const std::string one = model("one.onnx", one_number("Identity(a)"));
  const std::string two = model("two.onnx", one_number("Neg(a)"));
  const Ran ran =
      eval({one, two, "--samples", "100", "--comparator", examples + "same_sign.py", "--stop-when-sure", "99.9,0.1"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.report["models"][1]["sure"]["answer"], "fails");
  EXPECT_LT(ran.report["models"][1]["sure"]["samples"], 20);
}

/// The best class is the only word that is written, so the word error rate is what top-1 lacks to 1.
TEST_F(Comparators, WordsAreComparedWithLabels) {
  const std::string one = model("one.onnx", classifier("Identity(a)"));
  const std::string two = model("two.onnx", classifier("Round(a)"));
  Random random(3);
  std::vector<float> x(240);
  for (float& value : x) value = static_cast<float>(random.normal());
  std::vector<std::int64_t> y(60);
  for (auto& label : y) label = random.between(0, 2);
  ASSERT_TRUE(write_npy(path("x.npy"), Tensor::of<float>({60, 4}, x)));
  ASSERT_TRUE(write_npy(path("y.npy"), Tensor::of<std::int64_t>({60}, y)));
  const std::string zip = "cd '" + folder_.path().string() +
                          "' && python3 -c \"import zipfile; z = zipfile.ZipFile('s.npz', 'w'); z.write('x.npy'); "
                          "z.write('y.npy')\"";
  ASSERT_EQ(std::system(zip.c_str()), 0);
  const Ran labels = eval({one, two, "--data", path("s.npz"), "--task", "classification"});
  const Ran words = eval({one, two, "--data", path("s.npz"), "--comparator", examples + "word_error_rate.py"});
  ASSERT_EQ(words.exit, 0) << words.err;
  EXPECT_EQ(words.report["task"]["name"], "word error rate");
  for (const std::size_t model : {0, 1}) {
    const json &by_task = labels.report["models"][model], &by_program = words.report["models"][model];
    EXPECT_EQ(by_program["labelled"], 60);
    EXPECT_NEAR(by_program["against_labels"]["word_error_rate"]["value"].get<double>(),
                1 - by_task["against_labels"]["top1"]["value"].get<double>(), 1e-12);
    EXPECT_EQ(by_program["changed"], by_task["changed"]);
  }
  EXPECT_GT(words.report["models"][1]["changed"], 0);
}

/// Of one of two samples it is known what is right: the double of what the first model gives.
TEST_F(Comparators, ExpectedOutputsOfTestDataAreTold) {
  const std::string one = model("one.onnx", one_number("Identity(a)"));
  const std::string two = model("two.onnx", one_number("Add(a, a)"));
  for (const std::string set : {"test_data_set_0", "test_data_set_1"}) {
    fs::create_directories(path(set));
    ASSERT_TRUE(write_tensor_proto(path(set + "/input_0.pb"), {"x", Tensor::of<float>({1, 1}, {3})}));
  }
  ASSERT_TRUE(write_tensor_proto(path("test_data_set_1/output_0.pb"), {"y", Tensor::of<float>({1, 1}, {6})}));
  const std::string mine = program("mine.py", R"(#!/usr/bin/env python3
import array, json, sys
def first(output):
    data = open(output["file"], "rb").read()
    return array.array("f", data[12 + int.from_bytes(data[8:12], "little"):])[0]
for line in sys.stdin:
    sample = json.loads(line)
    truth = sample["truth"]
    known = {"off": abs(first(truth["outputs"][0]) - first(sample["variant"][0]))} if truth else {}
    print(json.dumps({"number": sample["number"], "changed": False, "reference": "", "variant": "",
                      "against_truth": known}), flush=True)
)");
  for (const std::vector<std::string>& data : {std::vector<std::string>{}, {"--data", folder_.path().string()}}) {
    std::vector<std::string> words{one, two, "--comparator", mine};
    words.insert(words.end(), data.begin(), data.end());
    const Ran ran = eval(words);
    ASSERT_EQ(ran.exit, 0) << ran.err;
    EXPECT_EQ(ran.report["models"][0]["against_labels"]["off"]["value"], 3) << ran.out;
    EXPECT_EQ(ran.report["models"][1]["against_labels"]["off"]["value"], 0);
    EXPECT_EQ(ran.report["models"][1]["labelled"], 1);
  }
}

TEST_F(Comparators, TextsStandInTheLine) {
  const auto writes = [](const std::string& scores) {
    return R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1,9] x) => (string[3] y) <int64[3] first = {0, 1, 2}> {
      s = )" +
           scores +
           R"( f = Flatten<axis = 0>(s) t = Transpose(f) r = Gather(t, first) i = Cast<to = 7>(r) z = Flatten<axis = 0>(i)
      v = Squeeze(z) y = Cast<to = 8>(v) })";
  };
  const std::string one = model("one.onnx", writes("Round(x)")), two = model("two.onnx", writes("Floor(x)"));
  const Ran ran = eval({one, two, "--samples", "30", "--comparator", examples + "word_error_rate.py"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const json& rate = ran.report["models"][1]["against_first"]["word_error_rate"];
  EXPECT_GT(rate["value"], 0);
  EXPECT_LT(rate["low"], rate["high"]);
  EXPECT_EQ(split(ran.report["models"][1]["worst"][0]["reference"].get<std::string>(), ' ').size(), 3U);
}

TEST_F(Comparators, WhatAProgramDoesWrongIsSaid) {
  const std::string one = model("one.onnx", one_number("Identity(a)"));
  const auto complaint = [&](const std::string& deed, int number = 5, const std::string& timeout = "20s") {
    const Ran ran = eval({one, "--samples", "8", "--timeout", timeout, "--comparator", misbehaving(deed, number)});
    EXPECT_EQ(ran.exit, 3) << ran.out << ran.err;
    EXPECT_EQ(split(trim(ran.err), '\n').size(), 1U) << ran.err;
    expect_nothing_left();
    return ran.err;
  };
  const std::string where = "sample seed 0 #5: --comparator bad.sh: ";
  EXPECT_THAT(complaint("exit 9"), HasSubstr(where + "it ended with exit status 9"));
  EXPECT_THAT(complaint("kill -SEGV $$"), HasSubstr("killed by SIGSEGV"));
  EXPECT_THAT(complaint("echo out of words >&2; exit 1"), HasSubstr("its last words: out of words"));
  EXPECT_THAT(complaint("echo Loading..."), HasSubstr("its answer is no JSON: Loading..."));
  EXPECT_THAT(complaint(R"(head -c 300 /dev/urandom | tr -d '\n'; echo)"), HasSubstr("its answer is no JSON"));
  EXPECT_THAT(complaint("echo '{}'"), HasSubstr("its answer has no 'number'"));
  EXPECT_THAT(complaint(R"(echo "${good/5/4}")"), HasSubstr("it was asked of number 5, and answers of 4"));
  EXPECT_THAT(complaint(R"(echo "${good/\}/, \"metrics\": {\"m\": NaN\}\}}")"), HasSubstr("NaN and Infinity"));
  EXPECT_THAT(complaint(R"(head -c 200000 /dev/zero | tr '\0' x; echo)"), HasSubstr("its line has more than 65.5 KB"));
  EXPECT_THAT(complaint(R"(echo "$good"; echo "$good"; echo "$good")"), HasSubstr("more than one line"));
  EXPECT_THAT(complaint("sleep 1000", 5, "1s"), HasSubstr("it did nearly nothing for 1"));
  EXPECT_THAT(complaint("while :; do :; done", 5, "1s"), HasSubstr("of CPU time"));
  EXPECT_THAT(complaint("exit 9", 0), HasSubstr("--comparator bad.sh: it ended with exit status 9"));
  EXPECT_THAT(complaint("(setsid sleep 1000 & echo $! >> '" + path("pids") + "'); exit 9"), HasSubstr("status 9"));
}

TEST_F(Comparators, WhatCannotBeStartedIsSaid) {
  const std::string one = model("one.onnx", one_number("Identity(a)"));
  const auto complaint = [&](const std::string& program, int exit) {
    const Ran ran = eval({one, "--comparator", program});
    EXPECT_EQ(ran.exit, exit) << ran.err;
    return ran.err;
  };
  EXPECT_THAT(complaint(path("nothing.py"), 2), HasSubstr("there is no such program"));
  EXPECT_THAT(complaint(one, 2), HasSubstr("chmod +x"));
  EXPECT_THAT(complaint(folder_.path().string(), 2), HasSubstr("no program that may be started"));
  EXPECT_THAT(complaint(program("odd.sh", "#!/no/such/shell\n"), 3), HasSubstr("cannot start"));
  EXPECT_THAT(complaint("cat", 3), HasSubstr("--comparator cat: its answer has a key")) << "it is on PATH";
  const Ran both = eval({one, "--comparator", "cat", "--task", "tensor"});
  EXPECT_EQ(both.exit, 2);
  EXPECT_THAT(both.err, HasSubstr("only one of them can decide"));
}

TEST_F(Comparators, WhatStandsOnStderrDoesNotMatter) {
  const std::string one = model("one.onnx", one_number("Identity(a)"));
  const Ran ran =
      eval({one, "--samples", "8", "--comparator", misbehaving(R"(head -c 40000000 /dev/urandom >&2; echo "$good")")});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.report["models"][0]["samples"], 8);
  expect_nothing_left();
}

TEST_F(Comparators, CtrlCEndsAProgramThatIsSilent) {
  const std::string one = model("one.onnx", one_number("Identity(a)"));
  const std::string asked = path("asked");
  for (const int number : {0, 5}) {
    fs::remove(asked);
    const std::string bad = misbehaving("touch '" + asked + "'; sleep 1000", number);
    std::thread ctrl_c([&] {
      for (int i = 0; i < 4000 && !fs::exists(asked); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      const std::string kill = "kill -INT $(cat '" + path("tool") + "')";
      EXPECT_EQ(std::system(kill.c_str()), 0);
    });
    std::string command = "sh -c 'echo $$ > \"";
    command.append(path("tool")).append("\"; exec \"" CULPRIT_BINARY "\" eval \"").append(one);
    command.append("\" --samples 8 --comparator \"").append(bad).append("\" --run-dir \"").append(path("run"));
    command.append("\"' 2> '").append(path("err")).append("'");
    const int status = std::system(command.c_str());
    ctrl_c.join();
    EXPECT_EQ(WEXITSTATUS(status), 130) << number;
    EXPECT_THAT(read_file(path("err")).value(), HasSubstr("interrupted"));
    expect_nothing_left();
  }
}

TEST_F(Comparators, AFileBesideTheModelNamesTaskAndClassesAndNoProgram) {
  const std::string one = model("one.onnx", classifier("Identity(a)"));
  const std::string two = model("two.onnx", classifier("Neg(a)"));
  const auto beside = [&](const std::string& text) { ASSERT_TRUE(write_file_atomic(path("culprit.yaml"), text)); };
  beside("task: classification\nclasses: [ant, bee, cat, dog, eel, fox, gnu, hen, ibis, jay]\n");
  const Ran named = eval({one, two, "--samples", "20"});
  ASSERT_EQ(named.exit, 0) << named.err;
  EXPECT_THAT(named.out, HasSubstr("as culprit.yaml beside the model says"));
  EXPECT_THAT(named.report["models"][1]["worst"][0]["reference"].get<std::string>(),
              ::testing::MatchesRegex("label . \\([a-z]+\\)"));
  beside("task: detection\n");
  EXPECT_EQ(eval({one, two, "--samples", "20"}).exit, 3) << "these are no boxes";
  const Ran wins = eval({one, two, "--samples", "20", "--task", "embedding"});
  EXPECT_EQ(wins.exit, 0) << wins.err;
  EXPECT_EQ(wins.report["task"]["name"], "embedding") << "the command line wins";
  beside("detector: ultraface\n");
  EXPECT_THAT(eval({one, two}).err, HasSubstr("ultraface"));
  beside("comparator: " + misbehaving("exit 9") + "\n");
  const Ran refused = eval({one, two});
  EXPECT_EQ(refused.exit, 3);
  EXPECT_THAT(refused.err, HasSubstr("line 1: there is no key 'comparator'"));
  EXPECT_FALSE(fs::exists(path("pids"))) << "nothing was started";
}

/// docs/comparators.md shows a program that works.
TEST_F(Comparators, ThePageShowsTheExample) {
  const std::string page = read_file(CULPRIT_SOURCE "/docs/comparators.md").value();
  EXPECT_THAT(page, HasSubstr("```python\n" + read_file(examples + "same_sign.py").value() + "```"));
}

}  // namespace
}  // namespace culprit::testing
