import { beforeAll, expect, test } from 'vitest'
import { exportFleetComputers } from '../../src/features/fleet/api/export-fleet-computers.ts'
import { listSoftwareNames } from '../../src/features/fleet/api/find/list-software-names.ts'
import { listSoftwareVersions } from '../../src/features/fleet/api/find/list-software-versions.ts'
import { getComputerFacets } from '../../src/features/fleet/api/get-computer-facets.ts'
import { listFleetComputers } from '../../src/features/fleet/api/list-fleet-computers.ts'
import { openInventoryWorld } from '../inventory/inventory-world.ts'

const { as, given, report } = await openInventoryWorld()
const reader = as('computer.read')

const installed: Record<string, [system: string | null, ...software: [name: string, version: string | null][]]> = {
  debian: ['Debian GNU/Linux', ['openssl', '3.0.15-1~deb12u1'], ['bash', '5.2.15-2+b7'], ['vim', '2:9.0.1378-2']],
  testing: ['Debian GNU/Linux', ['openssl', '3.0.16~rc1-1'], ['vim', '2:9.1.0016-1']],
  fixed: ['Debian GNU/Linux', ['openssl', '3.0.16-1~deb12u1'], ['openssl-tool', '0.9']],
  rocky: ['Rocky Linux', ['openssl', '3.0.7-27.el9'], ['curl', '8.1^git5-1.el9']],
  windows: ['Windows 11', ['OpenSSL 3 Light', '3.0.9'], ['7-Zip', '9.20'], ['Tool', '3.0']],
  windowsTwo: ['Windows 11', ['openssl', '3.0.10'], ['7-Zip', '24.09'], ['Tool', '3.0.0'], ['100% Tool', null]],
  unknown: [null, ['openssl', null]],
}

beforeAll(async () => {
  for (const [name, [os_name, ...software]] of Object.entries(installed)) {
    const computer = await given.computer({ name, os_name })
    const products = software.map(([productName, version]) => ({ productName, version, publisher: null }))
    await report(computer, 'installedSoftware', products)
  }
})

type Filter = { software?: string; softwareBelow?: string; softwareAtLeast?: string; softwareVersion?: string }

async function namesWith(query: Filter) {
  const { body } = await reader.call(listFleetComputers, { query })
  const { body: facets } = await reader.call(getComputerFacets, { query })
  const { body: versions } = await reader.call(listSoftwareVersions, { query: { software: '', ...query } })
  expect([facets.computers, versions.computers]).toEqual([body.totalCount, body.totalCount])
  return body.items.map(({ hostname }) => hostname)
}

test('who has OpenSSL below 3.0.16 is answered in the version order of each system', async () => {
  // 3.0.16~rc1 is older than 3.0.16 for dpkg, and the revision of a distribution does not make 3.0.16 newer.
  const below = { software: 'OpenSSL', softwareBelow: '3.0.16' }
  expect(await namesWith(below)).toEqual(['debian', 'rocky', 'testing', 'windowsTwo'])
  expect(await namesWith({ software: 'openssl', softwareAtLeast: '3.0.16' })).toEqual(['fixed'])
  expect(await namesWith({ software: 'openssl', softwareVersion: '3.0.16' })).toEqual(['fixed'])
  expect(await namesWith({ software: 'openssl', softwareAtLeast: '3.0.9', softwareBelow: '3.0.16' })).toEqual([
    ...['debian', 'testing', 'windowsTwo'],
  ])
  const { body } = await reader.call(listSoftwareVersions, { query: below })
  expect(body.versions.map(({ version, computers }) => [version, computers])).toEqual(
    expect.arrayContaining([
      ['3.0.16~rc1-1', 1],
      ['3.0.15-1~deb12u1', 1],
      ['3.0.10', 1],
      ['3.0.7-27.el9', 1],
    ]),
  )
  expect(body).toMatchObject({ computers: 4, unknownVersions: 1 })
})

test('an epoch and a revision count if the version that is asked for has one', async () => {
  expect(await namesWith({ software: 'vim', softwareBelow: '9.1' })).toEqual(['debian'])
  expect(await namesWith({ software: 'vim', softwareBelow: '3:1' })).toEqual(['debian', 'testing'])
  expect(await namesWith({ software: 'openssl', softwareVersion: '3.0.15-1~deb12u1' })).toEqual(['debian'])
  expect(await namesWith({ software: 'openssl', softwareBelow: '3.0.15-1' })).toEqual(['debian', 'rocky', 'windowsTwo'])
})

test('numbers are compared as numbers, a caret as rpm does, and missing numbers on Windows count as 0', async () => {
  expect(await namesWith({ software: '7-zip', softwareBelow: '10' })).toEqual(['windows'])
  expect(await namesWith({ software: 'curl', softwareAtLeast: '8.1' })).toEqual(['rocky'])
  expect(await namesWith({ software: 'curl', softwareBelow: '8.1.1' })).toEqual(['rocky'])
  expect(await namesWith({ software: 'tool', softwareVersion: '3.0' })).toEqual(['windows', 'windowsTwo'])
})

test('a name is complete unless it has wildcards, and nothing else in it is one', async () => {
  expect(await namesWith({ software: 'openssl*', softwareBelow: '2' })).toEqual(['fixed'])
  expect(await namesWith({ software: 'openss' })).toEqual([])
  expect(await namesWith({ software: '100% tool' })).toEqual(['windowsTwo'])
  expect(await namesWith({ software: '%' })).toEqual([])
})

test('the list and its export show which versions of the software a computer has', async () => {
  const query = { software: 'openssl*', softwareAtLeast: '0' }
  const { body } = await reader.call(listFleetComputers, { query })
  expect(body.items.find(({ hostname }) => hostname === 'fixed')?.software).toEqual([
    { name: 'openssl', version: '3.0.16-1~deb12u1' },
    { name: 'openssl-tool', version: '0.9' },
  ])
  const csv = await reader.send({ method: 'GET', url: `${exportFleetComputers.path}?${new URLSearchParams(query)}` })
  const [head, ...lines] = String(csv.body).trim().split('\r\n')
  expect(head).toMatch(/,software$/)
  expect(lines.find((line) => line.includes('fixed'))).toMatch(/"openssl 3\.0\.16-1~deb12u1; openssl-tool 0\.9"$/)
  const whole = await reader.call(listFleetComputers, {})
  expect(new Set(whole.body.items.map(({ software }) => software))).toEqual(new Set([null]))
})

test('a version without the name of its software is refused', async () => {
  const { status, raw } = await reader.call(listFleetComputers, { query: { softwareBelow: '3.0.16' } })

  expect(status).toBe(400)
  expect(raw).toMatchObject({ detail: "query parameter 'software' is required with a version of it" })
})

test('names of software are completed from what is installed, by all words', async () => {
  const names = async (search: string) => (await reader.call(listSoftwareNames, { query: { search } })).body

  expect(await names('openssl')).toEqual(['openssl', 'openssl-tool', 'OpenSSL 3 Light'])
  expect(await names('light open')).toEqual(['OpenSSL 3 Light'])
  expect(await names('100%')).toEqual(['100% Tool'])
})
