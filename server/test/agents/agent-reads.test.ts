import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { getRebootStatus } from '../../src/features/agents/api/get-reboot-status.ts'
import { getUemAgent } from '../../src/features/agents/api/get-uem-agent.ts'
import { formatIsoDuration } from '../../src/features/agents/iso-duration.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { rebootComputer } from '../../src/features/deployments/api/requests/reboot-computer.ts'
import { setDistributionOptions } from '../../src/features/distribution/api/set-distribution-options.ts'
import { getComputerHealth } from '../../src/features/issues/api/get-computer-health.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import { deploymentsIn } from '../deployments/deployment-world.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()
const world = deploymentsIn(db, given)
const reader = as('computer.read')

type Computer = { id: number }

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const rebootOf = async ({ id }: Computer) => (await reader.call(getRebootStatus, { params: { id } })).body
const agentOf = async ({ id }: Computer) => (await reader.call(getUemAgent, { params: { id } })).body

describe('reboot status', () => {
  test('the reboot status has the uptime at the last contact', async () => {
    const computer = await given.computer()
    const [boot, seen] = [new Date('2026-03-01T00:00:00Z'), new Date('2026-03-04T04:12:55Z')]
    await world.agent(computer, { boot_at: boot, is_reboot_required: true, reboot_required_source: 'kernel' })
    await world.contact(computer, seen)

    expect(await rebootOf(computer)).toEqual({
      clientId: computer.id,
      lastReboot: boot.toISOString(),
      uptime: 'P3DT4H12M55S',
      rebootRequired: true,
      rebootRequiredSource: 'kernel',
      lastUpdated: seen.toISOString(),
    })
  })

  test('the reboot status without an agent is empty, and a requested reboot is not a required one', async () => {
    const { computer } = await world.assigned()
    await as('reboot.execute').call(rebootComputer, { params: { id: computer.id } })

    expect(await rebootOf(computer)).toEqual({
      clientId: computer.id,
      lastReboot: null,
      uptime: null,
      rebootRequired: false,
      rebootRequiredSource: null,
      lastUpdated: null,
    })
  })

  test.each([
    ['into the distant past', '0001-01-01T00:00:00Z', /^P\d+DT?/],
    ['into the future', new Date(Date.now() + 60_000).toISOString(), /^PT0S$/],
  ])('a boot time that a wrong clock puts %s gives a valid uptime', async (_, boot_at, uptime) => {
    const computer = await given.computer()
    await world.agent(computer, { boot_at })
    await world.contact(computer, new Date())

    expect((await rebootOf(computer)).uptime).toMatch(uptime)
  })

  test.each([
    [0, 'PT0S'],
    [59, 'PT59S'],
    [60, 'PT1M'],
    [3_600, 'PT1H'],
    [86_400, 'P1D'],
    [90_061, 'P1DT1H1M1S'],
    [864_005, 'P10DT5S'],
  ])('a duration of %i seconds is %s', (seconds, duration) => {
    expect(formatIsoDuration(seconds)).toBe(duration)
  })
})

describe('the agent', () => {
  test('a computer without an agent and a template shows the default settings', async () => {
    const computer = await given.computer()

    expect(await agentOf(computer)).toEqual({
      clientId: computer.id,
      outOfSync: null,
      desiredState: {
        templateId: null,
        templateName: null,
        templateVersion: null,
        settingsHash: hashOf('{}'),
        contactIntervalMinutes: 60,
      },
      inventory: null,
      dailyStatus: null,
      pollingWindows: { intervalMinutes: 60, nextContactExpectedUtc: null, nextWorkNotBeforeUtc: null },
    })
  })

  test('an agent is out of sync until it runs with the settings of the nearest template', async () => {
    const { group, computer } = await world.assigned()
    const template = await given.agentTemplate({ settings: { b: 1, contactIntervalMinutes: 15 } })
    await given.assignment(group, template, 'agentTemplate')
    await world.agent(computer)
    const before = await agentOf(computer)

    const { settingsHash } = before.desiredState
    await db.updateTable('agents').set({ settings_hash: settingsHash }).where('computer_id', '=', computer.id).execute()

    expect(before).toMatchObject({ outOfSync: true, dailyStatus: null, inventory: { runsWithSettingsHash: null } })
    expect(settingsHash).toBe(hashOf('{"b": 1, "contactIntervalMinutes": 15}'))
    expect(await agentOf(computer)).toMatchObject({
      outOfSync: false,
      desiredState: { templateId: template.id, templateName: template.name, contactIntervalMinutes: 15 },
      inventory: { runsWithSettingsHash: settingsHash },
    })
  })

  test('a template that is not released is desired only by the agents that already run with it', async () => {
    const template = await given.agentTemplate({ settings: { contactIntervalMinutes: 15 }, is_operational: false })
    const [group, running, other] = [await given.group(), await given.computer(), await given.computer()]
    await given.assignment(group, template, 'agentTemplate')
    for (const one of [running, other]) await given.member(group, one)
    await world.agent(running, { settings_hash: hashOf('{"contactIntervalMinutes": 15}') })
    await world.agent(other)

    const none = { templateId: null, templateName: null, contactIntervalMinutes: 60 }
    expect(await agentOf(running)).toMatchObject({ outOfSync: false, desiredState: { templateId: template.id } })
    expect(await agentOf(other)).toMatchObject({ outOfSync: false, desiredState: none })
    await db.updateTable('packages').set({ is_operational: true }).where('id', '=', template.id).execute()
    expect(await agentOf(other)).toMatchObject({ outOfSync: true, desiredState: { templateId: template.id } })
  })

  test('after its first contact, an agent shows its last report and the state of its work', async () => {
    const one = await given.package()
    const { computer } = await world.assigned(one)
    const [seen, until, duplicate] = [new Date(), new Date(Date.now() + 3_600_000), hoursAgo(1)]
    await world.agent(computer, {
      version: '1.0',
      platform: 'linux-x64',
      suspension_mode: 'MaintenanceMode',
      suspended_until: until,
      duplicate_seen_at: duplicate,
      logged_on_user: 'alice',
    })
    await world.contact(computer, seen)
    const later = new Date(Date.now() + 7_200_000)
    await world.work(computer, one, { not_before: later })
    await world.work(computer, null, { kind: 'Refresh', state: 'Leased', not_before: seen })
    for (const hours of [1, 25]) await world.work(computer, one, { state: 'Failed', closed_at: hoursAgo(hours) })
    await world.work(computer, one, { state: 'Success' })

    expect(await agentOf(computer)).toMatchObject({
      outOfSync: false,
      inventory: {
        agentVersion: '1.0',
        platform: 'linux-x64',
        loggedOnUser: 'alice',
        duplicateIdentitySeenUtc: duplicate.toISOString(),
      },
      dailyStatus: {
        lastContactUtc: seen.toISOString(),
        suspensionMode: 'MaintenanceMode',
        suspendedUntilUtc: until.toISOString(),
        openWork: 2,
        succeededWork24h: 1,
        failedWork24h: 1,
      },
      pollingWindows: {
        intervalMinutes: 60,
        nextContactExpectedUtc: new Date(seen.getTime() + 3_600_000).toISOString(),
        nextWorkNotBeforeUtc: later.toISOString(),
      },
    })
  })
})

test.each([
  ['a schedule that is over', { until: '2020-01-01T00:00:00Z' }],
  [
    'a schedule that opens only after the year 9999',
    { from: '9999-06-01T00:00:00Z', cron: '0 0 1 1 *', durationMinutes: 60 },
  ],
])('work with %s has no time at which it may be handed out', async (_, schedule) => {
  const { group, computer } = await world.assigned(await given.package())
  await world.agent(computer)
  await world.contact(computer, new Date())
  const set = await as('group.write').call(setDistributionOptions, {
    params: { id: group.id },
    body: { commands: ['Install'], schedule },
  })
  await as('activation.execute').call(activateComputer, { params: { id: computer.id }, body: { software: true } })

  expect(set.status).toBeLessThan(300)
  expect(await agentOf(computer)).toMatchObject({
    dailyStatus: { openWork: 1 },
    pollingWindows: { nextWorkNotBeforeUtc: null },
  })
})

test('reading the agent of an unknown computer answers 404', async () => {
  for (const read of [getComputerHealth, getRebootStatus, getUemAgent] as AnyOperation[])
    expect(await reader.call(read, { params: { id: 999_999 } })).toMatchObject({
      status: 404,
      problem: 'ComputerNotFound',
    })
})
