import { expect, test } from 'vitest'
import { listGroupAssignments } from '../../src/features/assignments/api/groups/list-group-assignments.ts'
import { openWorld } from '../world/open-world.ts'

const { as, given } = await openWorld()

const list = (group: { id: string }, query: object = {}) =>
  as('group.read').call(listGroupAssignments, { params: { id: group.id }, query })

const none = { id: null, intId: null, packageId: null, skuId: null }

/** A group with one object of each kind, and the items that the list has for them. */
async function fullGroup(parent?: { id: string; tree: string }) {
  const group = await given.group(parent ? { parent } : {})
  const [one, template, pack] = [await given.package(), await given.agentTemplate(), await given.languagePack()]
  const [configuration, image, boot] = [
    await given.variableConfiguration(),
    await given.osImage({ editions: ['Professional'] }),
    await given.pxeBootImage(),
  ]
  const [computer, softwareClass] = [await given.computer(), await given.softwareClass()]
  const sku = { id: image.skus[0]?.id ?? 0 }
  await given.assignment(group, one, 'package')
  await given.assignment(group, template, 'agentTemplate')
  await given.assignment(group, pack, 'languagePack')
  await given.assignment(group, configuration)
  await given.assignment(group, sku, 'osImageSku')
  await given.assignment(group, boot, 'pxeBootImage')
  await given.assignment(group, softwareClass, 'softwareClass')
  await given.member(group, computer)
  const items = {
    Package: { ...none, type: 'Package', id: one.id, name: one.name },
    AgentTemplate: { ...none, type: 'AgentTemplate', id: template.id, name: template.name },
    LanguagePackImport: { ...none, type: 'LanguagePackImport', id: pack.id, name: pack.name },
    VariableConfiguration: {
      ...none,
      type: 'VariableConfiguration',
      intId: configuration.id,
      name: configuration.name,
    },
    OsImageSku: {
      ...none,
      type: 'OsImageSku',
      packageId: image.id,
      skuId: sku.id,
      name: `${image.name} Professional`,
    },
    PxeBootImage: { ...none, type: 'PxeBootImage', intId: boot.id, name: boot.name },
    Computer: { ...none, type: 'Computer', intId: computer.id, name: computer.name },
  }
  return { ...group, items }
}

test('an item of every kind has the id of its own kind and no other', async () => {
  const group = await fullGroup()

  const listed = await list(group)

  expect(listed.body).toEqual(Object.values(group.items))
})

test('without includeInherited the list contains nothing from ancestors or subgroups', async () => {
  const parent = await fullGroup()
  const group = await given.group({ parent })
  await fullGroup(group)

  expect((await list(group)).body).toEqual([])
  expect((await list(group, { includeInherited: false })).body).toEqual([])
})

test('with includeInherited the list contains the objects of ancestors, but not their computers', async () => {
  const parent = await fullGroup()
  const group = await given.group({ parent: await given.group({ parent }) })
  const computer = await given.computer()
  await given.member(group, computer)

  const listed = await list(group, { includeInherited: true })

  const { Computer: _, ...inherited } = parent.items
  expect(listed.body).toEqual([
    ...Object.values(inherited),
    { ...none, type: 'Computer', intId: computer.id, name: computer.name },
  ])
})

test('with includeInherited the list contains the effective object of single kinds, and all other objects once', async () => {
  const parent = await fullGroup()
  const group = await fullGroup(parent)
  for (const { id } of [parent.items.Package, parent.items.LanguagePackImport])
    await given.assignment(group, { id }, id === parent.items.Package.id ? 'package' : 'languagePack')

  const listed = (await list(group, { includeInherited: true })).body

  const { Package, AgentTemplate, LanguagePackImport, VariableConfiguration, OsImageSku, PxeBootImage, Computer } =
    group.items
  expect(listed).toEqual([
    parent.items.Package,
    Package,
    AgentTemplate,
    parent.items.LanguagePackImport,
    LanguagePackImport,
    parent.items.VariableConfiguration,
    VariableConfiguration,
    OsImageSku,
    PxeBootImage,
    Computer,
  ])
})

test('several objects of one kind are listed in the order of their ids', async () => {
  const group = await given.group()
  const packages = [await given.package(), await given.package(), await given.package()]
  for (const one of packages.toReversed()) await given.assignment(group, one, 'package')

  const listed = await list(group)

  expect(listed.body.map(({ id }) => id)).toEqual(packages.map(({ id }) => id))
})

test('listing the assignments of an unknown group is answered with 404', async () => {
  const unknown = { id: '00000000-0000-4000-8000-000000000000' }

  expect(await list(unknown)).toMatchObject({ status: 404, problem: 'GroupNotFound' })
})
