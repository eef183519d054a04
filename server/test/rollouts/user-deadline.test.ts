import { expect, test } from 'vitest'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { updateRollout } from '../../src/features/rollouts/api/update-rollout.ts'
import { openRolloutWorld } from './rollout-world.ts'

const { as, create, fleet, letTimePass, read, tick } = await openRolloutWorld()

const deadline = {
  afterHours: 24,
  latestUtc: null,
  maxPostponements: 1,
  quietHours: null,
  closePrograms: ['firefox'],
  noticeMinutes: 10,
}

test('the deadline of a rollout takes the place of that of the assignment, and a change counts at the next hand-out', async () => {
  const { group, agents, packages } = await fleet(1)
  const agent = agents[0] ?? expect.fail()
  await as('group.write').call(setDistributionOptions, {
    params: { id: group.id },
    query: { packageId: packages[0]?.id ?? '' },
    body: { commands: ['Install'], userDeadline: { ...deadline, maxPostponements: 9, closePrograms: ['other'] } },
  })
  const { rolloutId: id } = (await create(group, { userDeadline: deadline })).body
  await tick(id)

  const [first] = (await agent.contact()).body.work
  const workId = first?.workId ?? 0
  const postponed = await agent.postpone(workId, new Date(Date.now() + 600_000).toISOString())
  await as('activation.execute').call(updateRollout, {
    params: { id },
    body: { userDeadline: { ...deadline, closePrograms: ['chrome'] } },
  })
  await letTimePass(workId)
  const [again] = (await agent.contact()).body.work

  expect(first).toMatchObject({ postponable: { remaining: 1 }, userDeadline: { closePrograms: ['firefox'] } })
  expect(postponed.body).toEqual({ remaining: 0 })
  expect(again).toMatchObject({ postponable: { remaining: 0 }, userDeadline: { closePrograms: ['chrome'] } })
  expect((await read(id)).userDeadline).toEqual({ ...deadline, closePrograms: ['chrome'] })
})

test('a rollout without a deadline leaves that of the assignment in effect, and one without an end is refused', async () => {
  const { group, agents } = await fleet(1)
  await as('group.write').call(setDistributionOptions, {
    params: { id: group.id },
    body: { commands: ['Install'], userDeadline: deadline },
  })
  const { rolloutId } = (await create(group)).body
  await tick(rolloutId)

  expect((await agents[0]?.contact())?.body.work).toMatchObject([{ userDeadline: { closePrograms: ['firefox'] } }])
  expect((await create(group, { userDeadline: { ...deadline, afterHours: null } })).status).toBe(400)
})
