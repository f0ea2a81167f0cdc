# stages.dat: one line per size: its name, then ns per cell of each stage; the first line has the names of the stages
load "benchmarks/plots/style.gp"
set output out."/stages.svg"
set title sprintf("Time of the stages of a step, %d threads\n{/*0.8 %s}", threads, machine)
set ylabel "ns per cell and step"
set style data histograms
set style histogram rowstacked
set style fill solid 0.9 border rgb "white"
set boxwidth 0.6
set yrange [0:*]
set key outside right top reverse Left invert
unset grid
set grid y
plot for [n = 2:columns] data."/stages.dat" using n:xtic(1) ls n - 1 title columnheader(n)
