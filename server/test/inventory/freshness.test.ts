import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { recordAgentContact } from '../../src/channels/agent/record-agent-contact.ts'
import { exampleContent, hashOf, openInventoryWorld, rowVersions } from './inventory-world.ts'

const { db, given, report } = await openInventoryWorld()
const disks = [exampleContent('disks')]
const bios = exampleContent('bios')
const current = { disks: hashOf(disks), bios: hashOf(bios) }

async function inventoried(age: string) {
  const computer = await given.computer()
  await report(computer, 'disks', disks)
  await report(computer, 'bios', bios)
  await sql`update computers set inventory_at = now() - ${age}::interval where id = ${computer.id}`.execute(db)
  return computer
}

const secret = Buffer.alloc(32, 1)

/** A contact of the agent of a computer that tells the hashes; what is wanted of it, in the order of names. */
async function contact({ id }: { id: number }, sections: Record<string, string>) {
  await db
    .insertInto('agents')
    .values({ computer_id: id, secret_hash: secret, enrolment_key_hash: secret })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await recordAgentContact(db, {
    client_id: id,
    secret_hash: secret.toString('hex'),
    run_id: '0190b6a5-7c1e-7000-8000-000000000001',
    version: '1',
    platform: 'Linux',
    boot_at: new Date('2026-03-14T06:00:00Z'),
    is_reboot_required: false,
    reboot_required_source: null,
    suspension_mode: null,
    suspended_until: null,
    logged_on_user: null,
    ip_address: null,
    settings_hash: null,
    sections,
    is_empty_handed: false,
  })
  return row?.sections.toSorted()
}

async function ageInHours({ id }: { id: number }): Promise<number> {
  const { rows } = await sql<{ hours: number }>`
    select extract(epoch from now() - inventory_at)::float / 3600 as hours from computers where id = ${id}`.execute(db)
  return Math.round(rows[0]?.hours ?? Number.NaN)
}

describe('a contact is asked for', () => {
  test('the sections whose hash is new or another, and for nothing that the server does not know', async () => {
    const computer = await inventoried('1 hour')

    const wanted = await contact(computer, { ...current, disks: hashOf('other'), printers: hashOf([]), toasters: 'x' })

    expect(wanted).toEqual(['disks', 'printers'])
  })

  test('nothing where all is stored, or where the agent has nothing yet', async () => {
    const computer = await inventoried('1 hour')

    expect(await contact(computer, current)).toEqual([])
    expect(await contact(computer, {})).toEqual([])
  })
})

describe('the date of the inventory', () => {
  test('moves once for sections that come together', async () => {
    const computer = await given.computer()
    await report(computer, 'disks', disks)
    const { computers: before } = await rowVersions(db)

    await report(computer, 'bios', bios)
    await report(computer, 'printers', [])

    expect((await rowVersions(db)).computers).toBe(before)
  })

  test('moves with a section that has changed', async () => {
    const computer = await inventoried('1 hour')

    await report(computer, 'disks', [])

    expect(await ageInHours(computer)).toBe(0)
  })

  test('moves once a day where a contact or a report confirms what is stored', async () => {
    const [young, told, sent] = [
      await inventoried('23 hours'),
      await inventoried('25 hours'),
      await inventoried('25 hours'),
    ]

    await contact(young, current)
    await report(young, 'disks', disks)
    await contact(told, current)
    await report(sent, 'disks', disks)

    expect(await ageInHours(young)).toBe(23)
    expect(await ageInHours(told)).toBe(0)
    expect(await ageInHours(sent)).toBe(0)
  })

  test('stays where the inventory is not what is stored, not told, or never came', async () => {
    const [changed, silent, never] = [
      await inventoried('25 hours'),
      await inventoried('25 hours'),
      await given.computer(),
    ]

    await contact(changed, { ...current, disks: hashOf('other') })
    await contact(silent, {})
    await contact(never, current)

    expect(await ageInHours(changed)).toBe(25)
    expect(await ageInHours(silent)).toBe(25)
    expect(await ageInHours(never)).toBeNaN()
  })

  test('of an inventory that is confirmed within the day costs no row', async () => {
    const computer = await inventoried('2 hours')
    const before = await rowVersions(db)

    await contact(computer, current)

    expect(await rowVersions(db)).toEqual(before)
  })
})
