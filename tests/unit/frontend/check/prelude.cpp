#include <boost/test/unit_test.hpp>

#include "checking.hpp"
#include "frontend/prelude/prelude.hpp"

using namespace boustro;
using namespace boustro::check;

BOOST_AUTO_TEST_SUITE(prelude_definitions)

// A definition of the prelude is only checked when it is used, so use them all.
void check_all(std::string_view text, const std::string& qualifier) {
  source::SourceMap sources;
  source::Diagnostics diagnostics;
  const auto program = parse::parse_program(sources.add("prelude", std::string(text)), sources, diagnostics);
  BOOST_TEST(!diagnostics.has_errors());
  for (const ast::Definition& definition : program.definitions) {
    const auto* value = std::get_if<ast::ValueDefinition>(&definition.node);
    if (!value) continue;
    const std::string name = qualifier + value->name.text;
    BOOST_TEST_CONTEXT(name) {
      const bool is_operator = ast::is_operator(value->name.text);
      const Checked checked("def f = " + (is_operator ? "(" + name + ")" : name));
      BOOST_TEST(checked.errors() == "");
    }
  }
}

BOOST_AUTO_TEST_CASE(of_the_top_level_check) {
  for (const prelude::File& file : prelude::top_level_files()) check_all(file.text, "");
}

BOOST_AUTO_TEST_CASE(of_modules_of_primitive_types_check) {
  using values::PrimType;
  for (const PrimType type : {PrimType::i8, PrimType::i16, PrimType::i32, PrimType::i64, PrimType::u8, PrimType::u16,
                              PrimType::u32, PrimType::u64, PrimType::f16, PrimType::f32, PrimType::f64,
                              PrimType::boolean})
    check_all(prelude::module_text(type), std::string(values::name_of(type)) + ".");
}

BOOST_AUTO_TEST_SUITE_END()
