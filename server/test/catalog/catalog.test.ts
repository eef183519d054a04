import { beforeEach, describe, expect, test } from 'vitest'
import { applyCatalog } from '../../src/features/catalog/api/apply-catalog.ts'
import { getCatalog } from '../../src/features/catalog/api/get-catalog.ts'
import { planCatalog } from '../../src/features/catalog/api/plan-catalog.ts'
import type { Catalog } from '../../src/features/catalog/api/schemas.ts'
import { listSoftwareClasses } from '../../src/features/packages/api/software-classes/list-software-classes.ts'
import { setComputerVariable } from '../../src/features/variables/api/computers/set-computer-variable.ts'
import { listVariableConfigurations } from '../../src/features/variables/api/configurations/list-variable-configurations.ts'
import { searchVariableDefinitions } from '../../src/features/variables/api/definitions/search-variable-definitions.ts'
import { setGroupVariable } from '../../src/features/variables/api/groups/set-group-variable.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const reader = as('package.read', 'computer.read')
const writer = as('package.read', 'package.write', 'computer.read', 'admin.manage')

const exportCatalog = async () => (await reader.call(getCatalog)).body
const apply = (catalog: Catalog, removeMissing = false) =>
  writer.call(applyCatalog, { body: { catalog, removeMissing } })
const plan = (catalog: Catalog, removeMissing = false) => reader.call(planCatalog, { body: { catalog, removeMissing } })
const actions = ({ body }: Awaited<ReturnType<typeof plan>>) =>
  body.changes.map(({ action, section, name }) => `${action} ${section} ${name}`)

const printing: Catalog = {
  variableDefinitions: [
    {
      name: 'Printing',
      kind: 'Category',
      children: [
        { name: 'Server', default: 'print01', description: 'Where the queues are' },
        { name: 'Password', secret: true },
        { name: 'Queues', kind: 'Collection', children: [{ name: 'Name' }, { name: 'Colour', default: 'no' }] },
      ],
    },
    { name: 'Note', kind: 'UserDefined' },
  ],
  variableConfigurations: [
    {
      name: 'Branch',
      description: 'Small offices',
      values: [{ variable: 'printing.server', value: 'print02', schedule: '2026-03-01 22:00' }],
    },
  ],
}

async function branchConfiguration(): Promise<{ id: number }> {
  const [configuration] = (await reader.call(listVariableConfigurations)).body.items
  return { id: configuration?.id ?? 0 }
}

/** Every test starts without values, assignments, roles and objects of the catalog. */
beforeEach(async () => {
  await db.deleteFrom('group_variables').execute()
  await db.deleteFrom('computer_variables').execute()
  await db.deleteFrom('group_variable_configurations').execute()
  await db.updateTable('computers').set({ role: 'Client' }).execute()
  await apply({ variableDefinitions: [], variableConfigurations: [], softwareClasses: [] }, true)
})

describe('applying a catalog', () => {
  test('applying creates the objects of the document, and applying it again changes nothing', async () => {
    const first = await apply(printing)
    const before = await exportCatalog()
    const again = await apply(printing, true)

    expect(first.body).toMatchObject({ isApplied: true, added: 8, changed: 0, removed: 0 })
    expect(before.variableConfigurations).toMatchObject([
      { name: 'Branch', values: [{ variable: 'Printing.Server', value: 'print02', schedule: '2026-03-01 22:00' }] },
    ])
    expect(again.body).toMatchObject({ added: 0, changed: 0, removed: 0, changes: [] })
    expect(await exportCatalog()).toEqual(before)
  })

  test('applying an export changes nothing, and recreates the catalog in an empty installation', async () => {
    const computer = await given.computer({ role: 'DepotServer' })
    const { id } = await given.package()
    await apply({ ...printing, softwareClasses: [{ name: 'Browsers', packages: [id] }] })
    const document = await exportCatalog()

    const unchanged = await plan(document, true)
    await apply({ variableDefinitions: [], variableConfigurations: [], softwareClasses: [], computerRoles: [] }, true)
    await apply(document)

    expect(unchanged.body.changes).toEqual([])
    expect(document.computerRoles).toEqual([{ name: computer.name, domain: computer.domain, role: 'DepotServer' }])
    expect(await exportCatalog()).toEqual(document)
  })

  test('applying keeps what a section does not list, unless removeMissing is set', async () => {
    await apply(printing)

    const kept = await apply({ variableConfigurations: [] })
    const removed = await apply({ variableConfigurations: [] }, true)

    expect(kept.body).toMatchObject({ removed: 0 })
    expect(removed.body).toMatchObject({ removed: 1 })
    expect((await exportCatalog()).variableDefinitions?.map(({ name }) => name)).toContain('Printing')
  })

  test('applying removes only what is named, and no parent of what stays', async () => {
    const children = [{ name: 'Old' }, { name: 'New' }]
    await apply({ variableDefinitions: [{ name: 'Audio', kind: 'Category', children }] })
    const removing = (...removeOnly: string[]) =>
      writer.call(applyCatalog, { body: { catalog: { variableDefinitions: [] }, removeMissing: true, removeOnly } })

    expect((await removing()).body).toMatchObject({ removed: 0 })
    expect((await removing('Audio', 'AUDIO.Old')).body).toMatchObject({ changes: [{ name: 'Audio.Old' }] })
    expect((await exportCatalog()).variableDefinitions).toContainEqual(
      expect.objectContaining({ name: 'Audio', children: [expect.objectContaining({ name: 'New' })] }),
    )
    expect((await removing('Audio', 'Audio.New')).body).toMatchObject({ removed: 2 })
  })

  test('applying never removes system variables', async () => {
    await apply({ variableDefinitions: [] }, true)

    expect((await exportCatalog()).variableDefinitions).toMatchObject([
      { name: 'DomainJoin', children: [{ name: 'OuForComputerAccounts' }] },
    ])
  })

  test('applying can move the role of the master server to another computer in one step', async () => {
    const [old, next] = [await given.computer({ role: 'MasterServer' }), await given.computer()]
    const role = { domain: old.domain, role: 'MasterServer' as const }

    const second = await apply({ computerRoles: [{ name: next.name, ...role }] })
    const moved = await apply({ computerRoles: [{ name: next.name, ...role }] }, true)

    expect(second).toMatchObject({ status: 409, problem: 'AnotherMasterServer' })
    expect(moved.body).toMatchObject({ added: 1, removed: 1 })
  })
})

describe('planning a catalog', () => {
  test('a plan lists what would be added, changed and removed and what is affected, and changes nothing', async () => {
    await apply(printing)
    const group = await given.group()
    const computer = await given.computer()
    await given.member(await given.group({ parent: group }), computer)
    await given.assignment(group, await branchConfiguration())
    const before = await fingerprints(db)

    const planned = await plan(
      {
        variableDefinitions: [
          { name: 'Printing', kind: 'Category', children: [{ name: 'Server', default: 'print09' }, { name: 'Port' }] },
        ],
        variableConfigurations: [{ name: 'BRANCH', values: [] }],
      },
      true,
    )

    expect(actions(planned)).toEqual([
      'add variableDefinitions Printing.Port',
      'change variableDefinitions Printing.Server',
      'remove variableDefinitions Note',
      'remove variableDefinitions Printing.Password',
      'remove variableDefinitions Printing.Queues',
      'remove variableDefinitions Printing.Queues.Colour',
      'remove variableDefinitions Printing.Queues.Name',
      'change variableConfigurations BRANCH',
    ])
    expect(planned.body.changes.find(({ name }) => name === 'Printing.Server')).toMatchObject({
      fields: ['description', 'default'],
      affected: { configurations: 1 },
    })
    expect(planned.body.changes.at(-1)).toMatchObject({
      fields: ['name', 'description', 'values'],
      affected: { groups: 1, computers: 1 },
    })
    expect(await fingerprints(db)).toEqual(before)
  })
})

describe('objects in use', () => {
  const expectRefused = async (catalog: Catalog) => {
    const before = await fingerprints(db)
    const answer = await apply(catalog, true)
    expect(await fingerprints(db)).toEqual(before)
    expect(answer).toMatchObject({ status: 409, problem: 'CatalogObjectInUse' })
    return answer.raw as { blockers: { name: string; blockers: string[] }[] }
  }
  const variableId = async (name: string) =>
    (await reader.call(searchVariableDefinitions, { body: { name } })).body.items[0]?.varId ?? 0
  const setOnComputer = async (varId: number) =>
    as('computer.write').call(setComputerVariable, {
      params: { id: (await given.computer()).id, varId },
      body: { value: 'x' },
    })

  test('a variable that has values is not removed, and the refusal names them', async () => {
    await apply(printing)
    const varId = await variableId('Printing.Server')
    const { id } = await given.group()
    await as('group.write').call(setGroupVariable, { params: { id, varId }, body: { value: 'x' } })
    await setOnComputer(varId)

    const { blockers } = await expectRefused({ variableDefinitions: [] })

    expect(blockers).toMatchObject([
      {
        name: 'Printing.Server',
        blockers: ['1 computer has a value', '1 group has a value', '1 variable configuration has a value'],
      },
    ])
  })

  test('the kind and the secrecy of a variable that has values are not changed', async () => {
    await apply(printing)
    await setOnComputer(await variableId('Printing.Server'))
    const server = (change: object) => ({
      variableDefinitions: [{ name: 'Printing', kind: 'Category' as const, children: [{ name: 'Server', ...change }] }],
    })

    for (const change of [{ secret: true }, { kind: 'UserDefined' as const }])
      expect((await apply(server(change))).problem).toBe('CatalogObjectInUse')
  })

  test('a configuration that is assigned to a group is not removed', async () => {
    await apply(printing)
    await given.assignment(await given.group(), await branchConfiguration())

    const { blockers } = await expectRefused({ variableConfigurations: [] })

    expect(blockers).toMatchObject([{ name: 'Branch', blockers: ['1 group has it assigned'] }])
  })

  test('a software class that is assigned to groups is not removed', async () => {
    await apply({ softwareClasses: [{ name: 'Browsers', packages: [] }] })
    const [softwareClass] = (await reader.call(listSoftwareClasses)).body.items
    for (const group of [await given.group(), await given.group()])
      await given.assignment(group, { id: softwareClass?.id ?? 0 }, 'softwareClass')

    const { blockers } = await expectRefused({ softwareClasses: [] })

    expect(blockers).toMatchObject([{ name: 'Browsers', blockers: ['2 groups have it assigned'] }])
  })
})

describe('invalid documents', () => {
  const variables = (...variableDefinitions: NonNullable<Catalog['variableDefinitions']>) => ({ variableDefinitions })

  test.each([
    ['a repeated name', variables({ name: 'A' }, { name: 'a' })],
    ['a scalar with children', variables({ name: 'A', children: [{ name: 'B' }] })],
    ['a category with a default', variables({ name: 'A', kind: 'Category', default: 'x' })],
    ['a secret with a default', variables({ name: 'A', secret: true, default: 'x' })],
    ['a secret collection', variables({ name: 'A', kind: 'Collection', secret: true })],
    ['a dot in a designation', variables({ name: 'A.B' })],
    ['an unknown variable', { variableConfigurations: [{ name: 'C', values: [{ variable: 'nope', value: 'x' }] }] }],
    [
      'a value for a category',
      { variableConfigurations: [{ name: 'C', values: [{ variable: 'DomainJoin', value: 'x' }] }] },
    ],
    [
      'a cron pattern as the schedule of a value',
      {
        ...variables({ name: 'A' }),
        variableConfigurations: [{ name: 'C', values: [{ variable: 'A', value: 'x', schedule: '0 22 * * *' }] }],
      },
    ],
    ['an unknown package', { softwareClasses: [{ name: 'C', packages: ['3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11'] }] }],
    ['an unknown computer', { computerRoles: [{ name: 'nope', domain: 'nope', role: 'DepotServer' as const }] }],
    [
      'the value of a secret',
      {
        ...variables({ name: 'S', secret: true }),
        variableConfigurations: [{ name: 'C', values: [{ variable: 's', value: 'x' }] }],
      },
    ],
  ])('a document with %s is refused with 400, and nothing changes', async (_, catalog) => {
    const before = await fingerprints(db)

    const [applied, planned] = [await apply(catalog), await plan(catalog)]

    expect(applied).toMatchObject({ status: 400, problem: 'InvalidRequest' })
    expect(planned.status).toBe(400)
    expect(await fingerprints(db)).toEqual(before)
  })
})
