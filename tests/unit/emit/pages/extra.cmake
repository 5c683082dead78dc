target_link_libraries(unit_emit_pages PRIVATE emit_driver CLI11::CLI11)
