import { expect, test } from 'vitest'
import { findInversions, recordLocks } from '../world/record-locks.ts'
import { openLineWorld } from './line-world.ts'

const { db, doWork, groupWith, rollBack, tickAll, upgrade, versions } = await openLineWorld()

test('an upgrade and its rollback lock rows in the documented order', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const [one, other] = [await groupWith(old, 2), await groupWith(old, 2)]

  const upgraded = await recordLocks(db, () => upgrade(current, [other.group, one.group]))
  const released = await recordLocks(db, tickAll)
  await doWork(one.agents)
  const made = db.selectFrom('package_upgrades').select('id').where('package_id', '=', current.id)
  const { id } = await made.executeTakeFirstOrThrow()
  const back = await recordLocks(db, () => rollBack(id))
  const releasedBack = await recordLocks(db, tickAll)

  expect(back.some(({ table }) => table === 'work')).toBe(true)
  expect([upgraded, released, back, releasedBack].map(findInversions)).toEqual([[], [], [], []])
})
