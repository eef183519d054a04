import { expect, test } from 'vitest'
import { findInversions, recordLocks } from '../world/record-locks.ts'
import { openRolloutWorld } from './rollout-world.ts'

const { advance, cancel, create, db, doWork, fail, fleet, retry, tick } = await openRolloutWorld()

type Agents = Awaited<ReturnType<typeof fleet>>['agents']

/** What is recorded: each returns the change, after it has prepared the rollout for it. */
const changes: Record<string, (id: string, agents: Agents) => Promise<() => Promise<unknown>>> = {
  'the release of a ring': async (id) => {
    await tick(id)
    await advance(id)
    return () => tick(id)
  },
  'the next ring by hand': async (id) => {
    await tick(id)
    return () => advance(id)
  },
  'the evaluation of results': async (id, agents) => {
    await tick(id)
    await doWork(agents)
    return () => tick(id)
  },
  'the evaluation of failures': async (id, agents) => {
    await tick(id)
    await fail(agents)
    return () => tick(id)
  },
  'the request of a retry': async (id, agents) => {
    await tick(id)
    await fail(agents)
    await tick(id)
    return () => retry(id)
  },
  'the cancellation of work': async (id) => {
    await tick(id)
    await cancel(id)
    return () => tick(id)
  },
}

test.for(Object.entries(changes))('%s locks rows in the documented order', async ([, change]) => {
  const { group, agents } = await fleet(3, {}, {})
  const { rolloutId } = (await create(group, { rings: [{ count: 2 }, {}] })).body

  const recorded = await change(rolloutId, agents.toReversed())

  const locks = await recordLocks(db, recorded)

  expect(locks.some(({ table }) => table.startsWith('rollout'))).toBe(true)
  expect(findInversions(locks)).toEqual([])
})
