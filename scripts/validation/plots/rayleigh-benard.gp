load "scripts/validation/plots/style.gp"
set terminal @square
set output out.".svg"
set title "Growth rate of convection near its onset, 64 cells high"
set xlabel "Rayleigh number"
set ylabel "growth rate [κ/H²]"
set xrange [1590:1810]
set key top left
set arrow from 1707.762, graph 0 to 1707.762, graph 1 nohead ls 11
set label "1707.76" at 1711, graph 0.06 textcolor rgb "#333333"
plot data."fit.dat" using 1:2 with lines ls 12 title "line of least squares", \
     data."rates.dat" using 1:2 with points ls 1 ps 1.2 title "computed", \
     0 with lines lw 1 lc rgb "#999999" notitle, \
     NaN with lines ls 11 title "onset by linear theory"
