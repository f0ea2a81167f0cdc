load "scripts/validation/plots/style.gp"
set terminal @wide
set output out.".svg"
set multiplot layout 1,2
set logscale xy
set xrange [0.02:0.7]
set xlabel "z* [m/kW^{2/5}]"
set xtics (0.02, 0.05, 0.1, 0.2, 0.5)
set title "Mean velocity on the axis"
set ylabel "u / Q^{1/5} [m/(s kW^{1/5})]"
set yrange [0.5:4]
set ytics (0.5, 1, 2, 4)
set key bottom right
plot data."mixing14.dat" using 1:2 with lines ls 1 title "14 kW", \
     data."mixing33.dat" using 1:2 with lines ls 2 title "33 kW", \
     data."mixing57.dat" using 1:2 with lines ls 3 title "57 kW", \
     data."ignition33.dat" using 1:2 with lines ls 4 title "33 kW, ignition", \
     data."mixing33.dat" using 1:($4 / 33**0.2) with lines ls 11 title "McCaffrey 1979"
set title "Mean temperature on the axis"
set ylabel "T - T_0 [K]"
set yrange [30:2000]
set ytics (30, 100, 300, 1000)
set key bottom left
plot data."mixing14.dat" using 1:3 with lines ls 1 title "14 kW", \
     data."mixing33.dat" using 1:3 with lines ls 2 title "33 kW", \
     data."mixing57.dat" using 1:3 with lines ls 3 title "57 kW", \
     data."ignition33.dat" using 1:3 with lines ls 4 title "33 kW, ignition", \
     data."mixing33.dat" using 1:5 with lines ls 11 title "McCaffrey 1979"
unset multiplot
