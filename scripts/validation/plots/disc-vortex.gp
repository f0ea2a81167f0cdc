load "scripts/validation/plots/style.gp"
set terminal @square
set output out.".svg"
set title "Energy of the disc vortex, 256² cells, steps of 0.025"
set xlabel "time [s]"
set ylabel "energy over the initial energy [%]"
set xrange [0:20]
set yrange [75:102]
set key bottom left
plot 100 with lines ls 11 title "exact", \
     97 with lines lw 1.2 dt 4 lc rgb "#999999" title "limit", \
     data."second-order.dat" using 1:(100 * $2) with lines ls 1 title "second-order", \
     data."split.dat" using 1:(100 * $2) with lines ls 12 title "split, MacCormack", \
     data."semi-lagrangian.dat" using 1:(100 * $2) with lines ls 13 title "split, semi-Lagrangian"
