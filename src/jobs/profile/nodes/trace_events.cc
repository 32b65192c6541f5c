#include "profile/nodes/trace_events.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

namespace culprit {
namespace {

using UnorderedJson = nlohmann::json;

constexpr std::size_t most_shapes = 256, most_traced_dims = 16;              // of one event; what is beyond is not kept
constexpr std::size_t longest_text = 4096;                                   // of a name
constexpr std::int64_t longest_time = INT64_C(1) << 50;                      // microseconds: 35 years
constexpr std::size_t in_event = 2, in_args = 3, in_shape = 5, in_dims = 6;  // how many brackets are open there

/// What nlohmann's parser calls. Returning false ends the reading.
class Reader : public nlohmann::json_sax<UnorderedJson> {
 public:
  explicit Reader(const std::function<void(const TraceEvent&)>& take) : take_(take) {}

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return depth_ > 0; }
  bool number_integer(number_integer_t value) override { return number(value); }
  bool number_unsigned(number_unsigned_t value) override {
    return number(value > static_cast<std::uint64_t>(INT64_MAX) ? -1 : static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override {
    const bool is_time = value >= 0 && value < static_cast<double>(longest_time);
    return number(is_time ? static_cast<std::int64_t>(value) : -1);
  }
  bool binary(binary_t& /*value*/) override { return false; }

  bool string(string_t& value) override {
    if (depth_ == 0) return false;
    value.resize(std::min(value.size(), longest_text));
    if (depth_ == in_event && key_ == "name") name_ = value;
    if (depth_ == in_event && key_ == "cat") category_ = value;
    if (depth_ != in_args || !has_args_) return true;
    if (argument_ == "op_name") event_.op = value;
    if (argument_ == "provider") event_.provider = value;
    if (argument_ == "node_index") event_.index = index_in(value);
    return true;
  }

  bool start_object(std::size_t /*elements*/) override {
    if (depth_ == 0) return false;
    ++depth_;
    if (depth_ == in_event) begin_event();
    if (depth_ == in_args) has_args_ = key_ == "args";
    return true;
  }

  bool key(string_t& value) override {
    if (depth_ == in_event) key_ = value;
    if (depth_ == in_args) argument_ = value;
    if (depth_ == in_shape && shapes() != nullptr && shapes()->size() < most_shapes)
      shapes()->push_back({value.substr(0, longest_text), {}});
    return true;
  }

  bool end_object() override {
    --depth_;
    return depth_ + 1 != in_event || end_event();
  }

  bool start_array(std::size_t /*elements*/) override {
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }

  bool parse_error(std::size_t at, const std::string& /*token*/, const UnorderedJson::exception& /*error*/) override {
    broken_at_ = at;
    return false;
  }

  [[nodiscard]] std::int64_t events() const { return events_; }
  [[nodiscard]] bool is_full() const { return events_ >= most_trace_events; }
  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  [[nodiscard]] bool began() const { return began_; }

 private:
  static std::int64_t index_in(const std::string& text) {
    if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos) return -1;
    return std::stoll(text);
  }

  void begin_event() {
    event_ = {};
    event_.start = event_.duration = -1;
    name_ = category_ = key_ = argument_ = "";
    has_args_ = false;
    began_ = true;
  }

  std::vector<TracedShape>* shapes() {
    if (!has_args_) return nullptr;
    if (argument_ == "input_type_shape") return &event_.inputs;
    return argument_ == "output_type_shape" ? &event_.outputs : nullptr;
  }

  bool number(std::int64_t value) {
    if (depth_ == 0) return false;
    if (depth_ == in_event && key_ == "dur") event_.duration = value;
    if (depth_ == in_event && key_ == "ts") event_.start = value;
    if (depth_ == in_args && has_args_ && argument_ == "node_index") event_.index = std::max<std::int64_t>(value, -1);
    if (depth_ != in_dims || shapes() == nullptr || shapes()->empty()) return true;
    if (shapes()->back().dims.size() < most_traced_dims) shapes()->back().dims.push_back(value);
    return true;
  }

  bool end_event() {
    constexpr std::string_view kernel = "_kernel_time";
    ++events_;
    const bool is_node = category_ == "Node" && name_.ends_with(kernel);
    if (is_node) event_.kind = TraceEvent::Kind::node;
    if (category_ == "Session" && name_ == "model_run") event_.kind = TraceEvent::Kind::run;
    if (category_ == "Session" && name_ == "SequentialExecutor::Execute") event_.kind = TraceEvent::Kind::graph;
    if (event_.kind == TraceEvent::Kind::other) return !is_full();
    event_.name = is_node ? name_.substr(0, name_.size() - kernel.size()) : name_;
    const auto is_time = [](std::int64_t value) { return value >= 0 && value < longest_time; };
    if (!is_time(event_.start) || !is_time(event_.duration)) complaint_ = "has no time";
    if (is_node && event_.op.empty()) complaint_ = "names no operator";
    if (!complaint_.empty()) return false;
    take_(event_);
    return !is_full();
  }

  const std::function<void(const TraceEvent&)>& take_;
  TraceEvent event_;
  std::string name_, category_, key_, argument_, complaint_;
  std::size_t depth_ = 0;
  std::size_t broken_at_ = 0;
  std::int64_t events_ = 0;
  bool has_args_ = false, began_ = false;
};

}  // namespace

Result<TraceEnd> read_trace_events(const std::filesystem::path& file,
                                   const std::function<void(const TraceEvent&)>& take) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return fail(ErrorKind::io, "cannot read the profile " + file.string());
  Reader reader(take);
  const bool is_whole = UnorderedJson::sax_parse(stream, &reader);
  if (!reader.complaint().empty()) {
    return fail(ErrorKind::bad_input, "event " + std::to_string(reader.events()) + " of the profile " + file.string() +
                                          " " + reader.complaint());
  }
  if (is_whole) return TraceEnd::whole;
  if (!reader.began()) return fail(ErrorKind::bad_input, file.string() + " is no profile: no array of events");
  return TraceEnd::cut;
}

}  // namespace culprit
