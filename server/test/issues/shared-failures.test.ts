import { expect, test } from 'vitest'
import { listSharedFailureDevices } from '../../src/features/issues/api/list-shared-failure-devices.ts'
import { listSharedPackageFailures } from '../../src/features/issues/api/list-shared-package-failures.ts'
import { since } from './fleet-model.ts'
import { openIssuesWorld } from './issues-world.ts'

const { as, given, deployment } = await openIssuesWorld()
const reader = as('computer.read')

/** A package that fails on the given number of computers, which are in a new domain. */
async function givenFailingPackage(computers: number) {
  const [domain, software] = [`${crypto.randomUUID()}.example.org`, await given.package()]
  const fleet = []
  for (let made = 0; made < computers; made++) {
    const computer = await given.computer({ domain })
    await deployment(computer, software, { result: 'Failed', failed_at: since(made + 1), error_text: `error ${made}` })
    fleet.push(computer)
  }
  return { domain, software, fleet }
}

test('a package is listed if it fails on two computers or on the requested number', async () => {
  const { domain, software } = await givenFailingPackage(2)
  const one = await givenFailingPackage(1)

  const byDefault = await reader.call(listSharedPackageFailures, { query: { domain } })
  const three = await reader.call(listSharedPackageFailures, { query: { domain, minAffectedCount: 3 } })
  const single = await reader.call(listSharedPackageFailures, { query: { domain: one.domain } })
  const filtered = await reader.call(listSharedPackageFailures, {
    query: { softwareId: one.software.id, minAffectedCount: 1 },
  })

  expect(byDefault.body.items).toEqual([
    { softwareId: software.id, packageName: software.name, affectedDeviceCount: 2, affectedDevices: [] },
  ])
  expect(three.body.items).toEqual([])
  expect(single.body.items).toEqual([])
  expect(filtered.body.items).toMatchObject([{ softwareId: one.software.id, affectedDeviceCount: 1 }])
})

test('the package that fails on the most computers comes first', async () => {
  const fleets = [await givenFailingPackage(2), await givenFailingPackage(4), await givenFailingPackage(3)]
  const isOurs = ({ softwareId }: { softwareId: string | null }) =>
    fleets.some(({ software }) => software.id === softwareId)

  const { body } = await reader.call(listSharedPackageFailures, { query: { top: 1000 } })

  expect(body.items.filter(isOurs).map(({ affectedDeviceCount }) => affectedDeviceCount)).toEqual([4, 3, 2])
})

test('a failing package lists its computers if includeDevices is true', async () => {
  const { software, fleet } = await givenFailingPackage(2)
  const query = {
    softwareId: software.id,
    includeDevices: true,
    hostnameContains: fleet[1]?.name ?? '',
    minAffectedCount: 1,
  }

  const all = await reader.call(listSharedPackageFailures, { query: { softwareId: software.id, includeDevices: true } })
  const some = await reader.call(listSharedPackageFailures, { query })

  expect(all.body.items[0]?.affectedDevices).toMatchObject(
    fleet.map(({ id, name, domain }, at) => ({ id, hostname: name, domain, errorText: `error ${at}` })),
  )
  expect(some.body.items).toMatchObject([{ affectedDeviceCount: 1, affectedDevices: [{ id: fleet[1]?.id }] }])
})

test('the computers on which a package fails are found by the id or a part of the name of the package', async () => {
  const { software, fleet, domain } = await givenFailingPackage(3)
  const other = await given.package({ name: `${software.name} again` })
  const [first] = fleet
  if (first) await deployment(first, other, { result: 'Failed', failed_at: since(0.1), error_text: 'newer' })
  const ids = fleet.map(({ id }) => id)

  const byId = await reader.call(listSharedFailureDevices, { query: { softwareId: software.id, top: 2 } })
  const byName = await reader.call(listSharedFailureDevices, {
    query: { packageName: software.name.toUpperCase(), domain },
  })

  expect(byId.body).toMatchObject({ totalCount: 3, hasMore: true })
  expect(byId.body.items).toMatchObject([{ id: ids[0], errorText: 'error 0' }, { id: ids[1] }])
  expect(byName.body.items).toMatchObject([{ id: ids[0], errorText: 'newer' }, { id: ids[1] }, { id: ids[2] }])
})

test('listing the computers of a failing package requires the id or the name of the package', async () => {
  const refused = await reader.call(listSharedFailureDevices)

  expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'softwareId' }] } })
})
