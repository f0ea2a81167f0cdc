# tests of the window's shell: camera, keys and mouse, brush, undo, what is remembered, the panel
foreach(name view_flight view_brush view_history view_place view_input view_docs)
  brume_test(${name})
  target_link_libraries(test_${name} PRIVATE brume_viewer PkgConfig::SDL2)
endforeach()

# on a display of its own where there is a program that makes one; 77 where there is none at all
find_program(XVFB_RUN xvfb-run)
set(display)
if(XVFB_RUN)
  set(display ${XVFB_RUN} -a -s "-screen 0 1280x900x24")
endif()
add_executable(test_view_panel test_view_panel.c)
target_link_libraries(test_view_panel PRIVATE brume_viewer brume_flags PkgConfig::CMOCKA PkgConfig::SDL2
  PkgConfig::EPOXY)
target_compile_definitions(test_view_panel PRIVATE BRUME_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
set_target_properties(test_view_panel PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
add_test(NAME view_panel COMMAND ${display} $<TARGET_FILE:test_view_panel>)
set_tests_properties(view_panel PROPERTIES SKIP_RETURN_CODE 77)
