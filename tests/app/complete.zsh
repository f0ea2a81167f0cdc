# complete.zsh FOLDER LINE: prints what zsh offers for a command line with the completion functions of a folder, one a
# line. An interactive zsh in a pseudo terminal completes LINE; there, `compadd`, with which completion functions add
# their matches, is replaced by a function that prints each match between two bytes 1. The bytes 2 and 3 mean that the
# line editor is ready for keys, and that the completion has ended. The terminal echoes the input, which does not have
# these bytes. compinit reads only a part of the functions of zsh, for speed; the others are loaded when they are called.
zmodload zsh/zpty
zpty session zsh -f -i
zpty -w session "PROMPT= RPROMPT= LISTMAX=10000
folder=${(q)1}"'
all=($folder $fpath)
fpath=($folder ${(M)fpath:#*/Completion(|/Base)})
autoload -U compinit
compinit -D -u
fpath=($all)
autoload -Uz ${^fpath}/_*(N:t)
setopt no_beep
bindkey "^I" complete-word
compadd() {
    local -a hits prefix hidden_prefix suffix
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
        builtin compadd "$@"
        return
    fi
    builtin compadd -A hits "$@"
    zparseopts -E P:=prefix p:=hidden_prefix S:=suffix
    (( $#hits )) || return 1
    local hit
    for hit in $hits; do
        print -r -- $'\''\1'\''"${IPREFIX}${prefix[2]}${hidden_prefix[2]}${hit}"$'\''\1'\''
    done
    builtin compadd "$@"
}
finish() { print $'\''\3'\'' }
zle -N finish
bindkey "^B" finish
zle-line-init() { print $'\''\2'\'' }
zle -N zle-line-init
'
zpty -r -m session output $'*\2*'
zpty -n -w session "$2"$'\t'$'\2' # Tab, Control-B
zpty -r -m session output $'*\3*'
print -r -- "$output" | tr -d '\r' | grep -o $'\1[^\1]*\1' | tr -d '\1'
zpty -d session
