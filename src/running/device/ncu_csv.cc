#include "device/ncu_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/csv.h"
#include "base/text.h"
#include "device/small_files.h"

namespace culprit {
namespace {

constexpr std::size_t longest_name = 300;
constexpr const char* run_again = "run it again; if it stays so, look at what `ncu --csv --page raw` prints";

/// "1,234.5" -> 1234.5; nothing for "n/a", "nan", "(!) n/a" and all else that is no number from 0 on.
std::optional<double> number_from(std::string text) {
  std::erase(text, ',');
  return number_in<double>(trim(text));
}

/// A unit of time in seconds; newer versions write "ns" for "nsecond".
std::optional<double> seconds_in(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, double>, 9> units = {{{"nsecond", 1e-9},
                                                                         {"ns", 1e-9},
                                                                         {"usecond", 1e-6},
                                                                         {"us", 1e-6},
                                                                         {"msecond", 1e-3},
                                                                         {"ms", 1e-3},
                                                                         {"second", 1},
                                                                         {"s", 1},
                                                                         {"sec", 1}}};
  const auto at = std::ranges::find(units, unit, &std::pair<std::string_view, double>::first);
  return at == units.end() ? std::nullopt : std::optional(at->second);
}

/// A mean in which each value has a weight.
struct WeightedMean {
  double sum = 0, weight = 0;
  void add(const std::optional<double>& value, double by) {
    if (!value) return;
    sum += *value * by;
    weight += by;
  }
  [[nodiscard]] double result() const { return weight > 0 ? sum / weight : 0; }
};

struct KernelSums {
  std::int64_t calls = 0;
  double seconds = 0;
  WeightedMean block, grid, sm, memory, occupancy;
};

class Table {
 public:
  void take(const CsvFields& fields, std::size_t line) {
    if (!wrong_.empty()) return;
    if (names_.empty()) {
      names_ = fields;
      for (const char* name : {"Kernel Name", ncu_metric::time})
        if (std::ranges::find(names_, name) == names_.end()) wrong_ = std::string("there is no column ") + name;
    } else if (fields.size() != names_.size()) {
      wrong_ = fmt::format("line {} of its table has {} columns, and not {}", line, fields.size(), names_.size());
    } else if (at(fields, "ID").empty()) {
      unit_of_time_ = at(fields, ncu_metric::time);
    } else {
      add(fields);
    }
  }
  [[nodiscard]] Result<std::vector<KernelRecord>> result(std::optional<std::size_t> cut_off) const;

 private:
  [[nodiscard]] std::string at(const CsvFields& fields, std::string_view name) const {
    const auto found = std::ranges::find(names_, name);
    return found == names_.end() ? "" : fields[static_cast<std::size_t>(found - names_.begin())];
  }
  void add(const CsvFields& fields);

  CsvFields names_;
  std::string unit_of_time_ = "nsecond";  // the base unit, which is asked for
  std::map<std::string, KernelSums> kernels_;
  std::string wrong_;  // the first thing
};

void Table::add(const CsvFields& fields) {
  const auto unit = seconds_in(unit_of_time_);
  if (!unit) {
    wrong_ = "the unit of " + std::string(ncu_metric::time) + " is '" + printable(unit_of_time_, 40) + "'";
    return;
  }
  const auto number = [&](const char* name) { return number_from(at(fields, name)); };
  const double seconds = number(ncu_metric::time).value_or(0) * *unit;
  const double weight = std::max(seconds, 1e-12);  // of a kernel without a time it counts little, and not nothing
  KernelSums& sums = kernels_[printable(at(fields, "Kernel Name"), longest_name)];
  ++sums.calls;
  sums.seconds += seconds;
  sums.block.add(number(ncu_metric::block_size), 1);
  sums.grid.add(number(ncu_metric::grid_size), 1);
  sums.sm.add(number(ncu_metric::sm), weight);
  sums.occupancy.add(number(ncu_metric::occupancy), weight);
  const auto memory = number(ncu_metric::memory);
  sums.memory.add(memory ? memory : number(ncu_metric::dram), weight);
}

Result<std::vector<KernelRecord>> Table::result(std::optional<std::size_t> cut_off) const {
  if (!wrong_.empty()) return fail(ErrorKind::bad_input, "what ncu printed cannot be read: " + wrong_, run_again);
  if (cut_off)
    return fail(ErrorKind::bad_input, fmt::format("what ncu printed is cut off in line {} of its table", *cut_off),
                run_again);
  std::vector<KernelRecord> kernels;
  for (const auto& [name, sums] : kernels_)
    kernels.push_back({name, sums.calls, sums.block.result(), sums.grid.result(), sums.sm.result(),
                       sums.memory.result(), sums.seconds,
                       sums.occupancy.weight > 0 ? std::optional(sums.occupancy.result()) : std::nullopt});
  std::ranges::stable_sort(kernels, std::greater(), &KernelRecord::seconds);
  return kernels;
}

/// From the line of names on, without ncu's own words among the lines; empty where there is none.
std::string table_in(std::string_view text) {
  std::string table;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);  // npos + 1 is 0
    const std::string_view taken = line.empty() ? text : line;
    const bool is_names = taken.starts_with("\"ID\",") && taken.find("\"Kernel Name\"") != std::string_view::npos;
    if ((is_names || !table.empty()) && !taken.starts_with("==")) table += taken;
    text.remove_prefix(taken.size());
  }
  return table;
}

}  // namespace

Result<std::vector<KernelRecord>> read_ncu_csv(std::string_view text) {
  const std::string lines = table_in(text);
  if (lines.empty()) return fail(ErrorKind::not_found, "ncu saw no kernel", "does the model run on the GPU?");
  Table table;
  const auto broken = read_csv(lines, [&](const CsvFields& fields, std::size_t line) { table.take(fields, line); });
  if (!broken && lines.ends_with('\n')) return table.result(std::nullopt);
  return table.result(static_cast<std::size_t>(std::ranges::count(lines, '\n')) + 1);
}

}  // namespace culprit
