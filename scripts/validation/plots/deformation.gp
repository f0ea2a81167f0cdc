load "scripts/validation/plots/style.gp"
set terminal @square
set output out.".svg"
set title "LeVeque's deformation: relative L1 error after the return"
set xlabel "cells along a side"
set ylabel "error"
set logscale x 2
set logscale y
set format y "10^{%L}"
set xtics (32, 64, 128, 256)
set xrange [28:290]
last = real(system("awk '{ e = $2 } END { print e }' ".data."plane.dat"))
plot data."plane.dat" using 1:2 with linespoints ls 1 title "in a plane", \
     data."space.dat" using 1:2 with linespoints ls 2 title "in space", \
     [32:256] last * (256 / x)**2 with lines ls 11 title "second order"
