# what the window shows in place of smoke; none of it needs a window
foreach(name view_field view_isosurface view_flow)
  brume_test(${name})
  target_link_libraries(test_${name} PRIVATE brume_viewer)
endforeach()

# pictures and times of every view of a scene
add_executable(view_gallery view_gallery.c)
target_link_libraries(view_gallery PRIVATE brume_viewer brume_static brume_flags)
set_target_properties(view_gallery PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
