#include "app/workshop_order.h"

namespace culprit {

WorkshopOrder order_of(const CheckRequest& request) {
  return {.models = request.models,
          .data = request.data,
          .running = request.running,
          .folder = request.folder,
          .witnesses = &request.witnesses,
          .optimizer = &request.optimizer,
          .variant = request.variant,
          .known = request.known};
}

WorkshopOrder order_of(const TwoModelsRequest& request) {
  return {.models = {request.a, request.b}, .data = request.data, .running = request.running, .folder = request.folder};
}

WorkshopOrder order_of(const DiagnoseRequest& request) {
  WorkshopOrder order = order_of(static_cast<const TwoModelsRequest&>(request));
  order.models.insert(order.models.end(), request.intermediates.begin(), request.intermediates.end());
  order.target_data = request.target_data;
  return order;
}

WorkshopOrder order_of(const EvaluateRequest& request) {
  return {.models = request.models, .data = request.data, .running = request.running, .folder = request.folder};
}

WorkshopOrder order_of(const ProfileRequest& request) {
  return {.models = request.models,
          .data = request.data,
          .running = request.running,
          .folder = request.folder,
          .optimizer = request.optimizer ? &*request.optimizer : nullptr};
}

WorkshopOrder order_of(const ReduceRequest& request) {
  return {.models = {request.model},
          .data = request.data,
          .running = request.running,
          .folder = request.folder,
          .witnesses = &request.witnesses,
          .optimizer = &request.optimizer};
}

}  // namespace culprit
