// `--optimizer FILE.yaml`: programs as optimizers, good and bad ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>
#include <sys/socket.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "model/model.h"
#include "process/run_program.h"
#include "support/small_models.h"
#include "support/tool.h"
#include "support/weights_outside.h"

namespace culprit::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A clean model and the description of a program, in a folder of their own.
class Programs : public ::testing::Test {
 protected:
  Programs() {
    onnx::ModelProto model;
    EXPECT_TRUE(onnx::OnnxParser::Parse(model, clean_model).IsOK());
    EXPECT_TRUE(write_file_atomic(model_, model.SerializeAsString()));
  }

  /// YAML of a program that a shell runs; `rest`: further keys.
  std::string shell(const std::string& script, const std::string& rest = "") {
    return file("name: mine\ncommand: [sh, -c, '" + script + "', sh, '{input}', '{output}']\n" + rest);
  }
  /// The one with steps. `faults`: "step_3,step_1+step_2".
  std::string planted(int steps, const std::string& faults) {
    return file("name: planted\ncommand: ['" CULPRIT_TEST_PROGRAM "', '{input}', '{output}', --count, '" +
                count_.string() + "', --faults, '" + faults +
                "', '{choice}']\nsteps:\n  - list: ['" CULPRIT_TEST_PROGRAM "', --list, '" + std::to_string(steps) +
                "']\n    skip: [--skip, '{steps}']\n");
  }
  std::string file(const std::string& yaml) {
    const fs::path path = folder_.path() / "mine.yaml";
    EXPECT_TRUE(write_file_atomic(path, yaml));
    return path.string();
  }
  Ran check(const std::string& optimizer, std::vector<std::string> more = {}) {
    std::vector<std::string> words{model_.string(), "--optimizer", optimizer};
    words.insert(words.end(), more.begin(), more.end());
    return culprit_check(words);
  }
  /// What is said of the only variant that was made, the whole program.
  std::string said(const Ran& ran) {
    if (ran.report.is_null()) return "no report: " + ran.err;
    for (const json& fault : ran.report["models"][0]["faults"]) return fault["message"];
    return "no fault: " + ran.out;
  }
  [[nodiscard]] std::size_t calls() const {
    const auto text = read_file(count_);
    return text ? text->size() : 0;
  }

  TemporaryFolder folder_ = scratch();
  fs::path model_ = folder_.path() / "model.onnx";
  fs::path count_ = folder_.path() / "count";
};

TEST_F(Programs, OneThatCopiesIsRight) {
  const Ran ran = check(shell("cp \"$1\" \"$2\""));
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.report["environment"]["optimizer"]["name"], "mine");
  EXPECT_EQ(ran.does_not_follow, "");
}

/// ONNX Runtime's converter to float16 leaves nodes so, wherever it casts an input.
TEST_F(Programs, NodesInNoOrderAreAWarningAndAreSorted) {
  onnx::ModelProto turned;
  ASSERT_TRUE(onnx::OnnxParser::Parse(turned, clean_model).IsOK());
  ASSERT_GT(turned.graph().node_size(), 1);
  std::reverse(turned.mutable_graph()->mutable_node()->begin(), turned.mutable_graph()->mutable_node()->end());
  const fs::path file = folder_.path() / "turned.onnx", safe = folder_.path() / "safe.onnx";
  ASSERT_TRUE(write_file_atomic(file, turned.SerializeAsString()));
  const std::string program = shell("cp \"" + file.string() + "\" \"$2\"");
  const Ran ran = check(program);
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.does_not_follow, "");
  EXPECT_THAT(ran.out, HasSubstr("not_sorted"));
  const Ran optimized = culprit({"optimize", model_.string(), "--optimizer", program, "-o", safe.string()});
  EXPECT_EQ(optimized.exit, 0) << optimized.out << optimized.err;
  const auto written = load_model(safe);
  ASSERT_TRUE(written) << written.error().text();
  EXPECT_EQ(written->proto->graph().node(0).op_type(), "Add");
  const Ran of_file = culprit({"localize", model_.string(), "--variant", file.string()});
  EXPECT_EQ(of_file.exit, 0) << of_file.out << of_file.err;
  turned.mutable_graph()->mutable_node(0)->set_op_type("Neg");
  ASSERT_TRUE(write_file_atomic(file, turned.SerializeAsString()));
  EXPECT_THAT(said(check(program)), HasSubstr("output 'y' differs")) << "sorted, it is judged as any other";
}

TEST_F(Programs, BadOnesGetOneClearLineEach) {
  EXPECT_THAT(said(check(shell("true"))), HasSubstr("the program ended well (exit status 0), but wrote no file"));
  EXPECT_THAT(said(check(shell("echo garbage > \"$2\""))), HasSubstr("the program wrote a file that is no model"));
  EXPECT_THAT(said(check(shell("echo so it is >&2; exit 3"))), HasSubstr("the program ended with exit status 3"));
  EXPECT_THAT(said(check(shell("kill -SEGV $$"))), HasSubstr("killed by SIGSEGV"));
  EXPECT_THAT(said(check(shell("echo >> \"$1\"; cp \"$1\" \"$2\""))),
              HasSubstr("it changed the file that it was given"));
  EXPECT_THAT(said(check(shell("sleep 1000", "seconds: 1\n"))), HasSubstr("over its limit of 1.0 s"));
  EXPECT_THAT(said(check(shell("while :; do :; done", "seconds: 1\n"))), HasSubstr("over its limit of 1.0 s"));
}

/// What the file says is wrong before anything is judged: no fault of anybody's.
TEST_F(Programs, MistakesOfTheDescriptionAreToldBeforeAnythingRuns) {
  const auto complaint = [&](const std::string& yaml, const std::string& behind = "", int code = 2) {
    const Ran ran = check(file(yaml) + behind);
    EXPECT_EQ(ran.exit, code) << ran.out;
    return ran.err;
  };
  const std::string copies = "command: [cp, '{input}', '{output}']\n";
  EXPECT_THAT(complaint("name: mine\ncommand: [/no/such/program, '{input}', '{output}']\n"),
              HasSubstr("there is no program '/no/such/program'"));
  EXPECT_THAT(complaint("name: mine\ncommand: [nosuchprogram, '{input}', '{output}']\n"),
              HasSubstr("there is no program 'nosuchprogram'"));
  EXPECT_THAT(complaint("name: mine\ncommand: [cp, '{inptu}', '{input}', '{output}']\n", "", 3),
              HasSubstr("did you mean {input}?"));
  EXPECT_THAT(complaint("name: onnxruntime\n" + copies), HasSubstr("is the name of an optimizer that culprit has"));
  EXPECT_THAT(complaint("name: onnx_optimizer\n" + copies), HasSubstr("take another name"));
  EXPECT_THAT(complaint("name: mine\nname: yours\n" + copies, "", 3), HasSubstr("line 2: 'name' is there twice"));
  EXPECT_THAT(complaint("name: mine\n" + copies + "---\nname: yours\n", "", 3), HasSubstr("several documents"));
  EXPECT_THAT(complaint("name: mine\n" + copies, "@3"), HasSubstr("it has no versions"));
  const Ran empty = culprit({"check", model_.string(), "--optimizer", "onnxsim@"});
  EXPECT_EQ(empty.exit, 2);
  EXPECT_THAT(empty.err, HasSubstr("no version stands after the @"));
}

TEST_F(Programs, StepsMayHaveNamesThatAreNoFileNames) {
  const std::string steps = "steps:\n  - names: ['/layer/MatMul', '../../x', '" + std::string(300, 'n') +
                            "']\n    keep: ['{steps}']\n    keep_none: [none]\n";
  const std::string breaks = (folder_.path() / "broken.onnx").string();
  onnx::ModelProto broken;
  ASSERT_TRUE(onnx::OnnxParser::Parse(broken, R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2,3] x) => (float[2,3] y) { y = Neg(x) })")
                  .IsOK());
  ASSERT_TRUE(write_file_atomic(breaks, broken.SerializeAsString()));
  const Ran ran = check(file("name: mine\ncommand: [sh, -c, 'case \"$3\" in none) cp \"$1\" \"$2\";; *) cp " + breaks +
                             " \"$2\";; esac', sh, '{input}', '{output}', '{choice}']\n" + steps),
                        {"--no-repro"});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("/layer/MatMul"));
}

TEST_F(Programs, WhatOneThatIsKilledMadeIsRemoved) {
  const fs::path run = folder_.path() / "run";
  const Ran ran = culprit({"check", model_.string(), "--optimizer",
                           shell("cp \"$1\" \"$2\"; sleep 1000", "seconds: 0.3\n"), "--run-dir", run.string()});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_FALSE(fs::exists(run / "logs")) << "folders of calls are left";
}

TEST_F(Programs, WhatOneLeavesBehindIsEnded) {
  const std::string mark = (folder_.path() / "left").string();
  const Ran ran =
      check(shell("setsid sh -c \"echo \\$\\$ >> " + mark + "; exec sleep 1000\" & sleep 0.2; cp \"$1\" \"$2\""));
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  const auto pids = read_file(mark);
  ASSERT_TRUE(pids) << "it started none";
  for (const std::string& pid : split(trim(*pids), '\n'))
    EXPECT_FALSE(fs::exists("/proc/" + pid + "/exe") && fs::exists("/proc/" + pid)) << pid;
}

TEST_F(Programs, OneThatCorrectsAFalseSizeIsRight) {
  const auto declared = [](const std::string& sizes) {
    return "<ir_version: 8, opset_import: [\"\" : 17]> g (float[2,3] x) => (float[" + sizes + "] y) { y = Neg(x) }";
  };
  const auto write = [&](const fs::path& path, const std::string& sizes) {
    onnx::ModelProto model;
    EXPECT_TRUE(onnx::OnnxParser::Parse(model, declared(sizes).c_str()).IsOK());
    EXPECT_TRUE(write_file_atomic(path, model.SerializeAsString()));
  };
  const fs::path result = folder_.path() / "result.onnx";
  write(model_, "5,3");
  write(result, "2,3");
  const Ran right = check(shell("cp " + result.string() + " \"$2\""));
  EXPECT_EQ(right.exit, 0) << right.out << right.err;
  write(result, "4,3");
  EXPECT_THAT(said(check(shell("cp " + result.string() + " \"$2\""))),
              HasSubstr("output 'y' became float32[4,3] (was float32[5,3])"));
}

TEST_F(Programs, MegabytesOfWordsDoNoHarm) {
  const Ran ran = check(shell("head -c 60000000 /dev/zero; cp \"$1\" \"$2\""));
  EXPECT_EQ(ran.exit, 0) << ran.out.substr(0, 2000) << ran.err.substr(0, 2000);
}

TEST_F(Programs, LastWordsOfOneThatFailsAreTold) {
  const Ran ran = check(shell("echo the reason is this >&2; exit 3"), {"--verbose"});
  EXPECT_THAT(ran.out, HasSubstr("the reason is this"));
}

/// A socket on loopback that takes connections.
class Listener {
 public:
  Listener() : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(fd_, 100), 0);
    EXPECT_EQ(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { ::close(fd_); }
  [[nodiscard]] std::string port() const { return std::to_string(port_); }

 private:
  int fd_;
  int port_ = 0;
};

TEST_F(Programs, HaveNoNetworkUnlessTheFileGivesIt) {
  if (!network_can_be_taken_away()) GTEST_SKIP() << "this system lets nobody leave the network";
  const Listener listener;
  const std::string script = "python3 -c \"import socket; socket.create_connection((\\\"127.0.0.1\\\", " +
                             listener.port() + "), 5)\" && cp \"$1\" \"$2\"";
  EXPECT_THAT(said(check(shell(script))), HasSubstr("(it is given no network)"));
  EXPECT_EQ(check(shell(script, "network: true\n")).exit, 0);
}

TEST_F(Programs, TheStepThatDoesHarmIsNamedAndLeftOut) {
  const Ran ran = check(planted(20, "step_13"));
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  const json& fault = ran.report["models"][0]["faults"].at(0);
  EXPECT_THAT(fault["culprits"].get<std::vector<std::string>>(), ElementsAre("step_13"));
  EXPECT_EQ(ran.report["models"][0]["faults"].size(), 1U);
  const json& safe = ran.report["models"][0]["safe_recipe"];
  EXPECT_EQ(safe["passes"].size(), 19U);
  EXPECT_FALSE(safe["verified"].is_null());
  EXPECT_EQ(ran.does_not_follow, "");
}

TEST_F(Programs, TwoThatDoHarmTogetherAreNamed) {
  const Ran ran = check(planted(20, "step_4+step_17"));
  const json& fault = ran.report["models"][0]["faults"].at(0);
  EXPECT_THAT(fault["culprits"].get<std::vector<std::string>>(), ElementsAre("step_4", "step_17"));
  EXPECT_EQ(fault["kind"], "interaction");
}

/// Baseline apart: the whole, no step at all, both again for the control, and two confirmations.
TEST_F(Programs, HalvingNeedsFewCalls) {
  check(planted(32, "step_21"), {"--no-repro", "--no-localize"});
  constexpr std::size_t apart = 6;
  EXPECT_LE(calls(), apart + 2 * 5 + 4 + 4)
      << "2 ceil(log2(32)) + 4, and two confirmations of what is named and of what is right";
}

TEST_F(Programs, OptimizeWritesWhatIsRight) {
  const fs::path out = folder_.path() / "right.onnx";
  const Ran ran = culprit({"optimize", model_.string(), "--optimizer", planted(8, "step_2"), "-o", out.string(),
                           "--run-dir", (folder_.path() / "run").string()});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("without step_2"));
  EXPECT_EQ(culprit({"compare", model_.string(), out.string()}).exit, 0);
}

TEST_F(Programs, TheLadderHolds) {
  const std::string run = (folder_.path() / "run").string(), yaml = planted(8, "step_2");
  const Ran ran = culprit({"check", model_.string(), "--optimizer", yaml, "--run-dir", run});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  const std::string repro = run + "/repro/F1";
  const Ran unknown = culprit({"replay", repro});
  EXPECT_EQ(unknown.exit, 3);
  EXPECT_THAT(unknown.out, HasSubstr("--optimizer"));
  const Ran there = culprit({"replay", repro, "--optimizer", yaml});
  EXPECT_EQ(there.exit, 1) << there.out << there.err;
  EXPECT_THAT(there.out, HasSubstr("still there"));
  const Ran gone = culprit({"replay", repro, "--optimizer", planted(8, "step_3")});
  EXPECT_EQ(gone.exit, 0) << gone.out << gone.err;
  const std::string list = (folder_.path() / "known.json").string();
  EXPECT_EQ(culprit({"known", "add", repro, "--known", list}).exit, 0);
  const Ran known = check(planted(8, "step_2"), {"--known", list});
  EXPECT_EQ(known.exit, 0) << known.out << known.err;
  const Ran reduced = culprit({"reduce", model_.string(), "--optimizer", planted(8, "step_2"), "--passes", "step_2",
                               "-o", (folder_.path() / "small").string()});
  EXPECT_EQ(reduced.exit, 0) << reduced.out << reduced.err;
  const Ran named = culprit({"localize", model_.string(), "--optimizer", yaml, "--run-dir", run + "2"});
  EXPECT_THAT(named.out, HasSubstr("step_2"));
}

TEST_F(Programs, DataOutsideTheModelGoesAlong) {
  ASSERT_NO_FATAL_FAILURE(write_with_weights_outside(model_));
  const Ran ran = check(shell("cp \"$(dirname \"$1\")\"/* \"$(dirname \"$2\")\""));
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
}

TEST_F(Programs, WrongDescriptionsAreRefused) {
  const auto refused = [&](const std::string& yaml) {
    const Ran ran = check(file(yaml));
    EXPECT_EQ(ran.exit, 3) << yaml << ran.out;
    return ran.err;
  };
  EXPECT_THAT(refused("name: [\n"), HasSubstr("no YAML that makes sense"));
  EXPECT_THAT(refused("nmae: x\n"), HasSubstr("line 1: there is no key 'nmae'; did you mean 'name'?"));
  EXPECT_THAT(refused("name: x\ncommand: [a, '{input}']\n"), HasSubstr("'command' must say with {output} where"));
  EXPECT_THAT(refused("name: x y\ncommand: [a, '{input}', '{output}']\n"), HasSubstr("'name' must be a word"));
  EXPECT_THAT(refused("name: x\ncommand: a {input} {output}\nseconds: never\n"),
              HasSubstr("line 3: 'seconds' must be"));
  const std::string named = "name: x\ncommand: a {input} {output}\nsteps:\n  - ";
  EXPECT_THAT(refused(named + "names: [a, a]\n    skip: [b]\n"), HasSubstr("the step 'a' is there twice"));
  EXPECT_THAT(refused(named + "names: [a]\n"), HasSubstr("line 4: 'skip' or 'keep' must tell"));
}

TEST_F(Programs, StepsThatWouldBeOptionsAreRefused) {
  const Ran ran =
      check(file("name: x\ncommand: cp {input} {output}\nsteps:\n  - list: [echo, --evil]\n    skip: ['{steps}']\n"));
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(ran.err, HasSubstr("its list names a step '--evil', which cannot be a word of a command line"));
}

TEST_F(Programs, AreListedWithTheirSteps) {
  const Ran ran = culprit({"optimizers", planted(3, ""), "--format", "json"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const json listed = json::parse(ran.out).at(0);
  EXPECT_EQ(listed["name"], "planted");
  EXPECT_EQ(listed["steps"].size(), 3U);
  EXPECT_EQ(listed["refuses_unknown_steps"], false) << "it takes what it does not know";
}

TEST(ProgramNames, UnknownOnesAreRefused) {
  const Ran ran = culprit({"check", "x.onnx", "--optimizer", "onnxsimm"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("there is no optimizer 'onnxsimm'"), HasSubstr("did you mean 'onnxsim'?")));
}

}  // namespace
}  // namespace culprit::testing
