load "scripts/validation/plots/style.gp"
set terminal @square
set output out.".svg"
set title "Energy of the inviscid Taylor-Green vortex in three dimensions, 64³ cells"
set xlabel "time"
set ylabel "energy over the initial energy [%]"
set xrange [0:5]
set yrange [75:110]
set key bottom left
plot 100 with lines ls 11 title "conserved", \
     data."second-order-1.dat" using 1:(100 * $2) with lines ls 1 title "second-order, CFL 1", \
     data."second-order-2.dat" using 1:(100 * $2) with lines ls 2 title "second-order, CFL 2", \
     data."split-1.dat" using 1:(100 * $2) with lines ls 12 title "split, CFL 1", \
     data."split-2.dat" using 1:(100 * $2) with lines ls 13 title "split, CFL 2"
