// An output of CUB whose elements a functor stores.
#pragma once

#include <thrust/iterator/tabulate_output_iterator.h>

/// Output iterator that passes each T that is assigned to it to a functor, with its index. Unlike
/// Thrust's own iterator it names the type, which CUB needs where Clang compiles it.
template <typename T, typename Store>
struct StoredBy : thrust::tabulate_output_iterator<Store> {
  using value_type = T;
  using thrust::tabulate_output_iterator<Store>::tabulate_output_iterator;
};

/// Returns an output iterator that calls store(index, value) for each element.
template <typename T, typename Store>
StoredBy<T, Store> stored_by(Store store) {
  return StoredBy<T, Store>(store);
}
