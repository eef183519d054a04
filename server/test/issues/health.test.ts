import { expect, test } from 'vitest'
import { getUemAgent } from '../../src/features/agents/api/get-uem-agent.ts'
import { getComputerHealth } from '../../src/features/issues/api/get-computer-health.ts'
import { listStaleAgentComputers } from '../../src/features/issues/api/list-stale-agent-computers.ts'
import { listStaleInventoryComputers } from '../../src/features/issues/api/list-stale-inventory-computers.ts'
import { since } from './fleet-model.ts'
import { openIssuesWorld } from './issues-world.ts'

const world = await openIssuesWorld()
const { as, given, db } = world
const reader = as('computer.read')

/** A new domain, as a filter that computers of other tests do not pass. */
const ownDomain = () => `${crypto.randomUUID()}.example.org`
const healthOf = async ({ id }: { id: number }) => (await reader.call(getComputerHealth, { params: { id } })).body

test.each([
  ['never', undefined, 'Unknown', 'Unreachable', false],
  ['just now', 0, 'Reporting', 'Healthy', null],
  ['almost a day ago', 23.9, 'Reporting', 'Healthy', null],
  ['more than a day ago', 24.1, 'Stale', 'Warning', null],
  ['almost a week ago', 167.9, 'Stale', 'Warning', null],
  ['more than a week ago', 168.1, 'Silent', 'Unreachable', null],
])(
  'the health of a computer that was seen %s follows from that time',
  async (_, hours, agentStatus, healthStatus, agentInstalled) => {
    const computer = await given.computer({
      inventory_at: new Date(),
      ...(hours !== undefined && { lastSeen: since(hours) }),
    })

    expect(await healthOf(computer)).toMatchObject({ agentStatus, healthStatus, agentInstalled })
  },
)

test('the machine of the service is healthy without an agent and an inventory, and is judged like others once it has an agent', async () => {
  const server = await given.computer({ role: 'MasterServer', created_at: since(24 * 30) })
  const before = await healthOf(server)
  const stale = () => reader.call(listStaleInventoryComputers, { query: { top: 1000 } })
  const listedBefore = (await stale()).body.items.map(({ id }) => id)

  await db
    .insertInto('computer_contacts')
    .values({ computer_id: server.id, last_seen_at: since(24 * 8) })
    .execute()

  expect(before).toMatchObject({ agentStatus: 'Unknown', healthStatus: 'Healthy' })
  expect(listedBefore).not.toContain(server.id)
  expect(await healthOf(server)).toMatchObject({ agentStatus: 'Silent', healthStatus: 'Unreachable' })
  expect((await stale()).body.items.map(({ id }) => id)).toContain(server.id)
  await db.deleteFrom('computers').where('id', '=', server.id).execute()
})

test('a reporting computer with an issue has a warning, and its failed work counts before it is tried again', async () => {
  const [one, other, third] = [await given.package(), await given.package(), await given.package()]
  const computer = await given.computer({ inventory_at: new Date(), lastSeen: since(0) })
  await world.agent(computer)
  const before = await healthOf(computer)
  for (const [software, hours, state] of [
    [one, 1, 'Due'],
    [other, 1, 'Cancelled'],
    [third, 25, 'Due'],
  ] as const) {
    const { id: work_id } = await world.work(computer, software, { state, failures: 1, attempt: 1 })
    await world.setupError(computer, software, { work_id, logged_at: since(hours) })
    await world.deployment(computer, software, { result: 'Failed', failed_at: since(hours) })
  }

  const { body: agent } = await reader.call(getUemAgent, { params: { id: computer.id } })
  expect(before.healthStatus).toBe('Healthy')
  expect(await healthOf(computer)).toMatchObject({ agentStatus: 'Reporting', healthStatus: 'Warning' })
  expect(agent.dailyStatus).toMatchObject({ failedWork24h: 2 })
})

test.each([
  [71, 'Reporting', 'Healthy'],
  [73, 'Stale', 'Warning'],
  [167, 'Stale', 'Warning'],
  [169, 'Silent', 'Unreachable'],
])(
  'an agent that reports every two days has after %i hours the status %s',
  async (hours, agentStatus, healthStatus) => {
    const { computer } = await world.scheduled({ contactIntervalMinutes: 2 * 24 * 60 })
    await db.updateTable('computers').set({ inventory_at: new Date() }).where('id', '=', computer.id).execute()
    await world.contact(computer, since(hours))

    expect(await healthOf(computer)).toMatchObject({ agentStatus, healthStatus })
  },
)

test('an agent that reports once a week is silent after twice the time after which it is stale', async () => {
  const { computer } = await world.scheduled({ contactIntervalMinutes: 7 * 24 * 60 })
  const statusAfter = async (days: number) => {
    await world.contact(computer, since(days * 24))
    return (await healthOf(computer)).agentStatus
  }

  expect([await statusAfter(10), await statusAfter(11), await statusAfter(20.9), await statusAfter(21.1)]).toEqual([
    'Reporting',
    'Stale',
    'Stale',
    'Silent',
  ])
})

test('health reports an enrolled agent as installed even before its first contact, and the data of the computer', async () => {
  const computer = await given.computer({
    uuid: null,
    os_name: 'Ubuntu',
    os_edition: 'Server',
    ip_address: '192.0.2.1',
    reported_ip_address: '192.0.2.2',
    manufacturer: 'Contoso',
    model: 'Desk',
    architecture: 'AMD64',
  })
  await world.agent(computer)

  expect(await healthOf(computer)).toEqual({
    clientId: computer.id,
    hostname: computer.name,
    domain: computer.domain,
    macAddress: expect.any(String),
    uuid: '00000000-0000-0000-0000-000000000000',
    lastSeenUtc: null,
    agentStatus: 'Unknown',
    healthStatus: 'Unreachable',
    operatingSystem: 'Ubuntu Server',
    ipAddress: '192.0.2.2',
    manufacturer: 'Contoso',
    model: 'Desk',
    architecture: 'x64',
    inventoryDate: null,
    agentInstalled: true,
  })
})

test('an agent with a long contact interval is stale when it is half an interval late, unless the request sets the limit', async () => {
  const domain = ownDomain()
  const twoDays = await given.agentTemplate({ settings: { contactIntervalMinutes: 2 * 24 * 60 } })
  const hourly = await given.agentTemplate({ settings: { contactIntervalMinutes: 60 } })
  const [outer, inner] = [await given.group(), await given.group()]
  await given.assignment(outer, twoDays, 'agentTemplate')
  await given.assignment(inner, hourly, 'agentTemplate')
  const child = await given.group({ parent: outer })
  const seen = async (hours: number, group: { id: string }) => {
    const computer = await given.computer({ domain, lastSeen: since(hours) })
    await given.member(group, computer)
    return computer
  }
  const [onTime, late, lateHourly] = [await seen(71.9, child), await seen(72.1, child), await seen(24.1, inner)]

  const sweep = async (query: object) => {
    const { body } = await reader.call(listStaleAgentComputers, { query: { domain, ...query } })
    return body.items.map(({ id }) => id)
  }

  expect(await sweep({})).toEqual([late.id, lateHourly.id])
  expect(await sweep({ minHoursStale: 24 })).toEqual([onTime.id, late.id, lateHourly.id])
})

test.each([
  ['no number', 'weekly'],
  ['a negative number', -2880],
  ['an object', {}],
  ['that of a template that is not released', 2880, { is_operational: false }],
])(
  'an agent whose contact interval is %s is stale after 24 hours',
  async (_, contactIntervalMinutes, columns: object = {}) => {
    const domain = ownDomain()
    const group = await given.group()
    const template = await given.agentTemplate({ settings: { contactIntervalMinutes }, ...columns })
    await given.assignment(group, template, 'agentTemplate')
    await given.member(group, await given.computer({ domain, lastSeen: since(24.1) }))

    const { body } = await reader.call(listStaleAgentComputers, { query: { domain } })

    expect(body.totalCount).toBe(1)
  },
)
