#include "data/given_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "data/dim_names.h"
#include "data/fits_declaration.h"
#include "data/size_guesses.h"
#include "data/synthesize.h"
#include "tensor/structured_value.h"

namespace culprit {
namespace {

Result<void> check_dims(const Interface& interface, const Sizes& dims) {
  std::vector<ValueInfo> all = interface.inputs;
  all.insert(all.end(), interface.optional_inputs.begin(), interface.optional_inputs.end());
  const auto keys = names_of_sizes(all);
  for (const auto& [name, size] : dims) {
    const std::string given = fmt::format("--dim {}={}", name, size);
    if (size < 0) return fail(ErrorKind::usage, given + ": a size cannot be negative");
    if (std::ranges::find(keys, name) != keys.end()) continue;
    const std::string near = closest(name, keys);
    std::string hint = keys.empty() ? "all sizes of its inputs are fixed" : "it has: " + join(keys, ", ");
    if (!near.empty()) hint = fmt::format("did you mean '{}'?", near);
    return fail(ErrorKind::usage, fmt::format("{}: the model has no open dimension '{}'", given, name),
                std::move(hint));
  }
  return {};
}

}  // namespace

void add_seen_dims(const Interface& interface, const std::vector<NamedTensor>& values, Sizes& dims) {
  for (const NamedTensor& value : values) {
    const ValueInfo* declared = find_input(interface, value.name);
    if (is_form(value.part) || value.value.shape().size() != declared->dims.size()) continue;
    for (std::size_t axis = 0; axis < declared->dims.size(); ++axis) {
      if (is_open(declared->dims[axis])) dims.emplace(dim_key(*declared, axis), value.value.shape()[axis]);
    }
  }
}

Result<Given> read_given(const Interface& interface, const DataOptions& options) {
  if (auto ok = check_dims(interface, options.dims); !ok) return tl::unexpected(ok.error());
  if (!options.data.empty() && !options.dims.empty() && options.inputs.empty())
    return fail(ErrorKind::usage, "--dim " + options.dims.begin()->first + " beside --data: the data have their sizes",
                "--dim is for random inputs, and for those of --input");
  Given given{{}, options.dims};
  for (const std::string& argument : options.inputs) {
    auto parts = parse_input_parts(argument, interface, options.dims);
    if (!parts) return tl::unexpected(parts.error());
    const std::string& name = parts->front().name;
    const auto same = std::ranges::find(given.inputs, name, &NamedTensor::name);
    if (same != given.inputs.end()) return fail(ErrorKind::usage, "--input " + name + " is given twice");
    std::ranges::move(*parts, std::back_inserter(given.inputs));
  }
  add_seen_dims(interface, given.inputs, given.dims);
  return given;
}

void warn_of_few(Proposal& proposal, const DataOptions& options, std::int64_t found) {
  if (options.samples <= found) return;
  proposal.warnings.push_back({"fewer_samples", "--samples " + std::to_string(options.samples) +
                                                    " were asked for, but only " + std::to_string(found) +
                                                    " are there"});
}

bool are_identical(const std::vector<NamedTensor>& one, const std::vector<NamedTensor>& other) {
  return std::ranges::equal(one, other, [](const NamedTensor& a, const NamedTensor& b) {
    return a.name == b.name && a.part == b.part && a.value.identical(b.value);
  });
}

}  // namespace culprit
