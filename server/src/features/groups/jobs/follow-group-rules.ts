import type { Database } from '../../../database/connect.ts'
import type { PeriodicTask } from '../../../jobs/scheduler.ts'
import { followRules } from '../rules/follow-rules.ts'

/** One run ends after this many slices so that a large fleet does not keep the connection for long. */
const maxSlices = 20

/** Adds and removes the members of groups with rules, a few seconds after a computer has changed. */
export function followGroupRules(db: Database): PeriodicTask {
  return {
    name: 'follow the rules of groups',
    intervalSeconds: 5,
    idleIntervalSeconds: 15,
    runsAtStart: true,
    maxShareOfTime: 0.1,
    async run(signal) {
      let changed = 0
      for (let slice = 0; slice < maxSlices && !signal.aborted; slice++) {
        const changes = await followRules(db)
        if (changes === undefined) break
        changed += changes
      }
      return changed
    },
  }
}
