load "scripts/validation/plots/style.gp"
set terminal @square
set output out.".svg"
set title "Change of the totals in a stirred closed box, 64³ cells, 1000 steps"
set xlabel "time [s]"
set ylabel "relative change [10^{-6}]"
set lmargin 10
set xrange [0:21]
set yrange [-12:12]
set key at graph 0.03, graph 0.86 left top
plot data."empty.dat" using 1:(1e6 * $2) with lines ls 1 title "smoke", \
     data."empty.dat" using 1:(1e6 * $3) with lines ls 2 title "heat", \
     data."sphere.dat" using 1:(1e6 * $2) with lines ls 1 dt 2 title "smoke, with a sphere", \
     data."sphere.dat" using 1:(1e6 * $3) with lines ls 2 dt 2 title "heat, with a sphere", \
     10 with lines lw 1.2 dt 4 lc rgb "#999999" title "limit", -10 with lines lw 1.2 dt 4 lc rgb "#999999" notitle
