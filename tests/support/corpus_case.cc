#include "support/corpus_case.h"

#include <onnx/defs/parser.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

#include "base/file.h"
#include "base/text.h"
#include "model/model.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {
namespace {

std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> items;
  for (const auto& item : split(text, ',')) items.emplace_back(trim(item));
  return items;
}

/// "x = float32[2,3] 1 2 3 4 5 6": numbers are read as doubles and cast, which is exact for all that cases need.
Result<NamedTensor> parse_tensor(const std::string& text) {
  const auto equals = text.find('='), open = text.find('['), close = text.find(']');
  if (equals == std::string::npos || open == std::string::npos || close == std::string::npos)
    return fail(ErrorKind::bad_input, "input line '" + text + "' is not NAME = dtype[dims] values");
  const std::string name(trim(text.substr(0, equals)));
  const auto dtype = dtype_named(trim(text.substr(equals + 1, open - equals - 1)));
  if (!dtype) return fail(ErrorKind::bad_input, "input line '" + text + "': unknown type");
  Shape shape;
  for (const auto& dim : list_of(text.substr(open + 1, close - open - 1)))
    if (!dim.empty()) shape.push_back(std::atoll(dim.c_str()));
  std::istringstream words(text.substr(close + 1));
  std::vector<std::string> values;
  for (std::string word; words >> word;) values.push_back(word);
  if (*dtype == DType::string)
    return Tensor::from_strings(shape, values).map([&](Tensor t) { return NamedTensor{name, std::move(t)}; });
  std::vector<std::byte> bytes(values.size() * sizeof(double));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = std::strtod(values[i].c_str(), nullptr);
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  }
  auto numbers = Tensor::from_bytes(DType::f64, shape, std::move(bytes));
  if (!numbers) return tl::unexpected(numbers.error());
  return cast(*numbers, *dtype).map([&](Tensor t) { return NamedTensor{name, std::move(t)}; });
}

/// "fuse_bn_into_conv 2, eliminate_identity 1"
Result<std::vector<std::pair<std::string, int>>> parse_visits(const std::string& text) {
  std::vector<std::pair<std::string, int>> visits;
  for (const auto& item : list_of(text)) {
    std::istringstream words(item);
    std::string pass;
    int times = 0;
    if (!(words >> pass >> times) || times < 1) return fail(ErrorKind::bad_input, "visits '" + item + "': not PASS N");
    visits.emplace_back(pass, times);
  }
  return visits;
}

/// "inputs, outputs, for a reason"
Result<void> apply_host_leaves(CorpusCase& corpus_case, const std::string& value) {
  constexpr std::string_view why = ", for ";
  const auto at = value.find(why);
  if (at == std::string::npos)
    return fail(ErrorKind::bad_input, "host leaves '" + value + "': no reason (', for ...')");
  corpus_case.host_leaves = list_of(value.substr(0, at));
  corpus_case.host_leaves_for = value.substr(at + why.size());
  for (const auto& what : corpus_case.host_leaves) {
    if (what != "inputs" && what != "outputs" && what != "everything")
      return fail(ErrorKind::bad_input, "host leaves '" + what + "': not inputs, outputs or everything");
  }
  return {};
}

/// Directives that are one word or line, and those that are a list.
std::string* text_named(CorpusCase& c, const std::string& key) {
  const std::map<std::string, std::string*> texts{
      {"case", &c.about},          {"verdict", &c.verdict}, {"deployed", &c.deployed}, {"attribution", &c.attribution},
      {"timeout", &c.timeout},     {"memory", &c.memory},   {"baseline", &c.baseline}, {"says", &c.says},
      {"predicate", &c.predicate}, {"levels", &c.levels},   {"without", &c.without},   {"program", &c.program}};
  const auto at = texts.find(key);
  return at == texts.end() ? nullptr : at->second;
}

std::vector<std::string>* list_named(CorpusCase& c, const std::string& key) {
  const std::map<std::string, std::vector<std::string>*> lists{
      {"each", &c.each},   {"recipe", &c.recipe},    {"culprit", &c.culprits},  {"also", &c.also},
      {"fires", &c.fires}, {"warning", &c.warnings}, {"rewrites", &c.rewrites}, {"pieces", &c.pieces}};
  const auto at = lists.find(key);
  return at == lists.end() ? nullptr : at->second;
}

Result<void> apply(CorpusCase& corpus_case, const std::string& key, const std::string& value) {
  if (auto* text = text_named(corpus_case, key)) {
    *text = value;
  } else if (auto* list = list_named(corpus_case, key)) {
    *list = list_of(value);
  } else if (key == "expect") {
    corpus_case.faulty = value == "fault";
  } else if (key == "host leaves") {
    return apply_host_leaves(corpus_case, value);
  } else if (key == "visits") {
    auto visits = parse_visits(value);
    if (!visits) return tl::unexpected(visits.error());
    corpus_case.visits = *visits;
  } else if (key == "sample") {
    corpus_case.samples.emplace_back();
  } else if (key == "input") {
    auto tensor = parse_tensor(value);
    if (!tensor) return tl::unexpected(tensor.error());
    if (corpus_case.samples.empty()) corpus_case.samples.emplace_back();
    corpus_case.samples.back().push_back(std::move(*tensor));
  } else {
    return fail(ErrorKind::bad_input, "unknown directive '" + key + "'");
  }
  return {};
}

}  // namespace

std::vector<fs::path> corpus_files(const std::string& room) {
  std::vector<fs::path> files;
  const fs::path folder = fs::path(CULPRIT_SOURCE) / "tests" / "corpus" / room;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".onnxtxt") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> faulty_corpus_files() {
  std::vector<fs::path> files;
  for (const char* room : {"faults", "interactions", "deployed", "embedded"}) {
    const auto more = corpus_files(room);
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

std::string test_name_of(const fs::path& file) {
  std::string name = file.parent_path().filename().string() + "_" + file.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

Result<CorpusCase> read_corpus_case(const fs::path& path) {
  auto text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  CorpusCase corpus_case;
  corpus_case.name = path.stem();
  corpus_case.room = path.parent_path().filename();
  for (const auto& line : split(*text, '\n')) {
    if (!line.starts_with("#")) {
      corpus_case.model_text += line + "\n";
      continue;
    }
    const std::string directive(trim(std::string_view(line).substr(1)));
    const auto colon = directive.find(':');
    auto applied = colon == std::string::npos ? apply(corpus_case, directive, "")
                                              : apply(corpus_case, directive.substr(0, colon),
                                                      std::string(trim(std::string_view(directive).substr(colon + 1))));
    if (!applied) return fail(ErrorKind::bad_input, path.filename().string() + ": " + applied.error().message);
  }
  return corpus_case;
}

Result<onnx::ModelProto> model_of(const CorpusCase& corpus_case) {
  onnx::ModelProto model;
  const auto parsed = onnx::OnnxParser::Parse(model, corpus_case.model_text.c_str());
  if (!parsed.IsOK()) return fail(ErrorKind::bad_input, corpus_case.name + ": " + parsed.ErrorMessage());
  return model;
}

std::vector<std::string> check_arguments(const CorpusCase& corpus_case, const fs::path& folder) {
  std::vector<std::string> arguments{folder / "model.onnx"};
  const auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) arguments.insert(arguments.end(), {flag, value});
  };
  if (!corpus_case.samples.empty()) add("--data", folder / "data");
  add("--each", join(corpus_case.each, ","));
  add("--passes", join(corpus_case.recipe, ","));
  add("--timeout", corpus_case.timeout);
  add("--memory", corpus_case.memory);
  return arguments;
}

Result<void> write_corpus_case(const CorpusCase& corpus_case, const fs::path& folder) {
  auto model = model_of(corpus_case);
  if (!model) return tl::unexpected(model.error());
  if (auto saved = save_model(*model, folder / "model.onnx"); !saved) return saved;
  for (std::size_t s = 0; s < corpus_case.samples.size(); ++s) {
    const fs::path set = folder / "data" / ("test_data_set_" + std::to_string(s));
    fs::create_directories(set);
    // Data sets bind by position: the order of the model's inputs, not of the lines.
    int position = 0;
    for (const auto& input : interface_of(*model).inputs)
      for (const auto& tensor : corpus_case.samples[s])
        if (tensor.name == input.name)
          if (auto written = write_tensor_proto(set / ("input_" + std::to_string(position++) + ".pb"), tensor);
              !written)
            return written;
    if (position != static_cast<int>(corpus_case.samples[s].size()))
      return fail(ErrorKind::bad_input, corpus_case.name + ": an input line names no input of the model");
  }
  return {};
}

}  // namespace culprit::testing
