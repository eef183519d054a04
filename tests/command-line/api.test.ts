import { expect, test } from 'vitest'
import { type ApiDocument, listOperations } from '../../cli/src/api/document.ts'
import { buildRequest } from '../../cli/src/api/request.ts'
import { commands } from '../../cli/src/commands/index.ts'
import { operations as declared } from '../../server/src/features/index.ts'
import { openWorld } from '../../server/test/world/open-world.ts'
import { commandsIn } from './muster-command.ts'

const world = await openWorld()
const { app, given } = world
const { muster, musterOn } = await commandsIn(world)
const document = (await app.http.inject({ url: '/openapi/v1.json' })).json<ApiDocument>()
const operations = listOperations(document)

test('every operation of the API can be called by its name', () => {
  const published = declared.filter(({ path }) => path.startsWith('/api/') || path.startsWith('/install/'))
  expect(published.length).toBeGreaterThan(300)
  expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining(published.map(({ id }) => id)))
  for (const operation of operations) {
    const values = operation.parameters.filter(({ required }) => required).map(({ name }) => [name, '17'] as const)
    const body = operation.body ? JSON.stringify(operation.body.example) : undefined

    const request = buildRequest('http://127.0.0.1', operation, values, body)

    expect(request.method).toBe(operation.method)
    expect(decodeURIComponent(request.url), operation.id).not.toMatch(/[{}]/)
  }
})

test('every command names operations that exist', () => {
  const known = new Set(operations.map(({ id }) => id))

  expect(commands.flatMap((command) => command.operations).filter((id) => !known.has(id))).toEqual([])
})

test('operations are found by a word, and described with their parameters and an example', async () => {
  const list = await muster('api', '--list', 'tag')
  const description = await muster('api', 'createTag', '--describe')

  expect(list.out).toMatch(/^createTag +package\.write +POST \/api\/tags +Create a tag/m)
  expect(description.out).toContain('POST /api/tags')
  expect(description.out).toContain('"designation"')
})

test('a change is tried out, and then made with a body from the standard input', async () => {
  const body = JSON.stringify({ designation: 'Berlin', description: null })

  const planned = await muster('api', 'createTag', '--body', body, '--dry-run')
  const before = await muster('api', 'listTags', '--all', '-o', 'json')
  const made = await musterOn({ readInput: async () => body }, 'api', 'createTag', '--body', '-')
  const after = await muster('api', 'listTags', '--all', '-o', 'json')

  expect([planned.code, made.code]).toEqual([0, 0])
  expect(before.out).not.toContain('Berlin')
  expect(after.out).toContain('Berlin')
})

test('a parameter may be a name, and lists are complete', async () => {
  const group = await given.group({ name: 'Office' })
  for (const name of ['pc-1', 'pc-2', 'pc-3']) await given.member(group, await given.computer({ name }))

  const { out } = await muster('api', 'listGroupComputers', '-p', 'id=group:Office', 'top=1', '--all')

  expect((JSON.parse(out) as { hostname: string }[]).map(({ hostname }) => hostname)).toEqual(['pc-1', 'pc-2', 'pc-3'])
})

test('a tag, a principal or a rollout can be a name, too', async () => {
  await muster('api', 'createTag', '--body', '{"designation": "Renamed later"}')

  const tag = await muster('api', 'getTag', '-p', 'id=tag:renamed later')
  const missing = await muster('api', 'getRollout', '-p', 'id=rollout:Nothing')

  expect(JSON.parse(tag.out)).toMatchObject({ designation: 'Renamed later' })
  expect(missing).toMatchObject({ code: 2, err: 'No rollout is named "Nothing".\n' })
})

test('what a help desk names every day can be a name as well: patches, their groups, reports, licences and views', async () => {
  const patch = await given.patch({ name: 'Security update of May' })
  const { id: groupId } = await given.pmGroup({ name: 'Windows updates' })
  await muster('reports', 'create', 'Monday list', 'issues')
  await muster('licences', 'create', 'Drawing', 'Drawing Program*', '25')
  await muster('views', 'create', 'Late agents', '--next-contact', 'Overdue')
  const read = async (...args: string[]) => JSON.parse((await muster('api', ...args)).out) as unknown

  expect(await read('getPatch', '-p', 'patchId=patch:security update of May')).toMatchObject({ patchId: patch.id })
  expect(await read('getPmGroup', '-p', 'id=patch-group:windows updates')).toMatchObject({ id: groupId })
  expect(await read('getReport', '-p', 'id=report:Monday list')).toMatchObject({ name: 'Monday list' })
  expect((await muster('api', 'deleteLicence', '-p', 'id=licence:Drawing')).code).toBe(0)
  expect((await muster('api', 'deleteView', '-p', 'id=view:Late agents')).code).toBe(0)
  expect(await muster('api', 'getReport', '-p', 'id=report:Nothing')).toMatchObject({
    code: 2,
    err: 'No report is named "Nothing".\n',
  })
})

test('names stand for ids in a body as well, and a text that looks like one stays a text', async () => {
  await given.computer({ name: 'pc-in-body' })
  const group = await given.group({ name: 'Named in a body' })
  const rollout = JSON.stringify({ name: 'group:Named in a body', groupId: 'group:Named in a body', rings: [{}] })

  const added = await muster(
    'api',
    'addGroupComputers',
    '-p',
    `id=${group.id}`,
    '-b',
    '{"computerIds": ["computer:pc-in-body"]}',
  )
  const planned = await muster('api', 'createRollout', '-b', rollout)
  const tag = await muster('api', 'createTag', '-b', '{"designation": "group:Named in a body"}')
  const missing = await muster(
    'api',
    'addGroupComputers',
    '-p',
    `id=${group.id}`,
    '-b',
    '{"computerIds": ["computer:nobody"]}',
  )

  expect(JSON.parse(added.out)).toMatchObject({ succeeded: 1, failed: 0 })
  // The group is found, but nothing is assigned to it.
  expect(planned.err).toContain('(NothingAssigned)')
  expect(JSON.parse(tag.out)).toMatchObject({ designation: 'group:Named in a body' })
  expect(missing).toMatchObject({ code: 2, err: 'No computer is named "nobody".\n' })
})

test('answers that are not JSON are written as they come', async () => {
  const interruption = new AbortController()
  let streamed = ''
  const write = (part: string | Uint8Array) => {
    streamed += Buffer.from(part).toString()
    interruption.abort()
  }

  const csv = await muster('api', 'exportFleetComputers')
  const stream = await musterOn({ write, signal: interruption.signal }, 'api', 'streamEvents')

  expect(csv.out).toMatch(/^\ufeffid,hostname,/)
  expect(stream.code).toBe(0)
  expect(streamed).not.toBe('')
})

test('wrong operations, parameters and bodies are wrong use, and the message says what is right', async () => {
  const unknown = await muster('api', 'createTags')
  const missing = await muster('api', 'getComputer')
  const extra = await muster('api', 'getComputer', '-p', 'id=1', 'colour=red')
  const empty = await muster('api', 'createTag')

  expect([unknown, missing, extra, empty].map(({ code }) => code)).toEqual([2, 2, 2, 2])
  expect(unknown.err).toContain('The API has no operation "createTags".')
  expect(missing.err).toContain('id missing.')
  expect(extra.err).toContain('getComputer has no parameter "colour". Parameters: id')
  expect(empty.err).toContain('"designation"')
})

test('a problem of the service is a failure with its code', async () => {
  const { code, err } = await muster('api', 'getComputer', '-p', 'id=999999')

  expect(code).toBe(1)
  expect(err).toContain('No computer has this id. (ComputerNotFound)')
})

test('items are CSV with a column for each property', async () => {
  await muster('api', 'createTag', '--body', '{"designation": "Comma, separated"}')

  const { out } = await muster('api', 'listTags', '--all', '-o', 'csv')

  expect(out).toMatch(/^id,designation,description,isReadOnly\r\n/)
  expect(out).toContain(',"Comma, separated",,false\r\n')
})

test('a file that is interrupted is a failure', async () => {
  const interruption = new AbortController()
  const send = async (request: Request) => {
    if (!request.url.includes('/export')) return fetch(request)
    const content = new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('half'))
        interruption.signal.addEventListener('abort', () => stream.error(interruption.signal.reason))
      },
    })
    return new Response(content, { headers: { 'content-type': 'text/csv' } })
  }
  const write = () => interruption.abort()

  const ended = await musterOn({ send, write, signal: interruption.signal }, 'api', 'exportFleetComputers')

  expect(ended).toMatchObject({ code: 1, err: 'Interrupted.\n' })
})
