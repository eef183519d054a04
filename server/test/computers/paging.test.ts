import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createComputer } from '../../src/features/computers/api/create-computer.ts'
import { deleteComputer } from '../../src/features/computers/api/delete-computer.ts'
import { listComputers } from '../../src/features/computers/api/list-computers.ts'
import { searchComputers } from '../../src/features/computers/api/search-computers.ts'
import { modelRuns } from '../world/model-runs.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db } = await openWorld()
const reader = as('computer.read')
const writer = as('computer.write')

type Page = { items: { id: number }[]; totalCount: number; hasMore: boolean }

/** The requests that page through the same computers. */
const requests = {
  list: { method: 'GET', url: listComputers.path } as const,
  filtered: { method: 'GET', url: `${listComputers.path}?neverSeen=true` } as const,
  search: { method: 'POST', url: searchComputers.path, payload: { hostname: 'PC-' } } as const,
}
const anyRequest = fc.constantFrom(...(Object.keys(requests) as (keyof typeof requests)[]))

async function page(name: keyof typeof requests, query: string) {
  const { url, ...request } = requests[name]
  const answer = await reader.send({
    ...request,
    url: query.startsWith('/') ? query : `${url}${url.includes('?') ? '&' : '?'}${query}`,
  })
  expect(answer.status).toBe(200)
  const next = /^<(.*)>; rel="next"$/.exec(answer.headers.link ?? '')?.[1]
  return { ...(answer.body as Page), next }
}

async function replaceComputers(count: number): Promise<number[]> {
  await db.deleteFrom('computers').execute()
  const { rows } = await sql<{ id: number }>`
    insert into computers (name, domain, is_domain, uuid)
    select 'pc-start-' || n, 'corp', true, gen_random_uuid() from generate_series(1, ${count}::integer) n
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

async function createComputers(count: number): Promise<number[]> {
  const bodies = Array.from({ length: count }, () => ({
    name: `pc-${randomBytes(6).toString('hex')}`,
    domain: 'corp',
    isDomain: false,
    macAddress: randomBytes(6).toString('hex'),
  }))
  const created = await Promise.all(bodies.map((body) => writer.call(createComputer, { body })))
  return created.map(({ body }) => body.id)
}

test('pages by skip contain every computer once, ordered by id, as long as computers are only added', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyRequest,
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 5 }),
      async (name, count, top, additions) => {
        const known = await replaceComputers(count)
        const seen: number[] = []
        for (let step = 0, hasMore = true; hasMore; step++) {
          const shown = await page(name, `skip=${seen.length}&top=${top}`)
          expect(shown.totalCount).toBe(known.length)
          seen.push(...shown.items.map(({ id }) => id))
          hasMore = shown.hasMore
          if (hasMore) known.push(...(await createComputers(additions[step] ?? 0)))
        }

        expect(seen).toEqual(known.toSorted((a, b) => a - b))
      },
    ),
    { numRuns: modelRuns(6) },
  )
})

test('pages by cursor contain no computer twice and miss none that is kept, whatever is added or deleted meanwhile', async () => {
  const turn = fc.record({
    added: fc.integer({ min: 0, max: 3 }),
    deleted: fc.array(fc.nat(), { maxLength: 4 }),
    meanwhile: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      anyRequest,
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1, max: 12 }),
      fc.array(turn, { minLength: 1, maxLength: 6 }),
      async (name, count, top, turns) => {
        const existing = new Set(await replaceComputers(count))
        const kept = new Set(existing)
        const change = async ({ added, deleted }: { added: number; deleted: number[] }) => {
          const victims = new Set(deleted.map((pick) => [...existing][pick % Math.max(existing.size, 1)] ?? 0))
          for (const id of victims) {
            existing.delete(id)
            kept.delete(id)
          }
          const [ids] = await Promise.all([
            createComputers(added),
            ...[...victims].map((id) => writer.call(deleteComputer, { params: { id } })),
          ])
          for (const id of ids) existing.add(id)
        }
        const seen: number[] = []
        let address: string | undefined = `top=${top}`
        for (let step = 0; address; step++) {
          const now = turns[step]
          const changing = now?.meanwhile ? change(now) : undefined
          const shown = await page(name, address)
          await changing
          if (now && !now.meanwhile) await change(now)
          seen.push(...shown.items.map(({ id }) => id))
          address = shown.next
        }

        expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b))
        expect(seen).toEqual(expect.arrayContaining([...kept]))
      },
    ),
    { numRuns: modelRuns(6) },
  )
})

test('a page after the last computer is empty and still contains the total count', async () => {
  await replaceComputers(3)

  const pages = await Promise.all((['list', 'filtered', 'search'] as const).map((name) => page(name, 'skip=10')))

  for (const shown of pages)
    expect(shown).toMatchObject({ items: [], skip: 10, top: 50, totalCount: 3, hasMore: false })
})

test('a search without matches returns an empty page', async () => {
  await replaceComputers(3)

  const { body } = await reader.call(searchComputers, { body: { hostname: 'no such computer' } })

  expect(body).toEqual({ items: [], skip: 0, top: 50, totalCount: 0, hasMore: false })
})
