import { expect, test } from 'vitest'
import { setFreeze } from '../../src/features/blast-radius/api/set-freeze.ts'
import { rebootComputer } from '../../src/features/deployments/api/requests/reboot-computer.ts'
import { getTask } from '../../src/features/deployments/api/tasks/get-task.ts'
import { explainComputer } from '../../src/features/explain/api/explain-computer.ts'
import { assignPatchPolicy } from '../../src/features/patch-policies/api/assign-patch-policy.ts'
import { createPatchPolicy } from '../../src/features/patch-policies/api/create-patch-policy.ts'
import { getPatchPolicy } from '../../src/features/patch-policies/api/get-patch-policy.ts'
import { updatePatchPolicy } from '../../src/features/patch-policies/api/update-patch-policy.ts'
import { openNow, openRestartWorld, openTomorrow, windowIn } from './restart-world.ts'

const world = await openRestartWorld()
const { agent, approver, as, given, policy, readyPackage, work, db } = world
const { tick, pendingAgent, change, unassign, remove, restarts, endWindows } = world

const due = { state: 'Due', cancelReason: null }
const withdrawn = { state: 'Cancelled', cancelReason: 'RequestCancelled' }
const minuteMs = 60_000

test('a computer that needs a restart gets one request in the window of its policy, and none outside', async () => {
  const [inside, elsewhere, later, none] = [
    await pendingAgent(),
    // It is another day there, or twelve hours and more away.
    await pendingAgent({ ...openNow(), timeZone: 'Pacific/Kiritimati' }),
    await pendingAgent(openTomorrow()),
    await pendingAgent(null),
  ]
  const healthy = await agent()
  await given.member(inside.group, healthy)
  await healthy.contact()

  expect(await tick()).toBe(1)
  expect(await tick()).toBe(0)
  for (const other of [elsewhere, later, none, healthy]) expect(await restarts(other)).toEqual([])
  expect(await restarts(inside)).toEqual([{ ...due, createdBy: `patch policy ${inside.policy.name}` }])
  const { body } = await inside.pending()
  expect(body.work).toMatchObject([
    { kind: 'Power', power: { action: 'Reboot', timeoutMinutes: -1, reminderMinutes: 10 } },
  ])

  // The agent reports before it restarts: until its next report, it seems to need the restart.
  await inside.report(body.work[0]?.workId ?? 0)
  expect(await tick()).toBe(0)
  expect((await inside.pending()).body.work).toEqual([])
})

test('agents learn of a window before it opens, and get the restart only then', async () => {
  const soon = await pendingAgent({ windows: [windowIn(30)] })
  await tick()

  const { body } = await soon.pending()
  expect(await restarts(soon)).toMatchObject([due])
  expect(body.work).toEqual([])
  // Otherwise it would come after an hour.
  expect(body.nextContactSeconds).toBeLessThan(45 * 60)
  await db.updateTable('work').set({ not_before: new Date() }).where('computer_id', '=', soon.id).execute()
  expect((await soon.pending()).body.work).toMatchObject([{ kind: 'Power' }])
})

test('a restart is withdrawn at the end of its window, and an agent that comes later does not get it even before', async () => {
  const { pending, ...one } = await pendingAgent()
  await tick()
  await endWindows()

  expect((await pending()).body.work).toEqual([])
  await tick()
  expect((await restarts(one))[0]).toMatchObject(withdrawn)
  expect((await restarts(one)).slice(1)).toMatchObject([due])
})

test('a restart that an agent got but has not begun does not begin after the window, and is withdrawn once its lease ends', async () => {
  const { pending, ...one } = await pendingAgent()
  await tick()
  const [leased] = (await pending()).body.work
  const workId = leased?.workId ?? 0
  await db
    .updateTable('work')
    .set({ start_by: new Date(Date.now() - 1_000), window_ends_at: new Date(Date.now() - 1_000) })
    .where('id', '=', workId)
    .execute()

  expect((await one.start(workId)).status).toBe(409)
  await tick()
  expect(await restarts(one)).toMatchObject([{ state: 'Leased' }])
  await world.letTimePass(workId)
  await tick()
  expect((await restarts(one))[0]).toMatchObject(withdrawn)
})

test('a restart is withdrawn when the computer does not need it any more, and its agent does not get it in between', async () => {
  const one = await pendingAgent()
  await tick()

  expect((await one.contact({ bootTimeUtc: new Date().toISOString() })).body.work).toEqual([])
  expect(await restarts(one)).toMatchObject([due])
  await tick()
  expect(await restarts(one)).toMatchObject([withdrawn])
})

test.each([
  ['its assignment is removed', ({ policy: { id }, group }) => unassign(id, group)],
  ['the policy is deleted', ({ policy: { id } }) => remove(id)],
  ['the policy restarts nobody any more', ({ policy: { id } }) => change(id, { restart: null })],
  ['the windows of the policy change', ({ policy: { id } }) => change(id, { restart: openTomorrow() })],
  ['a policy comes before it', ({ group }) => policy(openTomorrow(), [group], 1)],
] satisfies [string, (made: Awaited<ReturnType<typeof pendingAgent>>) => Promise<unknown>][])(
  'a restart that no agent has begun is withdrawn at once when %s',
  async (_, changes) => {
    const one = await pendingAgent()
    await tick()
    expect(await restarts(one)).toMatchObject([due])

    await changes(one)

    expect(await restarts(one)).toMatchObject([withdrawn])
    await tick()
    expect((await one.pending()).body.work).toEqual([])
  },
)

test('a change that leaves the restart as it is withdraws nothing, and new minutes are asked for in the same window', async () => {
  const restart = openNow()
  const one = await pendingAgent(restart)
  await tick()

  await change(one.policy.id, { description: 'Another one', restart })
  expect(await restarts(one)).toMatchObject([due])
  await change(one.policy.id, { restart: { ...restart, timeoutMinutes: 20 } })
  await tick()

  expect(await restarts(one)).toMatchObject([withdrawn, due])
  expect((await one.pending()).body.work).toMatchObject([{ power: { timeoutMinutes: 20 } }])
})

test('what a person requests stays: no policy replaces it or withdraws it, and it takes the place of what a policy requested', async () => {
  const [first, second] = [await pendingAgent(), await pendingAgent()]
  const reboot = ({ id }: { id: number }) =>
    as('reboot.execute').call(rebootComputer, { params: { id }, body: { timeoutMinutes: 5 } })
  await reboot(first)
  await tick()
  const { body } = await reboot(second)

  await unassign(first.policy.id, first.group)
  await remove(second.policy.id)
  await tick()

  expect(await restarts(first)).toMatchObject([due])
  expect(await restarts(second)).toMatchObject([{ state: 'Cancelled', cancelReason: 'NewRequest' }, due])
  expect(
    (await as('computer.read').call(getTask, { params: { trackingId: body.trackingId } })).body.createdBy,
  ).not.toContain('patch policy')
  for (const one of [first, second]) {
    const { work: leased } = (await one.contact()).body
    expect(leased).toMatchObject([{ power: { timeoutMinutes: 5 } }])
    expect(leased[0]?.power).not.toHaveProperty('withinSeconds')
  }
})

test('nothing is requested while the installation is frozen, and what was requested is not handed out', async () => {
  const [before, after] = [await pendingAgent(), await pendingAgent(null)]
  await tick()
  const administrator = as('admin.manage')
  await administrator.call(setFreeze, { body: { frozen: true, reason: 'An incident' } })
  try {
    await change(after.policy.id, { restart: openNow() })
    await tick()

    expect(await restarts(after)).toEqual([])
    expect((await before.pending()).body.work).toEqual([])
  } finally {
    await administrator.call(setFreeze, { body: { frozen: false } })
  }
  await tick()
  expect(await restarts(after)).toMatchObject([due])
})

test('the first policy of a computer with a restart decides: the lowest priority, then the nearest group', async () => {
  const root = await given.group()
  const below = await given.group({ parent: root })
  const [near, overruled] = [await agent(), await agent()]
  await given.member(below, near)
  await given.member(root, overruled)
  for (const one of [near, overruled]) await one.contact({ rebootRequired: true })
  await policy(openTomorrow(), [root])
  await policy(openNow(), [below])
  await tick()
  expect(await restarts(near)).toMatchObject([due])
  expect(await restarts(overruled)).toEqual([])

  // It decides about patches first, but says nothing about restarts.
  await policy(null, [below], 1)
  await tick()
  expect(await restarts(near)).toMatchObject([due])
  await policy(openTomorrow(), [root], 2)
  expect(await restarts(near)).toMatchObject([withdrawn])
})

test('a computer restarts after its other work', async () => {
  const one = await pendingAgent()
  const installation = await work(one, await readyPackage())
  await tick()

  expect((await one.pending()).body.work).toMatchObject([{ workId: installation }])
  await one.report(installation)
  expect((await one.pending()).body.work).toMatchObject([{ kind: 'Power' }])
})

test('the minutes and the deadline of a restart never reach beyond its window', async () => {
  const deadline = { latestUtc: null, maxPostponements: 3, quietHours: null, noticeMinutes: 20 }
  const window = windowIn(-30, 240)
  const one = await pendingAgent({
    windows: [window],
    timeoutMinutes: 30,
    reminderMinutes: 7,
    userDeadline: { ...deadline, afterHours: 48, closePrograms: ['soffice.bin'] },
  })
  await tick()

  const [leased] = (await one.pending()).body.work
  const closesAt = new Date()
  closesAt.setUTCHours(Number(window.start.slice(0, 2)), Number(window.start.slice(3)), 0, 0)
  if (closesAt.getTime() > Date.now()) closesAt.setUTCDate(closesAt.getUTCDate() - 1)
  closesAt.setTime(closesAt.getTime() + 240 * minuteMs)
  expect(leased?.power).toMatchObject({ timeoutMinutes: 30, reminderMinutes: 7 })
  const withinMs = (leased?.power?.withinSeconds ?? 0) * 1_000
  expect(Date.now() + withinMs).toBeLessThanOrEqual(closesAt.getTime() + 1_000)
  expect(withinMs).toBeGreaterThan(200 * minuteMs)
  // Programs are closed after a notice of 20 minutes, and then the countdown of 30 minutes runs.
  const deadlineAt = Date.parse(String(leased?.userDeadline?.deadlineUtc))
  expect(deadlineAt + (20 + 30) * minuteMs).toBeLessThan(closesAt.getTime())
  expect(deadlineAt).toBeGreaterThan(Date.now())

  const body = { name: 'too short', rules: [{ name: 'All', action: 'Approve' as const }] }
  const refused = await approver.call(createPatchPolicy, {
    body: { ...body, restart: { windows: [windowIn(0, 30)], timeoutMinutes: 30 } },
  })
  expect(refused.status).toBe(400)
  expect(() => refused.body).toThrow('restart.windows.0.durationMinutes')
  const unknownZone = { windows: [windowIn(0)], timeZone: 'Europe/Nowhere' }
  expect((await approver.call(createPatchPolicy, { body: { ...body, restart: unknownZone } })).status).toBe(400)
})

test('only those who may restart computers let a policy do so', async () => {
  const withoutRole = as('pm.approve', 'pm.read')
  const group = await given.group()
  const rules = [{ name: 'All', action: 'Approve' as const }]
  const made = await policy(openNow(), [])
  const plain = await policy(null, [])

  const tried = [
    await withoutRole.call(createPatchPolicy, { body: { name: 'Not allowed', rules, restart: openNow() } }),
    await withoutRole.call(updatePatchPolicy, { params: { id: plain.id }, body: { restart: openNow() } }),
    await withoutRole.call(assignPatchPolicy, { params: { id: made.id }, body: { groupId: group.id } }),
  ]

  expect(tried.map(({ status }) => status)).toEqual([403, 403, 403])
  const allowed = await withoutRole.call(updatePatchPolicy, { params: { id: made.id }, body: { restart: null } })
  expect(allowed.body).toMatchObject({ restart: null })
  expect((await approver.call(getPatchPolicy, { params: { id: plain.id } })).body.restart).toBeNull()
})

test('an explanation says which policy restarts the computer, and when', async () => {
  const [one, none] = [await pendingAgent(), await pendingAgent(null)]
  const packageId = (await readyPackage()).id
  const notices = async ({ id }: { id: number }) =>
    (await as('computer.read').call(explainComputer, { params: { id }, query: { packageId } })).body.notices

  expect(await notices(one)).toMatchObject([
    {
      reason: 'RebootRequired',
      message: expect.stringContaining(`The patch policy ${one.policy.name} restarts it between `),
      restart: { policyId: one.policy.id, policyName: one.policy.name },
    },
  ])
  expect(await notices(none)).toEqual([
    {
      reason: 'RebootRequired',
      message: 'The computer needs a reboot after linux-image. No patch policy restarts it.',
    },
  ])
})
