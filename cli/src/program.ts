import { Argument, Command, Option } from 'commander'
import { chooseWord } from './choices.ts'
import type { Call, CommandDeclaration, Parameter } from './command.ts'
import { commandGroups, commands } from './commands/index.ts'
import { connect } from './credentials/connect.ts'
import { formats, outputTo } from './output/output.ts'
import type { Terminal } from './terminal.ts'
import { version } from './version.ts'

/** The command line as commander parses it, built from the declarations of the commands. */
export function buildProgram(terminal: Terminal): Command {
  const program = new Command('muster')
    .description('The command line of Muster: manage computers by name.')
    .version(version, '-V, --version')
    .option('--profile <name>', 'The service and principal of a sign-in other than the last one')
    .option('--insecure', 'Allow plain http to another host, which exposes the credentials to the network')
    .addOption(new Option('-o, --output <format>', 'How results are written').choices(formats).default('table'))
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.note })
    .exitOverride()
    .showSuggestionAfterError()
    .addHelpText('after', formatExamples(firstExamples) + helpEnd)
  for (const declaration of commands) addCommand(parentOf(program, declaration), declaration, terminal)
  return program
}

const firstExamples = [
  ['muster login https://muster.example.org', 'Sign in once'],
  ['muster computers --issue low-disk', 'Look around'],
  ['muster group Office/Berlin deploy --dry-run', 'Try out a change'],
] as const

const helpEnd = `

Names and paths stand for ids. If a name is ambiguous, the command lists the candidates.
Exit codes: 0 for success, 1 if something failed, 2 for wrong use.
Instead of a sign-in, MUSTER_URL, MUSTER_CLIENT_ID and MUSTER_CLIENT_SECRET can be set.`

/** The command that contains another: `rollout` for `rollout start`, and `packages winget` for `packages winget add`. */
function parentOf(program: Command, { name }: CommandDeclaration): Command {
  const groups = name.split(' ').slice(0, -1)
  return groups.reduce((parent, _, at) => groupIn(parent, groups.slice(0, at + 1)), program)
}

function groupIn(parent: Command, names: readonly string[]): Command {
  const known = parent.commands.find((one) => one.name() === names.at(-1))
  if (known) return known
  const path = names.join(' ')
  const group = inherit(new Command(names.at(-1)), parent).description(commandGroups[path] ?? '')
  const inside = commands.filter((one) => one.name.startsWith(`${path} `))
  group.addHelpText('after', formatExamples(inside.flatMap(({ examples: [first] }) => (first ? [first] : []))))
  parent.addCommand(group)
  return group
}

const formatExamples = (examples: CommandDeclaration['examples']) =>
  `\nExamples:\n${examples.map(([line, effect]) => `  ${line}\n      ${effect}`).join('\n')}`

const inherit = (inner: Command, outer: Command) => inner.copyInheritedSettings(outer)

function addCommand(parent: Command, declaration: CommandDeclaration, terminal: Terminal): void {
  const { name, summary, description, examples, operations, isDefault = false } = declaration
  const command = inherit(new Command(name.split(' ').at(-1)), parent)
    .summary(summary)
    .description(description ? `${summary}.\n\n${description}` : `${summary}.`)
  for (const parameter of declaration.arguments ?? [])
    command.addArgument(new Argument(parameter[0], parameter[1]).argParser(parserOf(parameter)))
  for (const parameter of declaration.options ?? [])
    command.addOption(new Option(parameter[0], parameter[1]).argParser(parserOf(parameter)))
  command.addHelpText('after', formatExamples(examples))
  if (operations.length > 0) command.addHelpText('after', `\nOperations of the API: ${operations.join(', ')}`)
  command.action(async () => {
    const call = callOf(command, terminal)
    if (declaration.runLocally) return declaration.runLocally(call)
    const { profile, insecure } = call.options
    const client = await connect(terminal, {
      profile: profile as string | undefined,
      insecure: insecure === true,
    })
    return declaration.run?.({ ...call, client })
  })
  parent.addCommand(command, { isDefault })
}

/** Checks words as they are read. The values of a variadic parameter are collected. */
function parserOf(parameter: Parameter) {
  return (word: string, before: unknown) => {
    const chosen = chooseWord(parameter, word)
    if (!parameter[0].includes('...')) return chosen
    return Array.isArray(before) ? [...before, chosen] : [chosen]
  }
}

function callOf(command: Command, terminal: Terminal): Omit<Call, 'client'> {
  const options = command.optsWithGlobals()
  const values = command.processedArgs as (string | string[] | undefined)[]
  return {
    terminal,
    options,
    output: outputTo(terminal, options.output),
    args: values.filter((value): value is string => typeof value === 'string'),
    names: values.flatMap((value) => (Array.isArray(value) ? value : [])),
  }
}
