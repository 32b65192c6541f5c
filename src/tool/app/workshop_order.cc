#include "app/workshop_order.h"

namespace culprit {
namespace {

std::vector<NamedFile> called(const std::string& flag, const std::vector<std::filesystem::path>& files) {
  std::vector<NamedFile> named;
  named.reserve(files.size());
  for (const std::filesystem::path& file : files) named.push_back({flag, file});
  return named;
}

WorkshopOrder order_of_two(const TwoModelsRequest& request, const char* one, const char* other) {
  return {.models = {{one, request.a}, {other, request.b}},
          .data = request.data,
          .running = request.running,
          .folder = request.folder};
}

}  // namespace

WorkshopOrder order_of(const CheckRequest& request) {
  return {.models = called("MODEL", request.models),
          .data = request.data,
          .running = request.running,
          .folder = request.folder,
          .witnesses = &request.witnesses,
          .optimizer = &request.optimizer,
          .variant = request.variant,
          .known = request.known};
}

WorkshopOrder order_of(const TwoModelsRequest& request) { return order_of_two(request, "A", "B"); }

WorkshopOrder order_of(const DiagnoseRequest& request) {
  WorkshopOrder order = order_of_two(request, "SOURCE", "TARGET");
  for (NamedFile& stage : called("--intermediate", request.intermediates)) order.models.push_back(std::move(stage));
  order.target_data = request.target_data;
  return order;
}

WorkshopOrder order_of(const EvaluateRequest& request) {
  return {.models = called("MODEL", request.models),
          .data = request.data,
          .running = request.running,
          .folder = request.folder};
}

WorkshopOrder order_of(const ProfileRequest& request) {
  return {.models = called("MODEL", request.models),
          .data = request.data,
          .running = request.running,
          .folder = request.folder,
          .optimizer = request.optimizer ? &*request.optimizer : nullptr};
}

WorkshopOrder order_of(const ReduceRequest& request) {
  return {.models = {{"MODEL", request.model}},
          .data = request.data,
          .running = request.running,
          .folder = request.folder,
          .witnesses = &request.witnesses,
          .optimizer = &request.optimizer};
}

}  // namespace culprit
