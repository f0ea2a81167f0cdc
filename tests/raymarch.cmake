brume_test(io)
brume_test(raymarch_camera)

# a plume without a solver, and a program that draws it
add_library(raymarch_plume STATIC raymarch_plume.c)
target_link_libraries(raymarch_plume PRIVATE brume_flags)
add_executable(raymarch_gallery raymarch_gallery.c)
target_link_libraries(raymarch_gallery PRIVATE raymarch_plume brume_static brume_flags)
set_target_properties(raymarch_gallery PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
