/** The scripts only ask the command itself so that all shells offer the same, and names of the service. */
const bash = `# Completion of muster for bash
_muster() {
  COMPREPLY=()
  local candidate
  while IFS= read -r candidate; do
    COMPREPLY+=("$candidate")
  done < <(muster complete --line "\${COMP_LINE:0:COMP_POINT}" 2> /dev/null)
}
complete -o default -F _muster muster
`

const zsh = `#compdef muster
# Completion of muster for zsh
_muster() {
  local -a candidates
  candidates=("\${(@f)$(muster complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2> /dev/null)}")
  candidates=("\${(@)candidates:#}")
  if (( $#candidates )); then
    compadd -a candidates
  else
    _files
  fi
}
# zsh loads the file from a folder of fpath when it first needs it; otherwise it was sourced.
if [ "$funcstack[1]" = _muster ]; then
  _muster "$@"
else
  compdef _muster muster
fi
`

const fish = `# Completion of muster for fish
function __muster_complete
  set -l words (commandline -opc)
  set -e words[1]
  set -l typed (commandline -ct)
  set -l current (string unescape -- "$typed")
  set -l candidates (muster complete --meanings -- $words "$current" 2> /dev/null)
  if test (count $candidates) -gt 0
    printf '%s\\n' $candidates
  else
    __fish_complete_path "$typed"
  end
end
complete -c muster -f -a '(__muster_complete)'
`

export const completionScripts: Record<string, string> = { bash, zsh, fish }
