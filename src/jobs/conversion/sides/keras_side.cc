#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "base/as_index.h"
#include "base/file.h"
#include "base/text.h"
#include "conversion/sides/fed_samples.h"
#include "conversion/sides/keras_edits.h"
#include "conversion/sides/network_natures.h"
#include "conversion/sides/side.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

void add_distinct(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

/// Layers of Keras, and the graph that runs them. The session computes what it is asked for and is not fed, so views of
/// parts need no files of their own.
class KerasSide : public Side {
 public:
  KerasSide(KerasRun keras, fs::path folder, SideOptions options)
      : keras_(std::move(keras)),
        folder_(std::move(folder)),
        options_(std::move(options)),
        natures_(natures_of(keras_.network)) {}

  /// The file of all views, near to where they are made.
  Result<void> copy_graph(const fs::path& graph) const {
    std::error_code error;
    fs::copy_file(graph, base_file(), fs::copy_options::overwrite_existing, error);
    if (!error) return {};
    return fail(ErrorKind::io, fmt::format("cannot copy {}: {}", printable(graph.string()), error.message()));
  }

  [[nodiscard]] const Network& network() const override { return keras_.network; }
  [[nodiscard]] bool can_be_drawn() const override { return true; }
  [[nodiscard]] Nature nature_of(int value) const override { return natures_[as_index(value)]; }

  Result<PreparedRun> prepare(const SideView& view, const std::vector<fs::path>& samples,
                              const fs::path& folder) const override {
    tensorflow::Graph graph;
    KerasEdits edits(keras_, graph);
    if (!view.edits.empty())
      if (auto ok = read_graph(graph).and_then([&] { return edits.make(view.edits); }); !ok)
        return tl::unexpected(ok.error());
    PreparedRun run;
    run.job.session = options_.session;
    run.job.limits = options_.limits;
    run.outputs = keras_.graph.outputs;
    if (view.only_layers) run.outputs.assign(run.outputs.size(), "");
    if (auto ok = show(view, edits, run); !ok) return tl::unexpected(ok.error());
    FedSamples fed;
    if (auto ok = place_feeds(view, run, fed); !ok) return tl::unexpected(ok.error());
    run.job.model = folder_ / fmt::format("view-{}.pb", number_++);  // whoever runs it may remove it
    const auto there =
        view.edits.empty() ? link_graph(run.job.model) : write_file_atomic(run.job.model, graph.SerializeAsString());
    if (!there) return tl::unexpected(there.error());
    if (auto ok = give_samples(fed, samples, folder, run.job); !ok) return tl::unexpected(ok.error());
    return run;
  }

 private:
  [[nodiscard]] fs::path base_file() const { return folder_ / "base.pb"; }
  [[nodiscard]] const NetworkValue& value_of(int value) const { return keras_.network.values[as_index(value)]; }

  [[nodiscard]] Result<void> read_graph(tensorflow::Graph& graph) const {
    const auto bytes = read_file(base_file());
    if (!bytes) return tl::unexpected(bytes.error());
    if (graph.ParseFromString(*bytes)) return {};
    return fail(ErrorKind::bad_input, "the graph that Keras made cannot be read");
  }

  /// Another name for it, or a copy where the file system has none.
  [[nodiscard]] Result<void> link_graph(const fs::path& file) const {
    std::error_code error;
    fs::create_hard_link(base_file(), file, error);
    if (!error) return {};
    fs::copy_file(base_file(), file, error);
    if (!error) return {};
    return fail(ErrorKind::io, fmt::format("cannot write {}: {}", printable(file.string()), error.message()));
  }

  [[nodiscard]] Result<void> show(const SideView& view, const KerasEdits& edits, PreparedRun& run) const {
    if (!view.only_layers)
      for (const std::string& output : run.outputs) add_distinct(run.job.session.fetch, output);
    for (const int value : view.values) {
      const std::string tensor = edits.shown(value);
      if (tensor.empty())
        return fail(ErrorKind::unsupported, fmt::format("no run of Keras shows '{}'", printable(value_of(value).name)));
      run.names.push_back(tensor);
      add_distinct(run.job.session.fetch, tensor);
    }
    return {};
  }

  /// What nobody uses need not be fed.
  [[nodiscard]] Result<void> place_feeds(const SideView& view, PreparedRun& run, FedSamples& fed) const {
    for (const SideFeed& feed : view.feeds) {
      const NetworkValue& value = value_of(feed.value);
      const KerasTensors& tensors = keras_.tensors[as_index(feed.value)];
      const bool is_input = std::ranges::find(keras_.network.inputs, feed.value) != keras_.network.inputs.end();
      if (feed.by_sample.empty() || (!is_input && tensors.shown.empty()))
        return fail(ErrorKind::unsupported, fmt::format("'{}' cannot be fed", printable(value.name)));
      run.fed.push_back(is_input ? value.name : tensors.fed);
      if (is_input) {
        fed.feeds[value.name] = &feed;
      } else if (!tensors.fed.empty()) {
        fed.feeds[tensors.fed] = &feed;
        add_distinct(run.job.session.feed, tensors.fed);
      }
    }
    return {};
  }

  KerasRun keras_;
  fs::path folder_;
  SideOptions options_;
  std::vector<Nature> natures_;
  mutable std::atomic<int> number_ = 0;  // of files: none is written twice
};

}  // namespace

Result<std::unique_ptr<Side>> open_keras_side(KerasRun keras, const fs::path& frozen_graph, fs::path folder,
                                              SideOptions options) {
  auto side = std::make_unique<KerasSide>(std::move(keras), std::move(folder), std::move(options));
  if (auto ok = side->copy_graph(frozen_graph); !ok) return tl::unexpected(ok.error());
  return side;
}

}  // namespace culprit
