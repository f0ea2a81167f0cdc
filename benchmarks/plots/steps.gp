# steps.dat: one block per number of threads, which is its name: cells along a side, ns per cell
load "benchmarks/plots/style.gp"
set output out."/steps.svg"
set title "Time per cell and step\n{/*0.8 ".machine."; constant if the time is proportional to the cells}"
set xlabel "cells along a side"
set ylabel "ns per cell and step"
set logscale x 2
set xtics (32, 48, 64, 96, 128, 160, 192, 256, 384, 512)
set yrange [0:*]
set offsets graph 0.05, graph 0.05, graph 0.1, 0
set key top right
stats data."/steps.dat" using 1:2 nooutput
plot for [n = 0:STATS_blocks - 1] data."/steps.dat" index n using 1:2 with linespoints ls n + 1 \
         title columnheader(1), \
     model with lines ls 20 title sprintf("430 B per cell at the bandwidth of the triad, %d threads", threads)
