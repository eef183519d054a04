import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listAuditEntries } from '../../src/features/audit/api/list-audit-entries.ts'
import { showDeprecation } from '../../src/platform/http/show-deprecation.ts'
import { apiChannel } from '../../src/platform/openapi/channel.ts'
import { openApiDocument } from '../../src/platform/openapi/document.ts'
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

const findNotes = operation({
  id: 'findNotes',
  route: 'GET /api/service/notes/by-text/:text',
  summary: 'Find notes by their text',
  role: 'computer.read',
  params: closed({ text: Type.String() }),
  returns: ok(Type.Array(Note)),
  async handle({ params, db }) {
    return (await sql<{ id: number; text: string }>`select id, text from notes where text = ${params.text}`.execute(db))
      .rows
  },
})

const searchNotes = operation({
  id: 'searchNotes',
  route: 'GET /api/service/notes/search/:text',
  summary: 'Search notes',
  description: 'Looks for a text.',
  role: 'computer.read',
  params: closed({ text: Type.String() }),
  deprecated: { since: '2026-11-01', sunset: '2027-05-01', use: 'findNotes' },
  returns: ok(Type.String({ examples: ['text'] })),
  async handle({ params, setHeader }) {
    setHeader('link', '</api/service/notes/search/next>; rel="next"')
    return params.text
  },
})

const operations = [createNote, createNotes, misbehave, loseRaces, findNotes, searchNotes, listAuditEntries]
const { as, db, withToken } = await openWorld({ operations })
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

test('every answer of a deprecated operation says since when, until when and what to call instead', async () => {
  const answered = await as('computer.read').call(searchNotes, { params: { text: 'a/b' } })
  const refused = await withToken(undefined).call(searchNotes, { params: { text: 'c' } })
  const current = await as('computer.read').call(findNotes, { params: { text: 'c' } })

  const headers = { deprecation: '@1793491200', sunset: 'Sat, 01 May 2027 00:00:00 GMT' }
  expect(answered).toMatchObject({ status: 200, headers })
  expect(answered.headers.link).toBe(
    '</api/service/notes/search/next>; rel="next", </api/service/notes/by-text/a%2Fb>; rel="successor-version"',
  )
  expect(refused).toMatchObject({ status: 401, headers })
  expect(refused.headers.link).toBe('</api/service/notes/by-text/c>; rel="successor-version"')
  expect([current.headers.deprecation, current.headers.sunset]).toEqual([undefined, undefined])
})

test('the description of the API marks a deprecated operation, with a sentence for people', () => {
  const section = { name: 'notes', description: 'Notes', operations: [searchNotes] }
  const { paths } = openApiDocument(apiChannel([section])) as { paths: Record<string, { get: unknown }> }

  expect(paths['/api/service/notes/search/{text}']?.get).toMatchObject({
    deprecated: true,
    'x-sunset': '2027-05-01',
    description:
      'Looks for a text.\n\nDeprecated since 2026-11-01, and may be removed from 2027-05-01 on. Use `findNotes` instead.',
    responses: { 200: { headers: { Deprecation: {}, Sunset: {} } } },
  })
})

test('an operation cannot be deprecated in favour of one that does not exist', async () => {
  const lost = { ...searchNotes, deprecated: { since: '2026-11-01', use: 'nothing' } } as const

  expect(() => showDeprecation(lost, operations)).toThrow('searchNotes is deprecated in favour of nothing')
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
