import type { Database } from '../../database/connect.ts'
import { getAgentFacts, listWaitingWork } from '../hand-out/waiting-work.ts'
import { packageTrialNotFound } from './problems.ts'
import { trialDetailRows } from './trial-rows.ts'

const noReport = { steps: [], leftovers: [], leftoversComplete: true }

/** A trial with its steps and leftovers, and why it waits if it does. */
export async function getTrial(db: Database, id: string) {
  const found = await trialDetailRows(db).where('trial.id', '=', id).executeTakeFirst()
  if (!found) throw packageTrialNotFound({ trialId: id })
  const { report, workId, ...trial } = found
  const { steps, leftovers, leftoversComplete } = report ?? noReport
  const isWaiting = trial.state === 'Waiting' && trial.computerId !== null
  const blockers = isWaiting ? await listBlockers(db, Number(trial.computerId), workId) : []
  return { ...trial, steps, leftovers, leftoversComplete, blockers }
}

/** The rules of the hand-out decide, and therefore explain. */
async function listBlockers(db: Database, computerId: number, workId: number) {
  const items = await listWaitingWork(db, await getAgentFacts(db, computerId))
  const blockers = items.find(({ id }) => id === workId)?.blockers ?? []
  return blockers.map(({ reason, until, message }) => ({ reason, untilUtc: until, message }))
}
