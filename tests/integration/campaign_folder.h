#pragma once
// A folder with a campaign of models with one fault and without.

#include <nlohmann/json.hpp>
#include <string>

#include "cli_folder.h"
#include "support/turn.h"

namespace culprit::testing {

class Campaigns : public Cli {
 protected:
  void SetUp() override {
    CULPRIT_ONE_OF(2);
    Cli::SetUp();
    fs::create_directories(folder_.path() / "models/more");
    write_model("models/clean.onnx", clean_model);
    write_model("models/faulty.onnx", faulty_model);
    write("campaign.yaml", campaign_of("[models/clean.onnx, models/faulty.onnx, models/more/other.onnx]"));
    write_twin("models/more/other.onnx", "other");
    write_twin("models/more/twin.onnx", "twin");
  }
  /// A quick one: nobody looks for causes.
  static std::string campaign_of(const std::string& models) {
    return "models: " + models + "\nrecipes: [nop, fuse_pad_into_conv]\nflags: {check: --no-localize --no-repro}\n";
  }
  /// The faulty model under another name of its graph, so that the file is another one.
  void write_twin(const std::string& file, const std::string& name) {
    std::string text = faulty_model;
    text.replace(text.find("faulty ("), 6, name);
    write_model(file, text.c_str());
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_.path() / name) << text; }

  /// What `show` says in JSON, without times.
  nlohmann::json shown(const std::string& run = "run") {
    const Ran ran = shell("culprit show " + run + " --format json");
    EXPECT_EQ(ran.exit, 0) << ran.err;
    write("shown.json", ran.out);
    const std::string source = CULPRIT_SOURCE;
    const Ran valid = shell("/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                            "/docs/campaign.schema.json' shown.json");
    EXPECT_EQ(valid.exit, 0) << valid.out << valid.err;
    nlohmann::json json = nlohmann::json::parse(ran.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << ran.out;
    for (nlohmann::json& one : json["cases"]) one.erase("seconds");
    return json;
  }
};

}  // namespace culprit::testing
