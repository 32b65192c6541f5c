// Writes every pair of the corpus of conversions, for bench/repairs: OUT/<name>/source.onnx, target.onnx, honest.onnx
// (the conversion without the mistake), and case.json, which says what is wrong in truth.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "conversion_rows.h"
#include "model/model.h"

namespace culprit::testing {
namespace {

Result<void> write_row(const ConversionRow& row, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  if (auto ok = save_model(source_of(row), folder / "source.onnx"); !ok) return ok;
  if (auto ok = save_model(target_of(row), folder / "target.onnx"); !ok) return ok;
  if (auto ok = save_model(honest_target_of(row), folder / "honest.onnx"); !ok) return ok;
  nlohmann::json truth = nlohmann::json::array();
  for (const ConversionTruth& one : row.truth)
    truth.push_back({{"class", one.kind}, {"layer", one.layer}, {"attribute", one.attribute}});
  std::ofstream(folder / "case.json") << nlohmann::json{{"name", row.name}, {"net", row.net}, {"truth", truth}};
  return {};
}

int write_all(const std::filesystem::path& out) {
  for (const ConversionRow& row : conversion_rows()) {
    if (const auto written = write_row(row, out / row.name); !written) {
      std::fprintf(stderr, "conversion_corpus: %s\n", written.error().text().c_str());
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace culprit::testing

int main(int argc, char** argv) {
  if (argc == 2) return culprit::testing::write_all(argv[1]);
  std::fputs("usage: conversion_corpus OUT\n", stderr);
  return 2;
}
