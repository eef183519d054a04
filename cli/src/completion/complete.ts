import type { Choices, CommandDeclaration, NameKind } from '../command.ts'
import { defaultIn, globalOptions, longName, type ParsedWords, parseWords } from './parse-words.ts'

/** What a shell can offer for a word, with its meaning if it has one. */
export type Candidate = { word: string; meaning?: string }

/** Lists names of a kind that begin with a text. */
export type FindNames = (kind: NameKind, beginning: string) => Promise<readonly string[]>

/** Lists what the last of the words can be. The words are those after `muster`. */
export async function listCandidates(
  words: readonly string[],
  commands: readonly CommandDeclaration[],
  findNames: FindNames,
): Promise<Candidate[]> {
  const current = words.at(-1) ?? ''
  const parsed = parseWords(words.slice(0, -1), commands)
  const candidates = await listAll(parsed, current, commands, findNames)
  return candidates.filter(({ word }) => word.startsWith(current))
}

async function listAll(
  parsed: ParsedWords,
  current: string,
  commands: readonly CommandDeclaration[],
  findNames: FindNames,
): Promise<Candidate[]> {
  const { command, option } = parsed
  const fromChoices = async (choices: Choices | undefined): Promise<Candidate[]> => {
    if (choices === undefined) return []
    const found = typeof choices === 'string' ? await findNames(choices, current) : choices
    return found.map((word) => ({ word }))
  }
  if (option && !current.startsWith('-')) return fromChoices(option[2])
  if (current.startsWith('-')) return listOptions(command ?? defaultIn(parsed.beginning, commands))
  return command ? fromChoices(choicesOf(command, parsed.args)) : listCommands(parsed.beginning, commands)
}

const listOptions = (command: CommandDeclaration | undefined): Candidate[] =>
  [...(command?.options ?? []), ...globalOptions].map((option) => ({ word: longName(option), meaning: option[1] }))

/** The choices of the next argument. The last one may stand for several. */
function choicesOf(command: CommandDeclaration, args: readonly string[]): Choices | undefined {
  const { arguments: declared = [], choicesAfter } = command
  const next = declared[args.length] ?? declared.findLast(([syntax]) => syntax.includes('...'))
  return next?.[2] ?? choicesAfter?.(args)
}

function listCommands(beginning: readonly string[], commands: readonly CommandDeclaration[]): Candidate[] {
  const found = new Map<string, string>()
  for (const { name, summary } of commands) {
    const names = name.split(' ')
    const [word, ...more] = names.slice(beginning.length)
    if (word === undefined || beginning.some((one, level) => one !== names[level])) continue
    // A word that contains several commands has no meaning of its own.
    found.set(word, more.length > 0 ? '' : summary)
  }
  return [...found].map(([word, meaning]) => (meaning ? { word, meaning } : { word }))
}
