import { expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { listEvents } from '../../src/features/events/api/list-events.ts'
import { updateRollout } from '../../src/features/rollouts/api/update-rollout.ts'
import { sequenceAll } from '../events/read-log.ts'
import { openRolloutWorld } from './rollout-world.ts'

const { as, create, db, fleet, letTimePass, read, tick } = await openRolloutWorld()

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

test('null removes the deadline of a rollout: that of the assignment counts again, and audit and events say so', async () => {
  const { group, agents } = await fleet(1)
  const agent = agents[0] ?? expect.fail()
  await as('group.write').call(setDistributionOptions, {
    params: { id: group.id },
    body: { commands: ['Install'], userDeadline: { ...deadline, closePrograms: ['other'] } },
  })
  const { rolloutId: id } = (await create(group, { userDeadline: deadline })).body
  await tick(id)
  const [first] = (await agent.contact()).body.work
  const workId = first?.workId ?? 0
  await agent.postpone(workId, new Date(Date.now() + 600_000).toISOString())
  const operator = as('activation.execute', 'computer.read')

  const kept = await operator.call(updateRollout, { params: { id }, body: { name: 'Viewer' } })
  const removed = await operator.call(updateRollout, { params: { id }, body: { userDeadline: null } })
  await letTimePass(workId)
  const [again] = (await agent.contact()).body.work
  await sequenceAll(db)

  expect(kept.body.userDeadline).toEqual(deadline)
  expect(removed.body.userDeadline).toBeNull()
  expect(again?.userDeadline).toMatchObject({ closePrograms: ['other'] })
  const audited = await as('admin.manage').call(listAuditEntries, { query: { target: `/api/rollouts/${id}`, top: 1 } })
  expect(audited.body.items).toMatchObject([{ operation: 'updateRollout', request: { body: { userDeadline: null } } }])
  const events = await as('computer.read').call(listEvents, { query: { types: 'muster.rollout.changed' } })
  expect(events.body.items.at(-1)?.data).toMatchObject({
    rolloutId: id,
    changes: { userDeadline: { from: { afterHours: 24 }, to: null } },
  })
})
