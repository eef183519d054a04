import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations, sections } from '../../../src/features/index.ts'
import { requiredRoles } from '../../../src/platform/authentication/require-access.ts'
import { apiChannel } from '../../../src/platform/openapi/channel.ts'
import { openApiDocument } from '../../../src/platform/openapi/document.ts'
import { exampleOf } from '../../../src/platform/openapi/example.ts'
import { problemsOf } from '../../../src/platform/openapi/implied-problems.ts'
import { type AnyOperation, isForPrincipals } from '../../../src/platform/operation.ts'
import { shownRead } from '../../../src/platform/pipeline/withhold-answer.ts'
import { isRole, type Role, roleNames } from '../../../src/platform/roles.ts'
import { addressOf } from '../../world/caller.ts'
import { makeDerivedTextsLong } from '../../world/long-texts.ts'
import { openWorld } from '../../world/open-world.ts'
import type { AnyInput } from '../../world/scenario.ts'
import { tableVersions } from '../../world/tables.ts'
import { scenarioOf } from './scenarios.ts'

const world = await openWorld()
const { as, withToken, db } = world
await makeDerivedTextsLong(world)

const document = openApiDocument(apiChannel(sections)) as {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Description> }>>
}
type Description = { 'x-problem-codes'?: string[]; content?: Record<string, { example?: unknown; examples?: object }> }

const needsToken = ({ role }: AnyOperation) => role !== 'no token'
const needsRole = (operation: AnyOperation) => needsToken(operation) && operation.role !== 'any valid token'
const takesJson = (operation: AnyOperation) => operation.body && !operation.bodyType

/** Calls with exactly the role that the operation requires. */
function permittedCaller(operation: AnyOperation) {
  if (operation.role === 'no token') return withToken(undefined)
  return operation.role === 'any valid token' ? as('scan.execute') : as(...(requiredRoles(operation) as Role[]))
}

async function countAuditEntries(): Promise<number> {
  const { count } = await db
    .selectFrom('audit_entries')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('no two operations share an id or a path', () => {
  const ids = operations.map(({ id }) => id)
  const addresses = operations.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`)

  expect(ids).toHaveLength(new Set(ids).size)
  expect(addresses).toHaveLength(new Set(addresses).size)
})

test('every operation has a file with its name', () => {
  const folder = join(import.meta.dirname, '../../../src/features')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.split('/').at(-1))

  const expected = operations.map(({ id }) => `${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`)

  expect(files).toEqual(expect.arrayContaining(expected))
})

test.each(operations)('$id has the path parameters of its route', (operation) => {
  const inRoute = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => name)

  expect(Object.keys(operation.params.properties)).toEqual(inRoute)
})

test.each(operations)('$id is documented with all its problem codes and an example', (operation) => {
  const described = document.paths[operation.path.replace(/:(\w+)/g, '{$1}')]?.[operation.method.toLowerCase()]

  expect(described?.operationId).toBe(operation.id)
  for (const { status, code } of problemsOf(operation))
    expect(described?.responses[status]?.['x-problem-codes']).toContain(code)
  for (const [status, schema] of Object.entries(operation.returns)) {
    expect(described?.responses).toHaveProperty(status)
    if (schema) expect(Object.values(described?.responses[status]?.content ?? {})[0]).toHaveProperty('example')
  }
})

test.each(operations.filter(needsToken))('$id refuses a caller without a token', async (operation) => {
  const refused = await withToken(undefined).send({ method: operation.method, url: addressOf(operation, { id: 1 }) })

  expect(refused).toMatchObject({ status: 401, problem: 'Unauthorized' })
  expect(refused.headers['www-authenticate']).toBe('Bearer realm="muster"')
})

test.each(operations.filter(needsRole))('$id refuses a caller who has all other roles', async (operation) => {
  const others = roleNames.filter((role) => role !== operation.role && role !== operation.readerRole)

  const refused = await as(...others).send({ method: operation.method, url: addressOf(operation, { id: 1 }) })

  expect(refused).toMatchObject({ status: 403, problem: 'Forbidden', raw: { requiredRole: operation.role } })
})

test.each(operations.filter(({ readerRole }) => readerRole))(
  '$id answers a caller with nothing but the role of readers, and changes nothing',
  async (operation) => {
    const read = await as(operation.readerRole as Role).send({ method: operation.method, url: addressOf(operation) })

    expect(read.status).toBe(200)
    expect(operation.method).toBe('GET')
  },
)

/** Sends a request that has to succeed. */
async function expectSuccess(operation: AnyOperation, input: AnyInput) {
  const before = await countAuditEntries()

  const answered = await permittedCaller(operation).call(operation, input)

  expect(answered.problem).toBeUndefined()
  expect(Object.keys(operation.returns).map(Number)).toContain(answered.status)
  // Beside the entry of the request, each step has one, and so has a request that was approved.
  if (operation.execution.kind === 'StepwiseChange' || operation.id === 'approveRequest')
    expect(await countAuditEntries()).toBeGreaterThan(before)
  else expect(await countAuditEntries()).toBe(before + (operation.mutates || operation.id === 'requestToken' ? 1 : 0))
  return answered
}

const byPath = [...Map.groupBy(operations, ({ path }) => path.replaceAll(/:\w+/g, ':id'))]

test.each(byPath)(
  '%s answers other methods with 405 and OPTIONS with 204, both with the allowed methods',
  async (path, declared) => {
    const url = path.replaceAll(':id', '1')

    const options = await withToken(undefined).send({ method: 'OPTIONS', url })

    expect(options.status).toBe(204)
    const allowed = options.headers.allow?.split(', ')
    expect(allowed).toEqual(expect.arrayContaining(declared.map(({ method }) => method)))
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      if (allowed?.includes(method)) continue
      const refused = await withToken(undefined).send({ method, url })
      expect(refused).toMatchObject({
        status: 405,
        problem: 'MethodNotAllowed',
        headers: { allow: options.headers.allow },
      })
    }
  },
)

const isOnlySeenByReaders = ({ changes, role }: AnyOperation) => changes && needsRole(changes) && changes.role !== role

// Preparing an input takes longer than most requests. So all requests that are refused before they have any effect share it with
// the one that succeeds, which comes last.
for (const operation of operations) {
  const { id, massAction } = operation
  let prepared: Promise<AnyInput> | undefined
  const prepare = () => {
    prepared ??= scenarioOf(operation)(world)
    return prepared
  }

  if (takesJson(operation))
    test(`${id} refuses an unknown property of its body by name`, async () => {
      const input = await prepare()
      const body = { ...(input.body ?? (exampleOf(operation.body) as object)), colour: 'red' }

      const refused = await permittedCaller(operation).call(operation, { ...input, body })

      expect(refused).toMatchObject({ status: 400, problem: 'InvalidRequest', raw: { errors: [{ name: 'colour' }] } })
      expect(refused.raw).toHaveProperty('detail', "body 'colour' is an unknown property")
    })

  test(`${id} refuses an unknown query parameter by name, so a mistyped filter or dryRun is not ignored`, async () => {
    const input = await prepare()

    const refused = await permittedCaller(operation).call(operation, {
      ...input,
      query: { ...input.query, dryRuns: true },
    })

    expect(refused).toMatchObject({ status: 400, raw: { errors: [{ in: 'query', name: 'dryRuns' }] } })
  })

  test(`${id} refuses an api-version other than 1`, async () => {
    const input = await prepare()

    const refused = await permittedCaller(operation).call(operation, { ...input, headers: { 'api-version': '2' } })

    expect(refused).toMatchObject({ status: 400, problem: 'UnsupportedApiVersion' })
  })

  if (isOnlySeenByReaders(operation))
    test(`${id} shows the ETag of what it changes only to callers who may read it`, async () => {
      const input = await prepare()
      const guess = { ...input, headers: { ...input.headers, 'if-match': '"a-guess"' } }

      const writer = await permittedCaller(operation).call(operation, guess)
      const reader = await as(...(requiredRoles(operation) as Role[]), operation.changes?.role as Role).call(
        operation,
        guess,
      )

      expect([writer, reader]).toMatchObject([{ problem: 'PreconditionFailed' }, { problem: 'PreconditionFailed' }])
      expect(writer.headers).not.toHaveProperty('etag')
      expect(reader.headers).toHaveProperty('etag')
    })

  if (operation.mutates)
    test(`${id} changes no table in a dry run, nor if it does not affect the expected number of computers; then it succeeds with exactly its role, as declared, and is audited`, async () => {
      const input = await prepare()
      // The first request of a caller creates its principal.
      await permittedCaller(operation).send({ method: 'GET', url: '/health/live' })
      const before = await tableVersions(db)
      const expecting = (expectedCount: number) => ({ ...input, query: { ...input.query, expectedCount } })

      const tried = await permittedCaller(operation).call(operation, {
        ...input,
        query: { ...input.query, dryRun: true },
      })
      const refused = massAction && (await permittedCaller(operation).call(operation, expecting(1_000_000)))

      expect(tried.headers['muster-dry-run']).toBe('true')
      expect(refused?.problem).toBe(massAction && 'UnexpectedCount')
      expect(await tableVersions(db)).toEqual(before)
      const { actualCount } = (refused?.raw ?? {}) as { actualCount?: number }
      const expected = actualCount === undefined ? input : expecting(actualCount)
      expect((await expectSuccess(operation, expected)).status).toBe(tried.status)
    })

  // Other changes have succeeded above. Only mass actions have, beside that, a way without an expected number of computers.
  if (!operation.mutates || massAction)
    test(`${id} succeeds with exactly its role, as declared, and is audited only if it changes something or issues a token`, async () => {
      await expectSuccess(operation, operation.mutates ? await scenarioOf(operation)(world) : await prepare())
    })
}

/** Changes whose answers show what other roles read. */
const showing = operations.filter((operation) => {
  const read = operation.mutates ? shownRead(operation) : undefined
  return read && needsRole(read) && read.role !== operation.role
})

test('every change whose answer has the schema of a read shows it only to readers, unless it creates what it shows', () => {
  const reads = operations.filter(({ method, role }) => method === 'GET' && isRole(role))
  const schemasOf = ({ returns: { 200: schema } }: AnyOperation) => [
    schema,
    schema?.items,
    schema?.properties?.items?.items,
  ]
  const isRead = (schema: unknown, role: string) =>
    schema && reads.some((read) => read.role !== role && schemasOf(read).includes(schema))
  const changes = operations.filter(
    (operation) =>
      operation.mutates &&
      isForPrincipals(operation) &&
      // An administrator can take every role.
      operation.role !== 'admin.manage' &&
      Object.values(operation.returns).some((schema) => isRead(schema, operation.role)),
  )

  const unguarded = changes.filter((operation) => !showing.includes(operation)).map(({ id }) => id)

  expect(showing.length).toBeGreaterThan(20)
  expect(unguarded.filter((id) => !id.startsWith('create'))).toEqual([])
})

test.each(showing)(
  '$id shows what it changes only to callers who may read it, except where the contract prescribes the answer',
  async (operation) => {
    const writer = permittedCaller(operation)
    const reader = as(...(requiredRoles(operation) as Role[]), shownRead(operation)?.role as Role)
    const input = await scenarioOf(operation)(world)
    const dry = { ...input, query: { ...input.query, dryRun: true } }

    const [tried, triedByReader] = [await writer.call(operation, dry), await reader.call(operation, dry)]
    const made = await writer.call(operation, input)

    expect(tried).toMatchObject({ raw: undefined, headers: { 'muster-required-role': shownRead(operation)?.role } })
    expect(triedByReader.raw).toBeDefined()
    expect(made.problem).toBeUndefined()
    expect(made.raw === undefined).toBe(operation.extension === true)
    for (const { headers } of [tried, made]) expect(headers).not.toHaveProperty('etag')
  },
)
