load "scripts/validation/plots/style.gp"
set terminal pngcairo size 1100,400 font 'DejaVu Sans,11' background 'white'
set output out.".png"
set multiplot layout 1,3 title "Heated cavity, 128² cells"
set xlabel "x"
set ylabel "v at y = 1/2 [α/L]"
set xrange [0:1]
set yrange [-80:130]
set key top right
plot data."v5.dat" using 1:2 with lines ls 2 title "Ra 10^5", \
     data."v3.dat" using 1:2 with lines ls 1 title "Ra 10^3", \
     '-' using 1:2 with points ls 10 ps 1.4 title "maxima, de Vahl Davis"
0.178 3.697
0.066 68.59
e
set size ratio -1
unset key
unset grid
unset colorbox
set border 15
set yrange [0:1]
set cbrange [0:1]
set ylabel "y"
set palette defined (0 "#0b4f8a", 0.25 "#6aaed6", 0.5 "#f7f7f7", 0.75 "#f4a582", 1 "#b2182b")
set pm3d map
set contour surface
set cntrparam levels incremental 0.1, 0.1, 0.9
set cntrlabel onecolor
do for [n in "3 5"] {
    set title "temperature, Ra 10^".n
    splot data."temperature".n.".dat" using 1:2:3 with pm3d, \
          data."temperature".n.".dat" using 1:2:3 with lines lc rgb "#444444" lw 1 nosurface
}
unset multiplot
