load "scripts/validation/plots/style.gp"
set terminal pngcairo size 1100,380 font 'DejaVu Sans,11' background 'white'
set output out.".png"
set multiplot layout 1,3 title "Vorticity of Taylor vortices, 256² cells"
set size ratio -1
unset key
unset grid
unset colorbox
set border 15
set xrange [0:2 * pi]
set yrange [0:2 * pi]
set cbrange [-8:8]
set xtics 2
set ytics 2
set pm3d map
set title "t = 0"
splot data."second-order-start.dat" using 1:2:3 with pm3d
set title "t = 10, second-order"
splot data."second-order-end.dat" using 1:2:3 with pm3d
set title "t = 10, split"
splot data."split-end.dat" using 1:2:3 with pm3d
unset multiplot
