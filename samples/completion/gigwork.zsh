#compdef gigwork
# Completion of gigwork for zsh. To load it: source <(gigwork completion zsh)
# or save it as _gigwork in a folder of $fpath.
_gigwork() {
  local kind tab=$'\t'
  local -a offered
  offered=("${(@f)$(gigwork completion offers -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  kind=$offered[1]
  shift offered
  # --flag=value is one word here.
  if [[ "${words[CURRENT]}" == --*=* || $kind == fields ]]; then compset -P '*='; fi
  # A word and its help, with a colon between them.
  if [[ $kind == (flags|commands) ]]; then offered=("${(@)offered/$tab/:}"); fi
  case $kind in
    (flags) _describe -o option offered ;;
    (commands) _describe command offered ;;
    # In the order in which they come: the newest name first. Without quotes, nothing is offered for an empty line.
    (words|names) compadd -V names -- $offered ;;
    # Of `title=`, the value follows.
    (fields) compadd -S '' -V names -- $offered ;;
    (files) _files ;;
    (folders) _files -/ ;;
    (value) _message 'a value' ;;
    (*) _message 'no more words' ;;
  esac
}
if [[ "${funcstack[1]}" == "_gigwork" ]]; then
  _gigwork "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit; compinit; }
  compdef _gigwork gigwork
fi
