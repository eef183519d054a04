import type { CommandDeclaration } from '../command.ts'

type Commands = readonly CommandDeclaration[]

/** Options of all commands. */
const globalOptions = ['--output', '--profile', '--help']

const optionsOf = ({ options = [] }: CommandDeclaration) =>
  options.map(([syntax]) => /--[\w-]+/.exec(syntax)?.[0] ?? '').concat(globalOptions)

/** What can follow each beginning of a command: names of commands, or options. */
function listWords(commands: Commands): Map<string, string[]> {
  const words = new Map<string, string[]>([['', ['help']]])
  const add = (beginning: string, ...more: string[]) =>
    words.set(beginning, [...new Set([...(words.get(beginning) ?? []), ...more])])
  for (const declaration of commands) {
    const [first = '', second] = declaration.name.split(' ')
    add('', first)
    if (second) add(first, second)
    add(declaration.name, ...optionsOf(declaration))
  }
  return words
}

function bash(commands: Commands): string {
  const cases = [...listWords(commands)].map(
    ([beginning, words]) => `    '${beginning}') words='${words.join(' ')}' ;;`,
  )
  return `# Completion of muster for bash
_muster() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words='' first="\${COMP_WORDS[1]}" second="\${COMP_WORDS[2]}"
  local beginning=''
  [ "$COMP_CWORD" -ge 2 ] && beginning="$first"
  [ "$COMP_CWORD" -ge 3 ] && case " ${nested(commands).join(' ')} " in *" $first:$second "*) beginning="$first $second" ;; esac
  case "$beginning" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _muster muster
`
}

const nested = (commands: Commands) =>
  commands.filter(({ name }) => name.includes(' ')).map(({ name }) => name.replace(' ', ':'))

function zsh(commands: Commands): string {
  const cases = [...listWords(commands)].map(([beginning, words]) => `    '${beginning}') list=(${words.join(' ')}) ;;`)
  return `#compdef muster
# Completion of muster for zsh
_muster() {
  local beginning='' first="$words[2]" second="$words[3]"
  local -a list
  (( CURRENT >= 3 )) && beginning="$first"
  (( CURRENT >= 4 )) && [[ " ${nested(commands).join(' ')} " == *" $first:$second "* ]] && beginning="$first $second"
  case "$beginning" in
${cases.join('\n')}
  esac
  compadd -a list || _files
}
compdef _muster muster
`
}

function fish(commands: Commands): string {
  const quote = (text: string) => `'${text.replaceAll("'", "\\'")}'`
  const lines = commands.flatMap((declaration) => {
    const [first = '', second] = declaration.name.split(' ')
    const seen = second
      ? `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
      : `__fish_seen_subcommand_from ${first}`
    const start = second
      ? `complete -c muster -n ${quote(`__fish_seen_subcommand_from ${first}`)} -a ${second}`
      : `complete -c muster -n __fish_use_subcommand -a ${first}`
    return [
      ...(second ? [`complete -c muster -n __fish_use_subcommand -a ${first}`] : []),
      `${start} -d ${quote(declaration.summary)}`,
      ...optionsOf(declaration).map((option) => `complete -c muster -n ${quote(seen)} -l ${option.slice(2)}`),
    ]
  })
  return `# Completion of muster for fish\n${[...new Set(lines)].join('\n')}\n`
}

export const completionScripts: Record<string, (commands: Commands) => string> = { bash, zsh, fish }
