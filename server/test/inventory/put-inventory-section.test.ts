import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { getComputer } from '../../src/features/computers/api/get-computer.ts'
import { updateComputer } from '../../src/features/computers/api/update-computer.ts'
import { inventorySections } from '../../src/features/inventory/sections/index.ts'
import { fingerprints } from '../world/tables.ts'
import { exampleContent, hashOf, openInventoryWorld, rowVersions } from './inventory-world.ts'

const { as, db, given, report } = await openInventoryWorld()
const names = inventorySections.map(({ name }) => name)
const records = ['system', 'bios', 'computerSystem', 'security']
const lists = names.filter((name) => !records.includes(name))
const contentOf = (section: string, changes?: object) =>
  records.includes(section) ? exampleContent(section, changes) : [exampleContent(section, changes)]

const productsOf = async ({ id }: { id: number }) =>
  (
    await db
      .selectFrom('installed_software')
      .innerJoin('software_products', 'id', 'product_id')
      .select(['name', 'version', 'publisher'])
      .where('computer_id', '=', id)
      .orderBy('name')
      .execute()
  ).map(({ name, version, publisher }) => [name, version, publisher].filter(Boolean).join(' '))

const software = (productName: string, version: string | null = '1.0') => ({ productName, version, publisher: null })
const disk = (changes: object = {}) => exampleContent('disks', changes)

describe('a section', () => {
  test.each(names)('%s is stored, and sent again under the same hash it writes no row', async (section) => {
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
  })

  test.each(lists)('%s may be empty, and takes away what was there', async (section) => {
    const computer = await given.computer()
    const before = await fingerprints(db)
    await report(computer, section, contentOf(section))

    expect((await report(computer, section, [])).status).toBe(204)

    const after = await fingerprints(db)
    const changed = Object.keys(after).filter((table) => after[table] !== before[table])
    const shared = ['computers', 'inventory_sections', 'software_products', 'service_definitions']
    expect(changed.filter((table) => !shared.includes(table))).toEqual([])
  })

  test('that has changed replaces the old one, of this computer only', async () => {
    const [one, other] = [await given.computer(), await given.computer()]
    for (const computer of [one, other]) await report(computer, 'disks', [disk(), disk({ volume: 'D:' })])

    await report(one, 'disks', [disk({ volume: 'E:' })])

    const volumes = await db.selectFrom('disk_drives').select(['computer_id', 'volume']).orderBy('volume').execute()
    expect(volumes.filter(({ computer_id }) => computer_id === one.id)).toMatchObject([{ volume: 'E:' }])
    expect(volumes.filter(({ computer_id }) => computer_id === other.id)).toMatchObject([
      { volume: 'C:' },
      { volume: 'D:' },
    ])
  })

  test('that two processes of an agent send at once is one of the two, never a mixture', async () => {
    const computer = await given.computer()
    const variants = ['A:', 'B:', 'C:', 'D:'].map((volume) =>
      [1, 2, 3].map((label) => disk({ volume, label: `${label}` })),
    )

    const answers = await Promise.all(variants.map((content) => report(computer, 'disks', content)))

    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    const stored = await db.selectFrom('disk_drives').select('volume').where('computer_id', '=', computer.id).execute()
    expect(stored).toHaveLength(3)
    expect(new Set(stored.map(({ volume }) => volume)).size).toBe(1)
  })

  test('of a computer that was deleted in between is refused', async () => {
    const before = await fingerprints(db)

    const refused = await report({ id: 2_000_000_000 }, 'disks', [disk()])

    expect(refused).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
    expect(await fingerprints(db)).toEqual(before)
  })
})

describe('bad inventory is refused, and the inventory of before stays whole:', () => {
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
    ['a hash that is none', 'disks', [disk()], { hash: 'abc' }],
    ['no time', 'disks', [disk()], { collectedUtc: null }],
  ]

  test.each(cases)('%s', async (_, section, content, head) => {
    const computer = await given.computer()
    await report(computer, 'disks', [disk({ volume: 'Z:' })])
    await report(computer, 'installedSoftware', [software('kept')])
    const before = await fingerprints(db)

    const refused = await report(computer, section, content, head)

    expect([400, 404, 413]).toContain(refused.status)
    expect(refused.problem).toBeTruthy()
    expect(await fingerprints(db)).toEqual(before)
  })

  test('text that is not UTF-8 or has a NUL', async () => {
    const computer = await given.computer()
    const before = await fingerprints(db)

    const refused = await report(computer, 'disks', [disk({ volume: 'a\0b' })])

    expect(refused.status).toBe(400)
    expect(await fingerprints(db)).toEqual(before)
  })
})

describe('odd inventory is stored as it is:', () => {
  test('times of 1970 and 2100, since the clock of the server dates the inventory', async () => {
    const computer = await given.computer()

    for (const [index, collectedUtc] of ['1970-01-01T00:00:00Z', '2100-01-01T00:00:00Z'].entries()) {
      const answer = await report(computer, 'disks', [disk({ label: `${index}` })], { collectedUtc })
      expect(answer.status).toBe(204)
    }

    const { inventoryDate } = (await as('computer.read').call(getComputer, { params: { id: computer.id } })).body
    expect(Math.abs(Date.now() - Date.parse(String(inventoryDate)))).toBeLessThan(10_000)
  })

  test('duplicate disks, texts of any script, sizes of nothing, as many disks as allowed', async () => {
    const computer = await given.computer()
    const odd = { volume: '/mnt/データ 💾', totalSpaceGb: 0, freeSpaceGb: 5e-324 }
    const content = Array.from({ length: 1000 }, () => disk(odd))

    const answer = await report(computer, 'disks', content)

    expect(answer.status).toBe(204)
    const stored = await db
      .selectFrom('disk_drives')
      .select(['volume', 'free_percent'])
      .where('computer_id', '=', computer.id)
      .execute()
    expect(stored).toHaveLength(1000)
    expect(stored[999]).toEqual({ volume: odd.volume, free_percent: null })
  })

  test('the longest texts that the index of products can meet', async () => {
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
  test('is kept once for the whole fleet, and a change touches only the products that differ', async () => {
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

  test('that is new to the fleet may come from many computers at once, in any order', async () => {
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

test('a service that only starts or stops is changed in its place', async () => {
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

  test('is overwritten by a scan, also by one that finds the same as the scan before', async () => {
    const computer = await given.computer()
    await enter(computer.id, 'by hand')
    await report(computer, 'bios', exampleContent('bios', { serialNumber: 'scanned' }))
    expect(await serialOf(computer)).toBe('scanned')

    await enter(computer.id, 'by hand again')
    await report(computer, 'bios', exampleContent('bios', { serialNumber: 'scanned' }))

    expect(await serialOf(computer)).toBe('scanned')
  })

  test('stays where a scan could not read it', async () => {
    const computer = await given.computer()
    await enter(computer.id, 'by hand')

    await report(computer, 'bios', exampleContent('bios', { serialNumber: null }))

    expect(await serialOf(computer)).toBe('by hand')
  })
})
