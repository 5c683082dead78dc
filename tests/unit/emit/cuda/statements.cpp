// Statements of kernels and entries that are CUDA's own.
#include <boost/test/unit_test.hpp>

#include "../printing.hpp"
#include "../shorthand.hpp"
#include "emit/cuda/parts.hpp"

namespace exemplars::statements_tests {
namespace {

const Expr n = var("n"), i = var("i"), x = var("x", f32);
const Expr xs = var("xs", pointer_to(f32)), ys = var("ys", pointer_to(f32));

std::string device(const Stm& stm) {
  const printing::Page page(printing::Side::device);
  return printing::formatted(boustro::cuda::device_statement(stm, page.place));
}
std::string host(const Stm& stm, bool is_last = false) {
  printing::Page page(printing::Side::host);
  page.place.tail = is_last;
  return printing::formatted(boustro::cuda::host_statement(stm, page.place));
}

std::string atomic(AtomicKind kind, PrimType prim, const std::string& functor = "") {
  return device(Atomic{kind, var("cells", pointer_to(prim))[i], var("x", prim), functor});
}

}  // namespace

BOOST_AUTO_TEST_CASE(shared_arrays_and_barriers) {
  BOOST_TEST(device(SharedArray{"row", type(f32), lit(64)}) == "__shared__ float row[64];\n");
  BOOST_TEST(device(SharedArray{"rows", type(f64)}) == "extern __shared__ double rows[];\n");
  BOOST_TEST(device(Barrier{}) == "__syncthreads();\n");
  BOOST_TEST(device(Barrier{"row is zero"}) == "__syncthreads();  // row is zero\n");
}

BOOST_AUTO_TEST_CASE(closures_and_aliases_are_those_of_cpp) {
  const Closure load{"x_at", {{"i", type(i64)}, {"l", type(i32)}}, {Return{xs[i]}}};
  BOOST_TEST(device(load) == "const auto x_at = [&](int64_t i, int /*l*/) { return xs[i]; };\n");
  printing::Page page(printing::Side::device);
  BOOST_TEST(boustro::cuda::device_statement(Alias{"Tile", runtime::thread_tile(8)}, page.place) == "using Tile = ThreadTile<8>;\n");
  BOOST_TEST(page.needs_template("thread_tile"));
}

BOOST_AUTO_TEST_CASE(atomics_are_those_of_cuda_where_it_has_them) {
  BOOST_TEST(atomic(AtomicKind::add, f32) == "atomicAdd(&cells[i], x);\n");
  BOOST_TEST(atomic(AtomicKind::add, i64) == "atomic_add(&cells[i], x);\n");
  BOOST_TEST(atomic(AtomicKind::min, i32) == "atomicMin(&cells[i], x);\n");
  BOOST_TEST(atomic(AtomicKind::max, i64) == "atomic_max(&cells[i], x);\n");
  BOOST_TEST(atomic(AtomicKind::combine, f32, "Multiply") ==
             "atomic_update(&cells[i], x, Multiply{});\n");
  BOOST_TEST(device(Atomic{AtomicKind::add, op(Op::dereference, xs), x, {}}) ==
             "atomicAdd(xs, x);\n");
}

BOOST_AUTO_TEST_CASE(failures_count_from_one) {
  printing::Page page(printing::Side::device);
  const Expr failure = var("failure", pointer_to(struct_type("Failure")));
  BOOST_TEST(boustro::cuda::device_statement(Fail{failure, 1, {i, n}}, page.place) ==
             "record_failure(failure, 2, i, n);\n");
  BOOST_TEST(page.needs_template("record_failure"));
}

BOOST_AUTO_TEST_CASE(launches_name_extents_that_are_no_single_word) {
  const std::string check = "if (const auto error = cudaGetLastError()) return error;\n";
  const Launch plain{"k", {lit(1, i32)}, {runtime::block_size()}, {}, {xs, n}};
  BOOST_TEST(host(plain) == "k<<<1, block_size, 0, stream>>>(xs, n);\n" + check);
  BOOST_TEST(host(plain, true) ==
             "k<<<1, block_size, 0, stream>>>(xs, n);\nreturn cudaGetLastError();\n");
  const Expr threads = var("threads", PrimType::u32);
  const Launch wide{"k", {threads + threads}, {threads, threads}, var("bytes", size_type()), {xs}};
  BOOST_TEST(host(wide) ==
             "{\n  const dim3 block_shape(threads, threads);\n"
             "  const unsigned grid_size = threads + threads;\n"
             "  k<<<grid_size, block_shape, bytes, stream>>>(xs);\n  " +
                 check + "}\n");
}

BOOST_AUTO_TEST_CASE(memory_is_filled_copied_and_read_on_the_stream) {
  BOOST_TEST(host(Fill{xs, n}, true) ==
             "return fill_zeros(xs, n, stream);\n");
  BOOST_TEST(host(Copy{xs, ys, lit(1)}, true) ==
             "return copy_array(xs, ys, 1, stream);\n");
  const std::string read = host(Read{"first", type(f32), xs});
  BOOST_TEST(read.starts_with("float first;\n"));
  BOOST_TEST(read.find("copy_to_host(&first, xs, stream)") !=
             std::string::npos);
  BOOST_TEST(read.ends_with("if (const auto error = cudaStreamSynchronize(stream)) return error;\n"));
}

}  // namespace exemplars::statements_tests
