#include "runtime/tensorflow/tensorflow_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "network/tensorflow/tensorflow_types.h"
#include "runtime/session_config.pb.h"

namespace culprit {
namespace {

constexpr std::size_t longest_complaint = 600;  // characters of TensorFlow's own words
constexpr int not_found = 5, unimplemented = 12;

std::string config_of(const SessionOptions& options) {
  tensorflow::SessionConfig config;
  config.set_threads_within_operators(options.threads);
  config.set_threads_between_operators(1);
  config.set_has_threads_of_its_own(true);
  if (options.level == Level::off) {
    config.mutable_graph()->mutable_optimizer()->set_level(-1);
    config.mutable_graph()->mutable_optimizer()->set_just_in_time(-1);
    config.mutable_graph()->mutable_rewrites()->set_disable_all(true);
  }
  return config.SerializeAsString();
}

/// Do dimensions fit where -1 takes any?
bool fits(const Shape& shape, const std::optional<std::vector<std::int64_t>>& wanted) {
  if (!wanted) return true;
  return std::ranges::equal(shape, *wanted,
                            [](std::int64_t dim, std::int64_t want) { return want < 0 || dim == want; });
}

}  // namespace

TensorflowSession::TensorflowSession(const tf::Api& api, const SessionOptions& options)
    : api_(api),
      options_(options),
      status_(api.NewStatus(), api.DeleteStatus),
      graph_(api.NewGraph(), api.DeleteGraph) {}

TensorflowSession::~TensorflowSession() {
  if (session_ == nullptr) return;
  api_.CloseSession(session_, status_.get());
  api_.DeleteSession(session_, status_.get());
}

Result<void> TensorflowSession::good(const std::string& what) const {
  const int code = api_.GetCode(status_.get());
  if (code == 0) return {};
  return fail(code == not_found || code == unimplemented ? ErrorKind::unsupported : ErrorKind::bad_input,
              fmt::format("TensorFlow (code {}) could not {}: {}", code, what,
                          printable(trim(api_.Message(status_.get())), longest_complaint)));
}

Result<void> TensorflowSession::check(const TensorflowModel& model) {
  auto interface = model.interface();
  if (!interface) return tl::unexpected(interface.error());
  interface_ = std::move(*interface);
  if (!options_.fetch.empty()) {
    interface_.outputs.clear();
    for (const std::string& tensor : options_.fetch) interface_.outputs.push_back({tensor, tensor});
  }
  if (options_.trusted) return {};
  std::vector<std::string> fetched;
  for (const TensorflowValue& output : interface_.outputs) fetched.push_back(output.tensor);
  const auto refused = model.refused_operators(fetched);
  if (refused.empty()) return {};
  return fail(ErrorKind::unsupported,
              "this model may run code, or touch files or the network, and is not trusted: " + join(refused, ", "),
              "if you know who made it, --trust runs it all the same");
}

Result<void> TensorflowSession::configure(tf::Handle options) {
  const std::string config = config_of(options_);
  api_.SetConfig(options, config.data(), config.size(), status_.get());
  return good("take the options of a session");
}

Result<void> TensorflowSession::open_graph(std::string_view bytes) {
  const auto model = TensorflowModel::of_graph(bytes);
  if (!model) return tl::unexpected(model.error());
  if (auto ok = check(*model); !ok) return ok;
  const tf::Owned importing(api_.NewImportGraphDefOptions(), api_.DeleteImportGraphDefOptions);
  const tf::Buffer buffer{bytes.data(), bytes.size()};
  api_.GraphImportGraphDef(graph_.get(), &buffer, importing.get(), status_.get());
  if (auto ok = good("read the graph"); !ok) return ok;
  const tf::Owned options(api_.NewSessionOptions(), api_.DeleteSessionOptions);
  if (auto ok = configure(options.get()); !ok) return ok;
  session_ = api_.NewSession(graph_.get(), options.get(), status_.get());
  if (auto ok = good("make the graph ready"); !ok) return ok;
  return find_places(false);
}

Result<void> TensorflowSession::open_saved_model(const std::filesystem::path& folder, std::string_view bytes) {
  const auto model = TensorflowModel::of_saved_model(bytes);
  if (!model) return tl::unexpected(model.error());
  if (auto ok = check(*model); !ok) return ok;
  std::vector<const char*> tags;
  for (const std::string& tag : model->tags()) tags.push_back(tag.c_str());
  const tf::Owned options(api_.NewSessionOptions(), api_.DeleteSessionOptions);
  if (auto ok = configure(options.get()); !ok) return ok;
  session_ = api_.LoadSessionFromSavedModel(options.get(), nullptr, folder.c_str(), tags.data(),
                                            static_cast<int>(tags.size()), graph_.get(), nullptr, status_.get());
  if (auto ok = good("load the SavedModel " + printable(folder.string())); !ok) return ok;
  return find_places(true);
}

Result<TensorflowSession::Place> TensorflowSession::place_of(const TensorflowValue& value) {
  const std::string node(node_of_tensor(value.tensor));
  const auto index = index_of_tensor(value.tensor);
  tf::Output found{api_.GraphOperationByName(graph_.get(), node.c_str()), index.value_or(0)};
  if (index && found.operation != nullptr && found.index < api_.OperationNumOutputs(found.operation))
    return Place{value, found};
  return fail(ErrorKind::bad_input, fmt::format("the graph has no tensor '{}'", printable(value.tensor, 200)),
              "a tensor is named after its node, with the number of its output: conv/Relu:0");
}

/// All outputs of a node that nobody uses are outputs of the graph; who has none gives nothing.
void TensorflowSession::add_other_outputs(const Place& first) {
  const std::string node(node_of_tensor(first.value.tensor));
  for (int i = 0; i < api_.OperationNumOutputs(first.output.operation); ++i) {
    const tf::Output output{first.output.operation, i};
    const std::string tensor = fmt::format("{}:{}", node, i);
    if (dtype_of_tensorflow(api_.OperationOutputType(output))) outputs_.push_back({{tensor, tensor}, output});
  }
}

Result<void> TensorflowSession::find_places(bool is_saved) {
  for (const TensorflowValue& input : interface_.inputs) {
    auto place = place_of(input);
    if (!place) return tl::unexpected(place.error());
    inputs_.push_back(std::move(*place));
  }
  for (const std::string& tensor : options_.feed) {
    auto place = place_of({tensor, tensor});
    if (!place) return tl::unexpected(place.error());
    inputs_.push_back(std::move(*place));
  }
  const bool are_given = is_saved || !options_.fetch.empty();
  for (const TensorflowValue& output : interface_.outputs) {
    auto place = place_of(output);
    if (!place && are_given) return tl::unexpected(place.error());
    if (!place) continue;  // a node that gives nothing
    if (are_given)
      outputs_.push_back(std::move(*place));
    else
      add_other_outputs(*place);
  }
  if (outputs_.empty()) return fail(ErrorKind::unsupported, "the graph gives no values: all of its tensors are used");
  return {};
}

/// In a graph, whose inputs are tensors, the name of the node does as well.
Result<const TensorflowSession::Place*> TensorflowSession::input_named(const std::string& name) const {
  const auto found = std::ranges::find_if(inputs_, [&](const Place& input) {
    return input.value.name == name || (input.value.name == input.value.tensor && input.value.name == name + ":0");
  });
  if (found != inputs_.end()) return &*found;
  std::vector<std::string> names;
  for (const Place& input : inputs_) names.push_back(printable(input.value.name, 100));
  return fail(ErrorKind::bad_input, fmt::format("the model has no input '{}'; it has {}", printable(name, 100),
                                                names.empty() ? "none" : join(names, ", ")));
}

/// TensorFlow would compute what is to be fed and is not given.
Result<void> TensorflowSession::expect_all_fed(const std::vector<tf::Output>& to) const {
  for (std::size_t i = inputs_.size() - options_.feed.size(); i < inputs_.size(); ++i)
    if (std::ranges::find(to, inputs_[i].output) == to.end())
      return fail(ErrorKind::bad_input,
                  fmt::format("the tensor '{}' is to be fed and is not given", printable(inputs_[i].value.name, 200)));
  return {};
}

Result<std::vector<NamedTensor>> TensorflowSession::run(const std::vector<NamedTensor>& given) {
  std::vector<tf::FedTensor> fed;
  std::vector<tf::Output> to;
  for (const NamedTensor& value : given) {
    auto input = input_named(value.name);
    if (!input) return tl::unexpected(input.error());
    if (!fits(value.value.shape(), (*input)->value.shape))
      return fail(ErrorKind::bad_input,
                  fmt::format("the input {} takes the shape {} (-1: any), not {}", printable(value.name),
                              to_string(*(*input)->value.shape), to_string(value.value.shape())));
    auto tensor = tf::FedTensor::make(api_, value.value, value.name);
    if (!tensor) return tl::unexpected(tensor.error());
    fed.push_back(std::move(*tensor));
    to.push_back((*input)->output);
  }
  if (auto ok = expect_all_fed(to); !ok) return tl::unexpected(ok.error());
  auto made = computed(to, fed);
  if (!made) return tl::unexpected(made.error());
  std::vector<NamedTensor> results;
  auto next = made->begin();
  for (const Place& output : outputs_) {
    const auto same = std::ranges::find(to, output.output);
    Result<Tensor> tensor = same != to.end() ? Result<Tensor>(given[static_cast<std::size_t>(same - to.begin())].value)
                                             : tf::taken_out(api_, (next++)->get(), output.value.name);
    if (!tensor) return tl::unexpected(tensor.error());
    results.push_back({output.value.name, std::move(*tensor)});
  }
  return results;
}

/// The outputs that are not inputs, too: TensorFlow does not compute those.
Result<std::vector<tf::Owned>> TensorflowSession::computed(const std::vector<tf::Output>& to,
                                                           const std::vector<tf::FedTensor>& fed) {
  std::vector<tf::Handle> in;
  std::vector<tf::Output> from;
  in.reserve(fed.size());
  for (const tf::FedTensor& tensor : fed) in.push_back(tensor.get());
  for (const Place& output : outputs_)
    if (std::ranges::find(to, output.output) == to.end()) from.push_back(output.output);
  std::vector<tf::Handle> out(from.size(), nullptr);
  api_.SessionRun(session_, nullptr, to.data(), in.data(), static_cast<int>(in.size()), from.data(), out.data(),
                  static_cast<int>(out.size()), nullptr, 0, nullptr, status_.get());
  std::vector<tf::Owned> made;
  made.reserve(out.size());
  for (const tf::Handle tensor : out) made.emplace_back(tensor, api_.DeleteTensor);
  if (auto ok = good("run the model"); !ok) return tl::unexpected(ok.error());
  return made;
}

}  // namespace culprit
