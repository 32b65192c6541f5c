// A program with steps of which some do harm, for --optimizer FILE.yaml.
//
//     planted_program IN OUT [--faults a,b+c] [--by FACTOR] [--count FILE] [--skip STEP ...]
//     planted_program --list [N]
//
// Its steps are step_0, step_1, ... Each fault, steps with '+' between, makes the first float initializer half as large
// again where none of its steps is left out; with --by its first element alone is made that many times as large. Each
// call adds a byte to the file that --count names.
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"

namespace {

using Words = std::vector<std::string>;

bool holds(const Words& words, const std::string& word) { return std::ranges::find(words, word) != words.end(); }

/// `factor`: of the first element; 0: all of them become half as large again.
void do_harm(onnx::ModelProto& model, float factor) {
  auto harm = [factor, is_first = true](float value) mutable {
    if (factor == 0) return value * 1.5f;
    return std::exchange(is_first, false) ? value * factor : value;
  };
  for (auto& tensor : *model.mutable_graph()->mutable_initializer()) {
    if (tensor.data_type() != onnx::TensorProto::FLOAT) continue;
    for (float& value : *tensor.mutable_float_data()) value = harm(value);
    if (!tensor.has_raw_data()) return;
    std::string& raw = *tensor.mutable_raw_data();
    for (std::size_t at = 0; at + sizeof(float) <= raw.size(); at += sizeof(float)) {
      float value = 0;
      std::memcpy(&value, raw.data() + at, sizeof value);
      value = harm(value);
      std::memcpy(raw.data() + at, &value, sizeof value);
    }
    return;
  }
}

int optimize(const Words& words) {
  onnx::ModelProto model;
  std::ifstream in(words.at(0), std::ios::binary);
  if (!model.ParseFromIstream(&in)) return 3;
  std::map<std::string, Words> given;
  std::string flag;
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i].starts_with("--"))
      flag = words[i];
    else
      given[flag].push_back(words[i]);
  }
  for (const std::string& count : given["--count"]) std::ofstream(count, std::ios::app) << '.';
  const Words& skipped = given["--skip"];
  const float factor = given["--by"].empty() ? 0 : std::stof(given["--by"].front());
  for (const std::string& list : given["--faults"])
    for (const std::string& fault : culprit::split(list, ',')) {
      const Words steps = culprit::split(fault, '+');
      if (std::ranges::none_of(steps, [&](const std::string& step) { return holds(skipped, step); }))
        do_harm(model, factor);
    }
  std::ofstream out(words.at(1), std::ios::binary);
  return model.SerializeToOstream(&out) ? 0 : 4;
}

}  // namespace

int main(int count, char** arguments) {
  const Words words(arguments + 1, arguments + count);
  if (words.size() >= 2 && words[0] == "--list") {
    for (int i = 0; i < std::stoi(words[1]); ++i) std::cout << "step_" << i << "\n";
    return 0;
  }
  return words.size() < 2 ? 2 : optimize(words);
}
