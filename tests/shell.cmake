# tests of the window's shell: camera, keys and mouse, brush, undo, what is remembered, the panel
foreach(name view_flight view_brush view_history view_place view_input view_docs)
  brume_test(${name})
  target_link_libraries(test_${name} PRIVATE brume_viewer PkgConfig::SDL2)
endforeach()

# on a display of its own where there is a program that makes one; 77 where there is none at all
find_program(XVFB_RUN xvfb-run)
set(display)
if(XVFB_RUN)
  set(display ${XVFB_RUN} -a -s "-screen 0 1280x900x24 -noreset")
endif()
foreach(name view_window view_panel)
  add_executable(test_${name} test_${name}.c)
  if(BRUME_SANITIZE)
    target_sources(test_${name} PRIVATE foreign_leaks.c)
  endif()
  target_link_libraries(test_${name} PRIVATE brume_viewer brume_flags PkgConfig::CMOCKA PkgConfig::SDL2
    PkgConfig::EPOXY ${CMAKE_DL_LIBS})
  target_compile_definitions(test_${name} PRIVATE BRUME_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${display} $<TARGET_FILE:test_${name}>)
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
