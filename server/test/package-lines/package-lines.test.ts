import { expect, test } from 'vitest'
import { getUpgradeProposal } from '../../src/features/package-lines/api/get-upgrade-proposal.ts'
import { listPackageLines } from '../../src/features/package-lines/api/list-package-lines.ts'
import { setPackageLine } from '../../src/features/package-lines/api/set-package-line.ts'
import { openLineWorld } from './line-world.ts'

const { activate, doWork, given, groupWith, installed, line, person, readyPackage, upgrade, versions, tickAll } =
  await openLineWorld()

const statesOf = ({ versions: listed }: Awaited<ReturnType<typeof line>>) =>
  listed.map(({ version, state }) => [version, state])

test('the versions of a line are ordered as versions, the newest first', async () => {
  const [any] = await versions(['9.20', '23.01', '10.1', '24.09-beta1', '24.09', '9.20.1'])

  const listed = await line(any)

  expect(listed.versions.map(({ version }) => version)).toEqual([
    '24.09',
    '24.09-beta1',
    '23.01',
    '10.1',
    '9.20.1',
    '9.20',
  ])
})

test('packages of one name for Windows and for Linux are two lines', async () => {
  const [forLinux] = await versions(['1.0'])
  const forWindows = await readyPackage({
    ...{ name: forLinux.name, package_name: forLinux.name, version: '2.0', operating_systems: ['Windows 11'] },
  })

  const { body } = await person.call(listPackageLines, { query: { nameContains: forLinux.name } })

  expect(body.items.map(({ platform, versions: [only] }) => [platform, only?.id])).toEqual([
    ['Linux', forLinux.id],
    ['Windows', forWindows.id],
  ])
})

test('a version is in use, superseded or unused', async () => {
  const [unused, old, current, next] = await versions(['1.0', '2.0', '3.0', '4.0'])
  const { group, agents } = await groupWith(old, 2)
  expect(statesOf(await line(current))).toEqual([
    ['4.0', 'Unused'],
    ['3.0', 'Unused'],
    ['2.0', 'InUse'],
    ['1.0', 'Superseded'],
  ])

  await upgrade(current, [group], { rings: [{ count: 1 }, {}] })
  await tickAll()
  await doWork(agents)

  const listed = await line(next)
  expect(statesOf(listed)).toEqual([
    ['4.0', 'Unused'],
    ['3.0', 'InUse'],
    ['2.0', 'Superseded'],
    ['1.0', 'Superseded'],
  ])
  const use = listed.versions.map(({ id, installedCount, groupCount }) => [id, installedCount, groupCount])
  expect(use).toEqual([
    [next.id, 0, 0],
    [current.id, 1, 1],
    [old.id, 1, 0],
    [unused.id, 0, 0],
  ])
  expect(listed.versions[1]?.groups).toEqual([{ groupId: group.id, path: expect.any(String) }])
})

test('the newest released version is proposed to the groups that have an older one', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  await versions(['3.0'], { package_name: old.name, is_operational: false })
  const { group } = await groupWith(old, 2)

  expect((await line(old)).proposal).toEqual({ packageId: current.id, version: '2.0', groupCount: 1 })
  const { body } = await person.call(getUpgradeProposal, { params: { id: current.id } })
  expect(body).toMatchObject({
    isReleased: true,
    groups: [{ groupId: group.id, oldPackageId: old.id, oldVersion: '1.0', computerCount: 2, obstacle: null }],
  })
  const older = await person.call(getUpgradeProposal, { params: { id: old.id } })
  expect(older.body.groups).toEqual([])
})

test('a person joins packages of different names to one line, and each then takes the place of the other', async () => {
  const [old] = await versions(['1.0'])
  const renamed = await readyPackage({ version: '2.0', operating_systems: ['Linux'] })
  const { group, agents } = await groupWith(old, 1)
  expect((await line(renamed)).versions).toHaveLength(1)

  const set = await person.call(setPackageLine, { params: { id: renamed.id }, body: { line: old.name } })

  expect(set).toMatchObject({ status: 200, body: { key: old.name } })
  expect((await line(renamed)).versions.map(({ id }) => id)).toEqual([renamed.id, old.id])
  await upgrade(renamed, [group], { rings: [{}] })
  await tickAll()
  await doWork(agents)
  expect(await installed(agents)).toEqual([[renamed.id]])

  await person.call(setPackageLine, { params: { id: renamed.id }, body: { line: null } })
  expect((await line(renamed)).versions).toHaveLength(1)
})

test('operating systems have no line', async () => {
  const system = await given.package({ kind: 'OperatingSystem' })

  const asked = await person.call(getUpgradeProposal, { params: { id: system.id } })

  expect(asked).toMatchObject({ status: 409, problem: 'NotInLine' })
})

test('an activation outside of an upgrade brings a version as before', async () => {
  const [old, current] = await versions(['1.0', '2.0'])
  const { group, agents } = await groupWith(old, 1)
  await given.assignment(group, current, 'package')

  await activate(group)
  await doWork(agents)

  expect((await installed(agents))[0]).toContain(current.id)
})
