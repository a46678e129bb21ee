# Completion of gigwork for bash, from version 3.2 on. To load it: source <(gigwork completion bash)
_gigwork() {
  local kind='' word quoted help cur=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  # --flag=value arrives as three words.
  if [[ $cur == '=' ]]; then cur=''; fi
  {
    read -r kind
    while IFS=$'\t' read -r word help; do
      # Names are data: compgen -W would run what stands in them.
      printf -v quoted '%q' "$word"
      if [[ $word == "$cur"* || $quoted == "$cur"* ]]; then COMPREPLY+=("$quoted"); fi
    done
  } < <(gigwork completion offers -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case $kind in
    folders) COMPREPLY=($(compgen -d -- "$cur")) ;;
    # File names would only mislead. bash 3 has no compopt.
    names | fields | value) compopt +o default 2>/dev/null ;;
  esac
  # The value follows.
  if [[ ${COMPREPLY[0]-} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
# Where nothing is offered, bash completes names of files.
complete -o default -F _gigwork gigwork
