import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { Answer, created, ok, operation } from '../../src/platform/operation.ts'
import { type Problem, problem } from '../../src/platform/problem.ts'
import { closed, Type } from '../../src/platform/schema.ts'
import { openWorld } from '../world/open-world.ts'

const Note = closed({ id: Type.Integer(), text: Type.String() }, { title: 'Note' })
const duplicateText = problem('DuplicateText', 409, 'Another note has this text.', { constraint: 'notes_text_key' })
const undeclared = problem('Undeclared', 409, 'The operation does not list this.')

const createNote = operation({
  id: 'createNote',
  // Below a prefix that has a section in the OpenAPI document.
  route: 'POST /api/service/notes',
  summary: 'Write a note',
  role: 'computer.write',
  body: closed({
    text: Type.String(),
    secret: Type.Optional(Type.String({ writeOnly: true })),
    more: Type.Optional(Type.Array(closed({ password: Type.String({ writeOnly: true }) }))),
  }),
  returns: created(Note),
  problems: [duplicateText],
  async handle({ body, db }) {
    const { rows } = await sql<{ id: number; text: string; hidden: number }>`
      insert into notes (text) values (${body.text}) returning id, text, 42 as hidden`.execute(db)
    return rows[0] ?? { id: 0, text: '' }
  },
})

const misbehave = operation({
  id: 'misbehave',
  route: 'POST /api/service/misbehave',
  summary: 'Do what an operation must not do',
  role: 'computer.write',
  body: closed({ how: Type.String() }),
  returns: ok(Note),
  async handle({ body, db }) {
    await sql`insert into notes (text) values (${body.how})`.execute(db)
    if (body.how === 'undeclared problem') throw undeclared()
    if (body.how === 'undeclared status') return new Answer(299, { id: 1, text: 'x' })
    if (body.how === 'undeclared constraint') await sql`insert into notes (text) values (${body.how})`.execute(db)
    throw new Error('the internals are secret')
  },
})

const createNotes = operation({
  id: 'createNotes',
  route: 'POST /api/service/notes/several',
  summary: 'Write several notes',
  role: 'computer.read',
  body: closed({ texts: Type.Array(Type.String()) }),
  returns: ok(Type.String()),
  execution: { kind: 'StepwiseChange' },
  handle: ({ body, runParts }) =>
    runParts(body.texts.map((text) => ({ operation: 'createNote', body: { text } }))).then(
      () => 'written',
      ({ kind }: Problem) => kind.code,
    ),
})

let attempts = 0
const loseRaces = operation({
  id: 'loseRaces',
  route: 'POST /api/service/races',
  summary: 'Succeed at the third attempt',
  role: 'computer.write',
  returns: ok(Type.Integer()),
  async handle({ db }) {
    attempts += 1
    await sql`insert into notes (text) values (${`attempt ${attempts}`})`.execute(db)
    if (attempts < 3)
      await sql`do $$ begin raise exception 'lost' using errcode = 'serialization_failure'; end $$`.execute(db)
    return attempts
  },
})

const { as, db } = await openWorld({ operations: [createNote, createNotes, misbehave, loseRaces, listAuditEntries] })
await sql`create table notes (id integer generated always as identity, text text constraint notes_text_key unique)`.execute(
  db,
)

const writer = as('computer.write')
const texts = async () =>
  (await sql<{ text: string }>`select text from notes order by id`.execute(db)).rows.map(({ text }) => text)

test('an answer has exactly the properties of its schema', async () => {
  const answered = await writer.call(createNote, { body: { text: 'plain' } })

  expect(answered.status).toBe(201)
  expect(Object.keys(answered.body)).toEqual(['id', 'text'])
})

test('a violated constraint is answered with the problem that declares it', async () => {
  await writer.call(createNote, { body: { text: 'twice' } })

  const refused = await writer.call(createNote, { body: { text: 'twice' } })

  expect(refused).toMatchObject({
    status: 409,
    raw: { code: 'DuplicateText', message: 'Another note has this text.', type: 'urn:muster:problem:DuplicateText' },
  })
})

test('an operation that calls others does so with the roles of its caller', async () => {
  const refused = await as('computer.read').call(createNotes, { body: { texts: ['not allowed'] } })
  const allowed = await as('computer.read', 'computer.write').call(createNotes, { body: { texts: ['one', 'two'] } })

  expect([refused.body, allowed.body]).toEqual(['Forbidden', 'written'])
  expect(await texts()).toEqual(expect.arrayContaining(['one', 'two']))
  expect(await texts()).not.toContain('not allowed')
})

test('a transaction that lost a race is repeated, and its changes are made once', async () => {
  const answered = await writer.call(loseRaces)

  expect(answered.body).toBe(3)
  expect((await texts()).filter((text) => text.startsWith('attempt'))).toEqual(['attempt 3'])
})

test('properties that a schema marks as writeOnly are redacted in the audit trail', async () => {
  const secrets = { secret: 'hush', more: [{ password: 'hush' }] }

  await writer.call(createNote, { body: { text: 'with secrets', ...secrets } })

  const [entry] = (await as('admin.manage').call(listAuditEntries, { query: { top: 1 } })).body.items
  expect(entry).toMatchObject({
    operation: 'createNote',
    request: { body: { text: 'with secrets', secret: '[secret]', more: [{ password: '[secret]' }] } },
  })
})

describe('a fault', () => {
  test.each(['undeclared problem', 'undeclared status', 'undeclared constraint', 'unknown error'])(
    'a fault (%s) is answered with 500, reveals nothing and changes nothing',
    async (how) => {
      const failed = await writer.call(misbehave, { body: { how } })

      expect(failed).toMatchObject({ status: 500, problem: 'InternalError' })
      expect(JSON.stringify(failed.raw)).not.toMatch(/Undeclared|notes|secret/)
      expect(await texts()).not.toContain(how)
    },
  )
})
