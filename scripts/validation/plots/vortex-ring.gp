load "scripts/validation/plots/style.gp"
set terminal @square
set output out.".svg"
set title "Position of a vortex ring, core δ = 0.2 R, 20 cells a radius"
set xlabel "time [R²/Γ]"
set ylabel "distance traveled [R]"
set key top left
set yrange [0:2.2]
speed = (log(8 / 0.2) - 0.558) / (4 * pi)
plot [0:8] speed * x with lines ls 11 title "Saffman 1970", \
     data."position.dat" using 1:2 with linespoints ls 1 title "computed"
