import { expect, test } from 'vitest'
import { openRolloutWorld } from './rollout-world.ts'

const { computers, create, db, doWork, fleet, tick } = await openRolloutWorld()

const conditions = JSON.stringify({
  commands: { install: { argv: ['sh', 'install.sh'] } },
  onlyFor: { minMemoryMb: 4096 },
})

const setMemory = ({ id }: { id: number }, memory_mb: number) =>
  db.updateTable('computers').set({ memory_mb }).where('id', '=', id).execute()

test('a rollout neither waits for computers to which the package is not applicable nor counts them as failed', async () => {
  const { group, agents } = await fleet(3, { manifest: conditions })
  const [small, shrinking, large] = agents
  if (!small || !shrinking || !large) throw new Error('The fleet has three agents.')
  for (const [one, memory] of [
    [small, 2048],
    [shrinking, 8192],
    [large, 8192],
  ] as const)
    await setMemory(one, memory)
  const { rolloutId: id } = (await create(group, { catchUpDays: 0 })).body
  await tick(id)
  expect((await tick(id)).rings[0]?.computers).toMatchObject({ nothingDue: 1, pending: 2 })

  // After its work was created, and before its next contact.
  await setMemory(shrinking, 1024)
  expect(await doWork([shrinking, small])).toBe(0)
  expect(await doWork([large])).toBe(1)
  await tick(id)
  const rollout = await tick(id)

  expect(rollout.rings[0]?.computers).toMatchObject({
    nothingDue: 1,
    cancelled: 1,
    succeeded: 1,
    failed: 0,
    pending: 0,
  })
  expect(rollout.state).toBe('Completed')
  expect((await computers(id)).map(({ state }) => state).toSorted()).toEqual(['Cancelled', 'NothingDue', 'Succeeded'])
})
