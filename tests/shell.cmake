# tests of the window's shell: camera, keys and mouse, brush, undo, what is remembered
foreach(name view_flight view_brush view_history view_place view_input)
  brume_test(${name})
  target_link_libraries(test_${name} PRIVATE brume_viewer PkgConfig::SDL2)
endforeach()
