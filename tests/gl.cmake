# the OpenGL renderer, without a window; 77 where EGL gives no context
add_library(gl_support STATIC gl_context.c gl_picture.c)
target_link_libraries(gl_support PUBLIC brume_gl brume_static brume_flags PkgConfig::EPOXY PkgConfig::CMOCKA)
foreach(name gl_exact gl_pictures)
  brume_test(${name})
  target_link_libraries(test_${name} PRIVATE gl_support raymarch_plume)
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
