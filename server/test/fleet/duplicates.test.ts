import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createComputer } from '../../src/features/computers/api/create-computer.ts'
import { searchComputers } from '../../src/features/computers/api/search-computers.ts'
import { getComputerPage } from '../../src/features/fleet/api/get-computer-page.ts'
import { listDuplicateNames } from '../../src/features/fleet/api/list-duplicate-names.ts'
import { listDuplicateUuids } from '../../src/features/fleet/api/list-duplicate-uuids.ts'
import { createGroup } from '../../src/features/groups/api/create-group.ts'
import { operations } from '../../src/features/index.ts'
import { createPmGroup } from '../../src/features/patch-management/api/pm-groups/create-pm-group.ts'
import { createTag } from '../../src/features/tags/api/create-tag.ts'
import type { AnyOperation } from '../../src/platform/operation.ts'
import { nameKeyword } from '../../src/platform/schema.ts'
import { openWorld } from '../world/open-world.ts'

const { as, db, given } = await openWorld()
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

describe('names', () => {
  /** One name in two forms: with combining accents, blanks and a line break, and as it is stored. */
  const [written, stored] = ['  Cafe\u0301\n  au lait\u00a0', 'Caf\u00e9 au lait']

  test('what a request calls a name or a designation is stored in one form', () => {
    const unmarked = operations
      .filter(({ mutates, body }) => mutates && body)
      .flatMap(({ id, body }) =>
        Object.entries((body.properties ?? {}) as Record<string, Record<string, unknown>>)
          .filter(([property, schema]) => /^(name|designation|domain)$/.test(property) && schema[nameKeyword] !== true)
          .map(([property]) => `${id}.${property}`),
      )

    expect(unmarked).toEqual([])
  })

  const computer = () => ({ domain: 'names.example.org', isDomain: true, uuid: randomUUID() })

  test.each([
    ['computer', 'computer.write', createComputer, (name: string) => ({ name, ...computer() })],
    [
      'group',
      'group.write',
      createGroup,
      (name: string, parentId: string) => ({ name, type: 'AssignmentGroups', parentId }),
    ],
    ['tag', 'package.write', createTag, (designation: string) => ({ designation })],
    ['patch group', 'pm.write', createPmGroup, (name: string) => ({ name })],
  ] as const)('a %s whose name differs only in its form is refused', async (_, role, create, toBody) => {
    const { id: parentId } = await given.root('AssignmentGroups')
    const caller = as(role)
    const send = (name: string) => caller.call(create as AnyOperation, { body: toBody(name, parentId) })

    const created = await send(written)
    const again = [await send(stored), await send(written)]

    expect(created.body).toMatchObject({
      [create === createTag ? 'designation' : create === createComputer ? 'hostname' : 'name']: stored,
    })
    expect(again.map(({ status }) => status)).toEqual([409, 409])
  })

  test('a computer is found by its name in any form', async () => {
    const { id } = await given.computer({ name: 'Ka\u0308se'.normalize('NFC') })

    const found = await reader.call(searchComputers, { body: { hostname: 'ka\u0308s' } })

    expect(found.body.items.map((one) => one.id)).toEqual([id])
  })

  test('names from before that only their form distinguishes are listed with all that look the same', async () => {
    const parent = await given.group()
    const twins = [await given.group({ parent, name: stored }), await given.group({ parent, name: written })]
    await given.group({ parent, name: 'Caf\u00e9 au lait 2' })
    await given.group({ name: stored })

    const { items } = (await as('admin.manage').call(listDuplicateNames, { query: { top: 1000 } })).body

    const groups = items.filter(({ kind }) => kind === 'Group')
    expect(groups.map(({ id }) => id).toSorted()).toEqual(twins.map(({ id }) => id).toSorted())
    expect(groups.map(({ name }) => name).toSorted()).toEqual([stored, written].toSorted())
    expect(new Set(groups.map(({ shownName }) => shownName))).toEqual(new Set([stored]))
  })

  test('computers of one name are listed if only the form distinguishes their domains', async () => {
    const name = 'same'
    const twins = [await given.computer({ name, domain: stored }), await given.computer({ name, domain: written })]
    await given.computer({ name, domain: 'another.example.org' })

    const { items } = (await as('admin.manage').call(listDuplicateNames, { query: { top: 1000 } })).body

    const computers = items.filter(({ kind }) => kind === 'Computer').map(({ id }) => Number(id))
    expect(computers).toEqual(expect.arrayContaining(twins.map(({ id }) => id)))
    expect(items.filter((one) => one.kind === 'Computer' && one.name === name)).toHaveLength(twins.length)
  })

  test('the migration brings stored names into the form, and of names that look the same one of each', async () => {
    const parent = await given.group()
    const [normal, twin, lone] = [
      await given.group({ parent, name: 'Caf\u00e9' }),
      await given.group({ parent, name: 'Cafe\u0301 ' }),
      await given.group({ parent, name: '  Lo\u0301ne\n' }),
    ]
    const [first, second] = [await given.computer({ name: ' Ba\u0308r' }), await given.computer({ name: 'ba\u0308r ' })]
    const migration = await readFile(join(import.meta.dirname, '../../migrations/0028_names.sql'), 'utf8')
    const [, ...statements] = migration.split(/(?<=;)\n\n/)

    for (const statement of statements) await sql.raw(statement).execute(db)

    const named = async (table: 'groups' | 'computers', ...ids: (string | number)[]) => {
      const { rows } = await sql<{ name: string }>`
        select name from ${sql.table(table)} where id::text = any(${ids.map(String)}) order by id`.execute(db)
      return rows.map(({ name }) => name)
    }
    expect(statements).toHaveLength(4)
    expect(await named('groups', normal.id, twin.id, lone.id)).toEqual(['Caf\u00e9', 'Cafe\u0301 ', 'L\u00f3ne'])
    expect(await named('computers', first.id, second.id)).toEqual(['B\u00e4r', 'ba\u0308r '])
  })
})
