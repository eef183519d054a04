import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { enrolAgent } from '../../src/channels/agent/enrol-agent.ts'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { searchComputers } from '../../src/features/computers/api/search-computers.ts'
import { createEnrolmentToken } from '../../src/features/enrolment/api/create-enrolment-token.ts'
import { getSecurityPosture } from '../../src/features/inventory/api/get-security-posture.ts'
import { getSystemInfo } from '../../src/features/inventory/api/get-system-info.ts'
import { enrolment } from '../channels/agent/agent-world.ts'
import { exampleContent, openInventoryWorld } from './inventory-world.ts'

const { as, db, given, report, withToken } = await openInventoryWorld()
const reader = as('computer.read')

describe('the system', () => {
  test('the system info has the reported values and those with which the computer was created', async () => {
    const seen = new Date('2026-03-14T09:26:53Z')
    const computer = await given.computer({ inventory_id: 'INV-1', lastSeen: seen })
    await report(computer, 'system', exampleContent('system'))
    await report(computer, 'computerSystem', exampleContent('computerSystem'))

    const { body } = await reader.call(getSystemInfo, { params: { id: computer.id } })

    expect(body).toEqual({
      ...exampleContent('system'),
      ...{ architecture: 'x64', reportedArchitecture: 'AMD64' },
      ...exampleContent('computerSystem'),
      ...{ clientId: computer.id, name: computer.name, domain: computer.domain, isDomain: true, inventoryId: 'INV-1' },
      ...{ lastSeenUtc: seen.toISOString(), inventoryDate: expect.any(String), isOfPreviousSystem: false },
      management: { role: 'Client', agentInstalled: false, agentVersion: null, nameMatches: false },
    })
  })

  test('the system info has nulls without an inventory, and the configured address until one is reported', async () => {
    const computer = await given.computer({ ip_address: '192.0.2.99' })

    const { body } = await reader.call(getSystemInfo, { params: { id: computer.id } })

    const { clientId, name, domain, isDomain, ipAddress, isOfPreviousSystem, management, ...rest } = body
    expect(new Set(Object.values(rest))).toEqual(new Set([null]))
    expect({ clientId, ipAddress, isOfPreviousSystem, management }).toMatchObject({
      clientId: computer.id,
      ipAddress: '192.0.2.99',
      isOfPreviousSystem: false,
    })
  })

  test('a container does not support PXE, and what a person says about other computers stays', async () => {
    const [container, machine, excluded] = [
      await given.computer(),
      await given.computer(),
      await given.computer({ pxe_support: false }),
    ]
    await report(container, 'system', exampleContent('system', { vmType: 'docker' }))
    for (const computer of [machine, excluded])
      await report(computer, 'system', exampleContent('system', { vmType: 'VMware' }))

    const supports = await Promise.all(
      [container, machine, excluded].map(
        async ({ id }) => (await reader.call(getComputer, { params: { id } })).body.pxeSupport,
      ),
    )

    expect(supports).toEqual([false, true, false])
  })

  test('a reported size of 0 for temporary files is shown as null', async () => {
    const computer = await given.computer()
    await report(computer, 'system', exampleContent('system', { tempDirSizeMb: 0 }))

    const { body } = await reader.call(getSystemInfo, { params: { id: computer.id } })

    expect(body.tempDirSizeMb).toBeNull()
  })

  test('the system info has the version of the enrolled agent', async () => {
    const uuid = randomUUID()
    const computer = await given.computer({ role: 'DepotServer', uuid })
    const token = await as('admin.manage').call(createEnrolmentToken, {
      body: { expiresAtUtc: '2099-01-01T00:00:00Z' },
    })
    const { name, domain } = computer
    const request = {
      ...enrolment(),
      token: token.body.token,
      computer: { ...enrolment().computer, name, domain, uuid },
    }
    await withToken(undefined).call(enrolAgent, { body: request })

    const { body } = await reader.call(getSystemInfo, { params: { id: computer.id } })

    expect(body.management).toEqual({
      role: 'DepotServer',
      agentInstalled: true,
      agentVersion: '0.1.0',
      nameMatches: null,
    })
  })

  test.each([
    ['the same name in another case', 'LONELY-7.Corp.Example.org', true],
    ['the same name without a domain', 'lonely-7', true],
    ['another name', 'pc-8.corp.example.org', false],
    ['another domain', 'lonely-7.lab.example.org', false],
    ['no name', null, null],
  ])(
    'a computer that reports %s keeps its name, and the difference can be seen and found',
    async (_, fqdn, matches) => {
      await db.deleteFrom('computers').where('name', '=', 'lonely-7').execute()
      const computer = await given.computer({ name: 'lonely-7', domain: 'corp.example.org' })
      await report(computer, 'system', exampleContent('system', { fqdn }))

      const { body } = await reader.call(getSystemInfo, { params: { id: computer.id } })
      const search = async (nameMatches: boolean) => {
        const found = await reader.call(searchComputers, { body: { hostname: 'lonely-7', nameMatches } })
        return found.body.totalCount === 1
      }

      expect(body).toMatchObject({
        name: 'lonely-7',
        domain: 'corp.example.org',
        fqdn,
        management: { nameMatches: matches },
      })
      expect([await search(true), await search(false)]).toEqual([matches === true, matches === false])
    },
  )

  test.each([
    ['a workgroup is not compared with the domain', 'pc-9', 'WORKGROUP', 'pc-9.corp.example.org'],
    [
      'a name of old protocols may be cut off',
      'LONGNAMEOFACOMP',
      'corp.example.org',
      'longnameofacomputer.corp.example.org',
    ],
  ])('%s', async (_, name, domain, fqdn) => {
    const computer = await given.computer({ name, domain })
    await report(computer, 'system', exampleContent('system', { fqdn }))

    const { body } = await reader.call(getSystemInfo, { params: { id: computer.id } })

    expect(body.management.nameMatches).toBe(true)
  })

  test('system info and security posture of an unknown computer are not found', async () => {
    const unknown = { params: { id: 999_999 } }

    expect(await reader.call(getSystemInfo, unknown)).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
    expect(await reader.call(getSecurityPosture, unknown)).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  })
})

describe('the security posture', () => {
  const postureOf = async ({ id }: { id: number }, query = {}) =>
    (await reader.call(getSecurityPosture, { params: { id }, query })).body
  const inventoriedBefore = async (age: string) => {
    const computer = await given.computer()
    await sql`update computers set inventory_at = now() - ${age}::interval where id = ${computer.id}`.execute(db)
    return computer
  }

  test('the security posture has the reported values', async () => {
    const computer = await given.computer()
    const content = exampleContent('security')
    await report(computer, 'security', content)

    expect(await postureOf(computer)).toMatchObject({
      ...content,
      ...{ clientId: computer.id, isStale: false, staleAfterDays: 3, inventoryAgeDays: 0 },
    })
  })

  test('the security posture of a computer without an inventory is stale for any limit and contains nulls', async () => {
    const computer = await given.computer()

    const posture = await postureOf(computer, { staleAfterDays: 2_147_483_647 })

    expect(posture).toMatchObject({ inventoryDateUtc: null, inventoryAgeDays: null, isStale: true })
    expect(new Set(Object.values({ ...posture.antivirus, ...posture.firewall, ...posture.secureBoot }))).toEqual(
      new Set([null]),
    )
    expect(posture.bitlocker).toEqual({ status: 'NotAvailable', volumes: [] })
  })

  test.each([
    ['3 days 1 minute', {}, true, 3],
    ['2 days 23 hours 59 minutes', {}, false, 2],
    ['1 minute', { staleAfterDays: 0 }, true, 0],
    ['9 days', { staleAfterDays: 10 }, false, 9],
  ])(
    'the security posture with an inventory %s old and %o is stale: %s',
    async (age, query, isStale, inventoryAgeDays) => {
      expect(await postureOf(await inventoriedBefore(age), query)).toMatchObject({ isStale, inventoryAgeDays })
    },
  )

  test('a negative limit for the security posture is refused', async () => {
    const computer = await given.computer()

    const refused = await reader.call(getSecurityPosture, {
      params: { id: computer.id },
      query: { staleAfterDays: -1 },
    })

    expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
  })

  test.each([
    [['Encrypted', 'NotAvailable'], 'Encrypted'],
    [['Encrypted', 'Unencrypted'], 'Unencrypted'],
    [['NotAvailable'], 'NotAvailable'],
  ])('fixed disks that are %s count as %s, and removable disks are ignored', async (states, status) => {
    const computer = await given.computer()
    const disk = (changes: object) => exampleContent('disks', { bitlockerKeyProtectors: null, ...changes })
    const fixed = states.map((bitlockerStatus, index) => disk({ volume: `${index}`, bitlockerStatus }))
    const removable = disk({ volume: 'U:', driveTypeCode: 2, bitlockerStatus: 'Unencrypted' })
    await report(computer, 'disks', [...fixed, removable])

    const { bitlocker } = await postureOf(computer)

    expect(bitlocker).toEqual({
      status,
      volumes: states.map((state, index) => ({ volume: `${index}`, status: state, keyProtectors: null })),
    })
  })
})
