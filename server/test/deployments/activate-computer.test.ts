import { expect, test } from 'vitest'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import type { DistributionCommand } from '../../src/features/distribution/commands.ts'
import { openWorld } from '../world/open-world.ts'
import { deploymentStateIn } from './deployment-state.ts'

const { as, db, given } = await openWorld()
const operator = as('activation.execute')
const state = deploymentStateIn(db, given)

const unassign = (group: { id: string }, of: { id: string }) =>
  as('group.write').call(removeGroupPackage, { params: { id: group.id, packageId: of.id } })

test('activation creates work for an assigned package, a task, an event and a pending deployment', async () => {
  const { computer, group, software, params } = await state.member()

  const { body } = await operator.call(activateComputer, { params, body: { software: true } })

  expect(body).toEqual({
    clientId: computer.id,
    software: true,
    pxe: false,
    pull: false,
    global: true,
    groupIds: [group.id],
    wolUtc: null,
    srl: null,
    trackingId: expect.any(String),
    plan: null,
    missing: [],
  })
  expect(await state.openWork(computer)).toMatchObject([
    {
      package_id: software.id,
      kind: 'Install',
      commands: 1,
      group_id: group.id,
      state: 'Due',
      task_id: body.trackingId,
    },
  ])
  expect(await state.deployment(computer, software)).toMatchObject({
    status: 'Pending',
    pending_since: expect.any(Date),
  })
  expect(await state.events(computer)).toEqual([
    { package_id: software.id, result: 'Pending', classification: 'Activation', install_mode: 'Install' },
  ])
  expect(await state.activations(computer)).toEqual([{ group_id: group.id, software: true, pxe: false, pull: false }])
})

test('a repeated activation adds nothing and has no task', async () => {
  const { computer, params } = await state.member(3)
  await operator.call(activateComputer, { params, body: { software: true, pull: true } })
  const [work, events] = [await state.openWork(computer), await state.events(computer)]

  const { body } = await operator.call(activateComputer, { params, body: { software: true, pull: true } })

  expect(body.trackingId).toBeNull()
  expect(await state.openWork(computer)).toEqual(work)
  expect(await state.events(computer)).toEqual(events)
})

test('work is created in the order of package names', async () => {
  const { computer, group, params } = await state.member(0)
  for (const name of ['Zeta', 'alpha', 'Beta']) await given.assignment(group, await given.package({ name }), 'package')

  await operator.call(activateComputer, { params, body: { software: true } })

  const ids = (await state.openWork(computer)).map(({ package_id }) => package_id ?? '')
  const names = await db.selectFrom('packages').select(['id', 'name']).where('id', 'in', ids).execute()
  expect(ids.map((id) => names.find((one) => one.id === id)?.name)).toEqual(['alpha', 'Beta', 'Zeta'])
})

test.each([
  { commands: ['Install'], before: 'None', kind: 'Install' },
  { commands: ['Install'], before: 'Uninstalled', kind: 'Install' },
  { commands: ['Install'], before: 'Installed', kind: null },
  { commands: ['Install'], before: 'changed', kind: null },
  { commands: ['Install'], before: 'other version', kind: 'Update' },
  { commands: ['Update'], before: 'None', kind: null },
  { commands: ['Update'], before: 'Installed', kind: null },
  { commands: ['Update'], before: 'changed', kind: 'Update' },
  { commands: ['Update'], before: 'other version', kind: 'Update' },
  { commands: ['Install', 'Update'], before: 'None', kind: 'Install' },
  { commands: ['Install', 'Update'], before: 'changed', kind: 'Update' },
  { commands: ['Uninstall'], before: 'None', kind: null },
  { commands: ['Uninstall'], before: 'Installed', kind: 'Uninstall' },
  { commands: ['Uninstall', 'Force'], before: 'changed', kind: 'Uninstall' },
  { commands: ['Reinstall'], before: 'None', kind: 'Reinstall' },
  { commands: ['Reinstall'], before: 'Installed', kind: 'Reinstall' },
] as const)(
  '$commands for a package in the state $before creates work of the kind $kind',
  async ({ commands, before, kind }) => {
    const { computer, group, params } = await state.member(0)
    const software = await given.package({ package_name: `p${computer.id}`, content_hash: Buffer.from('new') })
    const older = await given.package({ package_name: `P${computer.id}`, version: '0.9' })
    await given.assignment(group, software, 'package')
    await state.options(group, software, commands)
    if (before === 'other version') await state.installed(computer, older)
    else
      await state.installed(computer, software, {
        installation_state: before === 'changed' ? 'Installed' : before,
        installed_hash: Buffer.from(before === 'changed' ? 'old' : 'new'),
      })

    await operator.call(activateComputer, { params, body: { software: true } })

    expect((await state.openWork(computer)).map((work) => work.kind)).toEqual(kind ? [kind] : [])
  },
)

test('work has the options of the group with the winning assignment', async () => {
  const { computer, params, group } = await state.member(0)
  const software = await given.package()
  const assigned = await given.group({ tree: 'AssignmentGroups' })
  await given.assignment(assigned, software, 'package')
  await given.member(assigned, computer)
  await given.assignment(await given.root('ConfigurationGroups'), software, 'package')
  await state.options(group, null, ['Uninstall'])
  const dates = { revoke_date: new Date('2027-01-01T00:00:00Z'), optional_date: new Date('2027-02-01T00:00:00Z') }
  await state.options(assigned, software, ['Install', 'Optional'], { revoke_count: 3, ...dates })

  await operator.call(activateComputer, { params, body: { software: true } })

  expect(await state.openWork(computer)).toMatchObject([
    { kind: 'Install', commands: 65, group_id: assigned.id, revoke_count: 3, ...dates, schedule: '' },
  ])
  await unassign(await given.root('ConfigurationGroups'), software)
})

test('a package that becomes optional is not pending any more, and is again when it is required', async () => {
  const { computer, group, software, params } = await state.member()
  const pendingWith = async (commands: readonly DistributionCommand[]) => {
    await state.options(group, software, commands)
    await operator.call(activateComputer, { params, body: { software: true } })
    expect(await state.openWork(computer)).toHaveLength(1)
    return (await state.deployment(computer, software))?.pending_since != null
  }

  const isPending = [
    await pendingWith(['Install', 'Optional']),
    await pendingWith(['Install']),
    await pendingWith(['Install', 'Optional']),
  ]

  expect(isPending).toEqual([false, true, false])
})

test('work waits for the window of its schedule, or forever if no window follows', async () => {
  const { computer, group, packages, software, params } = await state.member(3)
  const [soon = software, over = software, open = software] = packages
  await state.options(group, soon, ['Install'], { schedule: 'FROM=2099-01-01T00:00:00Z;UNTIL=2099-02-01T00:00:00Z' })
  await state.options(group, over, ['Install'], { schedule: 'UNTIL=2020-01-01T00:00:00Z' })
  await state.options(group, open, ['Install'], { schedule: 'CRON=* * * * *;DURATION=60' })

  await operator.call(activateComputer, { params, body: { software: true } })

  const work = new Map((await state.openWork(computer)).map((one) => [one.package_id, one]))
  expect(work.get(soon.id)).toMatchObject({
    not_before: new Date('2099-01-01T00:00:00Z'),
    window_ends_at: new Date('2099-02-01T00:00:00Z'),
  })
  expect(work.get(over.id)).toMatchObject({ not_before: Number.POSITIVE_INFINITY, window_ends_at: null })
  expect(work.get(open.id)?.not_before.getTime()).toBeLessThanOrEqual(Date.now())
  expect(work.get(open.id)?.window_ends_at?.getTime()).toBeGreaterThan(Date.now())
})

test('waiting work gets the current options, and is cancelled if they no longer call for it', async () => {
  const { computer, group, packages, software, params } = await state.member(3)
  const [kept = software, turned = software, dropped = software] = packages
  await operator.call(activateComputer, { params, body: { software: true } })
  const [first] = await state.openWork(computer)
  await state.options(group, kept, ['Install', 'Force'], { schedule: 'FROM=2099-01-01T00:00:00Z', revoke_count: 2 })
  await state.options(group, turned, ['Reinstall'])
  await unassign(group, dropped)

  await operator.call(activateComputer, { params, body: { software: true } })

  const work = await state.openWork(computer)
  expect(work.map(({ package_id, kind }) => [package_id, kind]).toSorted()).toEqual(
    [
      [kept.id, 'Install'],
      [turned.id, 'Reinstall'],
    ].toSorted(),
  )
  expect(work.find(({ package_id }) => package_id === kept.id)).toMatchObject({
    task_id: first?.task_id,
    commands: 17,
    revoke_count: 2,
    not_before: new Date('2099-01-01T00:00:00Z'),
  })
  expect(await state.deployment(computer, dropped)).toBeUndefined()
  expect(await state.deployment(computer, turned)).toMatchObject({ pending_since: expect.any(Date) })
  const cancelled = (await state.events(computer)).filter(({ result }) => result === 'Cancelled')
  expect(cancelled.map((event) => [event.package_id, event.classification, event.install_mode]).toSorted()).toEqual(
    [
      [dropped.id, 'Cancellation', 'Install'],
      [turned.id, 'Cancellation', 'Install'],
    ].toSorted(),
  )
})

test('activation does not change leased work or a requested reinstall', async () => {
  const { computer, group, params } = await state.member(2)
  await operator.call(activateComputer, { params, body: { software: true } })
  const [leased, requested] = await state.openWork(computer)
  await state.lease(leased?.id ?? 0)
  await db
    .updateTable('work')
    .set({ reinstall_group_id: group.id })
    .where('id', '=', requested?.id ?? 0)
    .execute()
  const before = await state.openWork(computer)
  // Nothing of it would be due now.
  await state.options(group, null, ['Update'])

  await operator.call(activateComputer, { params, body: { software: true } })

  expect(await state.openWork(computer)).toEqual(before)
})

test('a new schedule does not start work earlier that waits after a failure or a postponement', async () => {
  const { computer, group, software, params } = await state.member()
  await operator.call(activateComputer, { params, body: { software: true } })
  const retry = new Date(Date.now() + 25 * 60_000)
  await db.updateTable('work').set({ attempt: 1, not_before: retry }).where('computer_id', '=', computer.id).execute()
  await state.options(group, software, ['Install'], { schedule: 'CRON=* * * * *;DURATION=60' })

  await operator.call(activateComputer, { params, body: { software: true } })

  expect(await state.openWork(computer)).toMatchObject([{ not_before: retry, schedule: 'CRON=* * * * *;DURATION=60' }])
})

test('a computer in no group can be activated, but without packages', async () => {
  const computer = await given.computer()

  const { body } = await operator.call(activateComputer, {
    params: { id: computer.id },
    body: { software: true, pull: true },
  })

  expect(body).toMatchObject({ groupIds: [], trackingId: expect.any(String) })
  expect((await state.openWork(computer)).map(({ kind }) => kind)).toEqual(['Refresh'])
  expect(await state.activations(computer)).toEqual([{ group_id: null, software: true, pxe: false, pull: true }])
})

test('activation ignores the group of a pending reinstall', async () => {
  const { computer, group, params } = await state.member()
  await given.member(await given.group({ parent: group, kind: 'Reinstall' }), computer)

  const { body } = await operator.call(activateComputer, { params, body: { software: true } })

  expect(body.groupIds).toEqual([group.id])
})

test('a fix package becomes pending once, without work', async () => {
  const { computer, group, params } = await state.member(0)
  const fix = await given.package({ kind: 'PatchFix' })
  await given.assignment(group, fix, 'package')

  const { body } = await operator.call(activateComputer, { params, body: { software: true } })
  await operator.call(activateComputer, { params, body: { software: true } })

  expect(body.trackingId).toBeNull()
  expect(await state.openWork(computer)).toEqual([])
  expect(await state.deployment(computer, fix)).toMatchObject({ status: 'Pending', pending_since: null })
  expect(await state.events(computer)).toMatchObject([{ package_id: fix.id, result: 'Pending' }])
})

test('packages of a software class are published with the options of the group to which the class is assigned', async () => {
  const { computer, group, params } = await state.member(0)
  const software = await given.package()
  await given.assignment(group, await given.softwareClass({ packages: [software] }), 'softwareClass')
  await state.options(group, null, ['Reinstall'])

  await operator.call(activateComputer, { params, body: { software: true } })

  expect(await state.openWork(computer)).toMatchObject([{ package_id: software.id, kind: 'Reinstall' }])
})
