# Completion of gigwork for fish. To keep it: gigwork completion fish > ~/.config/fish/completions/gigwork.fish
function __gigwork_offers
    set -l words (commandline -opc)
    set -e words[1]
    set -l cur (commandline -ct)
    set -l offered (gigwork completion offers -- $words "$cur" 2>/dev/null)
    set -l kind $offered[1]
    set -e offered[1]
    # --flag=value is one word here.
    set -l flag (string match -r -- '^--[^=]*=' "$cur")
    # COLUMN=field, too.
    if test "$kind" = fields
        set flag (string match -r -- '^.*=' "$cur")
    end
    set -l value (string replace -- "$flag" '' "$cur")
    switch "$kind"
        case files
            set offered (__fish_complete_path "$value")
        case folders
            set offered (__fish_complete_directories "$value")
    end
    for offer in $offered
        echo "$flag$offer"
    end
end
complete -c gigwork -f -k -a '(__gigwork_offers)'
