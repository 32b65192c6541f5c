#include "network/tflite/read_graph.h"

#include <algorithm>

namespace culprit {
namespace {

constexpr std::uint64_t copies_allowed = 16;  // of each byte, for parts of a file may share a text or a list

/// One table of the file, its fields by name.
class TableReader {
 public:
  TableReader(FlatBytes file, std::string_view name, std::size_t at, std::uint64_t& taken)
      : file_(file), table_(tflite_schema().table(name)), at_(at), taken_(&taken) {}

  /// Tells where a field stands; 0 where it is not stored.
  [[nodiscard]] std::size_t at(std::string_view field) const {
    return file_.field(at_, tflite_schema().field(table_, field));
  }
  template <class T>
  [[nodiscard]] T number(std::string_view field) const {
    const auto place = at(field);
    if (place != 0) return file_.get<T>(place);
    return static_cast<T>(tflite_schema().tables[table_].fields[tflite_schema().field(table_, field)].preset);
  }
  template <class T>
  [[nodiscard]] std::vector<T> list(std::string_view field) const {
    return at(field) == 0 ? std::vector<T>() : list_at<T>(file_.target(at(field)));
  }
  template <class T>
  [[nodiscard]] std::vector<T> list_at(std::size_t vector) const {
    const std::size_t count = file_.get<std::uint32_t>(vector);
    if (!file_.holds(vector, 4 + count * sizeof(T)) || !may_take(count * sizeof(T))) return {};
    std::vector<T> made(count);
    if (count != 0) std::memcpy(made.data(), file_.bytes.data() + vector + 4, count * sizeof(T));
    return made;
  }
  [[nodiscard]] std::string text(std::string_view field) const {
    return at(field) == 0 ? std::string() : text_at(file_.target(at(field)));
  }
  [[nodiscard]] std::string text_at(std::size_t place) const {
    const auto characters = list_at<char>(place);
    return {characters.begin(), characters.end()};
  }
  [[nodiscard]] std::size_t count(std::string_view field) const {
    return at(field) == 0 ? 0 : file_.get<std::uint32_t>(file_.target(at(field)));
  }
  /// Calls `use` with each table of a vector of them.
  template <class Use>
  void each(std::string_view field, std::string_view table, const Use& use) const {
    const auto vector = at(field) == 0 ? 0 : file_.target(at(field));
    for (std::size_t element = 0; element < count(field) && may_take(64); ++element) {
      use(TableReader(file_, table, file_.target(vector + 4 + 4 * element), *taken_));
    }
  }
  [[nodiscard]] std::optional<TableReader> child(std::string_view field, std::string_view table) const {
    if (at(field) == 0) return std::nullopt;
    return TableReader(file_, table, file_.target(at(field)), *taken_);
  }
  /// The name of the table that a union holds; "" where there is none, or one that the schema does not know.
  [[nodiscard]] std::string_view chosen(std::string_view field) const {
    const auto number = tflite_schema().field(table_, field);
    const auto selector = file_.field(at_, number - 1);
    const auto& words = tflite_schema().unions[tflite_schema().tables[table_].fields[number].of].words;
    const std::size_t word = selector == 0 ? 0 : file_.get<std::uint8_t>(selector);
    return word == 0 || word >= words.size() || at(field) == 0 ? std::string_view() : words[word];
  }
  [[nodiscard]] TfliteValue value(const FlatField& field, std::size_t place) const;
  [[nodiscard]] std::size_t place() const { return at_; }

 private:
  [[nodiscard]] bool may_take(std::uint64_t more) const {
    *taken_ += more;
    return *taken_ <= copies_allowed * file_.bytes.size();
  }
  [[nodiscard]] std::int64_t integer(FlatKind kind, std::size_t place) const;

  FlatBytes file_;
  std::size_t table_;
  std::size_t at_;
  std::uint64_t* taken_;
};

std::int64_t TableReader::integer(FlatKind kind, std::size_t place) const {
  switch (kind) {
    case FlatKind::i8:
      return file_.get<std::int8_t>(place);
    case FlatKind::boolean:
    case FlatKind::u8:
      return file_.get<std::uint8_t>(place);
    case FlatKind::i16:
      return file_.get<std::int16_t>(place);
    case FlatKind::u16:
      return file_.get<std::uint16_t>(place);
    case FlatKind::u32:
      return file_.get<std::uint32_t>(place);
    case FlatKind::i64:
    case FlatKind::u64:
      return file_.get<std::int64_t>(place);
    default:
      return file_.get<std::int32_t>(place);
  }
}

TfliteValue TableReader::value(const FlatField& field, std::size_t place) const {
  if (field.kind == FlatKind::string) return text_at(file_.target(place));
  if (field.is_vector && field.kind == FlatKind::f32) {
    const auto stored = list_at<float>(file_.target(place));
    return std::vector<double>(stored.begin(), stored.end());
  }
  if (field.is_vector) {
    const auto vector = file_.target(place);
    const std::size_t elements = file_.get<std::uint32_t>(vector);
    std::vector<std::int64_t> made;
    if (!may_take(elements * sizeof(std::int64_t))) return made;
    for (std::size_t at = 0; at < elements; ++at) {
      made.push_back(integer(field.kind, vector + 4 + at * flat_width(field.kind)));
    }
    return made;
  }
  if (field.kind == FlatKind::boolean) return integer(field.kind, place) != 0;
  if (field.kind == FlatKind::f32) return static_cast<double>(file_.get<float>(place));
  return integer(field.kind, place);
}

TfliteQuantization read_quantization(const TableReader& table) {
  TfliteQuantization made;
  made.min = table.list<float>("min");
  made.max = table.list<float>("max");
  made.scale = table.list<float>("scale");
  made.zero_point = table.list<std::int64_t>("zero_point");
  made.dimension = table.number<std::int32_t>("quantized_dimension");
  made.details = table.chosen("details");
  return made;
}

TfliteTensor read_tensor(const TableReader& table) {
  TfliteTensor made;
  made.name = table.text("name");
  made.type = table.number<std::int8_t>("type");
  made.shape = table.list<std::int32_t>("shape");
  made.shape_signature = table.list<std::int32_t>("shape_signature");
  made.buffer = table.number<std::uint32_t>("buffer");
  made.external_buffer = table.number<std::uint32_t>("external_buffer");
  if (const auto inside = table.child("quantization", "QuantizationParameters")) {
    made.quantization = read_quantization(*inside);
  }
  made.is_variable = table.number<std::uint8_t>("is_variable") != 0;
  made.has_rank = table.number<std::uint8_t>("has_rank") != 0;
  made.is_sparse = table.at("sparsity") != 0;
  made.variant_tensors = table.count("variant_tensors");
  return made;
}

void read_options(TfliteOperator& made, const TableReader& table) {
  for (const std::string_view field : {"builtin_options", "builtin_options_2"}) {
    const auto chosen = table.chosen(field);
    if (chosen.empty() && table.at(field) != 0) made.has_unknown_options = true;
    if (chosen.empty() || !made.options_table.empty()) continue;
    made.options_table = chosen;
    const auto inside = *table.child(field, chosen);
    const auto& fields = tflite_schema().tables[tflite_schema().table(chosen)].fields;
    made.options.reserve(fields.size());
    auto known = tflite_option_fields(chosen);
    for (std::size_t number = 0; number < fields.size(); ++number) {
      TfliteOption option{static_cast<std::uint16_t>(number), fields[number].name, std::move(known[number].preset),
                          false};
      if (const auto place = inside.at(fields[number].name); place != 0) {
        option.is_stored = true;
        option.value = inside.value(fields[number], place);
      }
      made.options.push_back(std::move(option));
    }
  }
}

TfliteOperator read_operator(const TableReader& table) {
  TfliteOperator made;
  made.code_index = table.number<std::uint32_t>("opcode_index");
  made.inputs = table.list<std::int32_t>("inputs");
  made.outputs = table.list<std::int32_t>("outputs");
  made.intermediates = table.list<std::int32_t>("intermediates");
  made.custom_options = table.text("custom_options");
  read_options(made, table);
  return made;
}

TfliteSubgraph read_subgraph(const TableReader& table) {
  TfliteSubgraph made;
  made.name = table.text("name");
  made.inputs = table.list<std::int32_t>("inputs");
  made.outputs = table.list<std::int32_t>("outputs");
  table.each("tensors", "Tensor", [&](const TableReader& inside) { made.tensors.push_back(read_tensor(inside)); });
  table.each("operators", "Operator",
             [&](const TableReader& inside) { made.operators.push_back(read_operator(inside)); });
  return made;
}

TfliteOperatorCode read_code(const TableReader& table) {
  // Codes up to 127 stood in a byte once, and still do; the larger of both is meant.
  const auto old = std::int32_t{table.number<std::int8_t>("deprecated_builtin_code")};
  return {std::max(old, table.number<std::int32_t>("builtin_code")), table.text("custom_code"),
          table.number<std::int32_t>("version")};
}

TfliteBufferPlace read_buffer(const TableReader& table, FlatBytes file) {
  if (table.at("data") != 0) {
    const auto vector = file.target(table.at("data"));
    const auto size = file.get<std::uint32_t>(vector);
    if (size != 0) return {vector + 4, size, false};
  }
  const auto at = table.number<std::uint64_t>("offset");
  if (at <= 1) return {};  // 1 marks a place that was never filled
  return {at, table.number<std::uint64_t>("size"), true};
}

TfliteSignature read_signature(const TableReader& table) {
  TfliteSignature made{table.text("signature_key"), table.number<std::uint32_t>("subgraph_index"), {}, {}};
  const auto names_of = [&table](std::string_view field) {
    std::vector<std::pair<std::string, std::uint32_t>> names;
    table.each(field, "TensorMap", [&names](const TableReader& inside) {
      names.emplace_back(inside.text("name"), inside.number<std::uint32_t>("tensor_index"));
    });
    return names;
  };
  made.inputs = names_of("inputs");
  made.outputs = names_of("outputs");
  return made;
}

}  // namespace

Result<TfliteGraph> read_tflite_graph(FlatBytes file, const FlatIndex& index, const std::string& where) {
  std::uint64_t taken = 0;
  const TableReader model(file, "Model", file.target(0), taken);
  TfliteGraph made;
  made.version = model.number<std::uint32_t>("version");
  made.description = model.text("description");
  made.has_unknown_fields = index.has_unknown_fields_before(file.bytes.size());
  model.each("operator_codes", "OperatorCode", [&](const TableReader& t) { made.codes.push_back(read_code(t)); });
  model.each("subgraphs", "SubGraph", [&](const TableReader& t) { made.subgraphs.push_back(read_subgraph(t)); });
  model.each("buffers", "Buffer", [&](const TableReader& t) { made.buffers.push_back(read_buffer(t, file)); });
  model.each("metadata", "Metadata", [&](const TableReader& t) {
    made.metadata.emplace_back(t.text("name"), t.number<std::uint32_t>("buffer"));
  });
  model.each("signature_defs", "SignatureDef",
             [&](const TableReader& t) { made.signatures.push_back(read_signature(t)); });
  if (taken > copies_allowed * file.bytes.size()) {
    return fail(ErrorKind::bad_input,
                where + " is no usual TFLite file: its parts share so much that it would take more than " +
                    std::to_string(copies_allowed) + " times its size in memory",
                "convert or download it again");
  }
  for (const auto& buffer : made.buffers) {
    if (!file.holds(buffer.at, buffer.size)) {
      return fail(ErrorKind::bad_input,
                  where + " was cut short: a buffer is said to lie at byte " + std::to_string(buffer.at) +
                      " and to have " + std::to_string(buffer.size) + " bytes, but the file ends at " +
                      std::to_string(file.bytes.size()),
                  "download it again");
    }
  }
  return made;
}

}  // namespace culprit
