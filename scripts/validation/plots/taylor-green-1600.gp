load "scripts/validation/plots/style.gp"
set terminal @wide
set output out.".svg"
set multiplot title "Taylor-Green vortex at Reynolds number 1600"
@left_panel
set xlabel "time"
set xrange [0:10]
set ylabel "mean kinetic energy"
set yrange [0.07:0.13]
plot data."energy-128.dat" using 1:2 with lines ls 1, \
     data."energy-64.dat" using 1:2 with lines ls 2, \
     data."spectral.dat" using 1:2 with points ls 10
@right_panel
set ylabel "dissipation of energy"
set yrange [0:0.018]
plot data."rate-128.dat" using 1:2 with lines ls 1 title "128³", \
     data."energy-128.dat" using 1:3 with lines ls 1 lw 1.5 dt 2 title "2ν × enstrophy, 128³", \
     data."rate-64.dat" using 1:2 with lines ls 2 title "64³", \
     data."energy-64.dat" using 1:3 with lines ls 2 lw 1.5 dt 2 title "2ν × enstrophy, 64³", \
     data."spectral.dat" using 1:3 with points ls 10 title "spectral, 512³"
unset multiplot
