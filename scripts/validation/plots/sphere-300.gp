load "scripts/validation/plots/style.gp"
set terminal @wide
set output out.".svg"
set multiplot layout 1,2
set title "Drag coefficient"
set xlabel "time [D/U]"
set xrange [20:100]
set yrange [0.6:0.75]
set key bottom right
set arrow 1 from 60, graph 0 to 60, graph 1 nohead lc rgb "#999999"
plot data."forces4.dat" using 1:3 with lines ls 2 title "box of 4 D", \
     data."forces6.dat" using 1:3 with lines ls 1 title "box of 6 D", \
     0.656 with lines ls 11 title "published"
set title "Lift coefficient"
set yrange [0:0.12]
set key top left
plot data."forces4.dat" using 1:2 with lines ls 2 title "box of 4 D", \
     data."forces6.dat" using 1:2 with lines ls 1 title "box of 6 D"
unset multiplot
