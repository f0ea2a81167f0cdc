load "benchmarks/plots/style.gp"
set terminal svg size 900,480 font "DejaVu Sans,14" background "white" dashlength 0.6
set output out.".svg"
set title "Fixed point against floats: scenes/collocated.yaml"
set xlabel "frame"
set ylabel "smoke [% of that with floats]"
set yrange [0:110]
set key outside right
plot for [n = 0:3] data."drift.dat" using 1:(100 * column(2 + 2 * n)) with lines ls (n + 1) title word("6 9 12 16", n + 1)." bits, difference", \
     for [n = 0:3] data."drift.dat" using 1:(100 * column(3 + 2 * n)) with lines ls (n + 1) dt 2 title word("6 9 12 16", n + 1)." bits, sum"
