# For what the templates say.
target_include_directories(${test} PRIVATE ${PROJECT_SOURCE_DIR})
