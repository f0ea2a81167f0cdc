load "scripts/validation/plots/style.gp"
set terminal @square
set output out.".svg"
set title "Growth rate of disturbances of U = tanh y"
set xlabel "wave number k"
set ylabel "growth rate"
set xrange [0:1.05]
set yrange [-0.01:0.2]
set key bottom center
plot data."exact.dat" using 1:2 with lines ls 11 title "Rayleigh's equation", \
     data."computed.dat" using 1:2 with points ls 1 ps 1.2 title "computed, 128 cells a wavelength"
