// Grammar of indices and paths.
//
//   index  ::= exp | [exp] ":" [exp] [":" [exp]]
//   step   ::= "." field | "[" index ("," index)* "]"
#pragma once

#include "frontend/parse/expression.hpp"
#include "frontend/parse/path.hpp"

namespace boustro::parse {

struct dim_index_id {};
const x3::rule<dim_index_id, ast::DimIndex> dim_index = "dim_index";
struct slice_part_id {};
const x3::rule<slice_part_id, ast::Size> slice_part = "slice_part";

const auto slice_part_def = (BOUSTRO_TOKEN(":") >> -unascribed)
    [build([](boost::optional<ast::Exp> exp) { return to_box(std::move(exp)); })];

const auto index_or_slice = (unascribed >> -slice_part >> -slice_part)
    [build([](ast::Exp start, boost::optional<ast::Size> end,
              boost::optional<ast::Size> stride) -> ast::DimIndex {
      if (!end) return ast::Box<ast::Exp>(std::move(start));
      return ast::SliceIndex{std::move(start), std::move(*end), stride.value_or(std::nullopt)};
    })];
const auto slice_from_start = (slice_part >> -slice_part)
    [build([](ast::Size end, boost::optional<ast::Size> stride) -> ast::DimIndex {
      return ast::SliceIndex{std::nullopt, std::move(end), stride.value_or(std::nullopt)};
    })];
const auto dim_index_def = labelled("an index", index_or_slice | slice_from_start);

const auto indices_def = comma_list(dim_index)[pass];

const auto field_step = build([](ast::Identifier name) { return ast::Access(std::move(name)); });
const auto index_step =
    build([](std::vector<ast::DimIndex> indices) { return ast::Access(std::move(indices)); });
const auto path_step_def = dot_field[field_step]
                           | (index_bracket >> indices >> BOUSTRO_TOKEN("]"))[index_step];

const auto add_step = [](const auto& context) {
  x3::_val(context).push_back(std::move(x3::_attr(context)));
};
const auto first_step =
    qualified_name[build([](ast::QualifiedName name) { return fields_of(name); })]
    | field_name[add_step]
    | (BOUSTRO_TOKEN("[") >> indices >> BOUSTRO_TOKEN("]"))[add_step];
const auto update_path_def = first_step >> *unsaid(path_step)[add_step];

BOOST_SPIRIT_DEFINE(indices, path_step, update_path, dim_index, slice_part)

}  // namespace boustro::parse
