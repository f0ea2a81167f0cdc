brume_test(sim_exact)
brume_test(sim_flow)
brume_test(sim_box)
brume_test(sim_determinism)
