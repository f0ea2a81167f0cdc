load "scripts/validation/plots/style.gp"
set terminal pngcairo size 1000,720 font 'DejaVu Sans,11' background 'white'
set output out.".png"
set multiplot title "Cylinder at Reynolds number 100, 16 cells a diameter"
set lmargin at screen 0.08
set rmargin at screen 0.97
set bmargin at screen 0.65
set tmargin at screen 0.93
set xlabel "time [D/U]"
set ylabel "coefficient"
set xrange [0:140]
set yrange [-0.6:2]
set key right center
plot data."forces.dat" using 1:3 with lines ls 2 title "drag", data."forces.dat" using 1:2 with lines ls 1 title "lift"
set bmargin at screen 0.08
set tmargin at screen 0.54
unset key
unset grid
set border 15
unset colorbox
set xlabel "x [D]"
set ylabel "y [D]"
set xrange [-2:20]
set yrange [-4:4]
set ytics 2
set cbrange [-2:2]
set size ratio -1
set object 1 circle at 0,0 size 0.5 fc rgb "#555555" fs solid front
set pm3d map interpolate 2,2
splot data."vorticity.dat" using 1:2:3 with pm3d
unset multiplot
