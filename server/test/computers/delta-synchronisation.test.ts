import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { assignGroupPackage } from '../../src/features/assignments/api/groups/assign-group-package.ts'
import { removeGroupPackage } from '../../src/features/assignments/api/groups/remove-group-package.ts'
import { applyCatalog } from '../../src/features/catalog/api/apply-catalog.ts'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { listComputers } from '../../src/features/computers/api/list-computers.ts'
import type { Computer } from '../../src/features/computers/api/schemas.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { purgeComputerChanges } from '../../src/features/computers/computer-changes.ts'
import { updateCustomField } from '../../src/features/custom-fields/api/update-custom-field.ts'
import { activateComputer } from '../../src/features/deployments/api/activation/activate-computer.ts'
import { deactivateComputer } from '../../src/features/deployments/api/activation/deactivate-computer.ts'
import { moveGroup } from '../../src/features/group-moves/api/move-group.ts'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { deleteGroup } from '../../src/features/groups/api/delete-group.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import { setComputerVariable } from '../../src/features/variables/api/computers/set-computer-variable.ts'
import { setGroupVariable } from '../../src/features/variables/api/groups/set-group-variable.ts'
import { exampleContent, openInventoryWorld } from '../inventory/inventory-world.ts'

const { as, db, given, report } = await openInventoryWorld()
const reader = as('computer.read')

const lastSynchronisation = '2020-01-02T00:00:00Z'
const { rows } = await sql<{ id: number }>`
  select id from variable_definitions where dotted_name = 'DomainJoin.OuForComputerAccounts'`.execute(db)
const ou = { id: rows[0]?.id ?? 0 }
const configuration = await given.variableConfiguration([{ variable: ou, value: 'OU=Configured' }])
const software = await given.package()
await db
  .insertInto('package_variables')
  .values({ package_id: software.id, variable_id: ou.id, value: 'OU=Packaged' })
  .execute()
await as('computer.write').call(updateCustomField, { params: { slot: 'Custom08' }, body: { isActive: true } })

type Setting = Awaited<ReturnType<typeof arrange>>
type Change = (setting: Setting) => Promise<unknown>

/** A computer in a child group that gets its OU from the parent group. No change has been recorded for it. */
async function arrange() {
  const parent = await given.group()
  const group = await given.group({ parent })
  const other = await given.group({ tree: 'AssignmentGroups' })
  const computer = await given.computer()
  await given.member(group, computer)
  await given.assignment(group, await given.pxeBootImage(), 'pxeBootImage')
  await setOnGroup(parent, 'OU=Parent')
  await clearChanges(computer)
  return { parent, group, other, computer, id: computer.id }
}

async function clearChanges({ id }: { id: number }) {
  await db.updateTable('computers').set({ modified_at: '2020-01-01' }).where('id', '=', id).execute()
  await db.deleteFrom('computer_changes').where('computer_id', '=', id).execute()
}

const patch =
  (body: object): Change =>
  ({ id }) =>
    as('computer.write').call(updateComputer, { params: { id }, body })
const setOnGroup = ({ id }: { id: string }, value: string | null) =>
  as('group.write').call(setGroupVariable, { params: { id, varId: ou.id }, body: { value } })
const move = ({ id }: { id: string }, parent: { id: string }) =>
  as('group.write').call(moveGroup, { params: { id }, body: { parentId: parent.id } })
const setOnComputer = (id: number, variable: { id: number }, value: string | null) =>
  as('computer.write').call(setComputerVariable, { params: { id, varId: variable.id }, body: { value } })
const activate: Change = ({ id }) =>
  as('activation.execute').call(activateComputer, { params: { id }, body: { pxe: true } })
const reportSerialNumber = (serialNumber: string | null, { computer }: Setting) =>
  report(computer, 'bios', exampleContent('bios', { serialNumber }))
const setOuDefault = (value: string | null) =>
  as('package.write').call(applyCatalog, {
    body: {
      catalog: {
        variableDefinitions: [
          { name: 'DomainJoin', kind: 'Category', children: [{ name: 'OuForComputerAccounts', default: value }] },
        ],
      },
    },
  })

/** For every property of the list, the ways to change it. Some have a filter of their own; an id never changes. */
const changes: Record<keyof typeof Computer.properties, 'own filter' | Record<string, Change[]>> = {
  id: 'own filter',
  lastSeenUtc: 'own filter',
  connectedNow: 'own filter',
  inventoryDate: 'own filter',
  lastModified: { 'an update': [patch({})] },
  hostname: { 'an update': [patch({ name: 'renamed' })] },
  domain: { 'an update': [patch({ domain: 'other.example.org' })] },
  isDomain: { 'an update': [patch({ isDomain: false }), patch({ isDomain: true })] },
  macAddress: { 'an update': [patch({ macAddress: '02:00:00:00:99:01' })] },
  uuid: { 'an update': [patch({ uuid: '7f3a8b52-1111-4222-8333-444455556666' })] },
  inventoryId: { 'an update': [patch({ inventoryId: 'INV-2' })] },
  pxeSupport: { 'an update': [patch({ pxeSupport: false }), patch({ pxeSupport: true })] },
  serialNumber: {
    'an update': [patch({ serialNumber: 'by hand' }), patch({ serialNumber: '' })],
    inventories: ['first', 'second', null].map((serial) => (setting) => reportSerialNumber(serial, setting)),
  },
  isPxeActive: {
    activations: [
      activate,
      ({ id }) => as('activation.execute').call(deactivateComputer, { params: { id }, query: { pxe: true } }),
    ],
  },
  ou: {
    'an update': [patch({ ou: 'OU=Own' }), patch({ ou: '' })],
    'its own variable': [({ id }) => setOnComputer(id, ou, 'OU=Own'), ({ id }) => setOnComputer(id, ou, null)],
    'variables of groups': [
      ({ group }) => setOnGroup(group, 'OU=Group'),
      ({ group }) => setOnGroup(group, null),
      ({ parent }) => setOnGroup(parent, 'OU=Renamed'),
    ],
    memberships: [
      ({ group, id }) =>
        as('group.write').call(removeGroupComputers, { params: { id: group.id }, query: { computerIds: [id] } }),
      ({ group, id }) =>
        as('group.write').call(addGroupComputers, { params: { id: group.id }, body: { computerIds: [id] } }),
    ],
    'the deletion of a group': [
      ({ parent }) => as('group.write').call(deleteGroup, { params: { id: parent.id }, query: { force: true } }),
    ],
    'the move of a group': [
      async ({ group }) => move(group, await given.group()),
      ({ group, parent }) => move(group, parent),
    ],
    'variable configurations': [
      ({ group }) => given.assignment(group, configuration),
      () => sql`update variable_configuration_values set value = value || ',DC=org'`.execute(db),
    ],
    packages: [
      ({ parent }) => setOnGroup(parent, null),
      ({ group }) =>
        as('group.write').call(assignGroupPackage, { params: { id: group.id }, body: { packageId: software.id } }),
      () => sql`update package_variables set value = value || ',DC=org'`.execute(db),
      ({ group }) => as('group.write').call(removeGroupPackage, { params: { id: group.id, packageId: software.id } }),
    ],
    'the catalog': [
      ({ parent }) => setOnGroup(parent, null),
      () => setOuDefault('OU=Default'),
      () => setOuDefault(null),
    ],
  },
  custom: {
    'an update': [patch({ custom: { Custom08: 'Room 12' } }), patch({ custom: { Custom08: null } })],
    'the configuration of slots': [true, false].map(
      (isActive) => () =>
        as('computer.write').call(updateCustomField, { params: { slot: 'Custom09' }, body: { isActive } }),
    ),
  },
}

const ways = Object.entries(changes).flatMap(([field, of]) =>
  of === 'own filter' ? [] : Object.entries(of).map(([way, steps]) => ({ field, way, steps })),
)

const readComputer = async (id: number) =>
  (await reader.call(getComputer, { params: { id } })).body as unknown as Record<string, unknown>

const listModified = async () =>
  (await reader.call(listComputers, { query: { modifiedAfter: lastSynchronisation, top: 1_000 } })).body.items

test.each(ways)('modifiedAfter finds every change of $field by $way', async ({ field, steps }) => {
  const setting = await arrange()
  for (const step of steps) {
    const before = await readComputer(setting.id)

    await step(setting)

    const after = await readComputer(setting.id)
    expect(after[field]).not.toEqual(before[field])
    expect(await listModified()).toContainEqual(after)
    await clearChanges(setting.computer)
  }
})

test('a computer is not modified by what the list does not show', async () => {
  const { other, computer, id } = await arrange()

  await setOnComputer(id, await given.variable(), 'x')
  await as('group.write').call(addGroupComputers, { params: { id: other.id }, body: { computerIds: [id] } })
  await as('activation.execute').call(activateComputer, { params: { id }, body: { software: true } })
  await report(computer, 'computerSystem', exampleContent('computerSystem'))

  expect((await listModified()).map((one) => one.id)).not.toContain(id)
})

test('the newest change of each computer is kept, and the changes of deleted computers are purged', async () => {
  const [kept, deleted] = [await arrange(), await arrange()]
  await activate(deleted)
  await as('computer.write').call(deleteComputer, { params: { id: deleted.id }, query: { force: true } })
  for (const serial of ['first', 'second']) await reportSerialNumber(serial, kept)
  const { lastModified } = await readComputer(kept.id)

  await purgeComputerChanges(db)

  const { rows: left } = await sql<{ computer_id: number }>`
    select computer_id from computer_changes where computer_id in (${kept.id}, ${deleted.id})`.execute(db)
  expect(left).toEqual([{ computer_id: kept.id }])
  expect(await readComputer(kept.id)).toMatchObject({ lastModified })
})
