import { describe, expect, test } from 'vitest'
import { assignGroupPackage } from '../../src/features/assignments/api/groups/assign-group-package.ts'
import { assignGroupSoftwareClass } from '../../src/features/assignments/api/groups/assign-group-software-class.ts'
import { listGroupPackages } from '../../src/features/assignments/api/groups/list-group-packages.ts'
import { openWorld } from '../world/open-world.ts'
import { fingerprints } from '../world/tables.ts'

const { as, db, given } = await openWorld()
const writer = as('group.write')

const assign = (group: { id: string }, one: { id: string }) =>
  writer.call(assignGroupPackage, { params: { id: group.id }, body: { packageId: one.id } })

describe('packages of a software class', () => {
  async function classWithPackage() {
    const one = await given.package()
    return { one, softwareClass: await given.softwareClass({ packages: [await given.package(), one] }) }
  }

  test('a package of a software class can be assigned above and beside the class, and in another tree', async () => {
    const { one, softwareClass } = await classWithPackage()
    const top = await given.group()
    const group = await given.group({ parent: top })
    await given.assignment(group, softwareClass, 'softwareClass')

    const others = [top, await given.group({ parent: top }), await given.group({ tree: 'AssignmentGroups' })]

    for (const other of others) expect((await assign(other, one)).status).toBe(201)
    expect((await assign(group, await given.package())).status).toBe(201)
  })

  test('a package is refused with 409 in a group that has a software class with it', async () => {
    const { one, softwareClass } = await classWithPackage()
    const group = await given.group()
    await given.assignment(group, softwareClass, 'softwareClass')
    const before = await fingerprints(db)

    const refused = await assign(group, one)

    expect(refused).toMatchObject({
      status: 409,
      problem: 'CoveredBySoftwareClass',
      raw: { groupId: group.id, packageId: one.id },
    })
    expect(await fingerprints(db)).toEqual(before)
  })

  test('a package is refused with 409 at any depth below a group that has a software class with it', async () => {
    const { one, softwareClass } = await classWithPackage()
    const top = await given.group()
    await given.assignment(top, softwareClass, 'softwareClass')
    const group = await given.group({ parent: await given.group({ parent: top }) })
    const before = await fingerprints(db)

    const refused = await assign(group, one)

    expect(refused).toMatchObject({ status: 409, problem: 'CoveredBySoftwareClass' })
    expect(await fingerprints(db)).toEqual(before)
  })

  test('a package that was assigned before its software class stays assigned and can be assigned again', async () => {
    const { one, softwareClass } = await classWithPackage()
    const group = await given.group()
    await assign(group, one)
    await writer.call(assignGroupSoftwareClass, { params: { id: group.id }, body: { classId: softwareClass.id } })

    const again = await assign(group, one)

    expect(again).toMatchObject({ status: 200, body: { alreadyAssigned: true } })
    const listed = await as('group.read').call(listGroupPackages, { params: { id: group.id } })
    expect(listed.body.items).toMatchObject([{ id: one.id }])
  })
})
