import { expect, test } from 'vitest'
import { listInstalledSoftware } from '../../src/features/inventory/api/list-installed-software.ts'
import { purgeUnreferencedEntries } from '../../src/features/inventory/dictionaries.ts'
import { exampleContent, openInventoryWorld } from './inventory-world.ts'

const { as, db, given, report } = await openInventoryWorld()

const software = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ productName: `${prefix} ${index}`, version: null, publisher: null }))
const countOf = async ({ id }: { id: number }) =>
  (await as('computer.read').call(listInstalledSoftware, { params: { id } })).body.totalCount

test('products and services that no computer has are purged, and no others', async () => {
  const [one, other] = [await given.computer(), await given.computer()]
  const service = (name: string) => [exampleContent('services', { name })]
  await report(one, 'installedSoftware', software('old', 2500))
  await report(one, 'services', service('old'))
  await report(other, 'installedSoftware', software('old', 2))
  await report(one, 'installedSoftware', software('new', 3))
  await report(one, 'services', service('new'))

  expect(await purgeUnreferencedEntries(db)).toBe(2499)

  expect(await countOf(one)).toBe(3)
  expect(await countOf(other)).toBe(2)
  expect(await purgeUnreferencedEntries(db)).toBe(0)
})

test('reports that arrive during a purge are stored completely', async () => {
  const computers = await Promise.all(Array.from({ length: 4 }, () => given.computer()))

  for (let round = 0; round < 10; round++) {
    const reports = computers.map((computer) =>
      report(computer, 'installedSoftware', software(`burst ${round % 2}`, 20)),
    )
    const answers = await Promise.all([...reports, purgeUnreferencedEntries(db)])
    expect(answers.slice(0, 4)).toMatchObject(Array(4).fill({ status: 204 }))
    for (const computer of computers) expect(await countOf(computer)).toBe(20)
  }
})
