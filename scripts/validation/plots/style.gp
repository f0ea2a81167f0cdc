# The style of all figures of the validation. The caller sets `data` (a folder of tables, with a slash at its end) and `out`
# (the path of the figure without its extension).
set encoding utf8
set border 3 lw 1.2 lc rgb "#555555"
set tics nomirror textcolor rgb "#333333"
set grid lw 1 lc rgb "#e3e3e3"
set key opaque samplen 2.5 spacing 1.15 Left reverse
set style line 1 lw 2.5 lc rgb "#0b6fa4" pt 7 ps 0.8
set style line 2 lw 2.5 lc rgb "#d1495b" pt 5 ps 0.8
set style line 3 lw 2.5 lc rgb "#3a7d44" pt 9 ps 1.0
set style line 4 lw 2.5 lc rgb "#8f5db7" pt 11 ps 1.0
set style line 5 lw 2.5 lc rgb "#e0902f" pt 13 ps 1.1
set style line 6 lw 2.5 lc rgb "#666666" pt 3 ps 0.9
# published points, and exact curves
set style line 10 lw 1.8 lc rgb "#222222" pt 6 ps 0.9
set style line 11 lw 1.5 lc rgb "#222222" dt 2
# the methods of first order, for comparison
set style line 12 lw 1.8 lc rgb "#9a9a9a"
set style line 13 lw 1.8 lc rgb "#9a9a9a" dt 3
wide = "svg size 1000,480 font 'DejaVu Sans,13' background 'white' dashlength 0.6"
square = "svg size 900,540 font 'DejaVu Sans,14' background 'white' dashlength 0.6"
map = "pngcairo size 900,420 font 'DejaVu Sans,11' background 'white'"
# vorticity: blue, white, red
set palette defined (-1 "#0b4f8a", -0.5 "#6aaed6", 0 "#ffffff", 0.5 "#f4a582", 1 "#b2182b")
# two panels side by side with one key below both
left_panel = "set bmargin at screen 0.25; set tmargin at screen 0.9; set lmargin at screen 0.08; set rmargin at screen 0.48; unset key"
right_panel = "set lmargin at screen 0.59; set rmargin at screen 0.98; set key at screen 0.5, screen 0.07 center center maxrows 2 width 2"
