#include "conversion/edits/edit.h"

#include <fmt/format.h>

#include "base/as_index.h"
#include "base/text.h"

namespace culprit {
namespace {

constexpr std::size_t longest_edit_name = 80;

/// The words of an edit of one network.
class EditWords {
 public:
  explicit EditWords(const Network& network) : network_(network) {}

  std::string operator()(const SetConstant& edit) const {
    const std::string what =
        edit.layer < 0 ? value(edit.value) : fmt::format("input {} of {}", edit.at, layer(edit.layer));
    return fmt::format("{} := {} numbers of {}", what, edit.tensor.count(), to_string(edit.tensor.shape()));
  }
  std::string operator()(const SetHyper& edit) const {
    return fmt::format("{} of {} := {}", edit.name, layer(edit.layer), to_string(edit.hyper));
  }
  std::string operator()(const SetType& edit) const {
    std::vector<std::string> words;
    for (const auto& [name, hyper] : edit.hyper) words.push_back(name + " " + to_string(hyper));
    return fmt::format("{} becomes {}{}", layer(edit.layer), printable(edit.type, longest_edit_name),
                       words.empty() ? "" : " (" + join(words, ", ") + ")");
  }
  std::string operator()(const Bypass& edit) const { return layer(edit.layer) + " is left out"; }
  std::string operator()(const InsertBehind& edit) const {
    const std::string type = printable(edit.layer.type, longest_edit_name);
    if (edit.with < 0) return fmt::format("{} after {}", type, value(edit.value));
    const std::string one = value(edit.value), other = value(edit.with);
    return fmt::format("{} of {} and {} after {}", type, edit.is_with_first ? other : one,
                       edit.is_with_first ? one : other, one);
  }
  std::string operator()(const SetInput& edit) const {
    return fmt::format("input {} of {} := {}", edit.at, layer(edit.layer), value(edit.value));
  }
  std::string operator()(const SetOutput& edit) const {
    const auto& outputs = network_.outputs;
    return fmt::format("output {} := {}", edit.at < outputs.size() ? value(outputs[edit.at]) : std::to_string(edit.at),
                       value(edit.value));
  }

 private:
  [[nodiscard]] std::string layer(int number) const {
    if (number < 0 || as_index(number) >= network_.layers.size()) return fmt::format("layer {}", number);
    return "'" + printable(network_.layers[as_index(number)].name, longest_edit_name) + "'";
  }
  [[nodiscard]] std::string value(int number) const {
    if (number < 0 || as_index(number) >= network_.values.size()) return fmt::format("value {}", number);
    return "'" + printable(network_.values[as_index(number)].name, longest_edit_name) + "'";
  }

  const Network& network_;
};

/// Has the network all that an edit names?
class EditPlaces {
 public:
  explicit EditPlaces(const Network& network) : network_(network) {}

  Result<void> operator()(const SetConstant& edit) const {
    return edit.layer < 0 ? check_value(edit.value) : check_layer(edit.layer);
  }
  Result<void> operator()(const SetHyper& edit) const { return check_layer(edit.layer); }
  Result<void> operator()(const SetType& edit) const { return check_layer(edit.layer); }
  Result<void> operator()(const Bypass& edit) const { return check_layer(edit.layer); }
  Result<void> operator()(const InsertBehind& edit) const {
    if (auto ok = check_value(edit.value); !ok) return ok;
    if (edit.with >= 0)
      if (auto ok = check_value(edit.with); !ok) return ok;
    for (const int user : edit.users)
      if (auto ok = check_layer(user); !ok) return ok;
    return {};
  }
  Result<void> operator()(const SetInput& edit) const {
    return check_layer(edit.layer).and_then([&] { return check_value(edit.value); });
  }
  Result<void> operator()(const SetOutput& edit) const {
    if (edit.at < network_.outputs.size()) return check_value(edit.value);
    return fail(ErrorKind::unsupported, fmt::format("there is no output {}", edit.at));
  }

 private:
  [[nodiscard]] Result<void> check_layer(int layer) const {
    if (layer >= 0 && as_index(layer) < network_.layers.size()) return {};
    return fail(ErrorKind::unsupported, fmt::format("there is no layer {}", layer));
  }
  [[nodiscard]] Result<void> check_value(int value) const {
    if (value >= 0 && as_index(value) < network_.values.size()) return {};
    return fail(ErrorKind::unsupported, fmt::format("there is no value {}", value));
  }

  const Network& network_;
};

}  // namespace

Result<void> check_places(const Edit& edit, const Network& network) { return std::visit(EditPlaces(network), edit); }

std::string to_string(const Edit& edit, const Network& network) { return std::visit(EditWords(network), edit); }

}  // namespace culprit
