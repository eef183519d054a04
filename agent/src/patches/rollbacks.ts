import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Agent } from '../agent.ts'
import { listOf, objectOf, text } from '../answers/readers.ts'
import { log } from '../log.ts'
import type { RollbackOutcome } from '../platform/reports.ts'
import type { PatchRollback, StartedWork, WorkRollback } from '../protocol.ts'
import { readStored, writeDurably } from '../state/durable-file.ts'

/** The file in which the commands of a fix package find the patches to roll back. */
export const rollbackListIn = (folder: string) => join(folder, 'muster-rollbacks.json')

/** Beside it, what has become of them. */
const outcomesBeside = (list: string) => join(dirname(list), 'muster-rollback-outcomes.json')

export async function writeRollbackList(folder: string, rollbacks: readonly WorkRollback[]): Promise<void> {
  const list = rollbackListIn(folder)
  // Files of these names in the package may be links into the cache, or answers that nobody has given.
  for (const path of [list, outcomesBeside(list)]) await rm(path, { force: true })
  await writeFile(list, `${JSON.stringify(rollbacks)}\n`)
}

const readKeys = listOf(objectOf<Pick<WorkRollback, 'key'>>({ key: text(1_000) }), 10_000)
const readOutcomes = listOf(
  objectOf<RollbackOutcome>({
    key: text(1_000),
    outcome: text(50, /^(RolledBack|Refused)$/, 'an outcome') as () => RollbackOutcome['outcome'],
    reason: text(100_000),
  }),
  10_000,
)

/** The keys of the patches to roll back, for the command of a fix package. */
export async function readRollbackList(list: string): Promise<string[]> {
  return readKeys(JSON.parse(await readFile(list, 'utf8')), '').map(({ key }) => key)
}

export async function writeOutcomes(list: string, outcomes: readonly RollbackOutcome[]): Promise<void> {
  const fitting = outcomes.map((one) => ({ ...one, reason: fitReason(one.reason) }))
  await writeFile(outcomesBeside(list), `${JSON.stringify(fitting)}\n`)
}

const withoutCommand =
  'The fix package of this computer does not roll patches back: use version 2.1 of patch-fix, or call roll-back-patches in your own.'

/**
 * Stores what has become of the patches that a fix package was to roll back, until the next scan has reported it. A patch without an
 * outcome is to be tried again.
 */
export async function recordRollbacks(
  { patches, platform, state }: Pick<Agent, 'patches' | 'platform' | 'state'>,
  { rollbacks = [] }: Pick<StartedWork, 'rollbacks'>,
  { folder, isFailed }: { folder: string; isFailed: boolean },
): Promise<void> {
  if (rollbacks.length === 0) return
  const outcomes = await readOutcomesIn(folder)
  if (!outcomes && isFailed && patches.rollBack) return
  const reason = patches.rollBack ? withoutCommand : `On ${platform.name}, Muster cannot roll patches back.`
  const reports = rollbacks.flatMap(({ patchId, productId, key }): PatchRollback[] => {
    const found = outcomes ? outcomes.find((one) => one.key === key) : ({ outcome: 'Refused', reason } as const)
    return found ? [{ patchId, productId, outcome: found.outcome, reason: fitReason(found.reason) }] : []
  })
  const others = (await readUnreported(state)).filter(
    (one) => !reports.some(({ patchId, productId }) => patchId === one.patchId && productId === one.productId),
  )
  await writeDurably(state.platform.files, state.rollbacks, [...others, ...reports].slice(-maxReports))
}

async function readOutcomesIn(folder: string): Promise<RollbackOutcome[] | undefined> {
  const stored = await readStored<unknown>(outcomesBeside(rollbackListIn(folder)))
  if (stored === undefined) return undefined
  try {
    return readOutcomes(stored, '')
  } catch (error) {
    log(`What the fix package says about rollbacks is ignored: ${(error as Error).message}.`)
    return undefined
  }
}

/** The maximum that the server accepts. */
const maxReports = 1_000

/** Tools quote what others have written. */
const fitReason = (reason: string) => reason.replaceAll('\0', '\uFFFD').slice(0, 1_000).toWellFormed()

export async function readUnreported(state: Agent['state']): Promise<PatchRollback[]> {
  return (await readStored<PatchRollback[]>(state.rollbacks)) ?? []
}
