brume_test(io)
brume_test(raymarch_camera)
brume_test(raymarch_formulas)
brume_test(raymarch_shapes)
brume_test(raymarch_light)
brume_test(raymarch_picture)

# a plume without a solver, and a program that draws it
add_library(raymarch_plume STATIC raymarch_plume.c)
target_link_libraries(raymarch_plume PRIVATE brume_flags)
target_link_libraries(test_raymarch_picture PRIVATE raymarch_plume brume_static)
add_executable(raymarch_gallery raymarch_gallery.c)
target_link_libraries(raymarch_gallery PRIVATE raymarch_plume brume_static brume_flags)
set_target_properties(raymarch_gallery PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
