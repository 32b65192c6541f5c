#include "hub/hub_filter.h"

#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/lower_case.h"
#include "base/text.h"

namespace culprit {
namespace {

bool has_tag(const HubModel& model, const std::string& tag) {
  return std::ranges::any_of(model.tags, [&](const std::string& one) { return lower_case(one) == lower_case(tag); });
}

bool has_shapes(const std::vector<HubPort>& ports, const std::vector<ShapePattern>& patterns) {
  return std::ranges::all_of(patterns, [&](const ShapePattern& pattern) {
    return std::ranges::any_of(ports, [&](const HubPort& port) { return matches(pattern, port.shape); });
  });
}

bool passes(const HubModel& model, const HubFilter& filter) {
  if (!filter.name.empty() && ::fnmatch(filter.name.c_str(), model.name.c_str(), FNM_CASEFOLD) != 0) return false;
  if (filter.least_opset > 0 && model.opset < filter.least_opset) return false;
  if (filter.most_opset > 0 && model.opset > filter.most_opset) return false;
  if (!std::ranges::all_of(filter.tags, [&](const std::string& tag) { return has_tag(model, tag); })) return false;
  return has_shapes(model.inputs, filter.inputs) && has_shapes(model.outputs, filter.outputs);
}

std::vector<HubModel> newest_of(const std::vector<HubModel>& models) {
  std::map<std::string, std::int64_t> highest;
  for (const HubModel& model : models) {
    const auto at = highest.emplace(model.name, model.opset).first;
    at->second = std::max(at->second, model.opset);
  }
  std::vector<HubModel> newest;
  for (const HubModel& model : models)
    if (const auto at = highest.find(model.name); at != highest.end() && at->second == model.opset) {
      newest.push_back(model);
      highest.erase(at);
    }
  return newest;
}

}  // namespace

Result<ShapePattern> shape_pattern_of(const std::string& flag, const std::string& text) {
  ShapePattern pattern;
  std::string rest = text;
  if (rest == "..." || rest.ends_with(",...")) {
    pattern.has_more = true;
    rest.resize(rest.size() - (rest == "..." ? 3 : 4));
  }
  if (rest.empty()) return pattern;
  for (const std::string& part : split(rest, ',')) {
    const std::string size(trim(part));
    if (size.empty() || size == "...")
      return fail(
          ErrorKind::usage, flag + ": '" + printable(text, 80) + "' is no shape",
          "sizes and names with commas, such as 1,3,224,224; ? is any size, and ... at the end any number of them");
    pattern.sizes.push_back(size);
  }
  return pattern;
}

bool matches(const ShapePattern& pattern, const std::vector<std::string>& shape) {
  if (shape.size() < pattern.sizes.size()) return false;
  if (shape.size() > pattern.sizes.size() && !pattern.has_more) return false;
  for (std::size_t i = 0; i < pattern.sizes.size(); ++i)
    if (pattern.sizes[i] != "?" && pattern.sizes[i] != shape[i]) return false;
  return true;
}

std::vector<HubModel> filtered(const std::vector<HubModel>& models, const HubFilter& filter) {
  std::vector<HubModel> passed;
  for (const HubModel& model : models)
    if (passes(model, filter)) passed.push_back(model);
  return filter.newest_only ? newest_of(passed) : passed;
}

Result<HubModel> hub_model_named(const std::vector<HubModel>& models, const std::string& name, std::int64_t opset) {
  std::vector<std::string> names;
  std::set<std::int64_t> opsets;
  const HubModel* best = nullptr;
  for (const HubModel& model : models) {
    if (lower_case(model.name) != lower_case(name)) {
      names.push_back(model.name);
      continue;
    }
    opsets.insert(model.opset);
    const bool is_asked_for = opset == 0 || model.opset == opset;
    if (is_asked_for && (best == nullptr || model.opset > best->opset)) best = &model;
  }
  if (best != nullptr) return *best;
  if (!opsets.empty()) {
    std::vector<std::string> there;
    there.reserve(opsets.size());
    for (const std::int64_t one : opsets) there.push_back(std::to_string(one));
    return fail(ErrorKind::not_found, "the hub has no " + printable(name, 100) + " of opset " + std::to_string(opset),
                "it has it of opset " + join(there, ", "));
  }
  const std::string near = closest(name, names);
  return fail(ErrorKind::not_found, "the hub has no model " + printable(name, 100),
              near.empty() ? "`culprit hub list` shows all" : "did you mean " + printable(near, 100) + "?");
}

}  // namespace culprit
