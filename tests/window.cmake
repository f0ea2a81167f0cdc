# tests of the viewer's window on a display of its own, with real events
find_program(XVFB_RUN xvfb-run)
find_program(XDOTOOL xdotool)
if(BRUME_SANITIZE)
  # drivers and toolkits leak what is theirs, and pictures come too slowly to be waited for
elseif(XVFB_RUN AND XDOTOOL)
  brume_test(app_view ${XVFB_RUN} -a -s "-screen 0 1280x800x24")
  target_sources(test_app_view PRIVATE window.c)
  target_link_libraries(test_app_view PRIVATE program_under_test)
  add_dependencies(test_app_view brume_program)
  set_tests_properties(app_view PROPERTIES RUN_SERIAL ON TIMEOUT 900)
else()
  message(STATUS "  the window is not tested: xvfb-run or xdotool is missing")
endif()
