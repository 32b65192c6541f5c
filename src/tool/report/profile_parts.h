#pragma once
// What all ways of showing a profile have in common: its numbers in words, and what follows from them. Seen in this
// room only.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/profile.h"
#include "report/layout.h"

namespace culprit {

/// Was it measured at all?
bool is_there(const TimeRecord& time);
bool is_there(const RatioRecord& ratio);
bool is_there(const GraphRecord& graph);

/// What the entry is held against. null where the report names no such entry.
const ProfileEntry* baseline_of(const ProfileReport& report, const ProfileEntry& entry);
bool is_baseline(const ProfileReport& report, const ProfileEntry& entry);
/// What the entries are held against, for a head: the baseline's name, or that each model has its own. "" where there
/// is nothing to hold against it.
std::string against_what(const ProfileReport& report, const std::function<std::string(const std::string&)>& shown);
/// What the entry's graph was before anybody optimized it: the entry of the same model that no optimizer touched, at
/// level "off"; else the baseline. null where that one has no graph.
const ProfileEntry* original_of(const ProfileReport& report, const ProfileEntry& entry);
/// Models in the order of the entries, each once.
std::vector<std::string> models_of(const ProfileReport& report);
/// The larger one of loading and running, in bytes.
std::optional<std::uint64_t> memory_peak(const ProfileEntry& entry);
/// The samples a second of runs with several samples each; "" where a run is one sample, or nobody knows.
std::string samples_a_second(const ProfileEntry& entry);
/// Change in percent, from the original; nothing where that has no nodes.
std::optional<double> node_change(const ProfileEntry& entry, const ProfileEntry& original);

/// "83.1 us", "12.4 ms", "1.53 s"; "?" for what is no time.
std::string short_seconds(double seconds);
/// "1.24 x (1.21 to 1.27)": three digits where it is about 1; "1.24 x" where no interval was made (--protocol otx); ""
/// where it was not measured.
std::string ratio_text(const RatioRecord& ratio);
/// "24 % more time", "21 % less time", "2.3 times as long", "7.8 times as fast", "as fast".
std::string speed_words(double ratio);
/// "between 2 % less and 6 % more time".
std::string interval_words(const RatioRecord& ratio);
/// The interval of a row that is ambiguous, in words; "2 blocks are too few for a verdict" where it has none.
std::string doubt_words(const ProfileEntry& entry);
/// "SLOWER", "same", "not measured"; of what failed "FAILED at load".
std::string verdict_words(const ProfileEntry& entry);
Ink ink_of(SpeedVerdict verdict);
/// "1.32 G", "814 k", "12": of three digits.
std::string scaled(double value);
/// "1.32 GFLOP", "160 B".
std::string scaled(double value, std::string_view unit);
/// "213 M", "213 M + 3 nodes not counted", "" where neither is known: FLOPs or bytes that some nodes are not in.
/// `unit`:
/// "" or "FLOP", "B".
std::string graph_figure(const std::optional<double>& figure, const GraphRecord& graph, std::string_view unit = "");
/// "CPUExecutionProvider" -> "CPU".
std::string provider_name(std::string_view provider);

struct OpChange {
  std::string op;
  std::int64_t before = 0, after = 0;
};

/// By how much more or less of a type there is, the most first. What is alike is not in it.
std::vector<OpChange> op_changes(const GraphRecord& before, const GraphRecord& after);

/// Counts the nodes of all types together.
std::int64_t nodes_in(const std::map<std::string, std::int64_t>& ops);
/// The types that most nodes are of, as a mean of their shares over the entries; the most first.
std::vector<std::string> top_op_types(const ProfileReport& report, std::size_t count);

/// The steps of a search for blame, among so many: "no step", "all 4 steps", "a, b".
std::string words_of_steps(const std::vector<std::string>& steps, std::size_t all);
/// By operator type, the most first: "16 Erf more, 2 Conv fewer"; "" where nothing changed.
std::string change_words(const std::map<std::string, std::int64_t>& ops_changed);

struct OpTime {
  std::string op;
  double seconds = 0, share = 0;
  std::int64_t nodes = 0;
};

/// Nodes' times by operator type, the slowest first. Times that are no numbers count as none.
std::vector<OpTime> op_times(const NodeTimes& times);

/// "of the baseline's nodes 0.3 ms stand against none of these"; "" where there is nothing to tell.
std::string baseline_elsewhere(const NodeTimes& times);

/// The metric that says in one number how good the rows are: against labels where the data have any, else against the
/// baseline's decisions. nullopt where no row has one.
struct HeadMetric {
  std::string name;  ///< "top1", "map_50_95"
  bool is_against_labels = false;
};
std::optional<HeadMetric> head_metric(const ProfileReport& report);
/// nullopt where the row has none.
std::optional<MetricRecord> value_of(const HeadMetric& metric, const ProfileEntry& entry);

}  // namespace culprit
