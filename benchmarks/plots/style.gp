# The style of all plots. The caller sets `data` (a folder of tables), `machine` and `threads`.
set terminal svg size 900,540 font "DejaVu Sans,14" background "white" dashlength 0.6
set encoding utf8
set border 3 lw 1.2 lc rgb "#555555"
set tics nomirror textcolor rgb "#333333"
set grid lw 1 lc rgb "#e3e3e3"
set key opaque samplen 2 spacing 1.15
set style line 1 lw 2.5 lc rgb "#0b6fa4" pt 7 ps 0.8
set style line 2 lw 2.5 lc rgb "#d1495b" pt 5 ps 0.8
set style line 3 lw 2.5 lc rgb "#3a7d44" pt 9 ps 1.0
set style line 4 lw 2.5 lc rgb "#8f5db7" pt 11 ps 1.0
set style line 5 lw 2.5 lc rgb "#e0902f" pt 13 ps 1.1
set style line 6 lw 2.5 lc rgb "#666666" pt 3 ps 0.9
set style line 7 lw 2.5 lc rgb "#2aa8a0" pt 4 ps 0.9
set style line 8 lw 2.5 lc rgb "#a0522d" pt 6 ps 0.9
set style line 20 lw 1.5 lc rgb "#888888" dt 2
