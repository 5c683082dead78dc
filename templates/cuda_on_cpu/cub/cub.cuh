// A stand-in for the subset of CUB that emitted code uses, for cuda_on_cpu. One file, as CUB's own header is.
//
// It is found before the real CUB only when rewritten code is compiled; the rewriter itself parses
// the .cu file with the real CUB, so a call that this file accepts but CUB rejects is caught.
// Where CUB leaves something open (results of all threads but the first, the association of
// an operator's applications), this file is as unhelpful as the contract allows.
#pragma once

#include "cuda_on_cpu.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

namespace stand_in {

using cuda_emulation::fail;

struct Plus {
  template <class A, class B>
  auto operator()(A const& a, B const& b) const {
    return a + b;
  }
};
struct Minimum {
  template <class T>
  T operator()(T const& a, T const& b) const {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <class T>
  T operator()(T const& a, T const& b) const {
    return a < b ? b : a;
  }
};

/// The temporary storage of a block-wide operation: one T per thread, as raw bytes (the
/// variable must have no constructor), and when it was last used.
template <class T, int threads>
struct BlockStorage {
  alignas(T) unsigned char bytes[sizeof(T) * threads];
  unsigned long long barriers_at_last_use;  // all ones: never, as shared memory starts so

  T& operator[](int thread) { return reinterpret_cast<T*>(bytes)[thread]; }
};

/// What the block-wide operations have in common.
template <class T, int dim_x, int dim_y, int dim_z>
class BlockOperation {
 public:
  static constexpr int threads = dim_x * dim_y * dim_z;
  using TempStorage = BlockStorage<T, threads>;

 protected:
  CUDA_EMULATION_INLINED explicit BlockOperation(TempStorage& storage) : storage_(storage) {
    if (blockDim.x != dim_x || blockDim.y != dim_y || blockDim.z != dim_z)
      fail("a CUB block operation for %dx%dx%d threads in a block of %ux%ux%u", dim_x, dim_y, dim_z,
           blockDim.x, blockDim.y, blockDim.z);
  }

  static int thread() { return cuda_emulation::linear_thread_index(); }

  /// Puts the threads' inputs into the storage; on return all are there.
  CUDA_EMULATION_INLINED void exchange(T const& input) {
    put(input);
    __syncthreads();
  }

  CUDA_EMULATION_INLINED void put(T const& input) {
    cuda_emulation::Uncounted const own;
    if (thread() == 0 &&
        storage_.barriers_at_last_use == cuda_emulation::block_barriers_completed())
      fail("CUB temporary storage is used again without a __syncthreads() in between");
    storage_[thread()] = input;
  }

  /// The storage stays in use until the caller's next barrier: there is none here, so that a
  /// program that relies on one is caught.
  void end_use() {
    if (thread() == 0) storage_.barriers_at_last_use = cuda_emulation::block_barriers_completed();
  }

  TempStorage& storage_;
};

}  // namespace stand_in

// ---------------------------------------------------------------------------------------
template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockReduce : public stand_in::BlockOperation<T, BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> {
  using Base = stand_in::BlockOperation<T, BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;

 public:
  CUDA_EMULATION_INLINED explicit BlockReduce(typename Base::TempStorage& storage)
      : Base(storage) {}

  /// Only thread 0 gets the result.
  template <class Operator>
  CUDA_EMULATION_INLINED T Reduce(T input, Operator combine, int valid_items = Base::threads) {
    this->exchange(input);
    cuda_emulation::Uncounted const own;
    T result = cuda_emulation::undefined_value<T>();
    if (this->thread() == 0 && valid_items > 0) {
      result = this->storage_[0];
      for (int i = 1; i < valid_items && i < Base::threads; ++i)
        result = combine(result, this->storage_[i]);
    }
    this->end_use();
    return result;
  }
  template <int ITEMS, class Operator>
  CUDA_EMULATION_INLINED T Reduce(T (&inputs)[ITEMS], Operator combine) {
    T partial = inputs[0];
    for (int i = 1; i < ITEMS; ++i) partial = combine(partial, inputs[i]);
    return Reduce(partial, combine);
  }
  CUDA_EMULATION_INLINED T Sum(T input) { return Reduce(input, stand_in::Plus{}); }
  CUDA_EMULATION_INLINED T Sum(T input, int valid_items) {
    return Reduce(input, stand_in::Plus{}, valid_items);
  }
  template <int ITEMS>
  CUDA_EMULATION_INLINED T Sum(T (&inputs)[ITEMS]) {
    return Reduce(inputs, stand_in::Plus{});
  }
};

// ---------------------------------------------------------------------------------------
template <class T, int BLOCK_DIM_X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1>
class BlockScan : public stand_in::BlockOperation<T, BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z> {
  using Base = stand_in::BlockOperation<T, BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z>;

 public:
  CUDA_EMULATION_INLINED explicit BlockScan(typename Base::TempStorage& storage) : Base(storage) {}

  template <class Operator>
  CUDA_EMULATION_INLINED void InclusiveScan(T input, T& output, Operator combine,
                                            T& block_aggregate) {
    scan(input, combine);
    cuda_emulation::Uncounted const own;
    output = this->storage_[this->thread()];
    block_aggregate = this->storage_[Base::threads - 1];
    this->end_use();
  }
  template <class Operator>
  CUDA_EMULATION_INLINED void InclusiveScan(T input, T& output, Operator combine) {
    T aggregate;
    InclusiveScan(input, output, combine, aggregate);
  }
  template <class Operator>
  CUDA_EMULATION_INLINED void ExclusiveScan(T input, T& output, T initial, Operator combine,
                                            T& block_aggregate) {
    scan(input, combine);
    cuda_emulation::Uncounted const own;
    int const thread = this->thread();
    output = thread == 0 ? initial : T(combine(initial, this->storage_[thread - 1]));
    block_aggregate = this->storage_[Base::threads - 1];  // without `initial`, as in CUB
    this->end_use();
  }
  template <class Operator>
  CUDA_EMULATION_INLINED void ExclusiveScan(T input, T& output, T initial, Operator combine) {
    T aggregate;
    ExclusiveScan(input, output, initial, combine, aggregate);
  }
  /// Without an initial value thread 0's output is undefined.
  template <class Operator>
  CUDA_EMULATION_INLINED void ExclusiveScan(T input, T& output, Operator combine) {
    scan(input, combine);
    cuda_emulation::Uncounted const own;
    int const thread = this->thread();
    output = thread == 0 ? cuda_emulation::undefined_value<T>() : this->storage_[thread - 1];
    this->end_use();
  }
  CUDA_EMULATION_INLINED void InclusiveSum(T input, T& output) {
    InclusiveScan(input, output, stand_in::Plus{});
  }
  CUDA_EMULATION_INLINED void InclusiveSum(T input, T& output, T& block_aggregate) {
    InclusiveScan(input, output, stand_in::Plus{}, block_aggregate);
  }
  CUDA_EMULATION_INLINED void ExclusiveSum(T input, T& output) {
    ExclusiveScan(input, output, T{}, stand_in::Plus{});
  }
  CUDA_EMULATION_INLINED void ExclusiveSum(T input, T& output, T& block_aggregate) {
    ExclusiveScan(input, output, T{}, stand_in::Plus{}, block_aggregate);
  }

 private:
  template <class Operator>
  CUDA_EMULATION_INLINED void scan(T const& input, Operator combine) {
    this->exchange(input);
    if (this->thread() == 0) {
      cuda_emulation::Uncounted const own;
      for (int i = 1; i < Base::threads; ++i)
        this->storage_[i] = combine(this->storage_[i - 1], this->storage_[i]);
    }
    __syncthreads();
  }
};

// ---------------------------------------------------------------------------------------
template <class T, int LOGICAL_WARP_THREADS = 32>
class WarpReduce {
 public:
  struct TempStorage {
    unsigned char unused;
  };
  explicit WarpReduce(TempStorage&) {}

  /// Only the first lane of each logical warp gets the result.
  template <class Operator>
  CUDA_EMULATION_UNREPORTED T Reduce(T input, Operator combine,
                                     int valid_items = LOGICAL_WARP_THREADS) {
    int const lane = cuda_emulation::lane_index();
    int const first = lane - lane % LOGICAL_WARP_THREADS;
    unsigned const mask = LOGICAL_WARP_THREADS == 32
                              ? 0xFFFFFFFFu
                              : ((1u << LOGICAL_WARP_THREADS % 32) - 1u) << first;
    alignas(T) unsigned char bytes[sizeof(T) * 32];
    unsigned const lanes = cuda_emulation::warp_gather(mask, &input, bytes, sizeof input);
    cuda_emulation::Uncounted const own;
    T const* const values = reinterpret_cast<T const*>(bytes);
    if (lane != first) return cuda_emulation::undefined_value<T>();
    T result = values[first];
    for (int i = 1; i < LOGICAL_WARP_THREADS && i < valid_items; ++i)
      if ((lanes >> (first + i)) & 1u) result = combine(result, values[first + i]);
    return result;
  }
  T Sum(T input) { return Reduce(input, stand_in::Plus{}); }
  T Sum(T input, int valid_items) { return Reduce(input, stand_in::Plus{}, valid_items); }
};

// ---------------------------------------------------------------------------------------
// Device-wide algorithms.
// ---------------------------------------------------------------------------------------
namespace stand_in {

template <class Iterator>
using Value = typename std::iterator_traits<Iterator>::value_type;

/// The two-phase protocol: true if this call only asks for the size.  The size grows with the
/// problem, and the storage is overwritten, so that too small a one is noticed.
template <class Count>
bool asks_for_size(void* storage, std::size_t& bytes, Count items, cudaError_t& error) {
  std::size_t const needed = 256 + static_cast<std::size_t>(items) / 16;
  error = cudaSuccess;
  if (storage == nullptr) {
    bytes = needed;
    return true;
  }
  if (bytes < needed || cuda_emulation::device_bytes_from(storage) < needed) {
    error = cudaErrorInvalidValue;
    return true;
  }
  cuda_emulation::DeviceMemoryAccess const access;
  std::memset(storage, 0xEE, needed);
  return false;
}

/// Reduces in an order that only a commutative and associative operator does not notice.
template <class T, class Iterator, class Operator>
T reduce(Iterator values, std::ptrdiff_t count, Operator combine, T initial) {
  constexpr std::ptrdiff_t strides = 4;
  T result = initial;
  for (std::ptrdiff_t first = std::min(strides, count) - 1; first >= 0; --first) {
    T partial = values[first];
    for (std::ptrdiff_t i = first + strides; i < count; i += strides)
      partial = combine(partial, T(values[i]));
    result = combine(result, partial);
  }
  return result;
}

/// Scans tile by tile, so that the operator's associativity is made use of.  The input is
/// copied first: in-place scans are allowed.
template <class T, class Iterator, class Operator>
std::vector<T> inclusive_scan(Iterator values, std::ptrdiff_t count, Operator combine) {
  constexpr std::ptrdiff_t tile = 7;
  std::vector<T> result(static_cast<std::size_t>(count));
  for (std::ptrdiff_t i = 0; i < count; ++i) result[i] = values[i];
  for (std::ptrdiff_t first = 0; first < count; first += tile) {
    std::ptrdiff_t const last = std::min(first + tile, count);
    for (std::ptrdiff_t i = first + 1; i < last; ++i) result[i] = combine(result[i - 1], result[i]);
    if (first > 0)
      for (std::ptrdiff_t i = first; i < last; ++i)
        result[i] = combine(result[first - 1], result[i]);
  }
  return result;
}

}  // namespace stand_in

struct DeviceReduce {
  template <class In, class Out, class Operator, class T, class Count>
  static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, Count count,
                            Operator combine, T initial, cudaStream_t = nullptr) {
    cudaError_t error;
    if (stand_in::asks_for_size(storage, bytes, count, error)) return error;
    cuda_emulation::LibraryCall const call("cub::DeviceReduce::Reduce");
    using Accumulator = std::decay_t<decltype(combine(initial, *in))>;
    *out = stand_in::reduce<Accumulator>(in, count, combine, initial);
    return cudaSuccess;
  }
  template <class In, class Out, class Count>
  static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, Count count,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, count, stand_in::Plus{}, stand_in::Value<In>{}, stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, Count count,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, count, stand_in::Minimum{},
                  std::numeric_limits<stand_in::Value<In>>::max(), stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, Count count,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, count, stand_in::Maximum{},
                  std::numeric_limits<stand_in::Value<In>>::lowest(), stream);
  }
  template <class Keys, class UniqueKeys, class Values, class Aggregates, class Runs,
            class Operator, class Count>
  static cudaError_t ReduceByKey(void* storage, std::size_t& bytes, Keys keys,
                                 UniqueKeys unique_keys, Values values, Aggregates aggregates,
                                 Runs run_count, Operator combine, Count count,
                                 cudaStream_t = nullptr) {
    cudaError_t error;
    if (stand_in::asks_for_size(storage, bytes, count, error)) return error;
    cuda_emulation::LibraryCall const call("cub::DeviceReduce::ReduceByKey");
    std::ptrdiff_t runs = 0;
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(count);) {
      stand_in::Value<Values> aggregate = values[i];
      std::ptrdiff_t end = i + 1;
      for (; end < static_cast<std::ptrdiff_t>(count) && keys[end] == keys[i]; ++end)
        aggregate = combine(aggregate, values[end]);
      unique_keys[runs] = keys[i];
      aggregates[runs++] = aggregate;
      i = end;
    }
    *run_count = static_cast<std::decay_t<decltype(*run_count)>>(runs);
    return cudaSuccess;
  }
};

struct DeviceScan {
  /// Told apart by whether CUB hands a number round with its state, or a struct behind it. A __half is a number, though a class.
  template <class T>
  static constexpr char const* inclusive_scan_of = std::is_class<T>::value && sizeof(T) > 2 ? "cub::DeviceScan::InclusiveScan, structs"
                                                                                            : "cub::DeviceScan::InclusiveScan";

  template <class In, class Out, class Operator, class Count>
  static cudaError_t InclusiveScan(void* storage, std::size_t& bytes, In in, Out out,
                                   Operator combine, Count count, cudaStream_t = nullptr) {
    cudaError_t error;
    if (stand_in::asks_for_size(storage, bytes, count, error)) return error;
    cuda_emulation::LibraryCall const call(inclusive_scan_of<stand_in::Value<In>>);
    auto const result = stand_in::inclusive_scan<stand_in::Value<In>>(in, count, combine);
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(count); ++i) out[i] = result[i];
    return cudaSuccess;
  }
  template <class In, class Out, class Operator, class T, class Count>
  static cudaError_t ExclusiveScan(void* storage, std::size_t& bytes, In in, Out out,
                                   Operator combine, T initial, Count count,
                                   cudaStream_t = nullptr) {
    cudaError_t error;
    if (stand_in::asks_for_size(storage, bytes, count, error)) return error;
    cuda_emulation::LibraryCall const call("cub::DeviceScan::ExclusiveScan");
    using Accumulator = std::decay_t<decltype(combine(initial, *in))>;
    auto const result = stand_in::inclusive_scan<Accumulator>(in, count, combine);
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(count); ++i)
      out[i] = i == 0 ? Accumulator(initial) : combine(initial, result[i - 1]);
    return cudaSuccess;
  }
  template <class In, class Out, class Count>
  static cudaError_t InclusiveSum(void* storage, std::size_t& bytes, In in, Out out, Count count,
                                  cudaStream_t stream = nullptr) {
    return InclusiveScan(storage, bytes, in, out, stand_in::Plus{}, count, stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t ExclusiveSum(void* storage, std::size_t& bytes, In in, Out out, Count count,
                                  cudaStream_t stream = nullptr) {
    return ExclusiveScan(storage, bytes, in, out, stand_in::Plus{}, stand_in::Value<In>{}, count,
                         stream);
  }
};

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begins, class Ends, class Operator, class T>
  static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out,
                            std::int64_t segments, Begins begins, Ends ends, Operator combine,
                            T initial, cudaStream_t = nullptr) {
    cudaError_t error;
    if (stand_in::asks_for_size(storage, bytes, segments, error)) return error;
    cuda_emulation::LibraryCall const call("cub::DeviceSegmentedReduce::Reduce");
    using Accumulator = std::decay_t<decltype(combine(initial, *in))>;
    for (std::int64_t s = 0; s < segments; ++s)
      out[s] = stand_in::reduce<Accumulator>(in + begins[s], ends[s] - begins[s], combine, initial);
    return cudaSuccess;
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, std::int64_t segments,
                         Begins begins, Ends ends, cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, segments, begins, ends, stand_in::Plus{},
                  stand_in::Value<In>{}, stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, std::int64_t segments,
                         Begins begins, Ends ends, cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, segments, begins, ends, stand_in::Minimum{},
                  std::numeric_limits<stand_in::Value<In>>::max(), stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, std::int64_t segments,
                         Begins begins, Ends ends, cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, segments, begins, ends, stand_in::Maximum{},
                  std::numeric_limits<stand_in::Value<In>>::lowest(), stream);
  }
};

namespace stand_in {
/// The bits of a key in the order in which a radix sort compares them.
template <class Key>
std::uint64_t ordered_bits(Key key) {
  constexpr int bits = 8 * sizeof(Key);
  constexpr std::uint64_t sign = std::uint64_t(1) << (bits - 1);
  std::uint64_t value = 0;
  std::memcpy(&value, &key, sizeof key);  // little-endian
  if (std::is_floating_point<Key>::value) {
    if (value == sign) value = 0;  // -0 and +0 are equal
    return value & sign ? ~value & (sign | (sign - 1)) : value | sign;
  }
  return std::is_signed<Key>::value ? value ^ sign : value;
}
}  // namespace stand_in

struct DeviceRadixSort {
  /// Told apart by how often everything is moved, which counts do not tell.
  static constexpr char const* names[] = {"cub::DeviceRadixSort::SortKeys, 1 digit",  "cub::DeviceRadixSort::SortKeys, 2 digits", "cub::DeviceRadixSort::SortKeys, 3 digits",
                                          "cub::DeviceRadixSort::SortKeys, 4 digits", "cub::DeviceRadixSort::SortKeys, 5 digits", "cub::DeviceRadixSort::SortKeys, 6 digits",
                                          "cub::DeviceRadixSort::SortKeys, 7 digits", "cub::DeviceRadixSort::SortKeys, 8 digits"};

  template <class Key, class Count>
  static cudaError_t SortKeys(void* storage, std::size_t& bytes, Key const* keys_in, Key* keys_out, Count count, int begin_bit = 0,
                              int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
    cudaError_t error;
    if (stand_in::asks_for_size(storage, bytes, count, error)) return error;
    if (begin_bit < 0 || begin_bit >= end_bit || end_bit > static_cast<int>(8 * sizeof(Key))) return cudaErrorInvalidValue;
    cuda_emulation::LibraryCall const call(names[(end_bit - begin_bit - 1) / 8]);
    std::vector<Key> sorted;
    sorted.reserve(static_cast<std::size_t>(count));
    for (Count i = 0; i < count; ++i) sorted.push_back(keys_in[i]);
    auto const digits = [&](Key key) { return digits_of(key, begin_bit, end_bit); };
    std::stable_sort(sorted.begin(), sorted.end(), [&](Key a, Key b) { return digits(a) < digits(b); });
    for (Count i = 0; i < count; ++i) keys_out[i] = sorted[static_cast<std::size_t>(i)];
    return cudaSuccess;
  }
  template <class Key, class Item, class Count>
  static cudaError_t SortPairs(void* storage, std::size_t& bytes, Key const* keys_in, Key* keys_out,
                               Item const* items_in, Item* items_out, Count count,
                               int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                               cudaStream_t = nullptr) {
    return sort<false>(storage, bytes, keys_in, keys_out, items_in, items_out, count, begin_bit,
                       end_bit);
  }
  template <class Key, class Item, class Count>
  static cudaError_t SortPairsDescending(void* storage, std::size_t& bytes, Key const* keys_in,
                                         Key* keys_out, Item const* items_in, Item* items_out,
                                         Count count, int begin_bit = 0,
                                         int end_bit = 8 * sizeof(Key), cudaStream_t = nullptr) {
    return sort<true>(storage, bytes, keys_in, keys_out, items_in, items_out, count, begin_bit,
                      end_bit);
  }

 private:
  // What keys are sorted by.
  template <class Key>
  static std::uint64_t digits_of(Key key, int begin_bit, int end_bit) {
    int const width = end_bit - begin_bit;
    std::uint64_t const mask = width >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << width) - 1;
    return (stand_in::ordered_bits(key) >> begin_bit) & mask;
  }

  template <bool descending, class Key, class Item, class Count>
  static cudaError_t sort(void* storage, std::size_t& bytes, Key const* keys_in, Key* keys_out,
                          Item const* items_in, Item* items_out, Count count, int begin_bit,
                          int end_bit) {
    cudaError_t error;
    if (stand_in::asks_for_size(storage, bytes, count, error)) return error;
    cuda_emulation::LibraryCall const call(descending ? "cub::DeviceRadixSort::SortPairsDescending"
                                                      : "cub::DeviceRadixSort::SortPairs");
    struct Entry {
      std::uint64_t digits;
      Count position;  // makes the sort stable
      Key key;
      Item item;
    };
    std::vector<Entry> entries;
    entries.reserve(static_cast<std::size_t>(count));
    for (Count i = 0; i < count; ++i)
      entries.push_back({digits_of(keys_in[i], begin_bit, end_bit), i, keys_in[i], items_in[i]});
    std::sort(entries.begin(), entries.end(), [](Entry const& a, Entry const& b) {
      if (a.digits != b.digits) return descending != (a.digits < b.digits);
      return a.position < b.position;
    });
    for (Count i = 0; i < count; ++i) {
      keys_out[i] = entries[static_cast<std::size_t>(i)].key;
      items_out[i] = entries[static_cast<std::size_t>(i)].item;
    }
    return cudaSuccess;
  }
};

}  // namespace cub
