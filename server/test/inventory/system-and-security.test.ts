import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { getSecurityPosture } from '../../src/features/inventory/api/get-security-posture.ts'
import { getSystemInfo } from '../../src/features/inventory/api/get-system-info.ts'
import { exampleContent, openInventoryWorld } from './inventory-world.ts'

const { as, db, given, report } = await openInventoryWorld()
const reader = as('computer.read')

describe('the system', () => {
  test('is shown as it was reported, with what the computer was created with', async () => {
    const seen = new Date('2026-03-14T09:26:53Z')
    const computer = await given.computer({ inventory_id: 'INV-1', lastSeen: seen })
    await report(computer, 'system', exampleContent('system'))
    await report(computer, 'computerSystem', exampleContent('computerSystem'))

    const { body } = await reader.call(getSystemInfo, { params: { id: computer.id } })

    expect(body).toEqual({
      ...exampleContent('system'),
      ...exampleContent('computerSystem'),
      ...{ clientId: computer.id, name: computer.name, domain: computer.domain, isDomain: true, inventoryId: 'INV-1' },
      ...{ lastSeenUtc: seen.toISOString(), inventoryDate: expect.any(String) },
      management: { role: 'Client', agentInstalled: false, agentVersion: null },
    })
  })

  test('has nulls for what only an inventory tells, and the static address until one is reported', async () => {
    const computer = await given.computer({ ip_address: '192.0.2.99' })

    const { body } = await reader.call(getSystemInfo, { params: { id: computer.id } })

    const { clientId, name, domain, isDomain, ipAddress, management, ...rest } = body
    expect(new Set(Object.values(rest))).toEqual(new Set([null]))
    expect({ clientId, ipAddress, management }).toMatchObject({ clientId: computer.id, ipAddress: '192.0.2.99' })
  })

  test('does not know the size of the folder for temporary files where 0 was reported', async () => {
    const computer = await given.computer()
    await report(computer, 'system', exampleContent('system', { tempDirSizeMb: 0 }))

    const { body } = await reader.call(getSystemInfo, { params: { id: computer.id } })

    expect(body.tempDirSizeMb).toBeNull()
  })

  test('names the agent that has enrolled', async () => {
    const computer = await given.computer({ role: 'DepotServer' })
    const hash = Buffer.alloc(32)
    await db
      .insertInto('agents')
      .values({ computer_id: computer.id, secret_hash: hash, enrolment_key_hash: hash, version: '0.1.0' })
      .execute()

    const { body } = await reader.call(getSystemInfo, { params: { id: computer.id } })

    expect(body.management).toEqual({ role: 'DepotServer', agentInstalled: true, agentVersion: '0.1.0' })
  })

  test('of a computer that is not there is not found', async () => {
    const missing = { params: { id: 999_999 } }

    expect(await reader.call(getSystemInfo, missing)).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
    expect(await reader.call(getSecurityPosture, missing)).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  })
})

describe('the security posture', () => {
  const postureOf = async ({ id }: { id: number }, query = {}) =>
    (await reader.call(getSecurityPosture, { params: { id }, query })).body
  const aged = async (age: string) => {
    const computer = await given.computer()
    await sql`update computers set inventory_at = now() - ${age}::interval where id = ${computer.id}`.execute(db)
    return computer
  }

  test('is shown as it was reported', async () => {
    const computer = await given.computer()
    const content = exampleContent('security')
    await report(computer, 'security', content)

    expect(await postureOf(computer)).toMatchObject({
      ...content,
      ...{ clientId: computer.id, isStale: false, staleAfterDays: 3, inventoryAgeDays: 0 },
    })
  })

  test('of a computer without an inventory is stale, whatever the limit, and knows nothing', async () => {
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
  ])('with an inventory %s old and %o is stale: %s', async (age, query, isStale, inventoryAgeDays) => {
    expect(await postureOf(await aged(age), query)).toMatchObject({ isStale, inventoryAgeDays })
  })

  test('takes no negative limit', async () => {
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
  ])('of fixed disks that are %s is %s, and removable ones do not count', async (states, status) => {
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
