import type { MusterClient, operations } from '@muster/client'
import { parseCount } from './numbers.ts'
import type { Output } from './output/output.ts'
import type { Terminal } from './terminal.ts'

export type OperationId = keyof operations

export type Options = Record<string, unknown>

/** What the run of a command gets. */
export type Call = {
  terminal: Terminal
  output: Output
  /** The values of the arguments, in their order. The last one is a list if it is variadic. */
  args: readonly string[]
  /** The last argument if it is variadic. */
  names: readonly string[]
  options: Options
  /** The client of the service, as the principal that has signed in. */
  client: MusterClient
}

/** Names that the service or the credentials know. */
export type NameKind =
  | ('computer' | 'group' | 'package' | 'rollout' | 'agent template' | 'webhook' | 'report' | 'patch policy')
  | ('principal' | 'role' | 'operation' | 'profile')

/** What a shell offers for a parameter: names, or some words. */
export type Choices = NameKind | readonly string[]

export type Parameter = readonly [syntax: string, meaning: string, choices?: Choices]

export type CommandDeclaration = {
  /** Its name, or names of a command within another: `rollout start`. */
  name: string
  /** What its group does without another command: `muster patches` is `muster patches list`. */
  isDefault?: true
  summary: string
  description?: string
  /** `<name>` is required, `[name]` optional, `[names...]` any number; each with its meaning. */
  arguments?: readonly Parameter[]
  options?: readonly Parameter[]
  /** What a shell offers for further arguments, if it depends on the ones before. */
  choicesAfter?: (args: readonly string[]) => Choices | undefined
  /** Commands that work, with what they do. */
  examples: readonly (readonly [command: string, effect: string])[]
  /** The operations of the API that it calls. */
  operations: readonly OperationId[]
  /** Runs without a client: `login` makes it possible, and others need no service. */
  runLocally?: (call: Omit<Call, 'client'>) => Promise<void>
  run?: (call: Call) => Promise<void>
}

/** Declares a command. Help, completion and the check against the API follow from it. */
export function command(declaration: CommandDeclaration): CommandDeclaration {
  return declaration
}

/** Shared by all commands that change something. */
export const dryRunOption = ['--dry-run', 'Show what would happen, and change nothing'] as const

/** Shared by changes of many computers: the service refuses the change if it affects another number. */
export const expectOption = [
  '--expect <count>',
  'Refuse the change unless it affects exactly this many computers',
] as const

/** Option of a command that ends with 2 if there is something to do, as terraform does. */
export const detailedExitCode = '--detailed-exitcode'

export type ChangeQuery = { dryRun?: true; expectedCount?: number }

/** The query of a change with these two options. */
export function changeQuery({ dryRun, expect }: Options): ChangeQuery {
  return {
    ...(dryRun === true && { dryRun }),
    ...(expect !== undefined && { expectedCount: parseCount(expect, '--expect') }),
  }
}
