# Completion of brume for bash, with the package bash-completion. `brume complete` prints what fits the last of the words
# (src/app/complete.c).
_brume()
{
    local cur prev words cword IFS=$'\n'
    _init_completion -n = || return
    local -a offers
    mapfile -t offers < <("${words[0]/#\~/$HOME}" complete "${words[@]:1:cword}" 2>/dev/null)
    local kind prefix_length list
    IFS=' ' read -r kind prefix_length list <<<"${offers[0]}"
    local prefix=${cur:0:prefix_length}
    cur=${cur:prefix_length}
    case $kind in
    files) _filedir ${list:+"@(${list// /|})"} ;;
    folders) _filedir -d ;;
    words)
        offers=("${offers[@]%%$'\t'*}") # without the explanations
        COMPREPLY=($(compgen -W "${offers[*]:1}" -- "$cur"))
        ;;
    esac
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
    # readline replaces only what follows the last "="
    if [[ $prefix$cur == *=* && $COMP_WORDBREAKS == *=* ]]; then
        prefix= cur=${cur%"${cur##*=}"}
        COMPREPLY=("${COMPREPLY[@]#"$cur"}")
    fi
    COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
}

complete -F _brume brume
