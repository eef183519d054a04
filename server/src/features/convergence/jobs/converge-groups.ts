import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { sumOfEach } from '../../../jobs/sum-of-each.ts'
import { convergeGroup, listMarkedGroups, takeAllMarks, type WaveLimits } from '../converge-group.ts'
import { findDrifts } from '../find-drifts.ts'
import { repairDrifts } from '../repair-drifts.ts'

/** Starts waves for the members of converged groups, some seconds after a change. Any number of nodes may do so. */
export function convergeGroups(db: Database, limits: WaveLimits): PeriodicTask {
  return {
    name: 'converge groups',
    intervalSeconds: 5,
    idleIntervalSeconds: 60,
    runsAtStart: true,
    maxShareOfTime: 0.1,
    run: (signal) => convergeMarkedGroups(db, limits, signal),
  }
}

/** Finds what has changed, and compares the members that it concerns. Returns the number of computers in new waves. */
export async function convergeMarkedGroups(db: Database, limits: WaveLimits, signal?: AbortSignal): Promise<number> {
  while ((await findDrifts(db)) && !signal?.aborted);
  await repairDrifts(db)
  await takeAllMarks(db, signal)
  return sumOfEach(await listMarkedGroups(db), (groupId) => convergeGroup(db, groupId, limits), signal)
}
