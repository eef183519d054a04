import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { listDisks } from '../../src/features/inventory/api/list-disks.ts'
import { listInstalledSoftware } from '../../src/features/inventory/api/list-installed-software.ts'
import { inventorySections } from '../../src/features/inventory/sections/index.ts'
import { fingerprints } from '../world/tables.ts'
import { exampleContent, hashOf, openInventoryWorld, rowVersions } from './inventory-world.ts'

const { as, db, given, report } = await openInventoryWorld()
const names = inventorySections.map(({ name }) => name)
const records = ['system', 'bios', 'computerSystem', 'security']
const lists = names.filter((name) => !records.includes(name))
const contentOf = (section: string, changes?: object) =>
  records.includes(section) ? exampleContent(section, changes) : [exampleContent(section, changes)]

const productsOf = async ({ id }: { id: number }) => {
  const { body } = await as('computer.read').call(listInstalledSoftware, { params: { id }, query: { top: 1000 } })
  return body.items.map(({ productName, version, publisher }) =>
    [productName, version, publisher].filter(Boolean).join(' '),
  )
}

const disksOf = async ({ id }: { id: number }) =>
  (await as('computer.read').call(listDisks, { params: { id }, query: { top: 1000 } })).body.items

const software = (productName: string, version: string | null = '1.0') => ({ productName, version, publisher: null })
const disk = (changes: object = {}) => exampleContent('disks', changes)

describe('inventory sections', () => {
  test.each(names)(
    'the section %s is stored, and sending it again with the same hash writes no row',
    async (section) => {
      const computer = await given.computer()

      expect((await report(computer, section, contentOf(section))).status).toBe(204)
      const before = await rowVersions(db)
      expect((await report(computer, section, contentOf(section))).status).toBe(204)

      expect(await rowVersions(db)).toEqual(before)
      const stored = await db
        .selectFrom('inventory_sections')
        .select(['section', 'hash', 'collected_at'])
        .where('computer_id', '=', computer.id)
        .executeTakeFirstOrThrow()
      expect(stored).toEqual({
        section,
        hash: Buffer.from(hashOf(contentOf(section)), 'hex'),
        collected_at: new Date('2026-03-14T09:00:00Z'),
      })
    },
  )

  test.each(lists)('the section %s may be empty, which deletes the stored content', async (section) => {
    const computer = await given.computer()
    const before = await fingerprints(db)
    await report(computer, section, contentOf(section))

    expect((await report(computer, section, [])).status).toBe(204)

    const after = await fingerprints(db)
    const changed = Object.keys(after).filter((table) => after[table] !== before[table])
    const shared = ['computers', 'inventory_sections', 'software_products', 'service_definitions', 'event_outbox']
    expect(changed.filter((table) => !shared.includes(table))).toEqual([])
  })

  test('a changed section replaces the stored one of its computer only', async () => {
    const [one, other] = [await given.computer(), await given.computer()]
    for (const computer of [one, other]) await report(computer, 'disks', [disk(), disk({ volume: 'D:' })])

    await report(one, 'disks', [disk({ volume: 'E:' })])

    expect(await disksOf(one)).toMatchObject([{ volume: 'E:' }])
    expect(await disksOf(other)).toMatchObject([{ volume: 'C:' }, { volume: 'D:' }])
  })

  test('concurrent reports of a section store one of them, never a mixture', async () => {
    const computer = await given.computer()
    const variants = ['A:', 'B:', 'C:', 'D:'].map((volume) =>
      [1, 2, 3].map((label) => disk({ volume, label: `${label}` })),
    )

    const answers = await Promise.all(variants.map((content) => report(computer, 'disks', content)))

    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    const stored = await disksOf(computer)
    expect(stored).toHaveLength(3)
    expect(new Set(stored.map(({ volume }) => volume)).size).toBe(1)
  })

  test('a section of a deleted computer is refused', async () => {
    const before = await fingerprints(db)

    const refused = await report({ id: 2_000_000_000 }, 'disks', [disk()])

    expect(refused).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
    expect(await fingerprints(db)).toEqual(before)
  })
})

describe('invalid inventories', () => {
  const many = (count: number, item: object) => Array.from({ length: count }, () => item)
  const cases: [string, string, object, object?][] = [
    ['an unknown section', 'toasters', []],
    ['a list where one object is expected', 'bios', []],
    ['one object where a list is expected', 'disks', disk()],
    ['an unknown property', 'disks', [disk({ colour: 'red' })]],
    ['a property that is missing', 'disks', [{ ...disk(), label: undefined }]],
    ['a wrong type', 'disks', [disk({ totalSpaceGb: '12' })]],
    ['a number beyond all disks', 'disks', [disk({ totalSpaceGb: 1e300 })]],
    ['a negative number', 'batteries', [exampleContent('batteries', { designedCapacityMwh: -1 })]],
    ['an unknown state', 'disks', [disk({ bitlockerStatus: 'Perhaps' })]],
    ['a text that is too long', 'disks', [disk({ volume: 'x'.repeat(256) })]],
    ['too many items', 'disks', many(1001, disk())],
    ['50,000 products', 'installedSoftware', many(50_000, software('a'))],
    ['an invalid hash', 'disks', [disk()], { hash: 'abc' }],
    ['no collection time', 'disks', [disk()], { collectedUtc: null }],
  ]

  test.each(cases)('an inventory with %s is refused, and the stored one is kept', async (_, section, content, head) => {
    const computer = await given.computer()
    await report(computer, 'disks', [disk({ volume: 'Z:' })])
    await report(computer, 'installedSoftware', [software('kept')])
    const before = await fingerprints(db)

    const refused = await report(computer, section, content, head)

    expect([400, 404, 413]).toContain(refused.status)
    expect(refused.problem).toBeTruthy()
    expect(await fingerprints(db)).toEqual(before)
  })

  test('an inventory with a NUL character is refused', async () => {
    const computer = await given.computer()
    const before = await fingerprints(db)

    const refused = await report(computer, 'disks', [disk({ volume: 'a\0b' })])

    expect(refused.status).toBe(400)
    expect(await fingerprints(db)).toEqual(before)
  })
})

describe('unusual inventories', () => {
  test('collection times of 1970 and 2100 are accepted, because the server dates the inventory', async () => {
    const computer = await given.computer()

    for (const [index, collectedUtc] of ['1970-01-01T00:00:00Z', '2100-01-01T00:00:00Z'].entries()) {
      const answer = await report(computer, 'disks', [disk({ label: `${index}` })], { collectedUtc })
      expect(answer.status).toBe(204)
    }

    const { inventoryDate } = (await as('computer.read').call(getComputer, { params: { id: computer.id } })).body
    expect(Math.abs(Date.now() - Date.parse(String(inventoryDate)))).toBeLessThan(10_000)
  })

  test('1000 identical disks with a Unicode name and without space are stored', async () => {
    const computer = await given.computer()
    const odd = { volume: '/mnt/データ 💾', totalSpaceGb: 0, freeSpaceGb: 5e-324 }
    const content = Array.from({ length: 1000 }, () => disk(odd))

    const answer = await report(computer, 'disks', content)

    expect(answer.status).toBe(204)
    const stored = await disksOf(computer)
    expect(stored).toHaveLength(1000)
    expect(stored[999]).toMatchObject({ volume: odd.volume, usedPercent: null })
  })

  test('texts of the maximum length fit into the index of products and services', async () => {
    const computer = await given.computer()
    const random = (length: number) =>
      Array.from({ length }, () => String.fromCodePoint(0x1f300 + Math.floor(Math.random() * 700))).join('')

    const product = { productName: random(255), version: random(100), publisher: random(255) }
    const service = exampleContent('services', {
      ...{ name: random(255), displayName: random(255), startMode: random(50), account: random(50) },
    })

    expect((await report(computer, 'installedSoftware', [product])).status).toBe(204)
    expect((await report(computer, 'services', [service])).status).toBe(204)
  })
})

describe('installed software', () => {
  test('installed software is stored once for the whole fleet, and a change touches only the products that differ', async () => {
    const [one, other] = [await given.computer(), await given.computer()]
    const shared = [software('shared a'), software('shared b'), software('shared b', null)]
    for (const computer of [one, other]) await report(computer, 'installedSoftware', [...shared, ...shared])
    const kept = () =>
      sql<{ version: string }>`
        select concat_ws(' ', i.xmin, i.ctid) as version from installed_software i join software_products p on p.id = product_id
        where p.name like 'shared%' and i.computer_id = ${one.id} and version is not null order by 1`.execute(db)
    const before = (await kept()).rows

    await report(one, 'installedSoftware', [software('shared a'), software('shared b'), software('new')])

    expect(await productsOf(one)).toEqual(['new 1.0', 'shared a 1.0', 'shared b 1.0'])
    expect((await productsOf(other)).toSorted()).toEqual(['shared a 1.0', 'shared b', 'shared b 1.0'])
    expect((await kept()).rows).toEqual(before)
    const products = await db.selectFrom('software_products').select('id').where('name', 'like', 'shared%').execute()
    expect(products).toHaveLength(3)
  })

  test('many computers may report new software at the same time, in any order', async () => {
    const computers = await Promise.all(Array.from({ length: 12 }, () => given.computer()))
    const products = Array.from({ length: 300 }, (_, index) => software(`burst ${index}`))
    const inOrder = (index: number) => (index % 2 ? products : products.toReversed())

    const answers = await Promise.all(
      computers.map((computer, index) => report(computer, 'installedSoftware', inOrder(index))),
    )

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    for (const computer of computers) expect(await productsOf(computer)).toHaveLength(300)
    const stored = await db.selectFrom('software_products').select('id').where('name', 'like', 'burst%').execute()
    expect(stored).toHaveLength(300)
  })
})

test('only the row of a service that starts or stops is changed', async () => {
  const computer = await given.computer()
  const service = (name: string, status: string) => exampleContent('services', { name, status })
  await report(computer, 'services', [service('one', 'Running'), service('two', 'Running')])
  const stored = () =>
    sql<{ name: string; status: string; xmin: string }>`
      select name, status, s.xmin::text from computer_services s join service_definitions d on d.id = definition_id
      where computer_id = ${computer.id} order by name`.execute(db)
  const before = (await stored()).rows

  await report(computer, 'services', [service('one', 'Running'), service('two', 'Stopped')])

  expect((await stored()).rows).toEqual([before[0], { ...before[1], status: 'Stopped', xmin: expect.any(String) }])
})

describe('the serial number of the BIOS', () => {
  const serialOf = async ({ id }: { id: number }) =>
    (await as('computer.read').call(getComputer, { params: { id } })).body.serialNumber
  const enter = (id: number, serialNumber: string) =>
    as('computer.write').call(updateComputer, { params: { id }, body: { serialNumber } })

  test('a scan overwrites the serial number, even when it finds the same as the previous scan', async () => {
    const computer = await given.computer()
    await enter(computer.id, 'by hand')
    await report(computer, 'bios', exampleContent('bios', { serialNumber: 'scanned' }))
    expect(await serialOf(computer)).toBe('scanned')

    await enter(computer.id, 'by hand again')
    await report(computer, 'bios', exampleContent('bios', { serialNumber: 'scanned' }))

    expect(await serialOf(computer)).toBe('scanned')
  })

  test('a scan that finds no serial number removes the one that a person entered', async () => {
    const computer = await given.computer()
    await enter(computer.id, 'by hand')

    await report(computer, 'bios', exampleContent('bios', { serialNumber: null }))

    expect(await serialOf(computer)).toBeNull()
  })
})
