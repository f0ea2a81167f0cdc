load "scripts/validation/plots/style.gp"
set terminal pngcairo size 1100,400 font 'DejaVu Sans,11' background 'white'
set output out.".png"
set multiplot layout 1,3 title "Zalesak's disc, 100² cells, ppm"
set size ratio -1
unset key
unset grid
unset colorbox
set border 15
set palette defined (0 "#ffffff", 0.5 "#6aaed6", 1 "#0b3c6f")
set cbrange [0:1]
set xrange [0.3:0.7]
set yrange [0.55:0.95]
set xtics 0.1
set ytics 0.1
set pm3d map
set contour surface
set cntrparam levels discrete 0.5
set cntrlabel onecolor
do for [n = 0:2] {
    name = word("start turn1 turn10", n + 1)
    set title word("initially one_turn ten_turns", n + 1)
    if (n == 1) { set title "after one turn" }
    if (n == 2) { set title "after ten turns" }
    splot data.name.".dat" using 1:2:3 with pm3d, data."start.dat" using 1:2:3 with lines lc rgb "#b2182b" lw 1.5 nosurface
}
unset multiplot
