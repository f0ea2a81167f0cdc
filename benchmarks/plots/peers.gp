# peers.dat: one line per comparison: the time over that of Brume, and the name
load "benchmarks/plots/style.gp"
set terminal svg size 1000,(150 + 34 * lines) font "DejaVu Sans,14" background "white"
set output out."/peers.svg"
set title "Time of other solvers over that of Brume\n{/*0.8 ".machine."}"
set xlabel "time over that of Brume"
set logscale x
set xrange [0.5:*]
set yrange [lines - 0.4:-0.6]
set offsets 0, 0, 0, 0
unset key
set grid x
set style fill solid 0.85 noborder
set arrow from 1, graph 0 to 1, graph 1 nohead lw 2 lc rgb "#222222" front
plot data."/peers.dat" using (0.5):0:(0.5):1:($0 - 0.32):($0 + 0.32):yticlabels(2) with boxxyerror ls 1 notitle, \
     data."/peers.dat" using 1:0:(sprintf($1 < 9.95 ? " %.2f×" : " %.1f×", $1)) with labels left font ",12" notitle
