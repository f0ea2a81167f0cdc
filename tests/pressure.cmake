# tests of pressure
brume_test(pressure_coarsest)
brume_test(pressure_edges)
brume_test(pressure_exact)
brume_test(pressure_operator)
brume_test(pressure_solvers)
brume_test(pressure_spectral)
brume_test(pressure_strays)
brume_test(pressure_waves)
