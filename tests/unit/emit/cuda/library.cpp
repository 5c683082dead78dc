// Calls of CUB: on pointers, and on functions of the index.
#include <boost/test/unit_test.hpp>

#include "../printing.hpp"
#include "../shorthand.hpp"
#include "emit/cuda/parts.hpp"
#include "emit/text/file.hpp"
#include "emit/text/library_needs.hpp"

namespace exemplars::library_tests {
namespace {

const Expr n = var("n"), xs = var("xs", const_pointer_to(f64)), ys = var("ys", pointer_to(f64));

/// ys = scan op xs, or ys[0] = reduce op 0 xs.
Library on_pointers(LibraryKind kind) {
  return {.name = "fold_xs",
          .comment = {.formula = {"ys = ..."}, .order = "associates freely"},
          .params = {array("ys", pointer_to(f64), {"n"}, Access::written),
                     array("xs", const_pointer_to(f64), {"n"}), size("n")},
          .kind = kind,
          .input = {xs, type(f64)},
          .output = {ys, type(f64)},
          .functor = "Multiply",
          .init = lit_float(1, f64),
          .count = n};
}

Library on_functors() {
  Library library = on_pointers(LibraryKind::inclusive_scan);
  library.input = {construct("SquareAt", {xs}), type(f64)};
  library.output = {construct("StoreBackwards", {ys, n}), type(f64)};
  return library;
}

struct Printed {
  explicit Printed(const Library& library, std::vector<Run> runs = {{"fold_xs", {ys, xs, n}}}) : page(printing::Side::host) {
    const Entry entry{
        .name = "f", .scratch = {.name = "FScratch", .params = {size("n")}, .library = std::move(runs)}, .libraries = {library}};
    calls = printing::formatted(boustro::cuda::libraries_text(entry, page.place));
    query = printing::formatted(boustro::text::library_query(entry.scratch, page.place));
    asked = printing::formatted(boustro::text::ask_libraries(entry.scratch, page.place));
  }
  bool has(const std::string& text) const { return calls.find(text) != std::string::npos; }
  printing::Page page;
  std::string calls, query, asked;
};

/// The host's text of an entry.
struct Text {
  explicit Text(boustro::text::Dialect dialect) : dialect_(std::move(dialect)), page_(printing::Side::host, dialect_) { dialect_.target_statement = boustro::cuda::host_statement; }
  std::string query(const Entry& entry) const { return printing::formatted(boustro::text::scratch_query(entry, page_.place)); }
  std::string function(const Entry& entry) const { return printing::formatted(boustro::text::entry_function(entry, page_.place)); }
  std::string scratch_struct(const Entry& entry) const { return boustro::text::scratch_struct(entry, page_.place); }

 private:
  boustro::text::Dialect dialect_;
  printing::Page page_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_reduction_starts_from_its_neutral_element) {
  const Printed printed(on_pointers(LibraryKind::reduce));
  BOOST_TEST(printed.has("// Reductions of f."));
  BOOST_TEST(printed.has(
      "  return cub::DeviceReduce::Reduce(scratch, bytes, xs, ys, n, Multiply{}, 1.0, stream);\n"));
  BOOST_TEST(!printed.has("iterator"));
}

BOOST_AUTO_TEST_CASE(a_reduction_in_order_is_one_of_our_own) {
  const Printed printed(on_pointers(LibraryKind::reduce_in_order));
  BOOST_TEST(printed.has("// Reductions of f."));
  BOOST_TEST(printed.has("  return reduce_in_order(scratch, bytes, xs, ys, n, Multiply{}, 1.0, stream);\n"));
  BOOST_TEST(printed.page.needs_template("reduce_in_order"));
}

BOOST_AUTO_TEST_CASE(a_scan_has_none) {
  const Printed printed(on_pointers(LibraryKind::inclusive_scan));
  BOOST_TEST(printed.has("// Scans of f."));
  BOOST_TEST(printed.has("//   order   associates freely\n"
                         "cudaError_t fold_xs(void* scratch, std::size_t& bytes,  // of `scratch`\n"
                         "                    double* ys,                         // [n], written\n"
                         "                    const double* xs,                   // [n]\n"
                         "                    int64_t n, cudaStream_t stream) {\n"
                         "  return cub::DeviceScan::InclusiveScan(scratch, bytes, xs, ys, "
                         "Multiply{}, n, stream);\n"));
}

BOOST_AUTO_TEST_CASE(a_sort_has_bits) {
  Library library = on_pointers(LibraryKind::sort);
  library.functor = "";
  library.bits = {lit(4, PrimType::i32), lit(12, PrimType::i32)};
  const Printed printed(library);
  BOOST_TEST(printed.has("// Sorts of f."));
  BOOST_TEST(printed.has("  return cub::DeviceRadixSort::SortKeys(scratch, bytes, xs, ys, n, 4, 12, stream);\n"));
}

BOOST_AUTO_TEST_CASE(functions_of_the_index_are_iterators) {
  const Printed printed(on_functors());
  BOOST_TEST(printed.has("thrust::counting_iterator<int64_t>(0), SquareAt{xs})"));
  BOOST_TEST(printed.has("  const auto output_iterator = stored_by<double>(StoreBackwards{ys, n});\n"));
  BOOST_TEST(printed.has("input_iterator, output_iterator, Multiply{},"));
  BOOST_TEST(printed.page.needs.templates.contains("stored_by"));
}

BOOST_AUTO_TEST_CASE(the_largest_need_counts) {
  const Printed printed(on_pointers(LibraryKind::inclusive_scan));
  BOOST_TEST(printed.query.find("cudaError_t query_library(") != std::string::npos);
  BOOST_TEST(printed.query.find("return fold_xs(nullptr, library_bytes, ys, xs, n, nullptr);") != std::string::npos);
  const Printed several(on_pointers(LibraryKind::inclusive_scan), {{"fold_xs", {ys, xs, n}}, {"fold_xs", {xs, ys, n}}});
  BOOST_TEST(several.query.find("library_bytes = std::max(library_bytes, needed);") != std::string::npos);
  BOOST_TEST(several.query.find("ask(fold_xs(nullptr, needed, xs, ys, n, nullptr));") != std::string::npos);
  BOOST_TEST(printed.asked.find("return fold_xs(nullptr, *bytes, ys, xs, n, nullptr);") != std::string::npos);
  BOOST_TEST(several.asked.find("*bytes = std::max(*bytes, needed);") != std::string::npos);
}

/// Nobody else needs scratch memory: the caller's is what the library gets.
BOOST_AUTO_TEST_CASE(scratch_memory_is_handed_on_to_libraries) {
  Entry entry{.name = "f", .params = {array("ys", pointer_to(f64), {"n"}, Access::written), array("xs", const_pointer_to(f64), {"n"}), size("n")}};
  entry.rejects = {{n < 0}};
  entry.scratch = {.name = "FScratch", .params = {size("n")}, .library = {{"fold_xs", {ys, xs, n}}}};
  entry.body = {Run{"fold_xs", {ys, xs, n}}};
  Text dialect{printing::cuda};
  const auto has = [](const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; };
  const std::string query = dialect.query(entry), body = dialect.function(entry);
  BOOST_TEST(has(query, "  if (n < 0) return cudaErrorInvalidValue;\n  return fold_xs(nullptr, *bytes, ys, xs, n, nullptr);\n"));
  BOOST_TEST(has(body, "if (const auto error = f_scratch(&needed_bytes, n)) return error;\n"
                       "  if (scratch == nullptr || scratch_bytes < needed_bytes) return cudaErrorInvalidValue;\n"));
  BOOST_TEST(has(body, "return fold_xs(scratch, scratch_bytes, ys, xs, n, stream);"));
  BOOST_TEST(dialect.scratch_struct(entry).empty());
  // What only the query is given has a name, too.
  Entry with_more = entry;
  with_more.params.push_back(size("more"));
  BOOST_TEST(has(dialect.function(with_more), "int64_t more, void* scratch"));
  BOOST_TEST(has(dialect.function(with_more), "f_scratch(&needed_bytes, n, more)"));

  entry.scratch.pieces = {{"own", type(f64), n}};
  BOOST_TEST(has(dialect.function(entry), "return fold_xs(buffers.library_scratch, library_bytes, ys, xs, n, stream);"));
  BOOST_TEST(has(dialect.scratch_struct(entry), "struct FScratch : Scratch {"));
}

}  // namespace exemplars::library_tests
