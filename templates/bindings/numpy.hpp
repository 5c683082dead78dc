// NumPy's arrays and numbers as arguments and results of C++ functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "templates/bindings/dtype_name.hpp"
#include "templates/bindings/extent.hpp"

inline std::string type_name(py::handle object) { return py::str(py::type::handle_of(object).attr("__name__")); }

/// Which row of a nested list has another length than the first one, for the message; nothing if
/// none has.
inline std::string ragged_row(Argument argument, py::sequence rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!py::isinstance<py::sequence>(rows[i]) || !py::isinstance<py::sequence>(rows[0])) break;
    const std::size_t first = py::len(rows[0]), length = py::len(rows[i]);
    if (length != first)
      return std::string(argument.function) + ": row " + std::to_string(i) + " of " + argument.name + " must have " +
             std::to_string(first) + " elements, as row 0 has, not " + std::to_string(length);
  }
  return "";
}

/// NumPy's array of a list or tuple.
inline py::array array_of_list(Argument argument, py::sequence list) {
  try {
    return py::module_::import("numpy").attr("asarray")(list);
  } catch (const py::error_already_set& error) {
    const std::string row = ragged_row(argument, list);
    throw std::invalid_argument(row.empty() ? argument.must("be an array: ") + error.what() : row);
  }
}

/// The array in the type of a parameter, in which its numbers, of a list, are the same: integers
/// that fit, or floats rounded.
inline py::array converted(Argument argument, const std::string& dtype, const py::array& numbers) {
  const auto is_integer = [](char kind) { return kind == 'i' || kind == 'u'; };
  const char kind = numbers.dtype().kind(), wanted = py::dtype(dtype).kind();
  const bool fits = numbers.size() == 0 || kind == wanted || (is_integer(kind) && (is_integer(wanted) || wanted == 'f'));
  if (!fits) throw py::type_error(argument.must("be " + dtype + ", not " + py::str(numbers.dtype()).cast<std::string>()));
  const py::array result = numbers.attr("astype")(dtype);
  if (is_integer(wanted) && !py::module_::import("numpy").attr("array_equal")(result, numbers).cast<bool>())
    throw std::overflow_error(argument.must("fit in " + dtype));
  return result;
}

/// The array that was given; nothing is copied if it is one.
inline py::array as_array(Argument argument, const std::string& dtype, const py::object& given) {
  if (py::isinstance<py::array>(given)) return given;
  if (py::isinstance<py::list>(given) || py::isinstance<py::tuple>(given))
    return converted(argument, dtype, array_of_list(argument, given));
  const py::array array = py::module_::import("numpy").attr("asarray")(given);
  if (array.dtype().kind() == 'O' || array.dtype().kind() == 'U')
    throw py::type_error(argument.must("be an array of " + dtype + ", not " + type_name(given)));
  return array;
}

/// An array argument. It is read where it lies; only what is not contiguous is copied.
template <typename T>
class Input {
 public:
  Input(Argument argument, const py::object& given, const std::vector<Dimension>& dimensions)
      : array_(as_array(argument, dtype_name<T>(), given)) {
    if (!array_.dtype().equal(py::dtype(dtype_name<T>())))
      throw py::type_error(argument.must("be " + dtype_name<T>() + ", not " + py::str(array_.dtype()).cast<std::string>()));
    meet_shape(argument, {array_.shape(), array_.shape() + array_.ndim()}, dimensions);
    constexpr int aligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
    array_ = py::array::ensure(array_, py::array::c_style | aligned);
    if (!array_) throw py::error_already_set();
  }
  const T* data() const { return static_cast<const T*>(array_.data()); }

 private:
  py::array array_;
};

/// A number or truth value that is passed by itself.
template <typename T>
T read_scalar(Argument argument, const py::object& given) {
  const auto expected = [&](const char* what) {
    return py::type_error(argument.must(std::string("be ") + what + " (" + dtype_name<T>() + "), not " + type_name(given)));
  };
  const bool array = py::isinstance<py::array>(given) && py::array(given).ndim() > 0;
  const bool truth = py::isinstance<py::bool_>(given) || type_name(given).rfind("bool", 0) == 0;
  if constexpr (std::is_same_v<T, bool>) {
    if (array || !truth) throw expected("a truth value");
    return given.attr("__bool__")().template cast<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    if (array || truth || !PyIndex_Check(given.ptr())) throw expected("an integer");
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
    if (!index) {
      PyErr_Clear();
      throw expected("an integer");
    }
    const py::int_ least(std::numeric_limits<T>::min()), greatest(std::numeric_limits<T>::max());
    if (index < least || index > greatest)
      throw std::overflow_error(argument.must("fit in " + dtype_name<T>() + ", unlike " + py::str(index).cast<std::string>()));
    return index.template cast<T>();
  } else {
    if (array || truth || py::isinstance<py::str>(given)) throw expected("a number");
    const double value = PyFloat_AsDouble(given.ptr());
    if (PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw expected("a number");
    }
    return static_cast<T>(value);
  }
}

/// A result, which is written where NumPy has it.
template <typename T>
class Output {
 public:
  Output(Argument result, std::vector<int64_t> shape) {
    for (int64_t& extent : shape) extent = extent < 0 ? 0 : extent;  // the function fails
    try {
      array_ = py::array(py::dtype(dtype_name<T>()), shape);
    } catch (py::error_already_set& error) {
      const bool memory = error.matches(PyExc_MemoryError);
      py::raise_from(error, memory ? PyExc_MemoryError : PyExc_ValueError,
                     (std::string(result.function) + ": no memory for " + result.name).c_str());
      throw py::error_already_set();
    }
  }
  T* data() { return static_cast<T*>(array_.mutable_data()); }
  /// An array, or a number of NumPy's.
  py::object value() const { return array_.ndim() > 0 ? py::object(array_) : py::object(array_[py::tuple()]); }

 private:
  py::array array_;
};
