import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { putInventory } from '../../src/channels/agent/inventory/put-inventory.ts'
import { listDisks } from '../../src/features/inventory/api/list-disks.ts'
import { listNetworkAdapters } from '../../src/features/inventory/api/list-network-adapters.ts'
import { inventorySections } from '../../src/features/inventory/sections/index.ts'
import { exampleOf } from '../../src/platform/openapi/example.ts'
import { caller } from '../world/caller.ts'
import { fingerprints } from '../world/tables.ts'
import { exampleContent, hashOf, openInventoryWorld, rowVersions } from './inventory-world.ts'

const { as, channel, db, given, report } = await openInventoryWorld()

type Sections = Record<string, object>

const allSections = (exampleOf(putInventory.body) as { sections: Sections }).sections

const send = (computer: { id: number }, sections: Sections) =>
  caller(channel, String(computer.id)).send({ method: 'PUT', url: '/agent/v1/inventory', payload: { sections } })

const list = (items: object[]) => ({ hash: hashOf(items), collectedUtc: '2026-03-14T09:00:00Z', items })
const disks = (...volumes: string[]) => list(volumes.map((volume) => exampleContent('disks', { volume })))
const adapters = (...names: string[]) =>
  list(names.map((serviceName) => exampleContent('networkAdapters', { serviceName })))

const volumesOf = async ({ id }: { id: number }) =>
  (await as('computer.read').call(listDisks, { params: { id } })).body.items.map(({ volume }) => volume)

const adapterNamesOf = async ({ id }: { id: number }) =>
  (await as('computer.read').call(listNetworkAdapters, { params: { id } })).body.items.map(
    ({ serviceName }) => serviceName,
  )

describe('several sections in one request', () => {
  test('several sections in one request are stored as if each had been sent alone', async () => {
    const [together, apart] = [await given.computer(), await given.computer()]

    expect((await send(together, allSections)).status).toBe(204)
    for (const { name } of inventorySections) {
      const { item, items } = allSections[name] as { item?: object; items?: object[] }
      await report(apart, name, items ?? item ?? {}, { hash: (allSections[name] as { hash: string }).hash })
    }

    expect(Object.keys(allSections).toSorted()).toEqual(inventorySections.map(({ name }) => name).toSorted())
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

  test('several sections in one request write only the rows of sections that have changed', async () => {
    const computer = await given.computer()
    await send(computer, allSections)
    const before = await rowVersions(db)

    await send(computer, allSections)
    expect(await rowVersions(db)).toEqual(before)

    await send(computer, { ...allSections, disks: disks('X:') })
    const after = await rowVersions(db)
    expect(Object.keys(after).filter((table) => after[table] !== before[table])).toEqual([
      'inventory_sections',
      'disk_drives',
    ])
  })

  test('several sections in one request are all refused if one is invalid', async () => {
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

  test('several sections of a deleted computer are refused', async () => {
    expect(await send({ id: 2_000_000_000 }, allSections)).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  })

  test('concurrent requests with several sections never store a mixture', async () => {
    const computer = await given.computer()
    const variants = ['A', 'B', 'C', 'D', 'E', 'F'].map((name, index): Sections => {
      const both = { disks: disks(name, name, name), networkAdapters: adapters(name, name) }
      return index % 2 === 0 ? both : { networkAdapters: both.networkAdapters, disks: both.disks }
    })

    const answers = await Promise.all(variants.map((variant) => send(computer, variant)))

    expect(answers.map(({ status }) => status)).toEqual(variants.map(() => 204))
    const names = await adapterNamesOf(computer)
    expect(names).toHaveLength(2)
    expect(new Set([...names, ...(await volumesOf(computer))]).size).toBe(1)
  })
})

test('a hardware list equals the last report, and unchanged items are not written again', async () => {
  const computer = await given.computer()
  const volumes = fc.array(fc.constantFrom('C:', 'D:', 'E:', '/data'), { maxLength: 6 })
  const rows = () =>
    db
      .selectFrom('disk_drives')
      .select(['position', 'volume', sql<string>`ctid`.as('location')])
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
