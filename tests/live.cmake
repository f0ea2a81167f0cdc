# the viewer's threads: simulation, pictures, recording
brume_test(core_handoff)
foreach(name view_recorder view_live view_canvas)
  brume_test(${name})
  target_link_libraries(test_${name} PRIVATE brume_viewer)
endforeach()
