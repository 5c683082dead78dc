find_package(nlohmann_json REQUIRED)
target_link_libraries(${test} PRIVATE nlohmann_json::nlohmann_json)
