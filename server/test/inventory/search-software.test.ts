import { beforeAll, expect, test } from 'vitest'
import { searchSoftware } from '../../src/features/inventory/api/search-software.ts'
import { openInventoryWorld } from './inventory-world.ts'

const { as, given, report } = await openInventoryWorld()
const reader = as('computer.read')

const software = (productName: string, version: string | null = null) => ({ productName, version, publisher: null })
const computers: { id: number }[] = []

beforeAll(async () => {
  const inventories = [
    [software('Example Editor', '4.2.1'), software('Viewer', '1.0')],
    [software('example editor pro', '4.20'), software('100% Paint', null)],
    [software('Viewer', '2.0'), software('Editor of others', '4.2')],
    [],
  ]
  for (const inventory of inventories) {
    const computer = await given.computer()
    computers.push(computer)
    await report(computer, 'installedSoftware', inventory)
  }
  computers.push(await given.computer())
})

async function search(...products: { productName: string; version?: string | null }[]) {
  const { body } = await reader.call(searchSoftware, { body: { products } })
  expect(body.totalCount).toBe(body.items.length)
  return body.items.map(({ id }) => computers.findIndex((computer) => computer.id === id))
}

test('a product is found by any part of its name, in upper or lower case', async () => {
  expect(await search({ productName: 'EDITOR' })).toEqual([0, 1, 2])
  expect(await search({ productName: 'example ed' })).toEqual([0, 1])
  expect(await search({ productName: 'no such thing' })).toEqual([])
})

test('a version is found by its beginning, and null or an empty text matches all versions', async () => {
  expect(await search({ productName: 'editor', version: '4.2' })).toEqual([0, 1, 2])
  expect(await search({ productName: 'editor', version: '4.2.' })).toEqual([0])
  expect(await search({ productName: 'editor', version: '2' })).toEqual([])
  expect(await search({ productName: 'paint', version: null })).toEqual([1])
  expect(await search({ productName: 'paint', version: '' })).toEqual([1])
  expect(await search({ productName: 'paint', version: '1' })).toEqual([])
})

test('wildcards in a search are ordinary characters', async () => {
  expect(await search({ productName: '100%' })).toEqual([1])
  expect(await search({ productName: 'e_ample' })).toEqual([])
})

test('every listed product must be installed in its own version', async () => {
  expect(await search({ productName: 'editor' }, { productName: 'viewer' })).toEqual([0, 2])
  expect(await search({ productName: 'editor' }, { productName: 'viewer', version: '2' })).toEqual([2])
  expect(await search({ productName: 'editor' }, { productName: 'editor' })).toEqual([0, 1, 2])
})

test('name and version must belong to the same product', async () => {
  expect(await search({ productName: 'viewer', version: '4.2' })).toEqual([])
})

test('search results are paged by the ids of the computers', async () => {
  const body = { products: [{ productName: 'editor' }] }

  const page = await reader.call(searchSoftware, { body, query: { skip: 1, top: 1 } })

  expect(page.body).toMatchObject({ items: [{ id: computers[1]?.id }], totalCount: 3, hasMore: true })
})

test.each([
  ['no list', {}],
  ['an empty list', { products: [] }],
  ['a product without a name', { products: [{ version: '1' }] }],
  ['an empty name, which would match everything', { products: [{ productName: '' }] }],
  ['a name that is too long', { products: [{ productName: 'x'.repeat(256) }] }],
  ['too many products', { products: Array(51).fill({ productName: 'x' }) }],
])('a software search with %s is refused', async (_, body) => {
  const refused = await reader.send({ method: 'POST', url: '/api/computer/software-search', payload: body })

  expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest' })
})
