load "scripts/validation/plots/style.gp"
set terminal @wide
set output out.".svg"
b = 2.75 * 0.17**2 * 0.44**2 / (0.44**2 - 0.17**2)
a = 2 - b / 0.17**2
set multiplot layout 1,2
set title "Velocity around the axis, 32² cells"
set xlabel "radius [m]"
set ylabel "velocity [m/s]"
set xrange [0.16:0.45]
set yrange [-0.4:0.4]
set xtics 0.1
set key top right
plot data."profile.dat" every 2 using 1:2 with points ls 1 ps 0.4 title "cells", \
     [0.17:0.44] a * x + b / x with lines ls 11 title "exact"
set title "Error over the largest velocity"
set xlabel "cells a meter"
unset ylabel
set logscale xy
set format y "10^{%L}"
set xtics (32, 64, 128, 256)
set xrange [28:290]
set yrange [1e-5:2e-2]
set key top right
mean = real(system("awk 'NR == 1 { print $2 }' ".data."errors.dat"))
plot data."errors.dat" using 1:3 with linespoints ls 2 title "largest", \
     data."errors.dat" using 1:2 with linespoints ls 1 title "mean", \
     mean * (32 / x)**2 with lines ls 11 title "second order"
unset multiplot
