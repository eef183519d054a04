import { describe, expect, test } from 'vitest'
import { getBios } from '../../src/features/inventory/api/get-bios.ts'
import { getComputerInventory } from '../../src/features/inventory/api/get-computer-inventory.ts'
import { getComputerSystem } from '../../src/features/inventory/api/get-computer-system.ts'
import { listBatteries } from '../../src/features/inventory/api/list-batteries.ts'
import { listDisks } from '../../src/features/inventory/api/list-disks.ts'
import { listInstalledSoftware } from '../../src/features/inventory/api/list-installed-software.ts'
import { listMonitors } from '../../src/features/inventory/api/list-monitors.ts'
import { listServices } from '../../src/features/inventory/api/list-services.ts'
import { listVideoControllers } from '../../src/features/inventory/api/list-video-controllers.ts'
import { hardwareLists as lists } from './hardware-lists.ts'
import { exampleContent, openInventoryWorld } from './inventory-world.ts'

const { as, given, report } = await openInventoryWorld()
const reader = as('computer.read')
const at = ({ id }: { id: number }, query = {}) => ({ params: { id }, query })

/** Items whose names sort in the opposite order so that a test notices a sorted list. */
const reverseNamed = (section: string, count = 3) =>
  Array.from({ length: count }, (_, index) =>
    exampleContent(section, section === 'disks' ? { volume: `${count - index}` } : { name: `${count - index}` }),
  ).map(({ name, ...item }) =>
    section === 'monitors' ? { ...item, monitorName: name } : name ? { name, ...item } : item,
  )

describe('hardware lists', () => {
  test.each(lists)(
    '%s has every reported property, in the order of the report, page by page',
    async (section, list) => {
      const computer = await given.computer()
      const content = section === 'networkAdapters' ? [exampleContent(section)] : reverseNamed(section)
      await report(computer, section, content)

      const whole = await reader.call(list, at(computer))
      const second = await reader.call(list, at(computer, { skip: 1, top: 1 }))

      expect(whole.body.items).toMatchObject(content)
      expect(second.body).toMatchObject({ items: content.slice(1, 2), totalCount: content.length, skip: 1, top: 1 })
    },
  )

  test.each([
    ...lists,
    ['batteries', listBatteries],
    ['bios', getBios],
    ['computerSystem', getComputerSystem],
  ] as const)('%s of an unknown computer is not found', async (_, list) => {
    expect(await reader.call(list, at({ id: 999_999 }))).toMatchObject({ status: 404, problem: 'ComputerNotFound' })
  })

  test('hardware lists are empty without an inventory, and single objects contain nulls', async () => {
    const computer = await given.computer()

    for (const [, list] of lists) expect((await reader.call(list, at(computer))).body).toMatchObject({ items: [] })
    expect((await reader.call(listBatteries, at(computer))).body).toEqual([])
    expect(Object.values((await reader.call(getBios, at(computer))).body)).toEqual(Array(6).fill(null))
    expect((await reader.call(getComputerSystem, at(computer))).body).toEqual({ manufacturer: null, model: null })
  })

  test('bios and computerSystem have the reported values', async () => {
    const computer = await given.computer()
    for (const section of ['bios', 'computerSystem']) await report(computer, section, exampleContent(section))

    expect((await reader.call(getBios, at(computer))).body).toEqual(exampleContent('bios'))
    expect((await reader.call(getComputerSystem, at(computer))).body).toEqual(exampleContent('computerSystem'))
  })
})

test('the used percentage of a disk has one decimal and is null when a size is unknown', async () => {
  const computer = await given.computer()
  const sizes = [
    [300, 100, 66.7],
    [100, 100, 0],
    [100, 0, 100],
    [100, 120, 0],
    [0, 0, null],
    [null, 10, null],
    [10, null, null],
  ] as const
  const disks = sizes.map(([totalSpaceGb, freeSpaceGb]) => exampleContent('disks', { totalSpaceGb, freeSpaceGb }))
  await report(computer, 'disks', disks)

  const { items } = (await reader.call(listDisks, at(computer))).body

  expect(items.map(({ usedPercent }) => usedPercent)).toEqual(sizes.map(([, , used]) => used))
})

test('a disk has the name of its drive type', async () => {
  const computer = await given.computer()
  const codes = [0, 1, 2, 3, 4, 5, 6, 7]
  const disks = codes.map((driveTypeCode) => exampleContent('disks', { driveTypeCode }))
  await report(computer, 'disks', disks)

  const { items } = (await reader.call(listDisks, at(computer))).body

  const names = ['Unknown', 'NoRootDirectory', 'Removable', 'Fixed', 'Network', 'CDRom', 'Ram', 'Unknown']
  expect(items.map(({ driveTypeName }) => driveTypeName)).toEqual(names)
})

test('the health of a battery has one decimal and is null when a capacity is missing or zero', async () => {
  const computer = await given.computer()
  const capacities = [
    [57000, 48450, 85],
    [30000, 20000, 66.7],
    [50000, 51000, 102],
    [57000, 0, null],
    [0, 48450, null],
    [null, 48450, null],
    [57000, null, null],
  ] as const
  const content = capacities.map(([designedCapacityMwh, fullChargedCapacityMwh]) =>
    exampleContent('batteries', { designedCapacityMwh, fullChargedCapacityMwh, remainingCapacityPercent: 12 }),
  )
  await report(computer, 'batteries', content)

  const { body } = await reader.call(listBatteries, at(computer))

  expect(body.map(({ healthPercent }) => healthPercent)).toEqual(capacities.map(([, , health]) => health))
  expect(body).toMatchObject(content)
})

test('a manufacturing date of 0 is null, and texts of a graphics card stay as reported', async () => {
  const computer = await given.computer()
  await report(computer, 'monitors', [exampleContent('monitors', { manufacturingYear: 0, manufacturingWeek: 0 })])
  const raw = { adapterRam: '-1 byte(s)', currentRefreshRate: '59.94' }
  await report(computer, 'videoControllers', [exampleContent('videoControllers', raw)])

  const monitors = (await reader.call(listMonitors, at(computer))).body.items
  const cards = (await reader.call(listVideoControllers, at(computer))).body.items

  expect(monitors).toMatchObject([{ manufacturingYear: null, manufacturingWeek: null }])
  expect(cards).toMatchObject([raw])
})

test('the complete inventory has the same content as the single operations', async () => {
  const computer = await given.computer()
  for (const [section] of lists) await report(computer, section, [exampleContent(section)])
  await report(computer, 'batteries', [exampleContent('batteries')])
  for (const section of ['bios', 'computerSystem', 'system']) await report(computer, section, exampleContent(section))

  const { body } = await reader.call(getComputerInventory, at(computer))

  for (const [section, list] of lists) expect(body[section]).toEqual((await reader.call(list, at(computer))).body.items)
  expect(body.batteries).toEqual((await reader.call(listBatteries, at(computer))).body)
  expect(body.bios).toEqual(exampleContent('bios'))
  expect(body.computerSystem).toEqual(exampleContent('computerSystem'))
  expect(body.systemInfo).toMatchObject({ clientId: computer.id, ...exampleContent('system'), architecture: 'x64' })
  expect(body.computer).toMatchObject({ id: computer.id, hostname: computer.name })
})

test('the complete inventory limits each list to 500 items, and the operation for the list has all of them', async () => {
  const computer = await given.computer()
  const disks = Array.from({ length: 501 }, (_, index) => exampleContent('disks', { volume: `${index}` }))
  await report(computer, 'disks', disks)

  const { disks: shown } = (await reader.call(getComputerInventory, at(computer))).body

  expect(shown).toHaveLength(500)
  expect(shown.at(-1)).toMatchObject({ volume: '499' })
  expect((await reader.call(listDisks, at(computer))).body.totalCount).toBe(501)
})

test('the complete inventory of an unknown computer is not found, and of a computer without one it is empty', async () => {
  const computer = await given.computer()

  expect(await reader.call(getComputerInventory, at({ id: 999_999 }))).toMatchObject({ status: 404 })
  const { body } = await reader.call(getComputerInventory, at(computer))
  expect(body).toMatchObject({ disks: [], monitors: [], computerSystem: { model: null }, bios: { uuid: null } })
})

describe('installed software', () => {
  const product = (productName: string, version: string | null, publisher: string | null) => ({
    ...{ productName, version, publisher },
  })
  const software = [
    product('Example Editor', '4.2.1', 'Contoso'),
    product('Example Editor', '4.20', null),
    product('Paint 100%', null, 'Fabrikam'),
    product('zlib', '1:1.2', 'Mark'),
  ]

  test.each([
    [{}, [0, 1, 2, 3]],
    [{ name: 'eDITOR' }, [0, 1]],
    [{ name: '0%' }, [2]],
    [{ version: '4.2.' }, [0]],
    [{ version: '.2' }, []],
    [{ publisher: 'toso' }, [0]],
    [{ name: 'editor', publisher: 'contoso', version: '4' }, [0]],
    [{ name: '' }, [0, 1, 2, 3]],
  ])('installed software is found by %o', async (query, expected) => {
    const computer = await given.computer()
    await report(computer, 'installedSoftware', software)

    const { items } = (await reader.call(listInstalledSoftware, at(computer, query))).body

    expect(new Set(items)).toEqual(new Set(expected.map((index) => software[index])))
  })

  test('installed software is paged without a gap', async () => {
    const computer = await given.computer()
    await report(computer, 'installedSoftware', software)

    const first = await reader.call(listInstalledSoftware, at(computer, { top: 2 }))
    const next = await reader.send({ method: 'GET', url: /<(.*)>/.exec(first.headers.link ?? '')?.[1] ?? '' })

    const items = [...first.body.items, ...(next.body as { items: object[] }).items]
    expect(new Set(items)).toEqual(new Set(software))
  })

  test('software and services of an unknown computer are not found', async () => {
    expect(await reader.call(listInstalledSoftware, at({ id: 999_999 }))).toMatchObject({ status: 404 })
    expect(await reader.call(listServices, at({ id: 999_999 }))).toMatchObject({ status: 404 })
  })
})

test.each([
  [{}, ['Spooler', 'cron']],
  [{ status: 'running' }, ['cron']],
  [{ status: 'run' }, []],
  [{ name: 'POOL' }, ['Spooler']],
  [{ name: 'background' }, ['cron']],
  [{ name: 'o', status: 'Stopped' }, ['Spooler']],
])('services are found by %o', async (query, expected) => {
  const computer = await given.computer()
  const service = (name: string, displayName: string, status: string) =>
    exampleContent('services', { name, displayName, status })
  await report(computer, 'services', [
    service('Spooler', 'Printing', 'Stopped'),
    service('cron', 'Background programs', 'Running'),
  ])

  const { items } = (await reader.call(listServices, at(computer, query))).body

  expect(items.map(({ name }) => name).toSorted()).toEqual(expected)
})
