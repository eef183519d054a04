import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import type { UserProgram } from '../platform/programs.ts'

/** How long programs have to end after they were asked to. */
const graceMs = 30_000
const pollMs = 250

/** The different names of programs. */
export function namesOf(programs: readonly UserProgram[]): string[] {
  return [...new Set(programs.map(({ name }) => name))]
}

/** Asks programs to end, and ends those that do not. Call it only after the deadline. */
export async function closePrograms(agent: Agent, names: readonly string[], limitMs = graceMs): Promise<void> {
  const { userPrograms } = agent.platform
  const open = await userPrograms.list(names)
  await endAll(agent, open, 'ask')
  const end = performance.now() + limitMs
  let left = open
  while (left.length > 0 && performance.now() < end && !agent.stopping.aborted) {
    await sleep(pollMs)
    left = await userPrograms.list(names)
  }
  await endAll(agent, left, 'kill')
}

/** If a program cannot be ended, the others are closed all the same, and the work begins. */
async function endAll({ platform }: Agent, programs: readonly UserProgram[], how: 'ask' | 'kill'): Promise<void> {
  for (const program of programs)
    await platform.userPrograms
      .end(program, how)
      .catch((error: unknown) => log(`${program.name} could not be closed: ${messageOf(error)}`))
}
