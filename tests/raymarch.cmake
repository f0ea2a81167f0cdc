brume_test(io)
brume_test(raymarch_camera)
