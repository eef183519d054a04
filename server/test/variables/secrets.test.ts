import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { getVariableConfiguration } from '../../src/features/variables/api/configurations/get-variable-configuration.ts'
import { getVariableDefinition } from '../../src/features/variables/api/definitions/get-variable-definition.ts'
import { listVariableDefinitionComputers } from '../../src/features/variables/api/definitions/list-variable-definition-computers.ts'
import { listVariableDefinitionConfigurations } from '../../src/features/variables/api/definitions/list-variable-definition-configurations.ts'
import { listVariableDefinitionGroups } from '../../src/features/variables/api/definitions/list-variable-definition-groups.ts'
import { openWorld } from '../world/open-world.ts'
import { ownersIn } from './owners.ts'

const world = await openWorld()
const { app, as, db, given } = world
const owners = await ownersIn(world)

const newSecret = () => `secret-${randomBytes(12).toString('hex')}`

/** The tables that contain the text unencrypted, in a text, a JSON document or bytes. */
async function tablesContaining(text: string): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`.execute(db)
  const hex = Buffer.from(text).toString('hex')
  const found: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await sql`
      select 1 from ${sql.raw(name)} t where position(${text} in t::text) > 0 or position(${hex} in t::text) > 0
      limit 1`.execute(db)
    if (rows.length > 0) found.push(name)
  }
  return found
}

async function lastAuditEntry() {
  const [entry] = (await as('admin.manage').call(listAuditEntries, { query: { top: 1 } })).body.items
  return entry
}

describe.each(owners)('secrets of a $kind', ({ kind, make, list, search, set, entries, addEntry, changeEntry }) => {
  test(`a secret value of a ${kind} is stored sealed and nowhere else, and the value key unseals it`, async () => {
    const [id, variable, secret] = [await make(), await given.variable({ is_secret: true }), newSecret()]

    await set(id, variable.id, { value: secret })

    const stored = await db
      .selectFrom(kind === 'computer' ? 'computer_variables' : 'group_variables')
      .select(['value', 'sealed_value'])
      .where('variable_id', '=', variable.id)
      .executeTakeFirstOrThrow()
    expect(stored.value).toBeNull()
    expect(await app.services.keys.unsealValue(stored.sealed_value ?? Buffer.alloc(0))).toBe(secret)
    expect(await tablesContaining(secret)).toEqual([])
  })

  test(`no read returns a secret value of a ${kind}, but each shows that it is secret and set`, async () => {
    const [id, variable] = [await make(), await given.variable({ is_secret: true })]

    const written = await set(id, variable.id, { value: newSecret(), schedule: '2001-01-01T00:00:00Z' })

    const item = { varId: variable.id, value: null, isSecret: true, schedule: '2001-01-01T00:00:00Z' }
    expect(written.body).toMatchObject(item)
    expect((await list(id)).body.items).toMatchObject([item])
    for (const includeInherited of [false, true])
      expect((await search(id, { varId: variable.id, includeInherited })).body.items).toMatchObject([
        { ...item, source: kind },
      ])
  })

  test(`the audit trail contains a change of a secret of a ${kind} without its value`, async () => {
    const [id, variable] = [await make(), await given.variable({ is_secret: true })]

    await set(id, variable.id, { value: newSecret(), schedule: '2001-01-01T00:00:00Z' })

    expect((await lastAuditEntry())?.request).toEqual({ body: { value: '[secret]', schedule: '2001-01-01T00:00:00Z' } })
  })

  test(`a secret value of a ${kind} is replaced and deleted like any other`, async () => {
    const [id, variable] = [await make(), await given.variable({ is_secret: true })]
    await set(id, variable.id, { value: newSecret() })

    const replaced = await set(id, variable.id, { value: newSecret() })
    const removed = await set(id, variable.id, {})

    expect([replaced.status, removed.status]).toEqual([200, 200])
    expect((await list(id)).body.items).toEqual([])
  })

  test(`a secret child of a collection of a ${kind} is sealed, hidden and not in the audit trail`, async () => {
    const [id, parent] = [await make(), await given.variable({ kind: 'Collection' })]
    await given.variable({ parent, designation: 'User' })
    await given.variable({ parent, designation: 'Password', is_secret: true })
    const [first, second] = [newSecret(), newSecret()]

    const created = await addEntry(id, parent.id, { User: 'ada', password: first })
    const afterCreate = await lastAuditEntry()
    const changed = await changeEntry(id, parent.id, created.body.collectionId, { Password: second })
    const afterChange = await lastAuditEntry()

    const shown = [
      { designation: 'User', value: 'ada', isSecret: false },
      { designation: 'Password', value: null, isSecret: true },
    ]
    expect(created.body.values).toMatchObject(shown)
    expect(changed.body.values).toMatchObject(shown)
    expect((await entries(id, parent.id)).body.items).toMatchObject([{ values: shown }])
    expect(afterCreate?.request).toEqual({ body: { values: { User: 'ada', password: '[secret]' } } })
    expect(afterChange?.request).toEqual({ body: { values: { Password: '[secret]' } } })
    expect([...(await tablesContaining(first)), ...(await tablesContaining(second))]).toEqual([])
  })

  test(`a collection entry of a ${kind} requires its secret children, because they have no default`, async () => {
    const [id, parent] = [await make(), await given.variable({ kind: 'Collection' })]
    await given.variable({ parent, designation: 'Password', is_secret: true })

    const refused = await addEntry(id, parent.id, {})

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ name: 'values.Password' }] } })
  })
})

test('the answer to a refused change of a secret does not contain the secret', async () => {
  const [computer, parent, secret] = [await given.computer(), await given.variable({ kind: 'Collection' }), newSecret()]
  await given.variable({ parent, designation: 'Password', is_secret: true })

  const refused = await as('computer.write').send({
    method: 'POST',
    url: `/api/computer/${computer.id}/variables/${parent.id}/collection`,
    payload: { values: { Password: secret, Colour: secret } },
  })

  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.raw)).not.toContain(secret)
})

test('the catalog shows where secrets are set, including configurations, but not their values', async () => {
  const [variable, secret] = [await given.variable({ is_secret: true }), newSecret()]
  const configuration = await given.variableConfiguration([{ variable, value: secret }])
  const reader = as('package.read')
  const params = { varId: variable.id }
  for (const { make, set } of owners) await set(await make(), variable.id, { value: secret })

  const definition = await reader.call(getVariableDefinition, { params })
  const uses = [
    await reader.call(listVariableDefinitionComputers, { params }),
    await reader.call(listVariableDefinitionGroups, { params }),
    await reader.call(listVariableDefinitionConfigurations, { params }),
  ]
  const detail = await reader.call(getVariableConfiguration, { params: { id: configuration.id } })

  expect(definition.body).toMatchObject({ isSecret: true, defaultValue: null })
  for (const { body } of uses) expect(body.items).toMatchObject([{ value: null, isSecret: true }])
  expect(detail.body.values).toMatchObject([{ value: null, isSecret: true }])
  expect(JSON.stringify([...uses.map(({ raw }) => raw), detail.raw])).not.toContain(secret)
})
