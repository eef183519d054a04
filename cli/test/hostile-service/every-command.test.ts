import { gzipSync } from 'node:zlib'
import { createMusterClient } from '@muster/client'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { noAnswerNames, openNoAnswerServer } from '../../../tools/no-answers.ts'
import { listCalls } from './command-calls.ts'
import { type Behaviour, sendJson, startFakeService } from './fake-service.ts'
import { answerTo, deceptive, forged, hostileLeaves, hostileText, type Leaves, wrongLeaves } from './hostile-answers.ts'
import { canaries, type Outcome, openSandbox } from './sandbox.ts'

const token = { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 3_600 }

/** Answers as the API describes them, with these leaves. */
const answerWith =
  (leaves: Leaves): Behaviour =>
  ({ method = '', url = '' }, response) => {
    if (url === '/api/auth/token') return sendJson(response, token)
    if (url.startsWith('/api/events/stream')) {
      const event = { type: hostileText, time: hostileText, subject: hostileText, data: { text: hostileText } }
      return void response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`id: 1\ndata: ${JSON.stringify(event)}\n\n`)
    }
    const answer = answerTo(method, url, leaves)
    if (answer === undefined) return void response.writeHead(method === 'GET' ? 404 : 204).end()
    sendJson(response, answer, { 'muster-affected-computers': '2' })
  }

const service = await startFakeService(answerWith(hostileLeaves))
const elsewhere = await startFakeService((_, response) => sendJson(response, {}))
const { stateFolder, environment, muster, listFilesOutside } = await openSandbox(service.address)
const calls = listCalls({ address: service.address, stateFolder })
const filesBefore = await listFilesOutside()

/** The calls with titles that a terminal can show. */
const titledCalls = calls.map((call) => {
  const title = call.join(' ').replaceAll(hostileText, 'NAME')
  return [title.replaceAll(stateFolder, 'FOLDER').replaceAll(service.address, 'ADDRESS'), call] as const
})

/** The commands that show what went wrong other than by their exit code: a shell offers nothing. */
const isCompletion = ([name]: readonly string[]) => name === 'complete'

beforeEach(() => {
  service.received = []
  elsewhere.received = []
})

/** What is required whatever the service answers. */
afterEach(async () => {
  expect(await listFilesOutside()).toEqual(filesBefore)
  expect(elsewhere.received).toEqual([])
  const sent = service.received.map(({ text }) => text).join('\n')
  expect(sent).not.toContain(canaries.environment)
  expect(sent).not.toContain(canaries.file)
  const withSecret = service.received.filter(({ text }) => text.includes(canaries.secret))
  expect(withSecret.filter(({ path }) => path !== '/api/auth/token')).toEqual([])
})

/** The command itself uses no colours, so all that it writes come from the service. */
const withoutColours = { environment: { ...environment, NO_COLOR: '1' } }

function expectReadable({ out, err, opened }: Outcome): void {
  expect(out).not.toMatch(deceptive)
  expect(err).not.toMatch(deceptive)
  expect(err).not.toMatch(forged)
  expect(opened).toEqual([])
}

/** The titles of the calls whose output has contained the hostile name, as escapes. */
const showingName = new Set<string>()

describe.each(['table', 'json', 'csv'])('hostile names in answers, shown as %s', (format) => {
  test.each(titledCalls)('%s', async (title, call) => {
    service.behaviour = answerWith(hostileLeaves)

    const outcome = await muster([...call, '-o', format], withoutColours)

    if (format === 'table' && (outcome.out + outcome.err).includes('\\u202egnp.exe')) showingName.add(title)
    expectReadable(outcome)
    // A field of CSV can have several lines.
    if (format !== 'csv') expect(outcome.out).not.toMatch(forged)
    expect(outcome.err).not.toMatch(/\n {4}at /)
  })
})

test('most commands show the hostile name, and so are tested by it', () => {
  expect(showingName.size).toBeGreaterThan(calls.length / 2)
})

/** Sends parts until the connection ends, and counts what was sent. */
let sentBytes = 0
function sendEndlessly(response: Parameters<Behaviour>[1], part: string | Buffer): void {
  const sendMore = () => {
    while (!response.destroyed && response.write(part)) sentBytes += part.length
    sentBytes += part.length
  }
  response.on('drain', sendMore)
  response.on('close', () => response.removeListener('drain', sendMore))
  sendMore()
}

const json = { 'content-type': 'application/json' }
const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024, ' '))

/** Answers that are no answer, and problems. Reading them is the same for all commands that leave it to the client. */
const violationsOfTransport: Record<string, Behaviour> = {
  'an endless body': (_, response) => sendEndlessly(response.writeHead(200, json), `[${' '.repeat(65_536)}`),
  'an endless problem': (_, response) => sendEndlessly(response.writeHead(400, json), ' '.repeat(65_536)),
  'an endless line of events': (_, response) =>
    sendEndlessly(response.writeHead(200, { 'content-type': 'text/event-stream' }), 'x'.repeat(65_536)),
  'a body that is huge when it is unpacked': (_, response) =>
    void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb),
  'a body that takes forever': (_, response) => {
    const timer = setInterval(() => response.write(' '), 50)
    response.writeHead(200, json).on('close', () => clearInterval(timer))
  },
  'a redirect to another server': ({ url }, response) =>
    void response.writeHead(307, { location: `${elsewhere.address}${url}` }).end(),
  'a redirect to a file': (_, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  'a pause of a year': (_, response) => void response.writeHead(503, { 'retry-after': '31536000' }).end(),
  'half a body': (_, response) =>
    void response.writeHead(200, { ...json, 'content-length': '99' }).end('[', () => response.destroy()),
  'a page of HTML': (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${hostileText}</h1>`),
  'a problem with hostile texts': (_, response) =>
    void response.writeHead(400, json).end(
      JSON.stringify({
        ...{
          title: hostileText,
          detail: hostileText,
          code: hostileText,
          requestId: hostileText,
          [hostileText]: hostileText,
        },
        errors: [{ in: hostileText, name: hostileText, reason: hostileText }],
      }),
    ),
  'a problem of wrong types': (_, response) =>
    void response.writeHead(400, json).end(
      JSON.stringify({
        title: [],
        detail: {},
        code: 7,
        requestId: null,
        errors: [7, null, {}],
        blockers: 7,
        changes: {},
      }),
    ),
  'a problem that is null': (_, response) => void response.writeHead(500, json).end('null'),
}

/** Answers that a command would take for what the API describes. Every command reads other properties of them. */
const violationsOfContent: Record<string, Behaviour> = {
  'types that differ from those of the API': answerWith(wrongLeaves),
  'the same page again and again': ({ method = '', url = '' }, response) =>
    sendJson(response, answerTo(method, url, hostileLeaves) ?? null, { link: '<?cursor=again>; rel="next"' }),
  ...Object.fromEntries(
    ['null', '42', '"text"', '[[]]', '{}', '{"items":[42]}'].map((body) => [
      `nothing but ${body}`,
      (({ url }, response) => {
        if (url === '/api/auth/token') return sendJson(response, token)
        response.writeHead(200, json).end(body)
      }) satisfies Behaviour,
    ]),
  ),
}

/** Commands that also read answers themselves, and those that follow a stream. */
const commandsWithOwnReader = ['api', 'catalog', 'complete', 'login', 'sign', 'status']
const readsItself = ([name = '', ...others]: readonly string[]) =>
  commandsWithOwnReader.includes(name) || others.some((word) => word === '--follow' || word === '--watch')

/** All calls that read answers themselves, and of the others every few, so each sees two of the violations. */
function callsThatSee(violation: number) {
  const period = Object.keys(violationsOfTransport).length
  const others = titledCalls.filter(([, call]) => !readsItself(call))
  const inTurn = others.filter((_, at) => [0, 1].some((later) => (2 * at + later) % period === violation))
  return [...titledCalls.filter(([, call]) => readsItself(call)), ...inTurn]
}

/** Whether the command has seen the violation: only lists have pages, and the desired state may have no sections. */
function hasSeen(violation: string, title: string): boolean {
  const paths = service.received.map(({ path }) => path).filter((path) => path !== '/api/auth/token')
  if (violation === 'the same page again and again') return paths.some((path) => path.includes('cursor=again'))
  return paths.length > 0 && !(title.startsWith('catalog export') && violation.startsWith('nothing but {'))
}

async function expectFailure(violation: string, behaviour: Behaviour, title: string, call: string[]): Promise<void> {
  sentBytes = 0
  service.behaviour = (request, response, body) =>
    // The token is issued, because otherwise no command would come further.
    request.url === '/api/auth/token' ? sendJson(response, token) : behaviour(request, response, body)

  const outcome = await muster(call, withoutColours)

  expectReadable(outcome)
  expect(outcome.err).not.toMatch(/\n {4}at /)
  expect(sentBytes).toBeLessThan(16 * 1024 * 1024)
  // The command ends by itself, and not because the test loses its patience.
  expect(outcome.err).not.toContain('Interrupted.')
  if (hasSeen(violation, title) && !isCompletion(call)) expect(outcome.code).not.toBe(0)
  if (isCompletion(call)) expect(outcome.out).not.toContain('pwned')
}

describe.each(
  Object.entries(violationsOfTransport).map(([violation, behaviour], at) => ({ violation, behaviour, at })),
)('a service that answers with $violation', ({ violation, behaviour, at }) => {
  test.each(callsThatSee(at))('%s', (title, call) => expectFailure(violation, behaviour, title, call))
})

describe.each(Object.entries(violationsOfContent))('a service that answers with %s', (violation, behaviour) => {
  test.each(titledCalls)('%s', (title, call) => expectFailure(violation, behaviour, title, call))
})

test('every command sees violations of the transport', () => {
  const seen = Object.keys(violationsOfTransport).flatMap((_, at) => callsThatSee(at).map(([title]) => title))

  expect(new Set(seen)).toEqual(new Set(titledCalls.map(([title]) => title)))
})

test.each([
  ['no token', {}],
  ['a token that would end its header', { access_token: 'a\r\nx-evil: 1', expires_in: 60 }],
  ['a token of another type', { access_token: { a: 1 }, expires_in: 60 }],
  ['a token that expires at an unknown time', { access_token: 'a', expires_in: 'soon' }],
])('a service that issues %s gets no further request', async (_, answer) => {
  service.behaviour = (_request, response) => sendJson(response, answer)

  const { code, err } = await muster(['computers'])

  expect([code, err]).toEqual([1, 'The service did not answer with an access token. (InvalidAnswer)\n'])
  expect(service.received.map(({ path }) => path)).toEqual(['/api/auth/token'])
})

test.each(noAnswerNames)(
  'a service that sends %s instead of an answer fails the call at its deadline at the latest',
  async (name) => {
    const silent = await openNoAnswerServer(name)
    onTestFinished(silent.close)
    const client = createMusterClient({ address: silent.address, retry: { deadlineMs: 300 } })

    await expect(client.GET('/api/tags')).rejects.toMatchObject({ code: 'ServiceUnreachable' })
  },
)
