// The completion script for each shell. The scripts contain no commands: they run `plugboard __complete`, which prints one
// candidate per line. A candidate may be text from a server, so no script evaluates it, and each script quotes it before it
// reaches the command line. No space follows a candidate that ends in `=` or `/`, since the user types on.

export type Shell = 'bash' | 'zsh' | 'fish';

export const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

/** bash also splits words at `=`, `:` and `@`, and replaces only the last piece, which begins with `@`. */
const BASH = `# Completion of plugboard for bash. To use it: eval "$(plugboard completion bash)"
_plugboard() {
  local rest=\${COMP_LINE:0:COMP_POINT} breaks=\${COMP_WORDBREAKS//[!=:]/}
  local piece= current= tail= head= value= quoted= i
  local -a words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    piece=\${COMP_WORDS[i]}
    if [[ $i -eq 0 || $rest == [[:space:]]* ]]; then
      rest=\${rest#"\${rest%%[![:space:]]*}"}
      piece=\${rest:0:\${#piece}}
      words+=("$piece")
    else
      piece=\${rest:0:\${#piece}}
      words[\${#words[@]}-1]+=$piece
    fi
    rest=\${rest:\${#piece}}
  done
  current=\${words[\${#words[@]}-1]}
  tail=$current
  if [[ $piece == [\\"\\']* ]]; then
    tail=$piece
  else
    [[ -z $breaks ]] || tail=\${tail##*[$breaks]}
    [[ $COMP_WORDBREAKS != *@* || $tail != *@* ]] || tail=@\${tail##*@}
  fi
  head=\${current%"$tail"}
  COMPREPLY=()
  while IFS= read -r value; do
    if [[ $value == "$head"* ]]; then
      value=\${value:\${#head}}
      [[ -n $value ]] || continue
      printf -v quoted %q "$value"
    else
      printf -v quoted %q "$value"
      quoted=\${quoted#"$head"}
    fi
    if [[ $piece == [\\"\\']* ]]; then
      [[ $quoted == "$value" ]] || continue
    elif [[ $value != *[=/] ]]; then
      quoted+=' '
    fi
    COMPREPLY+=("$quoted")
  done < <(command plugboard __complete bash -- "\${words[@]}" 2>/dev/null)
}
complete -o nospace -F _plugboard plugboard
`;

const ZSH = `#compdef plugboard
# Completion of plugboard for zsh. To use it, after compinit: eval "$(plugboard completion zsh)"
_plugboard() {
  local line value
  local -a answers open open_shown closed closed_shown
  answers=("\${(@f)$(command plugboard __complete zsh -- "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  for line in "\${answers[@]}"; do
    value=\${line%%$'\\t'*}
    [[ -n $value ]] || continue
    if [[ $value == *[=/] ]]; then
      open+=("$value")
      open_shown+=("\${line/$'\\t'/  -- }")
    else
      closed+=("$value")
      closed_shown+=("\${line/$'\\t'/  -- }")
    fi
  done
  (( \${#closed} )) && compadd -l -d closed_shown -a closed
  (( \${#open} )) && compadd -l -S '' -d open_shown -a open
  (( \${#closed} + \${#open} ))
}
if [[ \${funcstack[1]} == _plugboard ]]; then
  _plugboard "$@"
else
  compdef _plugboard plugboard
fi
`;

const FISH = `# Completion of plugboard for fish. To use it: plugboard completion fish | source
function __plugboard_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    command plugboard __complete fish -- $words "$current" 2>/dev/null
end
complete -c plugboard -f -a '(__plugboard_complete)'
`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}
