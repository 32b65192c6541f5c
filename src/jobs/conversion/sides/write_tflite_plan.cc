#include <fmt/format.h>

#include <algorithm>

#include "conversion/sides/tflite_plan.h"

namespace culprit {

/// Each behind those whose results it takes, else as they stand.
std::vector<std::size_t> TflitePlan::in_order(const std::vector<bool>& kept) const {
  std::set<std::int32_t> to_come;
  std::vector<std::size_t> waiting, order;
  for (std::size_t at = 0; at < operators.size(); ++at) {
    if (!kept[at]) continue;
    waiting.push_back(at);
    to_come.insert(operators[at].outputs.begin(), operators[at].outputs.end());
  }
  to_come.erase(-1);
  while (!waiting.empty()) {
    auto next = std::ranges::find_if(waiting, [&](std::size_t at) {
      return std::ranges::none_of(operators[at].inputs, [&](std::int32_t input) { return to_come.contains(input); });
    });
    if (next == waiting.end()) next = waiting.begin();  // around in a circle: only where one of it is fed
    for (const auto output : operators[*next].outputs) to_come.erase(output);
    order.push_back(*next);
    waiting.erase(next);
  }
  return order;
}

void TflitePlan::renumber(const std::map<std::int32_t, std::int32_t>& numbers) {
  const auto change = [&](std::int32_t& tensor) {
    if (const auto other = numbers.find(tensor); other != numbers.end()) tensor = other->second;
  };
  for (PlannedOperator& node : operators) {
    std::ranges::for_each(node.inputs, change);
    std::ranges::for_each(node.outputs, change);
  }
  for (auto& [value, tensor] : hidden_) change(tensor);
  std::map<std::int32_t, std::string> data;
  for (auto& [tensor, bytes] : data_) {
    std::int32_t number = tensor;
    change(number);
    data[number] = std::move(bytes);
  }
  data_ = std::move(data);
}

/// The constant of the file that an added one took the place of, if nobody uses it any more; else -1.
std::int32_t TflitePlan::place_that_is_free(std::int32_t added, const std::set<std::int32_t>& used) const {
  std::int32_t old = added;
  for (auto before = instead_of_.find(old); before != instead_of_.end(); before = instead_of_.find(old))
    old = before->second;
  const TfliteTensor& tensor = tensors_[place(old)];
  const bool is_plain = !tensor.is_sparse && tensor.external_buffer == 0 && place(old) < graph_.tensors.size();
  return is_plain && !used.contains(old) && type_of(old) == type_of(added) && is_constant(old) ? old : -1;
}

std::map<std::int32_t, std::int32_t> TflitePlan::reuse_places(const std::set<std::int32_t>& shown) {
  std::set<std::int32_t> used = shown;
  for (const PlannedOperator& node : operators) used.insert(node.inputs.begin(), node.inputs.end());
  const auto own = static_cast<std::int32_t>(graph_.tensors.size());
  std::map<std::int32_t, std::int32_t> numbers;
  std::vector<TfliteTensor> kept(tensors_.begin(), tensors_.begin() + own);
  for (std::int32_t number = own; number < std::ssize(tensors_); ++number) {
    const std::int32_t old = place_that_is_free(number, used);
    if (old >= 0) {
      used.insert(old);
      numbers[number] = old;
      kept[place(old)].shape = tensors_[place(number)].shape;
      continue;
    }
    numbers[number] = static_cast<std::int32_t>(kept.size());
    kept.push_back(std::move(tensors_[place(number)]));
  }
  tensors_ = std::move(kept);
  renumber(numbers);
  return numbers;
}

Result<void> TflitePlan::write_tensors(TfliteEdit& edit) const {
  for (const auto& [number, data] : data_) {
    if (place(number) >= graph_.tensors.size()) break;
    if (auto done = edit.set_data({0, place(number)}, data); !done) return done;
    if (tensors_[place(number)].shape == graph_.tensors[place(number)].shape) continue;
    if (auto done = edit.set_shape({0, place(number)}, tensors_[place(number)].shape); !done) return done;
  }
  for (std::size_t number = graph_.tensors.size(); number < tensors_.size(); ++number) {
    const TfliteTensor& from = tensors_[number];
    const auto data = data_.find(static_cast<std::int32_t>(number));
    const auto made =
        edit.append_tensor(0, {from.name, from.type, from.shape, data == data_.end() ? "" : data->second});
    if (!made) return tl::unexpected(made.error());
    if (!from.quantization) continue;
    if (auto done = edit.set_quantization({0, *made}, *from.quantization); !done) return done;
  }
  return {};
}

/// An operator of the file that stays where it is.
Result<void> TflitePlan::change(TfliteEdit& edit, const PlannedOperator& node) const {
  const auto number = static_cast<std::size_t>(node.native);
  const TfliteOperator& was = graph_.operators[number];
  if (node.inputs != was.inputs)
    if (auto done = edit.set_inputs({0, number}, node.inputs); !done) return done;
  if (node.outputs != was.outputs)
    if (auto done = edit.set_outputs({0, number}, node.outputs); !done) return done;
  for (const auto& [name, value] : node.options)
    if (auto done = edit.set_option({0, number}, name, value); !done) return done;
  return {};
}

Result<TfliteNewOperator> TflitePlan::new_operator(const PlannedOperator& node) const {
  TfliteNewOperator made{node.code, node.version, node.custom_name, node.inputs, node.outputs, {}};
  if (node.native >= 0 && !node.is_anew) {  // one of the file that moves
    const TfliteOperator& was = graph_.operators[static_cast<std::size_t>(node.native)];
    if (!was.custom_options.empty() || !was.intermediates.empty() || was.has_unknown_options)
      return fail(ErrorKind::unsupported, name_of(node) + " cannot be moved to another place");
    for (const TfliteOption& option : was.options)
      if (option.is_stored) made.options.emplace_back(option.name, option.value);
  }
  made.options.insert(made.options.end(), node.options.begin(), node.options.end());
  return made;
}

Result<void> TflitePlan::write_operators(TfliteEdit& edit, const std::vector<std::size_t>& order) const {
  std::vector<bool> stays(graph_.operators.size(), false);
  std::vector<bool> is_new;  // by place in the order
  std::int64_t last = -1;
  for (const std::size_t at : order) {
    const PlannedOperator& node = operators[at];
    is_new.push_back(node.native <= last || node.is_anew);
    if (is_new.back()) continue;
    last = node.native;
    stays[static_cast<std::size_t>(last)] = true;
    if (auto done = change(edit, node); !done) return done;
  }
  for (std::size_t number = stays.size(); number-- > 0;)
    if (!stays[number])
      if (auto done = edit.remove_operator({0, number}); !done) return done;
  for (std::size_t place = 0; place < order.size(); ++place) {
    if (!is_new[place]) continue;
    const auto made = new_operator(operators[order[place]]);
    if (!made) return tl::unexpected(made.error());
    if (auto done = edit.insert_operator({0, place}, *made); !done) return done;
  }
  return {};
}

Result<TfliteEdit> TflitePlan::written(const std::vector<bool>& kept) const {
  auto edit = TfliteEdit::start(file_);
  if (!edit) return edit;
  if (auto done = write_tensors(*edit); !done) return tl::unexpected(done.error());
  if (auto done = write_operators(*edit, in_order(kept)); !done) return tl::unexpected(done.error());
  return edit;
}

}  // namespace culprit
