// Campaigns whose processes are killed, and whose disk is full.
#include <nlohmann/json.hpp>
#include <random>

#include "cli_folder.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class CampaignDeaths : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    fs::create_directories(folder_.path() / "models");
    for (int i = 0; i < 12; ++i) {
      std::string text = i % 3 == 0 ? faulty_model : clean_model;
      const std::string name = i % 3 == 0 ? "faulty" : "clean";
      text.replace(text.find(name + " ("), name.size(), name + std::to_string(i));
      write_model("models/m" + std::to_string(i) + ".onnx", text.c_str());
    }
    std::ofstream(folder_.path() / "campaign.yaml")
        << "models: models/*.onnx\nrecipes: [default, all]\nflags: {check: --no-localize --no-repro}\n";
  }
  Json shown(const std::string& run) {
    Json json = Json::parse(shell("culprit show " + run + " --format json").out, nullptr, false);
    EXPECT_TRUE(json.is_object());
    for (Json& one : json["cases"]) one.erase("seconds");
    return json;
  }
};

/// How one call of the campaign went on.
enum class Fate { killed, ended };

/// Kills the parent, a case, a worker of a case, or parent and cases, at any moment of the first 900 ms.
class CampaignKills : public CampaignDeaths {
 protected:
  Fate kill_once() {
    const char* targets[] = {"$parent", "$(pgrep -P $parent | shuf -n 1)",
                             "$(for c in $(pgrep -P $parent); do pgrep -P $c; done | shuf -n 1)",
                             "$parent $(pgrep -P $parent)"};
    const std::string pause = std::to_string(std::uniform_int_distribution<int>(100, 900)(random_));
    const std::string target = targets[std::uniform_int_distribution<int>(0, 3)(random_)];
    const Ran ran = shell(
        "culprit run campaign.yaml --run-dir run --resume --try-again --jobs 2 >said 2>&1 & parent=$!\n"
        "sleep $(printf '0.%03d' " +
        pause + ")\nvictims=\"" + target +
        "\"\n[[ -z $victims ]] || kill -9 $victims 2>/dev/null\n"
        "sleep 0.1; kill -9 $parent 2>/dev/null; wait $parent 2>/dev/null; echo $?");
    EXPECT_THAT(ran.out, AnyOf("137\n", "1\n")) << text_of("said") << ran.err;
    return ran.out == "137\n" ? Fate::killed : Fate::ended;
  }

  /// Cases that were killed are tried again first.
  void expect_whole(const Json& whole) {
    const Ran ran = shell("culprit run campaign.yaml --run-dir run --resume --try-again");
    ASSERT_EQ(ran.exit, 1) << ran.out << ran.err;
    EXPECT_EQ(shown("run"), whole);
    EXPECT_EQ(shell("sqlite3 run/campaign.sqlite 'PRAGMA integrity_check' 2>/dev/null || echo ok").out, "ok\n");
  }

 private:
  std::mt19937 random_{20};
};

TEST_F(CampaignKills, LeaveTheReportThatAnUndisturbedRunHas) {
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir whole").exit, 1);
  const Json whole = shown("whole");
  const int kills = is_turn_of(0, 1) && std::getenv("CULPRIT_TEST_TURN") != nullptr ? 8 : 50;
  for (int killed = 0; killed < kills && !HasFailure();) {
    if (kill_once() == Fate::killed) {
      ++killed;
      continue;
    }
    // It came to its end before: the next kills are in a new one.
    expect_whole(whole);
    fs::remove_all(folder_.path() / "run");
  }
  expect_whole(whole);
}

TEST_F(CampaignDeaths, SetACaseAsideThatKillsItsParentTwice) {
  // An optimizer that kills the process that runs the campaign: the parent of the case that started it.
  std::ofstream(folder_.path() / "killer.sh")
      << "pid=$$\nwhile read -r name < /proc/$pid/comm && ! grep -qxzF run /proc/$pid/cmdline; do\n"
         "  pid=$(awk '/^PPid/ {print $2}' /proc/$pid/status); [[ $pid -gt 1 ]] || exit 1\ndone\nkill -9 $pid\nsleep "
         "5\n";
  std::ofstream(folder_.path() / "killer.yaml")
      << "name: killer\ncommand: [bash, " << (folder_.path() / "killer.sh").string() << ", '{input}', '{output}']\n";
  std::ofstream(folder_.path() / "campaign.yaml")
      << "models: [models/m0.onnx, models/m1.onnx]\noptimizers: [onnx_optimizer, killer.yaml]\n"
      << "flags: {check: --no-localize --no-repro}\n";
  const std::string run = "culprit run campaign.yaml --run-dir run --resume --jobs 1";
  int ends = 0;
  for (int i = 0; i < 6 && shell(run).exit >= 128; ++i) ++ends;
  EXPECT_EQ(ends, 4) << "two cases, each killed it twice";
  const Json json = shown("run");
  EXPECT_EQ(json["by_state"]["set_aside"], 2);
  EXPECT_EQ(json["by_state"]["finished"], 2);
  EXPECT_THAT(shell("culprit show run").out, HasSubstr("its process was killed 2 times"));
}

TEST_F(CampaignDeaths, AFullDiskIsOneErrorAndWithRoomItGoesOn) {
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir whole").exit, 1);
  const Ran ran = shell(
      "cat > inside <<'END'\n"
      "mkdir small && mount -t tmpfs -o size=400k none small || exit 77\n"
      "culprit run campaign.yaml --run-dir small/run 2> err; echo $?\n"
      "grep -vc '^\\[.*\\] fault in ' err; cat err >&2\n"
      "mount -o remount,size=100m small\n"
      "culprit run campaign.yaml --run-dir small/run --resume --try-again >/dev/null 2>&1; echo $?\n"
      "cp -r small/run run\n"
      "END\n"
      "unshare -rm bash inside");
  if (ran.exit == 77 || ran.out.empty()) GTEST_SKIP() << "no mount namespace can be had here";
  EXPECT_EQ(ran.out, "3\n1\n1\n") << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("full"));
  EXPECT_EQ(shown("run"), shown("whole"));
}

}  // namespace
}  // namespace culprit::testing
