#include "comparator/metric_means.h"

#include <algorithm>

namespace culprit {

void MetricMeans::add(const NamedNumbers& numbers) {
  for (const auto& [name, number] : numbers) {
    Metric& metric = metrics_[name];
    metric.values.add(number);
    metric.least = std::min(metric.least, number);
    metric.most = std::max(metric.most, number);
  }
}

void MetricMeans::merge(const MetricMeans& later) {
  for (const auto& [name, from] : later.metrics_) {
    Metric& metric = metrics_[name];
    metric.values.merge(from.values);
    metric.least = std::min(metric.least, from.least);
    metric.most = std::max(metric.most, from.most);
  }
}

void MetricMeans::write(StateWriter& state) const {
  state.add(static_cast<std::uint64_t>(metrics_.size()));
  for (const auto& [name, metric] : metrics_) {
    state.add(std::string_view(name)).add(metric.least).add(metric.most);
    metric.values.write(state);
  }
}

MetricMeans MetricMeans::read(StateReader& state) {
  MetricMeans means;
  const auto count = state.next<std::uint64_t>();
  if (count > most_metrics) state.refuse();
  for (std::uint64_t i = 0; i < count && state.is_good(); ++i) {
    const std::string name(state.text());
    Metric metric;
    metric.least = state.next<double>();
    metric.most = state.next<double>();
    metric.values = SampleValues::read(state);
    if (metric.values.size() == 0 || !means.metrics_.emplace(name, std::move(metric)).second) state.refuse();
  }
  return means;
}

std::map<std::string, MetricRecord> MetricMeans::records(std::uint64_t seed) const {
  std::map<std::string, MetricRecord> records;
  for (const auto& [name, metric] : metrics_) {
    const bool is_share = metric.least >= 0 && metric.most <= 1;
    const Estimate mean = is_share ? metric.values.share(seed) : metric.values.mean(seed);
    records[name] = {mean.value, mean.low, mean.high};
  }
  return records;
}

}  // namespace culprit
