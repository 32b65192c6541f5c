#pragma once
// What operators of ONNX compute, for tests that need a model to run and no runtime: float32, slow and plain. What is
// asked of them wrongly throws.

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "support/tensor_index.h"
#include "tensor/tensor.h"

namespace culprit::testing {

/// One node and the tensors that it takes.
class NodeOnTensors {
 public:
  NodeOnTensors(const onnx::NodeProto& node, std::vector<const Tensor*> inputs)
      : node_(node), inputs_(std::move(inputs)) {}

  /// Its first output.
  [[nodiscard]] Tensor computed() const {
    const std::string& op = node_.op_type();
    if (const auto each = elementwise(); each) return mapped(each);
    if (const auto both = of_two(); both) return of_both(both);
    if (op == "Conv") return conv();
    if (op == "MaxPool" || op == "AveragePool") return pool(op == "MaxPool");
    if (op == "GlobalAveragePool") return reduced({2, 3}, true);
    if (op == "ReduceMean") return reduced(attribute("axes", Wholes{}), whole("keepdims", 1) != 0);
    if (op == "BatchNormalization") return normalized();
    if (op == "Gemm") return gemm();
    if (op == "MatMul") return matmul(x(), in(1));
    if (op == "Softmax") return softmax();
    if (op == "Transpose") return transposed(x(), attribute("perm", Wholes{}));
    if (op == "Concat") return concat();
    if (op == "Pad") return padded(wholes_of(in(1)));
    if (op == "Gather") return gathered();
    return reshaped();
  }

 private:
  [[nodiscard]] const Tensor& x() const { return in(0); }
  [[nodiscard]] const Tensor& in(std::size_t at) const {
    demand(has(at), node_.op_type() + " lacks an input");
    return *inputs_[at];
  }
  [[nodiscard]] bool has(std::size_t at) const { return at < inputs_.size() && inputs_[at] != nullptr; }
  [[nodiscard]] const onnx::AttributeProto* find(const std::string& name) const {
    for (const auto& attribute : node_.attribute())
      if (attribute.name() == name) return &attribute;
    return nullptr;
  }
  [[nodiscard]] Wholes attribute(const std::string& name, const Wholes& otherwise) const {
    const auto* found = find(name);
    return found == nullptr ? otherwise : Wholes(found->ints().begin(), found->ints().end());
  }
  [[nodiscard]] std::int64_t whole(const std::string& name, std::int64_t otherwise) const {
    const auto* found = find(name);
    return found == nullptr ? otherwise : found->i();
  }
  [[nodiscard]] float real(const std::string& name, float otherwise) const {
    const auto* found = find(name);
    return found == nullptr ? otherwise : found->f();
  }

  [[nodiscard]] std::function<float(float)> elementwise() const {
    const std::string& op = node_.op_type();
    if (op == "Relu") return [](float a) { return std::max(a, 0.0F); };
    if (op == "LeakyRelu") return [alpha = real("alpha", 0.01F)](float a) { return a < 0 ? alpha * a : a; };
    if (op == "Sigmoid") return [](float a) { return 1 / (1 + std::exp(-a)); };
    if (op == "Tanh") return [](float a) { return std::tanh(a); };
    if (op == "Erf") return [](float a) { return std::erf(a); };
    if (op == "Neg") return [](float a) { return -a; };
    if (op == "Abs") return [](float a) { return std::fabs(a); };
    if (op == "Sqrt") return [](float a) { return std::sqrt(a); };
    if (op == "Exp") return [](float a) { return std::exp(a); };
    if (op == "Identity" || op == "Dropout" || op == "Cast") return [](float a) { return a; };
    if (op != "Clip") return {};
    const float least = has(1) ? floats_of(in(1)).front() : -INFINITY;
    const float most = has(2) ? floats_of(in(2)).front() : INFINITY;
    return [=](float a) { return std::min(std::max(a, least), most); };
  }
  [[nodiscard]] Tensor mapped(const std::function<float(float)>& each) const {
    if (node_.op_type() == "Cast") return cast(x(), static_cast<DType>(whole("to", 1))).value();
    if (node_.op_type() == "Identity") return x();
    Floats made;
    for (const float number : floats_of(x())) made.push_back(each(number));
    return Tensor::of<float>(x().shape(), made);
  }

  [[nodiscard]] std::function<float(float, float)> of_two() const {
    const std::string& op = node_.op_type();
    if (op == "Add") return [](float a, float b) { return a + b; };
    if (op == "Sub") return [](float a, float b) { return a - b; };
    if (op == "Mul") return [](float a, float b) { return a * b; };
    if (op == "Div") return [](float a, float b) { return a / b; };
    if (op == "Pow") return [](float a, float b) { return std::pow(a, b); };
    if (op == "Min") return [](float a, float b) { return std::min(a, b); };
    if (op == "Max") return [](float a, float b) { return std::max(a, b); };
    if (op == "PRelu") return [](float a, float b) { return a < 0 ? a * b : a; };
    return {};
  }
  [[nodiscard]] Tensor of_both(const std::function<float(float, float)>& both) const {
    Shape a = x().shape(), b = in(1).shape();
    const std::size_t rank = std::max(a.size(), b.size());
    a.insert(a.begin(), rank - a.size(), 1);
    b.insert(b.begin(), rank - b.size(), 1);
    Shape shape(rank);
    for (std::size_t i = 0; i < rank; ++i) {
      demand(a[i] == b[i] || a[i] == 1 || b[i] == 1, "shapes do not broadcast");
      shape[i] = a[i] == 1 ? b[i] : a[i];
    }
    const Floats one = floats_of(x()), other = floats_of(in(1));
    Floats made;
    each_index(shape, [&](const Wholes& at) {
      Wholes of_a = at, of_b = at;
      for (std::size_t i = 0; i < rank; ++i) {
        if (a[i] == 1) of_a[i] = 0;
        if (b[i] == 1) of_b[i] = 0;
      }
      made.push_back(both(one[offset_of(of_a, a)], other[offset_of(of_b, b)]));
    });
    return Tensor::of<float>(shape, made);
  }

  /// Windows over two axes: output index along an axis -> first input index.
  struct Windows {
    Wholes kernel, strides, pads, dilations;
    Shape in, out;
    [[nodiscard]] std::int64_t at(std::size_t axis, std::int64_t out_at, std::int64_t k) const {
      return out_at * strides[axis] - pads[axis] + k * dilations[axis];
    }
    [[nodiscard]] bool is_inside(std::int64_t i, std::int64_t j) const {
      return i >= 0 && j >= 0 && i < in[2] && j < in[3];
    }
  };
  [[nodiscard]] Windows windows(const Wholes& kernel, std::int64_t channels) const {
    demand(x().shape().size() == 4 && kernel.size() == 2, "two axes are known here, no others");
    Windows w{
        kernel,      attribute("strides", {1, 1}), attribute("pads", {0, 0, 0, 0}), attribute("dilations", {1, 1}),
        x().shape(), {x().shape()[0], channels}};
    for (std::size_t i = 0; i < 2; ++i) {
      const auto covered = w.dilations[i] * (kernel[i] - 1) + 1;
      const auto room = w.in[i + 2] + w.pads[i] + w.pads[i + 2] - covered;
      demand(room >= 0 && w.pads[i] >= 0 && w.pads[i + 2] >= 0, "the window is larger than the picture");
      w.out.push_back(room / w.strides[i] + 1);
    }
    return w;
  }
  [[nodiscard]] Tensor conv() const {
    const Tensor& kernel = in(1);
    const Shape& k = kernel.shape();
    const auto groups = whole("group", 1);
    const Windows w = windows({k.at(2), k.at(3)}, k[0]);
    demand(k[1] * groups == w.in[1] && k[0] % groups == 0, "channels and groups do not fit");
    const Floats values = floats_of(x()), weights = floats_of(kernel), bias = has(2) ? floats_of(in(2)) : Floats();
    Floats made;
    each_index(w.out, [&](const Wholes& at) {
      double sum = bias.empty() ? 0 : bias.at(static_cast<std::size_t>(at[1]));
      const auto first = at[0] * w.in[1] + at[1] / (k[0] / groups) * k[1];
      // Most of the time of many tests goes into this loop, so it makes no list of indices.
      for (std::int64_t c = 0; c < k[1]; ++c)
        for (std::int64_t y = 0; y < k[2]; ++y)
          for (std::int64_t z = 0; z < k[3]; ++z) {
            const auto i = w.at(0, at[2], y), j = w.at(1, at[3], z);
            if (!w.is_inside(i, j)) continue;
            const auto value = ((first + c) * w.in[2] + i) * w.in[3] + j;
            const auto weight = ((at[1] * k[1] + c) * k[2] + y) * k[3] + z;
            sum += static_cast<double>(values[static_cast<std::size_t>(value)]) *
                   weights[static_cast<std::size_t>(weight)];
          }
      made.push_back(static_cast<float>(sum));
    });
    return Tensor::of<float>(w.out, made);
  }
  [[nodiscard]] Tensor pool(bool takes_most) const {
    const Windows w = windows(attribute("kernel_shape", {1, 1}), x().shape().at(1));
    const Floats values = floats_of(x());
    const bool counts_pads = whole("count_include_pad", 0) != 0;
    Floats made;
    each_index(w.out, [&](const Wholes& at) {
      float most = -INFINITY, sum = 0, count = 0;
      each_index(w.kernel, [&](const Wholes& k) {
        const auto i = w.at(0, at[2], k[0]), j = w.at(1, at[3], k[1]);
        count += w.is_inside(i, j) || counts_pads ? 1.0F : 0.0F;
        if (!w.is_inside(i, j)) return;
        const float value = values[offset_of({at[0], at[1], i, j}, w.in)];
        most = std::max(most, value);
        sum += value;
      });
      made.push_back(takes_most ? most : sum / count);
    });
    return Tensor::of<float>(w.out, made);
  }

  [[nodiscard]] Tensor reduced(Wholes axes, bool keeps) const {
    const Shape& shape = x().shape();
    for (auto& axis : axes) axis += axis < 0 ? std::ssize(shape) : 0;
    const auto is_reduced = [&](std::size_t axis) {
      return axes.empty() || std::ranges::find(axes, static_cast<std::int64_t>(axis)) != axes.end();
    };
    Shape kept, given;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      kept.push_back(is_reduced(i) ? 1 : shape[i]);
      if (keeps || !is_reduced(i)) given.push_back(kept.back());
    }
    std::vector<double> sums(static_cast<std::size_t>(product_of(kept, 0, kept.size())));
    const Floats values = floats_of(x());
    std::size_t i = 0;
    each_index(shape, [&](Wholes at) {
      for (std::size_t axis = 0; axis < shape.size(); ++axis) at[axis] = is_reduced(axis) ? 0 : at[axis];
      sums[offset_of(at, kept)] += values[i++];
    });
    Floats made;
    for (const double sum : sums)
      made.push_back(static_cast<float>(sum * static_cast<double>(sums.size()) / static_cast<double>(values.size())));
    return Tensor::of<float>(given, made);
  }
  [[nodiscard]] Tensor normalized() const {
    const Floats values = floats_of(x()), scale = floats_of(in(1)), bias = floats_of(in(2)), mean = floats_of(in(3)),
                 variance = floats_of(in(4));
    Floats made;
    each_index(x().shape(), [&](const Wholes& at) {
      const auto c = static_cast<std::size_t>(at[1]);
      made.push_back((values[made.size()] - mean.at(c)) * scale.at(c) /
                         std::sqrt(variance.at(c) + real("epsilon", 1e-5F)) +
                     bias.at(c));
    });
    return Tensor::of<float>(x().shape(), made);
  }

  [[nodiscard]] Tensor matmul(const Tensor& a, const Tensor& b) const {
    const Shape &one = a.shape(), &other = b.shape();
    demand(one.size() >= 2 && other.size() >= 2 && one.back() == other[other.size() - 2], "matrices do not fit");
    const auto rows = one[one.size() - 2], inner = one.back(), columns = other.back();
    const auto batches = product_of(one, 0, one.size() - 2);
    const bool is_shared = other.size() == 2;
    demand(is_shared || product_of(other, 0, other.size() - 2) == batches, "batches do not fit");
    const Floats left = floats_of(a), right = floats_of(b);
    Shape shape = one;
    shape.back() = columns;
    Floats made;
    each_index({batches, rows, columns}, [&](const Wholes& at) {
      double sum = 0;
      const auto row = (at[0] * rows + at[1]) * inner, column = (is_shared ? 0 : at[0]) * inner * columns + at[2];
      for (std::int64_t k = 0; k < inner; ++k)
        sum += static_cast<double>(left[static_cast<std::size_t>(row + k)]) *
               right[static_cast<std::size_t>(column + k * columns)];
      made.push_back(static_cast<float>(sum));
    });
    return Tensor::of<float>(shape, made);
  }
  [[nodiscard]] Tensor gemm() const {
    const Tensor a = whole("transA", 0) != 0 ? transposed(x(), {1, 0}) : x();
    const Tensor b = whole("transB", 0) != 0 ? transposed(in(1), {1, 0}) : in(1);
    const Tensor product = matmul(a, b);
    if (!has(2)) return product;
    onnx::NodeProto add;
    add.set_op_type("Add");
    return NodeOnTensors(add, {&product, &in(2)}).computed();
  }
  [[nodiscard]] Tensor softmax() const {
    const Shape& shape = x().shape();
    const auto given = whole("axis", -1);
    const auto axis = static_cast<std::size_t>(given < 0 ? given + std::ssize(shape) : given);
    Shape sums_shape = shape;
    sums_shape.at(axis) = 1;
    std::vector<double> sums(static_cast<std::size_t>(product_of(sums_shape, 0, shape.size())));
    const Floats values = floats_of(x());
    const auto place = [&](Wholes at) {
      at[axis] = 0;
      return offset_of(at, sums_shape);
    };
    each_index(shape, [&](const Wholes& at) { sums[place(at)] += std::exp(values[offset_of(at, shape)]); });
    Floats made;
    each_index(shape, [&](const Wholes& at) {
      made.push_back(static_cast<float>(std::exp(values[offset_of(at, shape)]) / sums[place(at)]));
    });
    return Tensor::of<float>(shape, made);
  }

  [[nodiscard]] static Tensor transposed(const Tensor& tensor, Wholes perm) {
    const Shape& from = tensor.shape();
    if (perm.empty())
      for (auto axis = std::ssize(from); axis-- > 0;) perm.push_back(axis);
    demand(perm.size() == from.size(), "perm does not fit");
    Shape shape;
    for (const auto axis : perm) shape.push_back(from.at(static_cast<std::size_t>(axis)));
    const Floats values = floats_of(tensor);
    Floats made;
    each_index(shape, [&](const Wholes& at) {
      Wholes source(at.size());
      for (std::size_t i = 0; i < at.size(); ++i) source[static_cast<std::size_t>(perm[i])] = at[i];
      made.push_back(values[offset_of(source, from)]);
    });
    return Tensor::of<float>(shape, made);
  }
  [[nodiscard]] Tensor concat() const {
    Shape shape = x().shape();
    const auto given = whole("axis", 0);
    const auto axis = static_cast<std::size_t>(given < 0 ? given + std::ssize(shape) : given);
    for (std::size_t i = 1; i < inputs_.size(); ++i) shape.at(axis) += in(i).shape().at(axis);
    Floats made;
    for (std::int64_t outer = 0; outer < product_of(shape, 0, axis); ++outer) {
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const auto length = product_of(in(i).shape(), axis, shape.size());
        const Floats values = floats_of(in(i));
        demand(std::ssize(values) >= (outer + 1) * length, "pieces do not fit");
        made.insert(made.end(), values.begin() + outer * length, values.begin() + (outer + 1) * length);
      }
    }
    return Tensor::of<float>(shape, made);
  }
  [[nodiscard]] Tensor padded(const Wholes& pads) const {
    const Shape& from = x().shape();
    const std::size_t rank = from.size();
    demand(pads.size() == 2 * rank && !has(3), "pads do not fit");
    Shape shape(rank);
    for (std::size_t i = 0; i < rank; ++i) shape[i] = from[i] + pads[i] + pads[i + rank];
    const Floats values = floats_of(x());
    const float fill = has(2) ? floats_of(in(2)).front() : 0;
    Floats made;
    each_index(shape, [&](Wholes at) {
      bool is_inside = true;
      for (std::size_t i = 0; i < rank; ++i) {
        at[i] -= pads[i];
        is_inside = is_inside && at[i] >= 0 && at[i] < from[i];
      }
      made.push_back(is_inside ? values[offset_of(at, from)] : fill);
    });
    return Tensor::of<float>(shape, made);
  }
  [[nodiscard]] Tensor gathered() const {
    demand(whole("axis", 0) == 0, "rows are gathered, nothing else");
    Shape shape = in(1).shape(), row(x().shape().begin() + 1, x().shape().end());
    shape.insert(shape.end(), row.begin(), row.end());
    const Floats values = floats_of(x());
    const auto length = product_of(row, 0, row.size());
    Floats made;
    for (const auto at : wholes_of(in(1))) {
      demand(at >= 0 && at < x().shape().front(), "there is no such row");
      made.insert(made.end(), values.begin() + at * length, values.begin() + (at + 1) * length);
    }
    return Tensor::of<float>(shape, made);
  }

  /// Flatten, Reshape, Squeeze, Unsqueeze.
  [[nodiscard]] Tensor reshaped() const {
    const Shape shape = new_shape();
    demand(product_of(shape, 0, shape.size()) == x().count(), "the shape has another count");
    return Tensor::from_bytes(x().dtype(), shape, {x().bytes().begin(), x().bytes().end()}).value();
  }
  [[nodiscard]] Shape new_shape() const {
    const std::string& op = node_.op_type();
    const Shape& from = x().shape();
    if (op == "Flatten") {
      const auto axis = static_cast<std::size_t>(whole("axis", 1));
      return {product_of(from, 0, axis), product_of(from, axis, from.size())};
    }
    Wholes asked = has(1) ? wholes_of(in(1)) : Wholes();
    if (op == "Unsqueeze" || op == "Squeeze") return with_axes(op == "Unsqueeze", asked);
    demand(op == "Reshape", op + " is not known here");
    std::int64_t known = 1;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (asked[i] == 0) asked[i] = from.at(i);
      if (asked[i] > 0) known *= asked[i];
    }
    for (auto& size : asked) size = size < 0 ? x().count() / known : size;
    return asked;
  }
  [[nodiscard]] Shape with_axes(bool adds, Wholes axes) const {
    Shape shape = x().shape();
    const auto rank = std::ssize(shape) + (adds ? std::ssize(axes) : 0);
    for (auto& axis : axes) axis += axis < 0 ? rank : 0;
    std::ranges::sort(axes);
    if (!adds) std::ranges::reverse(axes);
    for (const auto axis : axes)
      adds ? void(shape.insert(shape.begin() + axis, 1)) : void(shape.erase(shape.begin() + axis));
    return shape;
  }

  const onnx::NodeProto& node_;
  std::vector<const Tensor*> inputs_;
};

}  // namespace culprit::testing
