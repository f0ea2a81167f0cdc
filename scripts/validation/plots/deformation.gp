load "scripts/validation/plots/style.gp"
set terminal @square
set output out.".svg"
set title "LeVeque's deformation: relative L1 error after the return"
set xlabel "cells along a side"
set ylabel "error"
set logscale xy 2
set format y "2^{%L}"
set xtics (64, 128, 192)
set xrange [56:220]
last = real(system("awk '{ e = $2 } END { print e }' ".data."errors.dat"))
plot data."errors.dat" using 1:2 with linespoints ls 1 title "ppm, smooth blob", \
     [64:192] last * (192 / x)**2 with lines ls 11 title "second order"
