#include "fuzz/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace culprit::fuzz {
namespace {

std::string table(const std::string& title, const std::map<std::string, std::int64_t>& counts) {
  std::vector<std::pair<std::string, std::int64_t>> rows(counts.begin(), counts.end());
  std::ranges::stable_sort(rows, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text = title + "\n";
  for (const auto& [name, count] : rows) text += fmt::format("  {:>7}  {}\n", count, name);
  return text;
}

}  // namespace

void Figures::add(const Mutant& mutant) {
  ++models_;
  for (const std::string& kind : mutant.kinds) ++mutations_[kind];
}

void Figures::add(const nlohmann::json& report, std::size_t first) {
  if (report.is_null()) return;
  std::size_t number = first;
  for (const auto& model : report["models"]) {
    const bool readable = model["error"].is_null();
    ++statuses_[readable ? model["baseline"]["status"].get<std::string>() : "cannot be read"];
    for (const auto& variant : model["variants"]) {
      ++verdicts_[variant["verdict"].get<std::string>()];
      if (variant.contains("deployed") && variant["deployed"].is_object())
        ++verdicts_["deployed: " + variant["deployed"]["verdict"].get<std::string>()];
    }
    for (const auto& fault : model["faults"])
      ++faults_[fault["verdict"].get<std::string>() + ", " + fault["kind"].get<std::string>() + ", " +
                fault["attribution"].get<std::string>()];
    add_crashes(model, number++);
  }
  for (const auto& [name, count] : report["summary"]["counts"].items()) counts_[name] += count.get<std::int64_t>();
}

void Figures::add_crashes(const nlohmann::json& model, std::size_t number) {
  for (const auto& fault : model["faults"]) {
    if (fault["verdict"] != "optimizer_crashed") continue;
    const auto [at, is_new] = crashes_.try_emplace(fault["signature"].get<std::string>());
    if (is_new) at->second.first = number;
    ++at->second.times;
  }
}

std::string Figures::text() const {
  std::string text = fmt::format("{} models\n", models_) + table("mutations", mutations_) +
                     table("baselines", statuses_) + table("verdicts of variants", verdicts_) +
                     table("faults", faults_) + table("work", counts_);
  text += fmt::format("distinct crash signatures of the optimizer: {}\n", crashes_.size());
  for (const auto& [signature, crash] : crashes_)
    text += fmt::format("  {:>7}  first in {:>5}  {}\n", crash.times, crash.first, signature);
  return text;
}

}  // namespace culprit::fuzz
