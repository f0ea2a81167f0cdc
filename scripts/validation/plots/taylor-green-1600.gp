load "scripts/validation/plots/style.gp"
set terminal @wide
set output out.".svg"
set multiplot layout 1,2 title "Taylor-Green vortex at Reynolds number 1600"
set xlabel "time"
set xrange [0:10]
set ylabel "mean kinetic energy"
set yrange [0.07:0.13]
set key bottom left
plot data."energy-128.dat" using 1:2 with lines ls 1 title "128³", \
     data."energy-64.dat" using 1:2 with lines ls 2 title "64³", \
     data."spectral.dat" using 1:2 with points ls 10 title "spectral, 512³"
set ylabel "dissipation of energy"
set yrange [0:0.018]
set key top left
plot data."rate-128.dat" using 1:2 with lines ls 1 title "−dE/dt, 128³", \
     data."energy-128.dat" using 1:3 with lines ls 1 lw 1.5 dt 2 title "2ν × enstrophy, 128³", \
     data."rate-64.dat" using 1:2 with lines ls 2 title "−dE/dt, 64³", \
     data."energy-64.dat" using 1:3 with lines ls 2 lw 1.5 dt 2 title "2ν × enstrophy, 64³", \
     data."spectral.dat" using 1:3 with points ls 10 title "spectral, 512³"
unset multiplot
