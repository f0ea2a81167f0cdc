load "scripts/validation/plots/style.gp"
set terminal @wide
set output out.".svg"
set multiplot layout 1,2
set title "Velocity along the channel, 52 × 30 cells"
set xlabel "distance from the middle [m]"
set ylabel "velocity [m/s]"
set xrange [-0.22:0.22]
set yrange [0:0.07]
set xtics 0.1
set key bottom center
plot data."profile.dat" every 4 using 1:2 with points ls 1 ps 0.4 title "cells", \
     [-0.21:0.21] 1.5 * (0.21**2 - x**2) with lines ls 11 title "exact"
set title "Error over the largest velocity"
set xlabel "cells a meter"
unset ylabel
set logscale xy
set format y "10^{%L}"
set xtics (40, 80, 160, 320)
set xrange [35:370]
set yrange [1e-5:1e-2]
set key top right
mean = real(system("awk 'NR == 1 { print $2 }' ".data."errors.dat"))
plot data."errors.dat" using 1:3 with linespoints ls 2 title "largest", \
     data."errors.dat" using 1:2 with linespoints ls 1 title "mean", \
     mean * (40 / x)**2 with lines ls 11 title "second order"
unset multiplot
