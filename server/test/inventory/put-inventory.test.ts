import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { putInventory } from '../../src/channels/agent/inventory/put-inventory.ts'
import { inventorySections } from '../../src/features/inventory/sections/index.ts'
import { exampleOf } from '../../src/platform/openapi/example.ts'
import { caller } from '../world/caller.ts'
import { fingerprints } from '../world/tables.ts'
import { exampleContent, hashOf, openInventoryWorld, rowVersions } from './inventory-world.ts'

const { channel, db, given, report } = await openInventoryWorld()

type Sections = Record<string, object>

const whole = (exampleOf(putInventory.body) as { sections: Sections }).sections

const send = (computer: { id: number }, sections: Sections) =>
  caller(channel, String(computer.id)).send({ method: 'PUT', url: '/agent/v1/inventory', payload: { sections } })

const list = (items: object[]) => ({ hash: hashOf(items), collectedUtc: '2026-03-14T09:00:00Z', items })
const disks = (...volumes: string[]) => list(volumes.map((volume) => exampleContent('disks', { volume })))
const adapters = (...names: string[]) =>
  list(names.map((serviceName) => exampleContent('networkAdapters', { serviceName })))

const volumesOf = async ({ id }: { id: number }) =>
  (await db.selectFrom('disk_drives').select('volume').where('computer_id', '=', id).orderBy('position').execute()).map(
    ({ volume }) => volume,
  )

describe('several sections in one request', () => {
  test('are stored as if they had come one by one', async () => {
    const [together, apart] = [await given.computer(), await given.computer()]

    expect((await send(together, whole)).status).toBe(204)
    for (const { name } of inventorySections) {
      const { item, items } = whole[name] as { item?: object; items?: object[] }
      await report(apart, name, items ?? item ?? {}, { hash: (whole[name] as { hash: string }).hash })
    }

    expect(Object.keys(whole).toSorted()).toEqual(inventorySections.map(({ name }) => name).toSorted())
    const hashesOf = async ({ id }: { id: number }) =>
      db
        .selectFrom('inventory_sections')
        .select(['section', 'hash'])
        .where('computer_id', '=', id)
        .orderBy('section')
        .execute()
    expect(await hashesOf(together)).toEqual(await hashesOf(apart))
    expect(await hashesOf(together)).toHaveLength(inventorySections.length)
    expect(await volumesOf(together)).toEqual(await volumesOf(apart))
  })

  test('write no row where all of them are known, and only those of the one that is new', async () => {
    const computer = await given.computer()
    await send(computer, whole)
    const before = await rowVersions(db)

    await send(computer, whole)
    expect(await rowVersions(db)).toEqual(before)

    await send(computer, { ...whole, disks: disks('X:') })
    const after = await rowVersions(db)
    expect(Object.keys(after).filter((table) => after[table] !== before[table])).toEqual([
      'inventory_sections',
      'disk_drives',
    ])
  })

  test('are all refused if one of them is', async () => {
    const computer = await given.computer()
    await send(computer, { disks: disks('C:') })
    const before = await fingerprints(db)

    const bad: Sections[] = [
      {},
      { disks: disks('D:'), toasters: list([]) },
      { disks: disks('D:'), networkAdapters: { ...adapters('a'), hash: 'abc' } },
      { disks: disks('D:'), networkAdapters: list([{ colour: 'red' }]) },
      { disks: disks('D:', 'x'.repeat(300)) },
    ]
    for (const one of bad) expect(await send(computer, one)).toMatchObject({ status: 400, problem: 'InvalidRequest' })

    expect(await fingerprints(db)).toEqual(before)
  })

  test('of a computer that was deleted in between are refused', async () => {
    expect(await send({ id: 2_000_000_000 }, whole)).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  })

  test('that several processes of an agent send at once are never a mixture', async () => {
    const computer = await given.computer()
    const variants = ['A', 'B', 'C', 'D', 'E', 'F'].map((name, index): Sections => {
      const both = { disks: disks(name, name, name), networkAdapters: adapters(name, name) }
      return index % 2 === 0 ? both : { networkAdapters: both.networkAdapters, disks: both.disks }
    })

    const answers = await Promise.all(variants.map((variant) => send(computer, variant)))

    expect(answers.map(({ status }) => status)).toEqual(variants.map(() => 204))
    const names = await db
      .selectFrom('network_adapters')
      .select('service_name')
      .where('computer_id', '=', computer.id)
      .execute()
    expect(names).toHaveLength(2)
    expect(new Set([...names.map((one) => one.service_name), ...(await volumesOf(computer))]).size).toBe(1)
  })
})

test('a list of hardware is what was reported last, whatever was there before, and what stays is not written again', async () => {
  const computer = await given.computer()
  const volumes = fc.array(fc.constantFrom('C:', 'D:', 'E:', '/data'), { maxLength: 6 })
  const rows = () =>
    db
      .selectFrom('disk_drives')
      .select(['position', 'volume', sql<string>`ctid`.as('place')])
      .where('computer_id', '=', computer.id)
      .execute()

  await fc.assert(
    fc.asyncProperty(volumes, volumes, async (first, second) => {
      await send(computer, { disks: disks(...first) })
      const before = await rows()

      await send(computer, { disks: disks(...second) })

      expect(await volumesOf(computer)).toEqual(second)
      const unchanged = before.filter(({ position, volume }) => second[position] === volume)
      expect(await rows()).toEqual(expect.arrayContaining(unchanged))
    }),
    { numRuns: 30 },
  )
})
