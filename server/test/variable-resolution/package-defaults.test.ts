import { expect, test } from 'vitest'
import { searchComputers } from '../../src/features/computers/api/search-computers.ts'
import { searchComputerVariables } from '../../src/features/variables/api/computers/search-computer-variables.ts'
import { searchVariableDefinitions } from '../../src/features/variables/api/definitions/search-variable-definitions.ts'
import { setGroupVariable } from '../../src/features/variables/api/groups/set-group-variable.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()

type Group = { id: string }

async function setDefault(packageId: string, variable: { id: number }, value: string) {
  await db.insertInto('package_variables').values({ package_id: packageId, variable_id: variable.id, value }).execute()
}

async function effectiveValue({ id }: { id: number }, variable: { id: number }) {
  const body = { varId: variable.id, includeInherited: true }
  const { value, source, sourceGroupId } =
    (await as('computer.read').call(searchComputerVariables, { params: { id }, body })).body.items[0] ?? {}
  return [value, source, sourceGroupId]
}

/** How a package of each kind is assigned. Each returns the id of the package. */
const assign = {
  async package(group: Group) {
    const software = await given.package()
    await given.assignment(group, software, 'package')
    return software.id
  },
  async softwareClass(group: Group) {
    const software = await given.package()
    await given.assignment(group, await given.softwareClass({ packages: [software] }), 'softwareClass')
    return software.id
  },
  async languagePack(group: Group) {
    const pack = await given.languagePack()
    await given.assignment(group, pack, 'languagePack')
    return pack.id
  },
  async agentTemplate(group: Group) {
    const template = await given.agentTemplate()
    await given.assignment(group, template, 'agentTemplate')
    return template.id
  },
  async osImageSku(group: Group) {
    const os = await given.osImage({ editions: ['Standard', 'Other'] })
    for (const sku of os.skus.slice(1)) await given.assignment(group, sku, 'osImageSku')
    return os.id
  },
  async pxeBootImage(group: Group) {
    const image = await given.pxeBootImage()
    await given.assignment(group, image, 'pxeBootImage')
    return image.packageId
  },
}

test.each(Object.entries(assign))('the defaults of a package count that comes as %s', async (_, assignTo) => {
  const [outer, computer, outsider] = [await given.group(), await given.computer(), await given.computer()]
  const inner = await given.group({ parent: outer })
  await given.member(inner, computer)
  const variable = await given.variable({ default_value: 'catalog' })

  await setDefault(await assignTo(outer), variable, 'of the package')
  expect(await effectiveValue(computer, variable)).toEqual(['of the package', 'package', outer.id])
  expect(await effectiveValue(outsider, variable)).toEqual(['catalog', 'default', null])
  await as('group.write').call(setGroupVariable, {
    params: { id: outer.id, varId: variable.id },
    body: { value: 'of the group' },
  })
  expect(await effectiveValue(computer, variable)).toEqual(['of the group', 'group', outer.id])
})

test.each(['agentTemplate', 'osImageSku', 'pxeBootImage'] as const)(
  'the defaults of a package that comes as %s count only while it is the nearest one',
  async (kind) => {
    const [outer, computer] = [await given.group(), await given.computer()]
    const inner = await given.group({ parent: outer })
    await given.member(inner, computer)
    const [both, onlyFar] = [await given.variable(), await given.variable()]
    const far = await assign[kind](outer)
    for (const variable of [both, onlyFar]) await setDefault(far, variable, 'far')
    const before = [await effectiveValue(computer, both), await effectiveValue(computer, onlyFar)]

    await setDefault(await assign[kind](inner), both, 'near')

    expect(before.map(([value]) => value)).toEqual(['far', 'far'])
    expect(await effectiveValue(computer, both)).toEqual(['near', 'package', inner.id])
    expect(await effectiveValue(computer, onlyFar)).toEqual([null, null, null])
  },
)

test('computers are found by an OU that a package of their software class gives them', async () => {
  const [group, computer] = [await given.group(), await given.computer()]
  await given.member(group, computer)
  const found = await as('package.read').call(searchVariableDefinitions, { body: { name: 'OuForComputerAccounts' } })
  await setDefault(await assign.softwareClass(group), { id: found.body.items[0]?.varId ?? 0 }, 'OU=Of the class')

  const { body } = await as('computer.read').call(searchComputers, { body: { ou: 'of the class' } })

  expect(body.items).toMatchObject([{ id: computer.id, ou: 'OU=Of the class' }])
})
