load "scripts/validation/plots/style.gp"
set terminal @wide
set output out.".svg"
set multiplot title "Velocity on the lines through the center of the lid-driven cavity, 128² cells"
@left_panel
set xlabel "u at x = 1/2"
set ylabel "y"
set xrange [-0.5:1]
set yrange [0:1]
plot data."u100.dat" using 2:1 with lines ls 1, \
     data."u1000.dat" using 2:1 with lines ls 2, \
     data."ghia-u.dat" using 2:1 with points ls 10, \
     data."botella-u.dat" using 2:1 with points ls 10 pt 4
@right_panel
set xlabel "x"
set ylabel "v at y = 1/2"
set xrange [0:1]
set yrange [-0.6:0.45]
plot data."v100.dat" using 1:2 with lines ls 1 title "Re 100", \
     data."v1000.dat" using 1:2 with lines ls 2 title "Re 1000", \
     data."ghia-v.dat" using 1:2 with points ls 10 title "Ghia, Ghia, Shin 1982", \
     data."botella-v.dat" using 1:2 with points ls 10 pt 4 title "Botella, Peyret 1998"
unset multiplot
