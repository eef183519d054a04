import { expect, test } from 'vitest'
import { openRolloutWorld } from './rollout-world.ts'

const { cancel, create, fleet, pause, read, resume } = await openRolloutWorld()

test('a rollout says when it was paused and when it went on, whether it was resumed or cancelled', async () => {
  const { group } = await fleet(2)
  const { rolloutId: id } = (await create(group)).body
  const before = (await read(id)).pausedTimes
  await pause(id)
  const during = (await read(id)).pausedTimes
  await resume(id)
  await pause(id)
  await cancel(id)
  const after = (await read(id)).pausedTimes

  const time = expect.any(String)
  expect(before).toEqual([])
  expect(during).toEqual([{ fromUtc: time, untilUtc: null }])
  expect(after).toEqual([
    { fromUtc: during[0]?.fromUtc, untilUtc: time },
    { fromUtc: time, untilUtc: time },
  ])
})
