# Completion of brume for fish. `brume complete` prints what fits the last of the words (src/app/complete.c).
function __brume_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l offers ($words[1] complete $words[2..-1] "$current" 2>/dev/null)
    set -l head (string split ' ' -- $offers[1])
    set -q head[2]; or return
    set -l prefix (string sub -l $head[2] -- "$current")
    set -l rest (string sub -s (math $head[2] + 1) -- "$current")
    set -l files
    switch $head[1]
        case files folders
            set files (complete -C "__fish_command_without_completions $rest")
        case words
            set files $offers[2..-1]
    end
    switch $head[1]
        case files # those with the extensions first, and folders
            set -l pattern '(/|\.('(string join '|' -- $head[3..-1])'))(\t.*)?$'
            set files (string match -r -- '^.*'$pattern $files) $files
        case folders
            set files (string match -r -- '^.*/(?:\t.*)?$' $files)
    end
    string join \n -- $prefix$files
end

complete -c brume -k -f -a '(__brume_complete)'
