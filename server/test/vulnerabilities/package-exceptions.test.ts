import { expect, test } from 'vitest'
import { createVulnerabilityException } from '../../src/features/vulnerabilities/api/create-vulnerability-exception.ts'
import { getVulnerability } from '../../src/features/vulnerabilities/api/get-vulnerability.ts'
import { listComputerVulnerabilities } from '../../src/features/vulnerabilities/api/list-computer-vulnerabilities.ts'
import { listVulnerabilityExceptions } from '../../src/features/vulnerabilities/api/list-vulnerability-exceptions.ts'
import { openVulnerabilityWorld } from './vulnerability-world.ts'

const { as, vulnerabilityOfTwoPackages } = await openVulnerabilityWorld()
const reader = as('pm.read', 'computer.read')

const except = async (key: string, body: object) =>
  as('pm.approve').call(createVulnerabilityException, {
    params: { key },
    body: { status: 'NotAffected', reason: 'Not reachable', ...body } as never,
  })

const openComputersOf = async (key: string) =>
  (await reader.call(getVulnerability, { params: { key } })).body.openComputers

test('an exception for a package leaves the computer open for the others', async () => {
  const { key, names, computer } = await vulnerabilityOfTwoPackages()

  await except(key, { package: names[0], platform: 'debian-12' })
  const afterOne = await openComputersOf(key)
  const { body } = await reader.call(listComputerVulnerabilities, { params: { id: computer.id } })
  await except(key, { package: names[1].toUpperCase(), platform: 'debian', packageVersion: '1:1.0-1' })

  expect(afterOne).toBe(1)
  expect(body.items).toMatchObject([{ key, isExcepted: false }])
  expect(body.items[0]?.packages.map(({ package: name, isExcepted }) => [name, isExcepted])).toEqual([
    [names[0], true],
    [names[1], false],
  ])
  expect(await openComputersOf(key)).toBe(0)
})

test('an exception for another version, another release or another package covers nothing', async () => {
  const { key, names } = await vulnerabilityOfTwoPackages()

  await except(key, { package: names[0], platform: 'debian-12', packageVersion: '1.0-1' })
  await except(key, { package: names[0], platform: 'debian-13' })
  await except(key, { package: names[0].slice(0, -1), platform: 'debian-12' })
  for (const name of names) await except(key, { package: name, platform: 'ubuntu' })

  expect(await openComputersOf(key)).toBe(1)
})

test('a package needs a distribution that is compared, and a version needs a package', async () => {
  const { key, names } = await vulnerabilityOfTwoPackages()

  const answers = [
    await except(key, { package: names[0] }),
    await except(key, { package: names[0], platform: 'windows-11' }),
    await except(key, { platform: 'debian-12' }),
    await except(key, { packageVersion: '1.0' }),
  ]

  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
  const { body } = await reader.call(listVulnerabilityExceptions, { query: { vulnerability: key } })
  expect(body.items).toEqual([])
})
