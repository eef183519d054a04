import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db } = await openWorld()
const admin = as('admin.manage')
const total = 1_203
await sql`select append_audit_entry(1, 'somebody', 'op-' || n % 3, '/x/' || n, '{}', 200::smallint, 'r')
  from generate_series(1, ${total}) n`.execute(db)

const page = (query: object) => admin.call(listAuditEntries, { query })

test('by default, a page has fifty items and starts at the first', async () => {
  const { body } = await page({})

  expect(body).toMatchObject({ skip: 0, top: 50, totalCount: total, hasMore: true })
  expect(body.items).toHaveLength(50)
})

test('a page has at most a thousand items, and the answer contains the size that was applied', async () => {
  const { body } = await page({ top: 5_000 })

  expect(body).toMatchObject({ top: 1_000, totalCount: total, hasMore: true })
  expect(body.items).toHaveLength(1_000)
})

test.each([{ skip: -1 }, { top: 0 }, { top: -5 }, { skip: 'x' }, { top: 1.5 }, { skip: '' }, { top: 2 ** 31 }])(
  'the paging parameters %j are refused',
  async (query) => {
    const refused = await page(query)

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: Object.keys(query)[0] }] } })
  },
)

test('a page after the last item is empty and still contains the total count', async () => {
  const { body } = await page({ skip: total + 10 })

  expect(body).toEqual({ items: [], skip: total + 10, top: 50, totalCount: total, hasMore: false })
})

test('following the Link headers shows every item once, and the last page costs no more than the first', async () => {
  const seen: number[] = []
  let address: string | undefined = `${listAuditEntries.path}?top=100&operation=op-1`

  while (address) {
    const answer = await admin.send({ method: 'GET', url: address })
    seen.push(...(answer.body as { items: { id: number }[] }).items.map(({ id }) => id))
    address = /^<(.*)>; rel="next"$/.exec(answer.headers.link ?? '')?.[1]
  }

  expect(seen).toHaveLength(total / 3)
  expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => b - a))
})

test('the Link header is valid however the parameters are spelt', async () => {
  const first = await admin.send({ method: 'GET', url: `${listAuditEntries.path}?SKIP=1&Top=2` })
  const next = (headers: { link?: string }) => /^<(.*)>/.exec(headers.link ?? '')?.[1] ?? ''
  const address = next(first.headers as { link?: string })

  const second = await admin.send({ method: 'GET', url: address.replace('cursor=', 'Cursor=') })
  const third = await admin.send({ method: 'GET', url: next(second.headers as { link?: string }) })

  const ids = [first, second, third].flatMap(({ body }) =>
    (body as { items: { id: number }[] }).items.map(({ id }) => id),
  )
  expect(ids).toEqual(Array.from({ length: 6 }, (_, at) => (ids[0] ?? 0) - at))
})

test.each(['x', 'W10', btoa('[{}]'), btoa('["x"]'), btoa('[1,2]'), btoa('[1e99]')])(
  'the invalid cursor %s is refused',
  async (cursor) => {
    expect(await page({ cursor })).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'cursor' }] } })
  },
)

test('a cursor cannot be combined with skip', async () => {
  expect((await page({ cursor: btoa('[5]'), skip: 1 })).status).toBe(400)
})

test('paging with any page size shows every item once, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 90, max: 1_500 }),
      fc.constantFrom(undefined, 'op-0', 'op-1'),
      async (top, operation) => {
        const filter = operation === undefined ? {} : { operation }
        const seen: number[] = []
        for (let hasMore = true; hasMore; ) {
          const { body } = await page({ ...filter, skip: seen.length, top })
          seen.push(...body.items.map(({ id }) => id))
          hasMore = body.hasMore
          expect(body.totalCount).toBe(operation === undefined ? total : total / 3)
        }
        expect(seen).toHaveLength(operation === undefined ? total : total / 3)
        expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => b - a))
      },
    ),
    { numRuns: 15 },
  )
})
