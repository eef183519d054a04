import { settlesWithin } from '../../database/embedded-postgres/settles-within.ts'
import { resourceBusy } from '../general-problems.ts'

/** Runs changes of the same resource one after the other. Those that wait need no database connection. */
export type ResourceQueues = { run<T>(resource: string | undefined, change: () => Promise<T>): Promise<T> }

/** As long as a change waits for a lock in the database. */
const maxWaitMs = 3_000
const retryAfterSeconds = '2'

/** Without queues, many changes of one locked resource would use up the connections of all changes. */
export function openResourceQueues(): ResourceQueues {
  const lastChanges = new Map<string, Promise<unknown>>()
  return {
    async run(resource, change) {
      if (resource === undefined) return change()
      const previous = lastChanges.get(resource)
      const ended = Promise.withResolvers<void>()
      const last = Promise.all([previous, ended.promise])
      lastChanges.set(resource, last)
      void last.then(() => {
        if (lastChanges.get(resource) === last) lastChanges.delete(resource)
      })
      try {
        if (previous && !(await settlesWithin(previous, maxWaitMs)))
          throw resourceBusy().withHeaders({ 'retry-after': retryAfterSeconds })
        return await change()
      } finally {
        ended.resolve()
      }
    },
  }
}
