load "scripts/validation/plots/style.gp"
set terminal pngcairo size 1100,520 font 'DejaVu Sans,11' background 'white'
set output out.".png"
set multiplot title "Turbulent plume"
set palette defined (0 "#ffffff", 0.1 "#fde0c5", 0.3 "#f7a072", 0.6 "#c8463c", 1 "#4a0d2b")
stats data."fit.dat" using 1:2 nooutput
origin_height = STATS_min_x
spread = STATS_min_y
unset key
unset colorbox
set border 15
unset grid
set pm3d map interpolate 2,2
set cbrange [0:60]
set xrange [-1:1]
set yrange [0:3]
set xlabel "x [m]"
set ylabel "y [m]"
set size ratio -1
set size 0.3, 0.95
set origin 0, 0
set title "temperature at an instant"
splot data."middle.dat" using 1:2:3 with pm3d
set origin 0.27, 0
set title "mean temperature"
splot data."middle.dat" using 1:2:4 with pm3d
set size noratio
set size 0.42, 0.95
set origin 0.57, 0
set grid
set border 3
set key bottom left
set title "top-hat values over the height above the origin"
set xlabel "z [m]"
set ylabel "b [m], w [m/s], g' [m/s²]"
set logscale xy
set xrange [0.5:3]
set xtics (0.5, 1, 2, 3)
set yrange [0.02:3]
w0 = real(system("awk 'NR == 5 { print $3 * ($1 - ".sprintf("%g", origin_height).")^(1 / 3) }' ".data."profiles.dat"))
g0 = real(system("awk 'NR == 5 { print $4 * ($1 - ".sprintf("%g", origin_height).")^(5 / 3) }' ".data."profiles.dat"))
plot data."profiles.dat" using ($1 - origin_height):2 with points ls 1 title "b", \
     data."profiles.dat" using ($1 - origin_height):3 with points ls 2 title "w", \
     data."profiles.dat" using ($1 - origin_height):4 with points ls 3 title "g'", \
     spread * x with lines ls 11 title "z, z^{−1/3}, z^{−5/3}", \
     w0 * x**(-1 / 3.) with lines ls 11 notitle, \
     g0 * x**(-5 / 3.) with lines ls 11 notitle
unset multiplot
