import { isLeaseLost } from '../channel.ts'
import { at } from '../fleet.ts'
import type { StartedWork, WorkItem } from '../protocol.ts'
import type { Outcome } from './outcome.ts'
import type { Task } from './task.ts'
import { runIdOf, senderOf, type World } from './world.ts'

/** Whether the command of a package replaces the agent, as that of the package of the agent does. */
export function isAgentUpdate({ commands }: Pick<StartedWork, 'commands'>): boolean {
  const [program, command] = commands.install?.argv ?? []
  return program === 'muster-agent' && command === 'self-update'
}

export const agentVersionOf = ({ fleet }: World, computer: number): string =>
  fleet.agentVersions.text(at(fleet.agentVersion, computer))

/**
 * Ends the agent, and starts the version that the update leads to: the new one, or the previous one if the new one has
 * failed. It is another process, which keeps the work item of the update and loses all others.
 */
export async function restartAgent(world: World, computer: number, task: Task, update: WorkItem, outcome: Outcome) {
  const { fleet, channel } = world
  fleet.runs[computer] = at(fleet.runs, computer) + 1
  task.items = []
  const { workId, attempt } = update
  await channel
    .start(senderOf(world, computer), workId, { attempt, runId: runIdOf(world, computer) })
    .catch((error) => {
      if (!isLeaseLost(error)) throw error
    })
  if (outcome.status === 'Success' && update.package)
    fleet.agentVersion[computer] = fleet.agentVersions.add(update.package.version)
}

/** The failure of an update as the previous version reports it. */
export function toFailedUpdate(outcome: Outcome, { package: subject }: WorkItem, previousVersion: string): Outcome {
  const errorText = `Version ${subject?.version} of the agent did not contact the server in its time, so version ${previousVersion} has returned.`
  return { ...outcome, exitCode: null, output: '', errorText }
}
