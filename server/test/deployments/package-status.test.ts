import { expect, test } from 'vitest'
import { getPackageStatus } from '../../src/features/deployments/api/package-status/get-package-status.ts'
import { openWorld } from '../world/open-world.ts'
import { deploymentsIn } from './deployment-world.ts'

const { as, db, given } = await openWorld()

async function memberOf(group: { id: string }) {
  const computer = await given.computer()
  await given.member(group, computer)
  return computer
}

/** Assigns a new package of the kind to the group, and returns the id of the package. */
async function assigned(kind: string, group: { id: string }): Promise<string> {
  if (kind === 'OperatingSystem') {
    const { id, skus } = await given.osImage()
    for (const sku of skus) await given.assignment(group, sku, 'osImageSku')
    return id
  }
  if (kind === 'PxeBootImage') {
    const image = await given.pxeBootImage()
    await given.assignment(group, image, 'pxeBootImage')
    return image.packageId
  }
  const created = await given.package({ kind })
  const assignmentKinds = { AgentTemplate: 'agentTemplate', LanguagePack: 'languagePack' } as const
  await given.assignment(group, created, assignmentKinds[kind as keyof typeof assignmentKinds] ?? 'package')
  return created.id
}

const statusOf = async (id: string, query = {}) =>
  (await as('package.read').call(getPackageStatus, { params: { id }, query })).body

test.each(['Software', 'AgentTemplate', 'LanguagePack', 'OperatingSystem', 'PxeBootImage'])(
  'a package of the kind %s is pending on every computer to which it is assigned, directly or from above',
  async (kind) => {
    const above = await given.group()
    const below = await given.group({ parent: above })
    const [near, far] = [await memberOf(above), await memberOf(below)]
    await memberOf(await given.group())

    const id = await assigned(kind, above)

    const { devices, ...counts } = await statusOf(id)
    expect(counts).toEqual({
      packageId: id,
      groupId: null,
      total: 2,
      pending: 2,
      success: 0,
      failed: 0,
      notApplicable: 0,
    })
    expect(devices.items).toEqual(
      [near, far].map(({ id: computerId, name, domain }) => ({
        id: computerId,
        hostname: name,
        domain,
        status: 'Pending',
        installTime: null,
        errorText: null,
        assignedGroupId: above.id,
        assignedGroupPath: above.path,
      })),
    )
  },
)

test('a computer with a nearer agent template does not count', async () => {
  const above = await given.group()
  const below = await given.group({ parent: above })
  const computer = await memberOf(above)
  await memberOf(below)
  const id = await assigned('AgentTemplate', above)

  await assigned('AgentTemplate', below)

  const { devices } = await statusOf(id)
  expect(devices.items.map((device) => device.id)).toEqual([computer.id])
})

test('a computer counts once if the package is assigned directly and through a software class', async () => {
  const group = await given.group()
  await memberOf(group)
  const id = await assigned('Software', group)
  const softwareClass = await given.softwareClass({ packages: [{ id }] })
  const other = await given.group()
  await memberOf(other)
  for (const member of [group, other]) await given.assignment(member, softwareClass, 'softwareClass')

  expect(await statusOf(id)).toMatchObject({ total: 2 })
})

test('of equally near assignments, the status names the one in the configuration tree', async () => {
  const [configuration, assignment] = [
    await given.group({ name: 'z' }),
    await given.group({ tree: 'AssignmentGroups', name: 'a' }),
  ]
  const computer = await memberOf(configuration)
  await given.member(assignment, computer)
  const id = await assigned('Software', configuration)
  const softwareClass = await given.softwareClass({ packages: [{ id }] })
  await given.assignment(assignment, softwareClass, 'softwareClass')

  const { devices } = await statusOf(id)

  expect(devices.items).toMatchObject([{ id: computer.id, assignedGroupId: configuration.id }])
})

test('the status can be limited to the computers of a group and of the groups below it', async () => {
  const above = await given.group()
  const [left, right] = [await given.group({ parent: above }), await given.group({ parent: above })]
  const below = await given.group({ parent: left })
  await memberOf(right)
  const members = [await memberOf(left), await memberOf(below)]
  const id = await assigned('Software', above)

  const status = await statusOf(id, { groupId: left.id })

  expect(status).toMatchObject({ groupId: left.id, total: 2, pending: 2 })
  expect(status.devices.items.map((device) => device.id)).toEqual(members.map((member) => member.id))
})

test('the status for an unknown group answers 404', async () => {
  const { id } = await given.package()

  const refused = await as('package.read').call(getPackageStatus, {
    params: { id },
    query: { groupId: '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11' },
  })

  expect(refused).toMatchObject({ status: 404, problem: 'GroupNotFound' })
})

test('devices are paged, and the counts cover all devices', async () => {
  const group = await given.group()
  for (let number = 0; number < 3; number++) await memberOf(group)
  const id = await assigned('Software', group)

  const { devices, total } = await statusOf(id, { skip: 1, top: 1 })

  expect({ total, ...devices, items: devices.items.length }).toEqual({
    total: 3,
    totalCount: 3,
    items: 1,
    skip: 1,
    top: 1,
    hasMore: true,
  })
})

test('the status counts reports only of computers to which the package is assigned', async () => {
  const group = await given.group()
  const [pending, waiting, done, broken] = [
    await memberOf(group),
    await memberOf(group),
    await memberOf(group),
    await memberOf(group),
  ]
  const id = await assigned('Software', group)
  const one = { id }
  const world = deploymentsIn(db, given)
  const installed_at = new Date('2026-03-01T10:00:00Z')
  const failure = { result: 'Failed', error_text: 'It ended with 1603.' }
  await world.deployment(waiting, one, { ...failure, pending_since: new Date() })
  await world.deployment(done, one, { result: 'Success', installation_state: 'Installed', installed_at })
  await world.deployment(broken, one, failure)
  await world.deployment(await given.computer(), one, failure)

  const { devices, ...counts } = await statusOf(id)

  expect(counts).toMatchObject({ total: 4, pending: 2, success: 1, failed: 1 })
  const device = (status: string, installTime: string | null, errorText: string | null) => ({
    status,
    installTime,
    errorText,
  })
  expect(
    devices.items.map(({ id, status, installTime, errorText }) => [id, { status, installTime, errorText }]),
  ).toEqual([
    [pending.id, device('Pending', null, null)],
    [waiting.id, device('Pending', null, null)],
    [done.id, device('Success', installed_at.toISOString(), null)],
    [broken.id, device('Failed', null, failure.error_text)],
  ])
})

test('the counts of results can be limited to a group', async () => {
  const above = await given.group()
  const below = await given.group({ parent: above })
  const [outside, inside] = [await memberOf(above), await memberOf(below)]
  const id = await assigned('Software', above)
  const world = deploymentsIn(db, given)
  for (const computer of [outside, inside]) await world.deployment(computer, { id }, { result: 'Success' })

  expect(await statusOf(id, { groupId: below.id })).toMatchObject({ total: 1, pending: 0, success: 1, failed: 0 })
})

test('the status ignores the group of a pending reinstall', async () => {
  const group = await given.group()
  const computer = await given.computer()
  await given.member(await given.group({ parent: group, kind: 'Reinstall' }), computer)
  const id = await assigned('Software', group)

  expect(await statusOf(id)).toMatchObject({ total: 0 })
})
