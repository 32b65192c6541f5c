// `culprit hub` and hub:NAME through the real binary: folders that are hubs, and a server on loopback.
#include "base/hash.h"
#include "campaign_folder.h"
#include "support/loopback_server.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

/// The models of the folder are a hub: models/clean.onnx, models/faulty.onnx and two below models/more.
class HubCommands : public Campaigns {
 protected:
  Ran hub(const std::string& words) {
    return shell("export CULPRIT_HUB_CACHE=$PWD/cache CULPRIT_HUB=" + hub_ + "\nculprit " + words);
  }
  void index() { ASSERT_EQ(shell("culprit hub index models").exit, 0); }

  /// models/, as others see it.
  RawAnswer served(const AskedOf& asked) const {
    std::error_code error;
    const fs::path file = folder_.path() / ("models" + asked.path);
    return fs::is_regular_file(file, error) ? answer_of("200 OK", read_file(file).value())
                                            : answer_of("404 Not Found", "");
  }
  [[nodiscard]] std::size_t files_in_cache() const {
    std::size_t count = 0;
    const fs::path models = folder_.path() / "cache/models";
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(models, error))
      count += entry.is_regular_file() && entry.path().extension() != ".lock" ? 1 : 0;
    return count;
  }

  std::string hub_ = "$PWD/models";
};

TEST_F(HubCommands, AFolderOfModelsBecomesAHub) {
  index();
  const Ran list = hub("hub list");
  EXPECT_EQ(list.exit, 0) << list.err;
  EXPECT_THAT(list.out, AllOf(HasSubstr("clean"), HasSubstr("twin"), EndsWith("4 models\n")));
  EXPECT_THAT(hub("hub list --tag more").out, EndsWith("2 models\n"));
  EXPECT_THAT(hub("hub list 'CL*'").out, EndsWith("1 model\n"));
  EXPECT_EQ(hub("hub list 'CL*' --opset 99").exit, 2);
  const nlohmann::json manifest = nlohmann::json::parse(hub("hub list --format json").out);
  EXPECT_EQ(manifest.size(), 4U);
  EXPECT_EQ(manifest[0]["model_path"], "clean.onnx");
  EXPECT_EQ(hub("hub check").out.substr(0, 3), "ok ");
}

TEST_F(HubCommands, NamesAndTagsThatPeopleWroteStay) {
  index();
  std::string text = text_of("models/ONNX_HUB_MANIFEST.json");
  text.replace(text.find("\"clean\""), 7, "\"Clean Net\"");
  write("models/ONNX_HUB_MANIFEST.json", text);
  index();
  EXPECT_EQ(hub("hub get 'Clean Net'").out, (folder_.path() / "models/clean.onnx").string() + "\n");
}

TEST_F(HubCommands, WhatCannotBeReadIsLeftOut) {
  write("models/broken.onnx", "garbage");
  const Ran ran = shell("culprit hub index models");
  EXPECT_EQ(ran.exit, 0);
  EXPECT_THAT(ran.err, HasSubstr("left out: broken.onnx: "));
  EXPECT_THAT(hub("hub list").out, EndsWith("4 models\n"));
  EXPECT_EQ(shell("mkdir empty; culprit hub index empty").exit, 2);
  EXPECT_EQ(shell("culprit hub index gone").exit, 2);
}

TEST_F(HubCommands, CheckTellsAFileThatIsAnother) {
  index();
  write_twin("models/clean.onnx", "another");
  const Ran ran = hub("hub check");
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("wrong  clean@"), HasSubstr("and the manifest says"), EndsWith("1 wrong of 4 models\n")));
}

TEST_F(HubCommands, AModelOfAHubIsCheckedAsAFileIs) {
  index();
  const std::string flags = " --passes fuse_pad_into_conv --no-localize --no-repro --run-dir run";
  const Ran faulty = hub("check hub:faulty" + flags);
  EXPECT_EQ(faulty.exit, 1) << faulty.out << faulty.err;
  EXPECT_EQ(hub("check hub:models#clean" + flags + "2").exit, 0);
  EXPECT_EQ(hub("compare hub:clean hub:clean --run-dir run3").exit, 0);
  const Ran typo = hub("check hub:faulti");
  EXPECT_EQ(typo.exit, 2);
  EXPECT_THAT(typo.err, HasSubstr("did you mean faulty?"));
  const Ran several = hub("check 'hub:*'");
  EXPECT_EQ(several.exit, 2);
  EXPECT_THAT(several.err, HasSubstr("means 4 models: "));
}

TEST_F(HubCommands, AServerSendsEachFileOnce) {
  index();
  const LoopbackServer server([&](const AskedOf& asked) { return served(asked); });
  hub_ = server.url("");
  EXPECT_THAT(hub("hub list").out, EndsWith("4 models\n"));
  const Ran first = hub("hub get clean");
  EXPECT_EQ(first.exit, 0) << first.err;
  EXPECT_EQ(hub("hub get clean").out, first.out);
  EXPECT_EQ(server.asked().size(), 2U);
  EXPECT_EQ(hub("hub get clean --offline").out, first.out);
  const Ran missing = hub("hub get faulty --offline");
  EXPECT_EQ(missing.exit, 2);
  EXPECT_THAT(missing.err, HasSubstr("is not in the cache"));
  EXPECT_EQ(server.asked().size(), 2U);
  EXPECT_EQ(hub("hub get clean -o here").out, "here/clean/clean.onnx\n");
  EXPECT_EQ(hub("hub get clean -o here").exit, 2) << "it is there already";
}

TEST_F(HubCommands, WrongBytesAreNotKept) {
  index();
  const LoopbackServer server(
      [&](const AskedOf& asked) { return asked.path == "/clean.onnx" ? answer_of("200 OK", "wrong") : served(asked); });
  hub_ = server.url("");
  const Ran ran = hub("hub get clean");
  EXPECT_EQ(ran.exit, 3) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("sha256"));
  EXPECT_EQ(files_in_cache(), 0U);
}

TEST_F(HubCommands, PathsThatLeaveTheHubAreRefused) {
  index();
  std::string text = text_of("models/ONNX_HUB_MANIFEST.json");
  text.replace(text.find("\"clean.onnx\""), 12, "\"../secret.onnx\"");
  write("models/ONNX_HUB_MANIFEST.json", text);
  write("secret.onnx", "secret");
  const Ran ran = hub("hub get clean");
  EXPECT_EQ(ran.exit, 3) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("names a file outside of the hub"));
}

TEST_F(HubCommands, TestDataOfAnArchiveIsFed) {
  shell(
      "mkdir -p pack/test_data_set_0 && cp models/clean.onnx pack/model.onnx && cp models/clean.onnx models/fed.onnx");
  ASSERT_TRUE(write_tensor_proto(folder_.path() / "pack/test_data_set_0/input_0.pb",
                                 {"x", Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6})}));
  shell("tar -C pack -czf models/fed.tar.gz model.onnx test_data_set_0");
  index();
  EXPECT_THAT(hub("hub list fed").out, HasSubstr(" yes "));
  const Ran brought = hub("hub get fed");
  EXPECT_THAT(brought.out, EndsWith("/model.onnx\n")) << brought.err;
  const std::string file = brought.out.substr(0, brought.out.size() - 1);
  EXPECT_TRUE(fs::exists(folder_.path() / fs::path(file).parent_path() / "test_data_set_0/input_0.pb")) << file;
  EXPECT_THAT(hub("hub get fed --no-data").out, EndsWith("/fed.onnx\n"));
  const Ran checked = hub("check hub:fed --passes nop --run-dir run");
  EXPECT_EQ(checked.exit, 0) << checked.err;
  EXPECT_THAT(text_of("run/report.json"), HasSubstr("\"source\": \"test_data_set\""));
}

TEST_F(HubCommands, ACampaignTakesModelsOfAHub) {
  index();
  write("campaign.yaml",
        "models: ['hub:models#*&tag=more', 'hub:models#clean']\nrecipes: [fuse_pad_into_conv]\n"
        "tasks: {more: tensor, vsion: classification}\nflags: {check: --no-localize --no-repro}\n");
  const Ran list = hub("run campaign.yaml --list");
  EXPECT_THAT(list.err, HasSubstr("tasks: no model of the campaign has the tag 'vsion', so none is judged as "
                                  "classification; there are "));
  EXPECT_THAT(list.err, Not(HasSubstr("the tag 'more'")));
  EXPECT_THAT(list.out, AllOf(HasSubstr("culprit check 'hub:models#clean@13' --passes"),
                              HasSubstr("culprit check 'hub:models#twin@18' --passes fuse_pad_into_conv --jobs 1 "
                                        "--no-localize --no-repro --task tensor\n")))
      << list.err;
  const Ran ran = hub("run campaign.yaml --run-dir run");
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("1 distinct fault in 2 of 3 models\n3 cases: 1 ok, 2 fault\n"));
  write("campaign.yaml", "models: 'hub:models#lost'\n");
  const Ran lost = hub("run campaign.yaml --run-dir run2");
  EXPECT_EQ(lost.exit, 2);
  EXPECT_THAT(lost.err, HasSubstr("models: the hub has no model lost"));
}

TEST_F(HubCommands, AnArchiveThatIsAnotherOneIsRefused) {
  shell(
      "mkdir pack && cp models/clean.onnx pack/model.onnx && cp models/clean.onnx models/fed.onnx && "
      "tar -C pack -czf models/fed.tar.gz model.onnx");
  index();
  shell("cp models/faulty.onnx pack/model.onnx && tar -C pack -czf models/fed.tar.gz model.onnx");
  const Ran ran = hub("hub get fed");
  EXPECT_EQ(ran.exit, 3) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("fed.tar.gz has the sha256 "));
  EXPECT_EQ(hub("hub check fed").exit, 1);
  write("campaign.yaml", "models: 'hub:models#*'\nrecipes: nop\nflags: {check: --no-localize --no-repro}\n");
  const Ran campaign = hub("run campaign.yaml --run-dir run");
  EXPECT_EQ(campaign.exit, 3) << "one model could not be had";
  EXPECT_THAT(campaign.err, HasSubstr("left out: hub:models#fed@13: "));
  EXPECT_THAT(campaign.out, HasSubstr("no fault in 4 models\n"));
}

TEST_F(HubCommands, SignsOfWordsInNamesAreWrittenByTheirNumbers) {
  shell("mkdir odd && cp models/clean.onnx 'odd/a#b@5&[c].onnx'");
  ASSERT_EQ(shell("culprit hub index odd").exit, 0);
  hub_ = "$PWD/odd";
  EXPECT_THAT(hub("hub get 'a%23b%405%26%5Bc]'").out, EndsWith("/odd/a#b@5&[c].onnx\n"));
  write("campaign.yaml", "models: 'hub:odd#*'\nrecipes: nop\n");
  EXPECT_EQ(hub("run campaign.yaml --list").out,
            "culprit check 'hub:odd#a%23b%405%26%5Bc]@13' --passes nop --jobs 1\n");
}

TEST_F(HubCommands, HiddenFoldersAreNotIndexed) {
  shell("mkdir -p models/.culprit/run && cp models/clean.onnx models/.culprit/run/variant.onnx");
  index();
  EXPECT_THAT(hub("hub list").out, EndsWith("4 models\n"));
}

TEST_F(HubCommands, ARelativeHubOfTheEnvironmentIsRefused) {
  index();
  hub_ = "models";
  const Ran ran = hub("hub list");
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("name it by its whole path"));
}

TEST_F(HubCommands, ModelsOfTheHuggingFaceHubAreBrought) {
  const std::string commit(40, 'a'), bytes = text_of("models/clean.onnx");
  const LoopbackServer server([&](const AskedOf& asked) {
    if (asked.path.starts_with("/api/models/org/net/revision/main"))
      return answer_of("200 OK", R"({"id": "org/net", "sha": ")" + commit +
                                     R"(", "siblings": [{"rfilename": "model.onnx", "size": )" +
                                     std::to_string(bytes.size()) + R"(, "lfs": {"sha256": ")" + sha256_of(bytes) +
                                     R"("}}]})");
    return asked.path == "/org/net/resolve/" + commit + "/model.onnx" ? answer_of("200 OK", bytes)
                                                                      : answer_of("404 Not Found", "");
  });
  const std::string start = "export HF_HOME=$PWD/hf HF_ENDPOINT=" + server.url("") + "\nculprit ";
  const Ran ran = shell(start + "check hf:org/net --passes nop --no-localize --run-dir run");
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_TRUE(there("hf/hub/models--org--net/snapshots/" + commit + "/model.onnx"));
  const Ran gone = shell(start + "check hf:org/other --run-dir run2");
  EXPECT_EQ(gone.exit, 2) << gone.out;
  EXPECT_THAT(gone.err, HasSubstr("org/other"));
}

TEST_F(HubCommands, WeightsThatAModelNamesAreBroughtWithIt) {
  write_model("net.onnx", R"(<ir_version: 8, opset_import: ["": 13]>
net (float[3] x) => (float[3] y)
<float[3] w = ["location": "of any name", "offset": "0", "length": "12"]>
{ y = Add(x, w) }
)");
  const std::string commit(40, 'a'), bytes = text_of("net.onnx"), weights(12, '\0');
  using Json = nlohmann::json;
  const auto sibling = [](const char* name, const std::string& data) {
    return Json{{"rfilename", name}, {"size", data.size()}, {"lfs", {{"sha256", sha256_of(data)}}}};
  };
  const std::string listing = Json{{"id", "org/net"},
                                   {"sha", commit},
                                   {"siblings", {sibling("a/model.onnx", bytes), sibling("a/of any name", weights)}}}
                                  .dump();
  const LoopbackServer server([&](const AskedOf& asked) {
    const std::string files = "/org/net/resolve/" + commit + "/a/";
    if (asked.path.starts_with("/api/models/org/net/revision/main")) return answer_of("200 OK", listing);
    if (asked.path == files + "model.onnx") return answer_of("200 OK", bytes);
    return asked.path == files + "of%20any%20name" ? answer_of("200 OK", weights) : answer_of("404 Not Found", "");
  });
  const Ran ran = shell("export HF_HOME=$PWD/hf HF_ENDPOINT=" + server.url("") +
                        "\nculprit check hf:org/net --passes nop --no-localize --run-dir run");
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_TRUE(there("hf/hub/models--org--net/snapshots/" + commit + "/a/of any name"));
}

TEST_F(HubCommands, OtherCommandsLoadNoLibraryOfNetworks) {
  const Ran ran = shell("ldd $(command -v culprit)");
  ASSERT_EQ(ran.exit, 0) << ran.err;
  for (const char* library : {"libcurl", "libarchive", "libhdf5", "libldap", "libxml2"})
    EXPECT_THAT(ran.out, Not(HasSubstr(library))) << "each worker would load it";
}

TEST_F(HubCommands, SayWhatDoesNotGoTogether) {
  index();
  for (const char* words :
       {"hub get", "hub index", "hub index models --tag x", "hub list -o here", "hub lost", "hub list --opset 12-9",
        "hub list --input-shape 1,,3", "hub list --offline --refresh", "hub check --format json",
        "hub list 'hub:models#x'", "hub get hf:org/net", "hub check --tag nobody"})
    EXPECT_EQ(hub(words).exit, 2) << words;
  EXPECT_EQ(shell("culprit hub list --hub nowhere").exit, 2);
}

}  // namespace
}  // namespace culprit::testing
