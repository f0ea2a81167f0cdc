load "scripts/validation/plots/style.gp"
set terminal @square
set output out.".svg"
set title "Error of viscous Taylor-Green vortices at t = 2"
set xlabel "cells along a side"
set ylabel "root mean square error of u"
set logscale x 2
set logscale y
set format y "10^{%L}"
set xtics (16, 32, 64, 128, 256)
set xrange [14:300]
set key top right
first = real(system("awk 'NR == 1 { print $2 }' ".data."carried.dat"))
plot data."at.dat" using 1:2 with linespoints ls 1 title "at rest", \
     data."carried.dat" using 1:2 with linespoints ls 2 title "carried by wind", \
     [16:256] 1.3 * first * (16 / x)**2 with lines ls 11 title "second order"
