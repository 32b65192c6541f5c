#include "support/diagnosed.h"

#include <algorithm>
#include <cstdlib>

#include "support/tool.h"

namespace culprit::testing {
namespace {

using Json = nlohmann::json;

std::string layer_of(const Json& fault) {
  const Json& source = fault.at("source");
  return source.is_null() ? "+ " + fault.at("target").at("node").at("type").get<std::string>()
                          : source.at("name").get<std::string>();
}

std::string attribute_of_fault(const Json& fault) {
  const Json& attribute = fault.at("target").at("attribute");
  return attribute.is_null() ? "" : attribute.get<std::string>();
}

bool is_at(const Json& fault, const std::string& layer) {
  if (layer_of(fault) == layer) return true;
  return std::ranges::any_of(fault.at("group"), [&](const Json& one) { return one.at("name") == layer; });
}

bool is_called(const Json& fault, const ConversionTruth& truth) {
  if (fault.at("class") != truth.kind) return false;
  const std::string told = attribute_of_fault(fault);
  return truth.attribute.empty() || (", " + told + ",").find(", " + truth.attribute + ",") != std::string::npos;
}

}  // namespace

DiagnosedFiles diagnose_files(const std::filesystem::path& source, const std::filesystem::path& target) {
  const TemporaryFolder folder = scratch();
  const auto run = folder.path() / "run";
  const Ran ran = culprit({"diagnose", source, target, "--run-dir", run});
  DiagnosedFiles diagnosed{ran.exit, ran.out + ran.err, {}};
  if (const auto text = read_file(run / "report.json")) diagnosed.report = Json::parse(*text);
  return diagnosed;
}

bool follows_schema(const std::filesystem::path& report, const std::string& schema) {
  const std::string source = CULPRIT_SOURCE;
  const std::string validate = "/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source + "/docs/" +
                               schema + "' '" + report.string() + "' >&2";
  return std::system(validate.c_str()) == 0;
}

std::vector<std::string> told_faults(const Json& report) {
  std::vector<std::string> told;
  if (report.is_null()) return told;
  for (const Json& fault : report.at("faults")) {
    std::string word = fault.at("class").get<std::string>() + " " + layer_of(fault);
    const std::string attribute = attribute_of_fault(fault);
    if (!attribute.empty()) word += "." + attribute;
    told.push_back(word + (fault.at("confirmed").get<bool>() ? "" : "?"));
  }
  return told;
}

std::vector<std::string> words_of(const std::vector<ConversionTruth>& truth) {
  std::vector<std::string> words;
  for (const ConversionTruth& one : truth)
    words.push_back(one.kind + " " + one.layer + (one.attribute.empty() ? "" : "." + one.attribute));
  return words;
}

NamedFaults named_of(const Json& report, const std::vector<ConversionTruth>& truth) {
  NamedFaults named;
  if (report.is_null()) return named;
  const Json& faults = report.at("faults");
  std::vector<bool> is_taken(faults.size());
  for (const ConversionTruth& one : truth) {
    std::size_t best = faults.size();
    for (std::size_t i = 0; i < faults.size(); ++i) {
      if (is_taken[i] || !faults[i].at("confirmed").get<bool>() || !is_at(faults[i], one.layer)) continue;
      if (best == faults.size() || is_called(faults[i], one)) best = i;
    }
    if (best == faults.size()) continue;
    is_taken[best] = true;
    ++named.layers;
    if (is_called(faults[best], one)) ++named.classes;
  }
  named.beyond = static_cast<int>(std::ranges::count(is_taken, false));
  return named;
}

}  // namespace culprit::testing
