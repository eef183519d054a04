import type { CommandDeclaration, Parameter } from '../../src/command.ts'
import { commands } from '../../src/commands/index.ts'
import { hostileText } from './hostile-answers.ts'

/** What the arguments of the commands need. */
export type Places = { address: string; stateFolder: string }

/**
 * Calls of every command, from its declaration: with what it requires, with each of its fixed words, with all options that name
 * something, and following. A new command is included by itself.
 */
export function listCalls(places: Places): string[][] {
  return commands.flatMap((command) => callsOf(command, places))
}

function callsOf(command: CommandDeclaration, places: Places): string[][] {
  const { arguments: declared = [], options = [] } = command
  const required = declared.filter(([syntax]) => syntax.startsWith('<'))
  const base = [...command.name.split(' '), ...required.map((parameter) => fillIn(parameter, places))]
  const words = declared.flatMap((parameter) =>
    !parameter[0].startsWith('<') && Array.isArray(parameter[2]) ? parameter[2].map(String) : [],
  )
  const named = options.filter(([, , choices]) => typeof choices === 'string')
  const withNames = named.flatMap((option) => [longName(option), fillIn(option, places)])
  const following = ['--watch', '--follow', '--retry'].filter((flag) =>
    options.some(([syntax]) => syntax.startsWith(flag)),
  )
  const limit = options.some(([syntax]) => syntax.startsWith('--limit')) ? ['--limit', '1'] : []
  return [
    base,
    ...(declared.some(([syntax]) => syntax.startsWith('[path')) ? [[...base, places.stateFolder]] : []),
    ...words.map((word) => [...base, word, ...(takesNames(command, word) ? [hostileText] : [])]),
    ...(named.length > 0 ? [[...base, ...withNames]] : []),
    ...following.map((flag) => [...base, ...withNames, flag, ...limit]),
  ]
}

const longName = ([syntax]: Parameter) => syntax.split(' ')[0] ?? ''

/** Actions that name computers or packages. */
const takesNames = ({ name }: CommandDeclaration, word: string) =>
  (name === 'group' && ['add', 'remove', 'assign', 'unassign'].includes(word)) ||
  (name === 'computer' && word === 'uninstall')

function fillIn([syntax, , choices]: Parameter, { address, stateFolder }: Places): string {
  if (Array.isArray(choices)) return String(choices[0])
  if (choices === undefined && syntax === '<address>') return address
  if (choices === undefined && syntax === '<path>') return stateFolder
  return hostileText
}
