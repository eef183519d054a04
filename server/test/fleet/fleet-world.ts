import { sql } from 'kysely'
import { getUemAgent } from '../../src/features/agents/api/get-uem-agent.ts'
import { listComputerGroups } from '../../src/features/computers/api/list-computer-groups.ts'
import { listComputers } from '../../src/features/computers/api/list-computers.ts'
import { listInstalledSoftware } from '../../src/features/inventory/api/list-installed-software.ts'
import { getComputerHealth } from '../../src/features/issues/api/get-computer-health.ts'
import { getComputerIssues } from '../../src/features/issues/api/get-computer-issues.ts'
import { refreshFleetStatistics } from '../../src/features/issues/fleet-statistics.ts'
import type { NextContact } from '../../src/features/issues/states/next-contact.ts'
import { createTag } from '../../src/features/tags/api/create-tag.ts'
import { since } from '../issues/fleet-model.ts'
import { openIssuesWorld } from '../issues/issues-world.ts'

const names = ['Kasse-1', 'kasse-2', 'KÜCHE-3', 'büro-4', 'Straße-5', 'pc_6%', 'pc-7', 'PC-8', 'lab.9', "o'brien-10"]
const systems = [
  { os_name: 'Windows 11', os_edition: 'Enterprise', os_version: '10.0.26100' },
  { os_name: 'Windows 10', os_edition: 'Pro', os_version: '10.0.19045' },
  { os_name: 'Debian GNU/Linux', os_version: '12' },
  {},
]
const tags = ['Berlin', 'Köln', "o'tag\u202e"] as const
const rooms = ['Room 4.17', '"{x', null] as const
const severities = ['Critical', 'Important', 'Moderate', 'low', 'anything'] as const
const users = ['alice', 'Jörg Müller', 'CORP\\bob', '=cmd()', 'gnp\u202e.exe\u001b[2J', '\u200b=cmd()', null]
const addresses = ['192.0.2.9', '192.0.2.10', '192.0.2.100', '2001:db8::17', null]
const products = ['Example Editor', 'Übersetzer 3', '100% Paint', 'Viewer']

/** A fleet of computers that differ in everything that the list of computers shows, searches and counts. */
export async function openFleetWorld(computers: number) {
  const world = await openIssuesWorld()
  const { db, given } = world
  await sql`insert into software_products (name) select unnest(${products}::text[])`.execute(db)
  const groups = [
    await given.group({ name: 'Berlin' }),
    await given.group({ name: 'Köln' }),
    await given.group({ name: 'Pilot', tree: 'AssignmentGroups' }),
  ]
  const software = await given.package()
  const product = await given.product()
  const patches = []
  for (const [age, vendor_severity] of severities.entries()) {
    const release_date =
      age === 4
        ? null
        : since(24 * (20 + age * 40))
            .toISOString()
            .slice(0, 10)
    patches.push(await given.patch({ products: [product], vendor_severity, release_date }))
  }
  const scan = (computer: { id: number }, missing: readonly { key: string }[]) =>
    given.patchScan(
      computer,
      missing.map(({ key }) => ({ key, product: product.name, status: 'Missing' })),
    )
  const tagIds: number[] = []
  for (const designation of tags)
    tagIds.push((await world.as('package.write').call(createTag, { body: { designation } })).body.id)
  // The third field is not active, so nobody sees its values.
  await sql`update custom_fields set is_active = slot in ('Custom01', 'Custom02')`.execute(db)
  for (let at = 0; at < computers; at++) {
    const pick = <T>(values: readonly T[], step = 1) => values[Math.floor(at / step) % values.length] as T
    const computer = await given.computer({
      name: at < names.length ? pick(names) : `${pick(names)}-${at}`,
      ...pick(systems),
      model: pick(['Desk 500', 'Tower 7', null]),
      manufacturer: pick(['Contoso', null], 2),
      reported_ip_address: pick(addresses),
      custom: JSON.stringify(customOf(at)),
      ...(at % 7 !== 0 && { lastSeen: since(pick([0.1, 30, 200, 900], 3)) }),
      ...(at % 3 !== 0 && { inventory_at: since(1) }),
    })
    await world.agent(computer, { logged_on_user: pick(users), is_reboot_required: at % 5 === 0 })
    if (at % 4 === 0) await world.disk(computer, { free: 3 })
    if (at % 6 === 0) await world.deployment(computer, software, { result: 'Failed', failed_at: since(1) })
    if (at % 4 !== 1) await scan(computer, patches.slice(at % 6, (at % 6) + 2))
    if (at % 2 === 0) await given.member(pick(groups.slice(0, 2), 2), computer)
    if (at % 3 === 0 && groups[2]) await given.member(groups[2], computer)
    await sql`
      insert into computer_tags (computer_id, tag_id)
      select ${computer.id}, tag from unnest(${tagsOf(at).map((tag) => tagIds[tags.indexOf(tag)])}::integer[]) as tag`.execute(
      db,
    )
    await sql`insert into bios_records (computer_id, serial_number)
      values (${computer.id}, ${at % 9 === 0 ? null : `SN-${1000 + at}`})`.execute(db)
    await sql`insert into installed_software (computer_id, product_id)
      select ${computer.id}, id from software_products where id % 5 = ${at % 5}`.execute(db)
  }
  await sql`
    with node as (insert into wake_nodes (id) values (gen_random_uuid()) returning id)
    insert into wake_connections (computer_id, node_id) select computers.id, node.id from computers, node where computers.id % 3 = 0`.execute(
    db,
  )
  await refreshFleetStatistics(db)
  return { ...world, groups, software }
}

const tagsOf = (at: number) => tags.filter((_, place) => at % (place + 2) === 0)

/** The values of all fields, with those of the field that is not active. */
const customOf = (at: number) =>
  Object.fromEntries(
    [
      ['Custom01', rooms[at % rooms.length]],
      ['Custom02', at % 4 === 0 ? 'lent' : null],
      ['Custom03', 'hidden'],
    ].filter(([, value]) => value),
  ) as Record<string, string>

/** What people filter by and the list does not show, by the position of a computer in the fleet. */
export const expectedProperties = (at: number) => ({
  osVersion: [systems[at % systems.length]?.os_version ?? ''],
  tag: tagsOf(at) as string[],
  customField: ['Custom01', 'Custom02', 'Custom03'].map(
    (slot) => `${slot}=${slot === 'Custom03' ? '' : (customOf(at)[slot] ?? '')}`,
  ),
})

export type FleetWorld = Awaited<ReturnType<typeof openFleetWorld>>
export type KnownComputer = Awaited<ReturnType<typeof readByContract>>[number]

/**
 * What the last scan of each computer found, by its position in the fleet: the ages and severities of the patches that it
 * misses, the oldest and the most severe of which count.
 */
export function expectedPatchState(at: number) {
  if (at % 4 === 1) return { patchAge: 'NotScanned', missingSeverity: 'None' }
  return [
    { patchAge: 'UpTo90Days', missingSeverity: 'Critical' },
    { patchAge: 'Older', missingSeverity: 'Important' },
    { patchAge: 'Older', missingSeverity: 'Moderate' },
    { patchAge: 'Older', missingSeverity: 'Low' },
    { patchAge: 'Unknown', missingSeverity: 'Unknown' },
    { patchAge: 'NoneMissing', missingSeverity: 'None' },
  ][at % 6] as { patchAge: string; missingSeverity: string }
}

/** Everything that the list shows of each computer, put together from the operations of the contract. */
export async function readByContract({ as }: FleetWorld) {
  const reader = as('computer.read')
  const { body } = await reader.call(listComputers, { query: { top: 1000 } })
  const known = []
  for (const [
    at,
    { id, hostname, domain, serialNumber, macAddress, lastSeenUtc, connectedNow },
  ] of body.items.entries()) {
    const params = { id }
    const { body: health } = await reader.call(getComputerHealth, { params })
    const { body: issues } = await reader.call(getComputerIssues, { params })
    const { body: agent } = await reader.call(getUemAgent, { params })
    const { body: groups } = await reader.call(listComputerGroups, { params })
    const { body: software } = await reader.call(listInstalledSoftware, { params })
    const { operatingSystem, ipAddress, manufacturer, model, healthStatus, agentStatus } = health
    known.push({
      shown: {
        role: 'Client',
        ...{ id, hostname, domain, operatingSystem, ipAddress, serialNumber, manufacturer, model },
        ...{ healthStatus, agentStatus, lastSeenUtc, connectedNow, issues: issues.activeIssues },
        loggedOnUser: agent.inventory?.loggedOnUser ?? null,
        nextContactUtc: connectedNow ? null : (agent.pollingWindows?.nextContactExpectedUtc ?? null),
        groups: groups.items
          .map(({ groupId, name, assignedToTree }) => {
            // The groups of this fleet are children of the root of their tree.
            const path = `${assignedToTree?.replace('Groups', '')}/${name}`
            return { groupId, name, path, assignedToTree, isByRule: false }
          })
          .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1)),
      },
      macAddress,
      ...expectedPatchState(at),
      ...expectedProperties(at),
      software: software.items.map(({ productName }) => productName ?? ''),
    })
  }
  return known
}

const hour = 3_600_000

/** The value of `lastContact` for a time, by a rule that is as simple as possible. */
export function contactAge(lastSeenUtc: string | null): string {
  if (lastSeenUtc === null) return 'Never'
  const hours = (Date.now() - Date.parse(lastSeenUtc)) / hour
  if (hours < 24) return 'Day'
  if (hours < 7 * 24) return 'Week'
  return hours < 30 * 24 ? 'Month' : 'Older'
}

/** By default, agents make a contact every hour; one that is late by more than a fifth is overdue. */
export function nextContactOf({ connectedNow, lastSeenUtc }: KnownComputer['shown']): NextContact {
  if (connectedNow) return 'WhenCalled'
  if (lastSeenUtc === null) return 'None'
  return Date.now() - new Date(lastSeenUtc).getTime() > 72 * 60_000 ? 'Overdue' : 'Hour'
}
