import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { agentChannel } from '../../../src/channels/agent/index.ts'
import { machineChannels } from '../../../src/channels/index.ts'
import { createDepotCredential } from '../../../src/features/depots/api/create-depot-credential.ts'
import { operations as apiOperations } from '../../../src/features/index.ts'
import { exampleOf } from '../../../src/platform/openapi/example.ts'
import { type AnyOperation, fileType } from '../../../src/platform/operation.ts'
import { roleNames } from '../../../src/platform/roles.ts'
import { addressOf } from '../../world/caller.ts'
import type { AnyInput } from '../../world/scenario.ts'
import { tableVersions } from '../../world/tables.ts'
import { contact, enrolment, openAgentWorld, result, sha256Of } from './agent-world.ts'

const world = await openAgentWorld()
const { agent, as, db, given, readyPackage, withToken, work } = world

const operations = agentChannel.sections.flatMap((section) => section.operations)
const withCredential = operations.filter(({ role }) => role === 'machine')
const withBody = operations.filter(({ body }) => body)
const compressedBlanks = gzipSync(Buffer.alloc(10_000_000, ' '))

/** An agent with leased work, and how it calls the operation. */
async function scenarioOf(operation: AnyOperation) {
  const computer = await agent()
  const manifest = JSON.stringify({ icon: 'a', commands: { install: { argv: ['sh', 'install.sh'] } } })
  const pack = await readyPackage({ manifest, files: { a: `file of ${operation.id}` } })
  const workId = await work(computer, pack, { revoke_count: 3 })
  await computer.contact()
  const bodies: Record<string, object> = {
    enrolAgent: { ...enrolment(), token: (await world.enrolmentToken()).token },
    reportContact: contact(),
    startWork: { attempt: 1, runId: computer.runId },
    reportProgress: { attempt: 1, percent: 10, message: '' },
    postponeWork: { attempt: 1, untilUtc: '2099-01-01T00:00:00Z' },
    reportResult: result(),
    reportOsInstallation: { status: 'Success', message: null },
  }
  const names = Object.keys(operation.params.properties)
  const params = Object.fromEntries(
    Object.entries({
      workId,
      packageId: pack.id,
      sha256: sha256Of(`file of ${operation.id}`),
      section: 'system',
    }).filter(([name]) => names.includes(name)),
  )
  const body = bodies[operation.id] ?? (operation.body ? exampleOf(operation.body) : undefined)
  const query = operation.id === 'awaitCall' ? { query: { seconds: 1 } } : {}
  const input: AnyInput = { params, ...query, ...(body !== undefined && { body }) }
  return { ...computer, input, caller: operation.role === 'machine' ? computer.itself : withToken(undefined) }
}

const shared = new Map<AnyOperation, ReturnType<typeof scenarioOf>>()

/** For requests that are refused without effect, so they can share it. */
function sharedScenario(operation: AnyOperation): ReturnType<typeof scenarioOf> {
  const known = shared.get(operation) ?? scenarioOf(operation)
  shared.set(operation, known)
  return known
}

const payloadOf = (operation: AnyOperation, { params }: AnyInput, payload: string | Buffer, headers = {}) => ({
  method: operation.method,
  url: addressOf(operation, params as object),
  headers: { 'content-type': 'application/json', ...headers },
  payload,
})

test('no two operations share an id or an address, in all channels', () => {
  const all = [
    ...apiOperations,
    ...machineChannels.flatMap(({ sections }) => sections).flatMap((section) => section.operations),
  ]
  const ids = all.map(({ id }) => id)
  const addresses = all.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`)

  expect(ids).toHaveLength(new Set(ids).size)
  expect(addresses).toHaveLength(new Set(addresses).size)
})

test('every operation is under /agent/v1 and has a file of its name; operations for inventory sections share one', () => {
  const folder = join(import.meta.dirname, '../../../src/channels/agent')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.split('/').at(-1))

  const names = operations.map(({ id }) => id.replace(/^putInventory.+/, 'putInventorySection'))
  const expected = names.map((id) => `${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`)

  expect(files).toEqual(expect.arrayContaining(expected))
  expect(operations.filter(({ path }) => !path.startsWith('/agent/v1/'))).toEqual([])
})

test('only enrolment needs no credential', () => {
  expect(operations.filter(({ role }) => role !== 'machine').map(({ id }) => id)).toEqual(['enrolAgent'])
})

test.each(operations)('$id succeeds as declared, and only an enrolment is audited', async (operation) => {
  const { caller, input } = await scenarioOf(operation)
  const count = async () => (await db.selectFrom('audit_entries').select('id').execute()).length
  const before = await count()

  const answered =
    operation.answerType === fileType
      ? await caller.send({ method: operation.method, url: addressOf(operation, input.params as object) })
      : await caller.call(operation, input)

  expect(answered.problem).toBeUndefined()
  expect(Object.keys(operation.returns).map(Number)).toContain(answered.status)
  expect(await count()).toBe(before + (operation.id === 'enrolAgent' ? 1 : 0))
})

test.each(withCredential)('$id is refused to everyone except agents, without effect', async (operation) => {
  const { id, credential, input } = await sharedScenario(operation)
  const { id: depotId } = await given.computer({ role: 'DepotServer' })
  const depot = await as('admin.manage').call(createDepotCredential, { params: { clientId: depotId } })
  const principal = await given.localPrincipal({ roles: roleNames })
  const token = await world.app.services.tokens.issue(principal.id)
  const other = await agent()
  const forged = [
    undefined,
    token,
    depot.body.credential,
    credential.replace('agent-', 'depot-'),
    `agent-${id}.`,
    `agent-${id}.${'x'.repeat(43)}`,
    other.credential.replace(/\d+/, String(id)),
    'agent-2000000.x',
    'agent-99999999999999999999.x',
    'x',
    '\u00e4',
  ]
  const before = await tableVersions(db)

  for (const one of forged) {
    const refused = await withToken(one).call(operation, input)
    expect(refused).toMatchObject({ status: 401, problem: 'Unauthorized' })
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="muster-agent"')
  }

  expect(await tableVersions(db)).toEqual(before)
})

test.each(withBody)('$id refuses a body that its schema does not allow, without effect', async (operation) => {
  const { caller, input } = await sharedScenario(operation)
  const body = input.body as Record<string, unknown>
  const [first = ''] = Object.keys(body)
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
  const nested = `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`
  const malformed: [string | Buffer, object?][] = [
    [JSON.stringify({ ...body, colour: 'red' })],
    [JSON.stringify({ ...body, [first]: { $ne: null } })],
    [JSON.stringify({ ...body, [first]: `${'x'.repeat(10)}\0` })],
    [JSON.stringify(Object.fromEntries(Object.entries(body).slice(1)))],
    [JSON.stringify([body])],
    [JSON.stringify(body).slice(0, -1)],
    [JSON.stringify({ ...body, [first]: 'deep' }).replace('"deep"', deep)],
    [deep],
    [nested],
    [`{"__proto__":{"attempt":1},${JSON.stringify(body).slice(1)}`],
    ['null'],
    ['\u0000'],
    [Buffer.from([0xff, 0xfe, 0x7b, 0x7d])],
    [gzipSync(JSON.stringify(body)), { 'content-encoding': 'gzip' }],
    [compressedBlanks, { 'content-encoding': 'gzip' }],
    [''],
  ]
  const before = await tableVersions(db)

  for (const [payload, headers] of malformed) {
    const refused = await caller.send(payloadOf(operation, input, payload, headers))
    expect([payload.toString().slice(0, 100), refused.status]).toEqual([payload.toString().slice(0, 100), 400])
  }
  const asText = await caller.send(payloadOf(operation, input, JSON.stringify(body), { 'content-type': 'text/plain' }))
  const typo = await caller.call(operation, { ...input, query: { dryrun: true } })

  expect(asText.status).toBe(415)
  expect(typo.status).toBe(400)
  expect(await tableVersions(db)).toEqual(before)
})

test.each(withBody)('$id refuses a body that is too large, without effect', async (operation) => {
  const { caller, input } = await sharedScenario(operation)
  const padded = `${' '.repeat(operation.bodyLimit ?? 1_048_576)}${JSON.stringify(input.body)}`
  const before = await tableVersions(db)

  const refused = await caller.send(payloadOf(operation, input, padded))

  expect(refused).toMatchObject({ status: 413, problem: 'PayloadTooLarge' })
  expect(await tableVersions(db)).toEqual(before)
})

test('an agent credential is refused everywhere else in the service', async () => {
  const { itself } = await agent()
  const otherChannels = machineChannels.filter((channel) => channel !== agentChannel)
  const others = otherChannels.flatMap(({ sections }) => sections).flatMap((section) => section.operations)
  const closed = [...apiOperations, ...others].filter(({ role }) => role !== 'no token')
  const before = await tableVersions(db)

  for (const operation of closed) {
    const names = Object.keys(operation.params.properties)
    const url = addressOf(operation, Object.fromEntries(names.map((name) => [name, 1])))
    expect([operation.id, (await itself.send({ method: operation.method, url })).status]).toEqual([operation.id, 401])
  }

  expect(await tableVersions(db)).toEqual(before)
})

test.each(withCredential.filter(({ path }) => path.includes(':workId')))(
  '$id does not give access to the work of another agent',
  async (operation) => {
    const { input } = await sharedScenario(operation)
    const { itself } = await agent()
    const before = await tableVersions(db)

    const refused = await itself.call(operation, input)

    expect([404, 409]).toContain(refused.status)
    expect(await tableVersions(db)).toEqual(before)
  },
)

test('the OpenAPI document of the channel describes every operation', async () => {
  const { raw } = await withToken(undefined).send({ method: 'GET', url: '/openapi/agent-v1.json' })

  const { paths } = raw as { paths: Record<string, Record<string, { operationId: string }>> }
  const described = Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId))
  expect(described.toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
})
