import { accessSync, constants } from 'node:fs'
import { visibleLine } from '@muster/text'
import { print } from '@muster/text/print'
import { codeOf } from '../expected-error.ts'
import type { Platform } from '../platform/platform.ts'
import { stateFolder } from '../state/state-folder.ts'
import type { Warning } from '../state/warnings.ts'
import { type AgentConnection, connectToAgent } from '../user-channel/connect.ts'
import type { SoftwareItem, UserView } from '../user-channel/messages.ts'
import { parseUntil } from './parse-until.ts'

/**
 * The state folder of the agent to which this user has to speak; undefined if the user may use the folder itself. `chosen` is the
 * folder that the user has named, if any.
 */
export function findForeignState(platform: Platform, chosen: string | undefined): string | undefined {
  const named = chosen ?? (process.env.MUSTER_AGENT_STATE || undefined)
  if (named === undefined) return platform.userChannel.findForeignState()
  const { identity, root } = stateFolder(platform, named)
  try {
    accessSync(identity, constants.R_OK)
    return undefined
  } catch (error) {
    return ['EACCES', 'EPERM'].includes(codeOf(error) ?? '') ? root : undefined
  }
}

/** What users can do who may not use the state folder. The agent decides, and does it. */
export type UserCommands = ReturnType<typeof userCommands>

export function userCommands(platform: Platform, foreignState: string) {
  const asUser = async <T>(use: (agent: AgentConnection) => Promise<T>): Promise<T> => {
    const agent = await connectToAgent(platform, foreignState)
    try {
      return await use(agent)
    } finally {
      agent.close()
    }
  }
  return {
    status: () => asUser(async (agent) => printStatus(await agent.ask({ verb: 'view' }))),
    offers: () =>
      asUser(async (agent) => {
        const { software } = await agent.ask({ verb: 'view' })
        const offered = software.filter(({ state }) => state === 'Offered')
        if (offered.length === 0) print('No packages are offered.')
        for (const { packageId, offeredUntilUtc, ...item } of offered)
          print(`${packageId}\t${nameOf(item)}${offeredUntilUtc ? `, until ${offeredUntilUtc}` : ''}`)
      }),
    take: (packageId: string) =>
      asUser(async (agent) => {
        const taken = await agent.ask({ verb: 'take', packageId })
        print(`${nameOf(taken)} is requested.`)
      }),
    postpone: (until: string) =>
      asUser(async (agent) => {
        const { untilUtc, affected } = await agent.ask({ verb: 'postpone', untilUtc: parseUntil(until) })
        const now = affected === 0 ? 'Nothing that is known now may be postponed.' : `Known now: ${affected}.`
        print(`Work that may be postponed waits until ${untilUtc}. ${now}`)
      }),
    request: (wish: string, reason: string) =>
      asUser(async (agent) => {
        const { outcome } = await agent.ask({ verb: 'request', wish, reason })
        print(requestOutcomes[outcome])
        if (outcome === 'TooMany') process.exitCode = 1
      }),
  }
}

const requestOutcomes = {
  Recorded: "The request waits for an administrator. 'status' shows the decision.",
  Kept: 'The server cannot be reached. The request is sent when it can.',
  TooMany: 'The request was not stored: too many requests of this computer wait, or were made today.',
} as const

const nameOf = ({ name, version }: { name: string; version: string }) => visibleLine(`${name} ${version}`)

const shownStates = ['Running', 'Pending', 'Failed', 'Installed', 'Offered'] as const

function printStatus(view: UserView): void {
  const suspension = view.suspendedUntil === 'open-ended' ? 'until it is resumed' : view.suspendedUntil
  const lines = {
    version: view.agentVersion,
    running: 'yes',
    user: view.user,
    'last contact': view.lastContactUtc ?? 'never',
    suspended: suspension ?? 'no',
    postponed: view.postponedUntilUtc ?? 'no',
    'restart required': view.isRebootRequired ? 'yes' : 'no',
    'software as of': view.asOfUtc ?? 'unknown',
  }
  for (const [name, value] of Object.entries(lines)) print(visibleLine(`${`${name}:`.padEnd(20)} ${value}`))
  for (const warning of view.warnings) print(warn(warning))
  for (const state of shownStates)
    for (const item of view.software.filter((one) => one.state === state)) print(describe(item))
  for (const { wish, state, answer } of view.requests)
    print(visibleLine(`${'request:'.padEnd(20)} ${wish}: ${state}${answer ? `. ${answer}` : ''}`))
}

/** What happens at the latest when, and which programs have to be closed for it. */
function warn({ kind, package: item, power, deadlineUtc, remaining, programs }: Warning): string {
  const details = [`can be postponed ${remaining} times`, ...programs.map((name) => `close ${name}`)].join(', ')
  const what = item ? `${kind} of ${item.name} ${item.version}` : (power ?? kind)
  return visibleLine(`${'deadline:'.padEnd(20)} ${what}: ${deadlineUtc} (${details})`)
}

function describe({ state, action, percent, reasons, isTaken, ...item }: SoftwareItem): string {
  const details = [
    action,
    percent === null ? undefined : `${percent} %`,
    isTaken ? 'requested' : undefined,
    ...reasons.map(({ reason, untilUtc }) => (untilUtc ? `${reason} until ${untilUtc}` : reason)),
  ].filter(Boolean)
  const shown = details.length > 0 ? ` (${details.join(', ')})` : ''
  return visibleLine(`${`${state.toLowerCase()}:`.padEnd(20)} ${item.name} ${item.version}${shown}`)
}
