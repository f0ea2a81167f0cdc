# scaling.dat: one block per series: threads, speed-up, efficiency; triad.dat: threads, GB/s, speed-up
load "benchmarks/plots/style.gp"
set terminal svg size 1100,540 font "DejaVu Sans,14" background "white" dashlength 0.6
set output out."/scaling.svg"
stats data."/scaling.dat" using 1:2 nooutput
least = STATS_min_y < 0.9 ? 0.9 * STATS_min_y : 0.9
set multiplot layout 1, 2 title "Threads\n{/*0.8 ".machine."}" offset 0, -0.3
set xlabel "threads"
set xrange [0.9:most * 1.1]
set logscale x 2
set xtics add (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
set key top left
set ylabel "speed-up over one thread"
set logscale y 2
set yrange [least:most * 2.2]
set ytics add (0.5, 0.7, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
plot x with lines lw 1 lc rgb "#aaaaaa" title "ideal", \
     data."/triad.dat" using 1:3 with linespoints ls 20 pt 2 title "triad, memory", \
     for [n = 0:STATS_blocks - 1] data."/scaling.dat" index n using 1:2 with linespoints ls n + 1 title columnheader(1)
set key bottom left
set ylabel "efficiency [%]"
unset logscale y
set yrange [0:115]
set ytics auto
plot 100 with lines lw 1 lc rgb "#aaaaaa" notitle, \
     data."/triad.dat" using 1:(100 * $3 / $1) with linespoints ls 20 pt 2 title "triad, memory", \
     for [n = 0:STATS_blocks - 1] data."/scaling.dat" index n using 1:3 with linespoints ls n + 1 title columnheader(1)
unset multiplot
