# roofline.dat: one block per stage: bytes per cell, Mcells/s, cells along a side; `stages`: indices of these stages among all
load "benchmarks/plots/style.gp"
set output out."/roofline.svg"
set title sprintf("Roofline of the stages, %d threads\n{/*0.8 %s}", threads, machine)
set xlabel "minimum traffic of the stage [bytes per cell]"
set ylabel "million cells per second"
set logscale xy
set xrange [15:600]
set xtics (15, 20, 30, 50, 70, 100, 150, 200, 300, 400, 600)
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000)
set key at screen 0.5, screen 0.03 center bottom horizontal Left reverse maxcols 3 width 1
set bmargin screen 0.3
stats data."/roofline.dat" using 1:2 nooutput
set yrange [0.5 * STATS_min_y:1.3e3 * (cached > triad ? cached : triad) / 15]
plot 1e3 * triad / x with lines lw 3 lc rgb "#222222" title sprintf("triad, memory: %.0f GB/s", triad), \
     1e3 * cached / x with lines ls 20 title sprintf("triad at the size of %d³: %.0f GB/s", smallest, cached), \
     for [n = 0:STATS_blocks - 1] data."/roofline.dat" index n using 1:2 with points ls word(stages, n + 1) ps 1.3 \
         title columnheader(1), \
     for [n = 0:STATS_blocks - 1] data."/roofline.dat" index n using 1:($3 == largest ? $2 : NaN):(sprintf("%d³", $3)) \
         with labels left offset 0.9, 0 font ",10" textcolor rgb "#555555" notitle, \
     for [n = 0:STATS_blocks - 1] data."/roofline.dat" index n using \
         1:($3 == smallest && smallest < largest ? $2 : NaN):(sprintf("%d³", $3)) \
         with labels right offset -0.9, 0 font ",10" textcolor rgb "#555555" notitle
