import { beforeEach, expect, test } from 'vitest'
import { sendJson, startFakeService } from './fake-service.ts'
import { deceptive, hostileText } from './hostile-answers.ts'
import { openSandbox } from './sandbox.ts'

let document: unknown
let answer: { body: string | Buffer; type: string } = { body: '{}', type: 'application/json' }

const elsewhere = await startFakeService((_, response) => sendJson(response, {}))
const service = await startFakeService(({ url = '' }, response) => {
  if (url === '/api/auth/token') return sendJson(response, { access_token: 'token-of-ada', expires_in: 60 })
  if (url === '/openapi/v1.json') return sendJson(response, document)
  response.writeHead(200, { 'content-type': answer.type }).end(answer.body)
})
const { environment, muster } = await openSandbox(service.address)

beforeEach(() => {
  service.received = []
  elsewhere.received = []
})

const describing = (path: string, operation: object = {}, method = 'get') => ({
  paths: { [path]: { [method]: { operationId: 'getTag', summary: 'A tag', ...operation } } },
  components: { parameters: {} },
})

test.each([
  ['an address', () => `${elsewhere.address}/steal`],
  ['an address without a scheme', () => `//${new URL(elsewhere.address).host}/steal`],
  ['an address with other slashes', () => `/\\${new URL(elsewhere.address).host}/steal`],
  ['an address behind blanks', () => ` \t${elsewhere.address}/steal`],
  ['a file', () => 'file:///etc/passwd'],
])('a token is not sent to %s that the service describes as a path', async (_, path) => {
  document = describing(path())

  const calls = [await muster(['api', 'getTag']), await muster(['api', 'getTag', '--all'])]

  expect(calls.map(({ code }) => code)).toEqual([1, 1])
  expect(elsewhere.received).toEqual([])
})

test('a parameter cannot change the server, either', async () => {
  document = describing('/{a}/{b}', { parameters: ['a', 'b'].map((name) => ({ name, in: 'path', required: true })) })
  const { host } = new URL(elsewhere.address)

  await muster(['api', 'getTag', '-p', 'a=', `b=${host}`])
  await muster(['api', 'getTag', '-p', 'a=..', `b=/${host}`])

  expect(elsewhere.received).toEqual([])
})

test.each(['..', '.', ''])('the parameter %j does not lead to another operation', async (id) => {
  document = describing('/api/tags/{id}/name', { parameters: [{ name: 'id', in: 'path', required: true }] })

  const { code, err } = await muster(['api', 'getTag', '-p', `id=${id}`])

  expect([code, err]).toEqual([2, `"${id}" cannot be the parameter id.\n`])
  expect(service.received.map(({ path }) => path)).not.toContain('/api/name')
})

test.each([
  ['null', null],
  ['a list', []],
  ['no paths', { paths: null, components: {} }],
  ['operations of wrong types', { paths: { '/a': { get: 7 } }, components: { parameters: {} } }],
  ['an operation without a name', describing('/a', { operationId: 7 })],
  ['a method that is none', describing('/a', {}, 'get /b HTTP/1.1\r\nx: ')],
  ['parameters of wrong types', describing('/a', { parameters: [{ name: {}, in: 7 }] })],
  ['a type of body that is none', describing('/a', { requestBody: { content: 'text' } })],
])('a document that is %s is refused without a stack', async (_, content) => {
  document = content

  for (const args of [['--list'], ['getTag'], ['getTag', '--describe']]) {
    const { code, err } = await muster(['api', ...args])

    expect(code).not.toBe(0)
    expect(err).not.toMatch(/\n {4}at /)
  }
})

test('hostile texts of a document are shown, and not obeyed', async () => {
  document = describing(`/${hostileText}`, {
    ...{ operationId: hostileText, summary: hostileText, description: hostileText, 'x-required-role': hostileText },
    parameters: [{ name: hostileText, in: 'query', description: hostileText }],
    requestBody: { content: { 'application/json': { example: { [hostileText]: hostileText } } } },
  })

  for (const args of [
    ['--list'],
    [hostileText, '--describe'],
    [hostileText, '-p', 'x=1'],
    ['unknown'],
    [hostileText],
  ]) {
    const { out, err } = await muster(['api', ...args], { environment: { ...environment, NO_COLOR: '1' } })

    expect(out + err).not.toMatch(deceptive)
  }
})

const csv = `name\r\n${hostileText}\r\n`

test.each([
  ['text/csv', csv],
  ['application/octet-stream', Buffer.from(csv)],
  ['application/json', JSON.stringify([{ name: hostileText }])],
])('an answer of the type %s is shown on a terminal, and exact for a program', async (type, body) => {
  document = describing('/api/tags')
  answer = { type, body }

  const shown = await muster(['api', 'getTag'])
  const piped = await muster(['api', 'getTag'], { isTerminal: false })

  expect(shown.out).not.toMatch(deceptive)
  expect(shown.out).toContain('\\u202egnp.exe')
  if (type === 'application/json') {
    expect(JSON.parse(shown.out)).toEqual([{ name: hostileText }])
    expect(JSON.parse(piped.out)).toEqual([{ name: hostileText }])
    expect(piped.out).toContain('\u202egnp.exe')
  } else expect(piped.out).toBe(csv)
})

test('schemas of a body that lead to themselves, in several ways, do not keep the command', async () => {
  const itself = { $ref: '#/components/schemas/Endless' }
  const content = { 'application/json': { schema: itself } }
  document = {
    ...describing('/api/tags', { requestBody: { content } }, 'post'),
    components: {
      parameters: {},
      schemas: { Endless: { anyOf: [itself, { allOf: [itself, itself] }], items: itself, properties: { a: itself } } },
    },
  }

  const { code } = await muster(['api', 'getTag', '-b', '{"a": [{"a": "group:Office"}]}'])

  expect(code).toBe(0)
  expect(service.received.at(-1)?.text).toContain('group:Office')
})
