import type { CommandDeclaration, Parameter } from '../command.ts'

/** Options of all commands. */
export const globalOptions: readonly Parameter[] = [
  ['-o, --output <format>', 'How results are written', ['table', 'json', 'csv']],
  ['--profile <name>', 'The service and principal of a sign-in other than the last one', 'profile'],
  ['--insecure', 'Allow plain http to another host, which exposes the credentials to the network'],
  ['--help', 'Show the help'],
]

export const longName = ([syntax]: Parameter) => /--[\w-]+/.exec(syntax)?.[0] ?? ''

/** A command line up to the word that is completed. */
export type ParsedWords = {
  /** The names of commands so far, if they are not complete. */
  beginning: readonly string[]
  command?: CommandDeclaration
  /** The arguments of the command so far. */
  args: readonly string[]
  /** The option whose value comes next. */
  option?: Parameter
}

export function parseWords(words: readonly string[], commands: readonly CommandDeclaration[]): ParsedWords {
  const plain: string[] = []
  let option: Parameter | undefined
  let command: CommandDeclaration | undefined
  let args = 0
  for (const word of words) {
    if (word.startsWith('-')) {
      option = findOption(word, command ?? defaultIn(plain, commands))
    } else if (option) {
      // An option with several values takes all words until the next option.
      if (!option[0].includes('...')) option = undefined
    } else {
      plain.push(word)
      command ??= commands.find(({ name }) => name === plain.join(' '))
      args = command ? command.name.split(' ').length : 0
    }
  }
  return {
    beginning: plain,
    args: plain.slice(args),
    ...(command && { command }),
    ...(option && { option }),
  }
}

/** What a group does without another command. */
export const defaultIn = (group: readonly string[], commands: readonly CommandDeclaration[]) =>
  commands.find(({ name, isDefault }) => isDefault && name.startsWith(`${group[0]} `))

/** The option of a word, if a value follows it. */
function findOption(word: string, command: CommandDeclaration | undefined): Parameter | undefined {
  const known = [...(command?.options ?? []), ...globalOptions]
  return known.find(([syntax]) => /[<[]/.test(syntax) && syntax.split(/[ ,]+/).includes(word))
}
