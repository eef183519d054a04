import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { getComputerPage } from '../../src/features/fleet/api/get-computer-page.ts'
import { listDuplicateUuids } from '../../src/features/fleet/api/list-duplicate-uuids.ts'
import { openWorld } from '../world/open-world.ts'

const { as, given } = await openWorld()
const reader = as('computer.read')

test('computers with the same UUID are found, and the page of each names the others', async () => {
  const uuid = randomUUID()
  const [first, second] = [await given.computer({ uuid }), await given.computer({ uuid })]
  const single = await given.computer({ uuid: randomUUID() })
  const without = [await given.computer({ uuid: null }), await given.computer({ uuid: null })]

  const { items, totalCount } = (await reader.call(listDuplicateUuids, {})).body
  const sameAs = async ({ id }: { id: number }) =>
    (await reader.call(getComputerPage, { params: { id } })).body.sameUuid.map((other) => other.id)

  expect([totalCount, items.map(({ id }) => id)]).toEqual([2, [first.id, second.id]])
  expect(items[0]).toMatchObject({ uuid, hostname: first.name, hasAgent: false })
  expect([await sameAs(first), await sameAs(second), await sameAs(single)]).toEqual([[second.id], [first.id], []])
  for (const computer of without) expect(await sameAs(computer)).toEqual([])
})

test('the list of computers with the same UUID is paged', async () => {
  const uuid = randomUUID()
  for (let n = 0; n < 3; n++) await given.computer({ uuid })

  const page = await reader.call(listDuplicateUuids, { query: { top: 2, skip: 1 } })

  expect(page.body.items).toHaveLength(2)
  expect(page.body.totalCount).toBeGreaterThanOrEqual(3)
})
