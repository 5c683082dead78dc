// An output of CUB that a functor stores.
#pragma once

#include <thrust/iterator/tabulate_output_iterator.h>

/// Hands what is assigned to it, a T, to a functor, with its index. Thrust's own iterator does not
/// name the type, which CUB needs where Clang compiles it.
template <typename T, typename Store>
struct StoredBy : thrust::tabulate_output_iterator<Store> {
  using value_type = T;
  using thrust::tabulate_output_iterator<Store>::tabulate_output_iterator;
};

/// An output iterator whose elements `store` takes.
template <typename T, typename Store>
StoredBy<T, Store> stored_by(Store store) {
  return StoredBy<T, Store>(store);
}
