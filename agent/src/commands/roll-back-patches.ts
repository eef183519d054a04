import { print } from '@muster/text/print'
import { ExpectedError, messageOf } from '../expected-error.ts'
import { readRollbackList, writeOutcomes } from '../patches/rollbacks.ts'
import type { Platform } from '../platform/platform.ts'
import { rebootExitCode } from '../work/declared/source-commands.ts'

/**
 * Rolls back the patches that a fix package is asked to roll back, as its command. A patch that cannot be rolled back does not
 * fail the package: the agent reports why. Exits with 100 if a restart must follow.
 */
export async function rollBackPatches({ name, patches }: Platform): Promise<void> {
  if (!patches.rollBack) throw new ExpectedError(`On ${name}, Muster cannot roll patches back.`)
  const list = process.env.MUSTER_ROLLBACKS
  if (!list) throw new ExpectedError('MUSTER_ROLLBACKS is not set: this is a command for fix packages.')
  const keys = await readRollbackList(list).catch((error: unknown) => {
    throw new ExpectedError(`The patches to roll back cannot be read: ${messageOf(error)}.`)
  })
  // Also says that the fix package has called this command, should it end early.
  await writeOutcomes(list, [])
  if (keys.length === 0) return
  const { outcomes, rebootRequired } = await patches.rollBack(keys, print).catch(async (error: unknown) => {
    const reason = messageOf(error)
    await writeOutcomes(
      list,
      keys.map((key) => ({ key, outcome: 'Refused', reason })),
    )
    throw error
  })
  await writeOutcomes(list, outcomes)
  if (rebootRequired) process.exitCode = rebootExitCode
}
