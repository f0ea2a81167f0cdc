load "benchmarks/plots/style.gp"
set terminal pngcairo size 1200,440 font 'DejaVu Sans,11' background 'white'
set output out.".png"
set multiplot title "Velocity u [m/s] of a vortex and of a mode that changes its sign from cell to cell along x"
unset key
unset grid
unset xtics
unset ytics
unset colorbox
set border 15
set size ratio -1
set xrange [0.5:32.5]
set yrange [0.5:32.5]
set cbrange [-1.3:1.3]
set palette defined (-1 "#0b4f8a", -0.5 "#6fb1d6", 0 "#f7f7f7", 0.5 "#e58a6f", 1 "#a3172c")
set tmargin at screen 0.82
set bmargin at screen 0.04
set lmargin at screen 0.02
set rmargin at screen 0.31
set title "at the start"
plot data."checkerboard.dat" using 1:2:3 with image pixels
set lmargin at screen 0.33
set rmargin at screen 0.62
set title "after a step of collocated"
plot data."checkerboard.dat" using 1:2:4 with image pixels
set lmargin at screen 0.64
set rmargin at screen 0.93
set colorbox user origin 0.945, 0.06 size 0.012, 0.74
set title "after a step of classic, on faces"
plot data."checkerboard.dat" using 1:2:5 with image pixels
unset multiplot
