// Cases that a host runs, which is a small script here: it ends them in any order, dies, says nonsense, or nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>

#include "campaign/ray_cases.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr const char* hello = "echo '{\"cpus\": 6, \"nodes\": 2}'\n";
/// Reads a line, whose case is then $key.
constexpr const char* take =
    "take() { read -r line && key=$(printf '%s' \"$line\" | sed 's/.*\"start\":\"\\([0-9a-f]*\\)\".*/\\1/'); }\n";
constexpr const char* tell =
    "tell() { echo \"{\\\"ended\\\": \\\"$1\\\", \\\"seconds\\\": 2.5, \\\"last_words\\\": \\\"words\\\", $2}\"; }\n";

class CasesOnRay : public ::testing::Test {
 protected:
  void SetUp() override { before_ = std::signal(SIGPIPE, SIG_IGN); }
  void TearDown() override { std::signal(SIGPIPE, before_); }

  Result<std::unique_ptr<RayCases>> connect(const std::string& script, double seconds = 20, const Stop& stop = {}) {
    return RayCases::connect_by({"/bin/sh", "-c", script, "host"}, {"ray://head:10001", "python3"},
                                {"/bin/culprit", folder_.path(), folder_.path() / "cases"}, stop, seconds);
  }
  std::unique_ptr<RayCases> connected(const std::string& script) {
    auto cases = connect(std::string(take) + tell + hello + script);
    EXPECT_TRUE(cases) << cases.error().text();
    return std::move(*cases);
  }
  std::string complaint(const std::string& script, double seconds = 20) {
    const auto cases = connect(script, seconds);
    EXPECT_FALSE(cases);
    return cases ? "" : cases.error().text();
  }
  static CaseKey key(const std::string& model) {
    CaseParts parts;
    parts.add(KeyPart::job, "check").add(KeyPart::model, model);
    return CaseKey::of(parts).value();
  }
  static void start(RayCases& cases, const std::string& model) {
    CaseOrder order;
    order.model = model;
    ASSERT_TRUE(cases.start(key(model), order));
  }
  /// Waits until so many have ended.
  static std::vector<CaseEnd> ended(RayCases& cases, std::size_t count) {
    std::vector<CaseEnd> all;
    for (int round = 0; round < 200 && all.size() < count; ++round) {
      auto some = cases.wait();
      EXPECT_TRUE(some) << some.error().text();
      if (!some) break;
      all.insert(all.end(), some->begin(), some->end());
    }
    return all;
  }
  static std::string complaint_of_wait(RayCases& cases) {
    for (int round = 0; round < 200; ++round)
      if (const auto some = cases.wait(); !some) return some.error().text();
    return "";
  }
  std::string read(const std::string& name) {
    std::ifstream file(folder_.path() / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-cases-").value();
  void (*before_)(int) = SIG_DFL;
};

TEST_F(CasesOnRay, TheHostIsToldWhereAndWhat) {
  const std::string said = (folder_.path() / "said").string();
  const auto cases = connected("echo $* > " + said + "; read -r line; echo \"$line\" >> " + said + "; read line");
  EXPECT_EQ(cases->cpus(), 6);
  EXPECT_EQ(cases->nodes(), 2);
  start(*cases, "a.onnx");
  const std::string line = R"({"start":")" + key("a.onnx").hex() + R"(","words":["check","a.onnx","--jobs","1"]})";
  for (int round = 0; round < 100 && read("said").find('}') == std::string::npos; ++round) cases->wait();
  const std::string folder = folder_.path().string();
  EXPECT_EQ(read("said"), "ray://head:10001 /bin/culprit " + folder + " " + folder + "/cases\n" + line + "\n");
}

TEST_F(CasesOnRay, EndInAnyOrder) {
  const auto cases = connected(
      "take; first=$key; take; tell $key '\"exit_code\": 1, \"signal\": null'; "
      "tell $first '\"exit_code\": 0, \"signal\": null'; read line");
  start(*cases, "first");
  start(*cases, "second");
  const auto ends = ended(*cases, 2);
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_EQ(ends[0].key, key("second"));
  EXPECT_EQ(ends[0].exit_code, 1);
  EXPECT_EQ(ends[0].seconds, 2.5);
  EXPECT_EQ(ends[0].death.last_words, "words");
  EXPECT_EQ(ends[1].key, key("first"));
  EXPECT_EQ(ends[1].exit_code, 0);
}

TEST_F(CasesOnRay, DieInSeveralWays) {
  const auto cases = connected(
      "take; tell $key '\"exit_code\": null, \"signal\": 11, \"lost\": false'; "
      "take; tell $key '\"exit_code\": null, \"signal\": 9, \"lost\": false'; "
      "take; tell $key '\"exit_code\": null, \"signal\": null, \"lost\": true'; "
      "take; tell $key '\"exit_code\": null, \"signal\": null, \"lost\": false'; read line");
  for (const char* model : {"crashes", "killed", "lost", "leaves"}) start(*cases, model);
  const auto ends = ended(*cases, 4);
  ASSERT_EQ(ends.size(), 4U);
  for (const CaseEnd& end : ends) EXPECT_FALSE(end.exit_code);
  EXPECT_EQ(ends[0].death.message, "killed by SIGSEGV");
  EXPECT_FALSE(ends[0].death.doubtful);
  EXPECT_TRUE(ends[1].death.doubtful) << "the system may have had no memory left";
  EXPECT_TRUE(ends[2].death.doubtful) << "Ray lost it";
  EXPECT_THAT(ends[2].death.message, HasSubstr("its node"));
  EXPECT_EQ(ends[3].death.ending, Ending::exited);
  EXPECT_FALSE(ends[3].death.doubtful);
}

TEST_F(CasesOnRay, AHostThatDiesEndsTheRun) {
  const auto cases = connected("take; echo 'no space left' >&2; exit 1");
  start(*cases, "a.onnx");
  const auto said = complaint_of_wait(*cases);
  EXPECT_THAT(said, AllOf(StartsWith("the host of Ray failed"), HasSubstr("exit status 1"), HasSubstr("no space left"),
                          HasSubstr("--resume")));
}

TEST_F(CasesOnRay, NonsenseEndsTheRun) {
  for (const char* nonsense : {"what?", "[]", R"({"ended": 7, "seconds": 1})", R"({"ended": "xyz", "seconds": 1})",
                               R"({"ended": "00000000000000000000000000000000", "seconds": "long"})"}) {
    const auto cases = connected("take; echo '" + std::string(nonsense) + "'; read line");
    start(*cases, "a.onnx");
    EXPECT_THAT(complaint_of_wait(*cases), HasSubstr("it said '")) << nonsense;
  }
}

TEST_F(CasesOnRay, ASilentHostKeepsNobodyWaiting) {
  const auto cases = connected("sleep 2");
  start(*cases, "a.onnx");
  const auto before = std::chrono::steady_clock::now();
  EXPECT_THAT(cases->wait().value(), IsEmpty());
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
}

TEST_F(CasesOnRay, WhatWasKilledIsNotTold) {
  const auto cases =
      connected("take; first=$key; read -r line; echo \"$line\" > " + (folder_.path() / "said").string() +
                "; tell $first '\"exit_code\": 0, \"signal\": null'; take; tell $key '\"exit_code\": 3, \"signal\": "
                "null'; read line");
  start(*cases, "a.onnx");
  cases->kill_all();
  start(*cases, "b.onnx");
  const auto ends = ended(*cases, 1);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].key, key("b.onnx"));
  EXPECT_EQ(read("said"), "{\"stop\":true}\n");
}

TEST_F(CasesOnRay, WithoutAClusterTheReasonIsSaid) {
  EXPECT_EQ(complaint(R"(echo '{"cannot": "no ray", "hint": "pip install ray"}')"), "--on: no ray. pip install ray");
  EXPECT_THAT(complaint("echo hello"), HasSubstr("it said 'hello'"));
  EXPECT_THAT(complaint("echo '{\"cpus\": 1}'"), HasSubstr("it said"));
  EXPECT_THAT(complaint("echo reason >&2; exit 2"), AllOf(HasSubstr("exit status 2"), HasSubstr("reason")));
  EXPECT_THAT(complaint("sleep 1000", 0.3), HasSubstr("it sleeps or waits"));
  const auto stopped = connect("sleep 1000", 20, [] { return true; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::interrupted);
  const auto nothing = RayCases::connect({"ray", "/no/such/python"}, {"", folder_.path(), folder_.path()}, {});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace culprit
