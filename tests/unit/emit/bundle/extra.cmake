# Files of a bundle find each other in one folder.
target_include_directories(unit_emit_bundle PRIVATE ${PROJECT_SOURCE_DIR}/templates/harness)
target_link_libraries(unit_emit_bundle PRIVATE emit_driver)
