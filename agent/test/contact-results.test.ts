import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorld, until, waiting } from './world.ts'

const counted = (name: string) => ({ shell: `echo run >> "$ROOT/${name}"` })

/** A world whose server brings the content of work with contacts and takes results with them. */
async function openExchangingWorld() {
  const world = await openWorld()
  world.server.exchangesAtContact = true
  const requests = () => world.server.calls.map(({ path }) => path.replace(/^.agent.v1.|\d+/g, ''))
  return { ...world, requests }
}

test('work that a contact brings with its content begins without a request, and the next contact carries all results', async () => {
  const { server, runOnce, requests, times, journal } = await openExchangingWorld()
  const works = [1, 2, 3].map(() => server.give({ commands: { install: counted('runs') } }))

  await runOnce()

  expect(requests()).toEqual(['contact', 'contact'])
  expect(times('runs')).toBe(3)
  expect(server.contacts[1]?.results?.map(({ workId }) => workId)).toEqual(works)
  for (const workId of works) expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success' })
  expect(await journal()).toEqual([])
})

test('an agent killed before a contact has carried its results reports them first and runs nothing again', async () => {
  const { server, start, runOnce, requests, times, journal } = await openExchangingWorld()
  const works = [1, 2].map(() => server.give({ commands: { install: counted('runs') } }))
  const carriesResults = (body: unknown) => (body as { results?: unknown } | undefined)?.results !== undefined
  server.interfere = ({ path, body }) =>
    path.endsWith('/contact') && carriesResults(body) ? new Promise(() => undefined) : false
  const agent = start('run')
  await until(() => server.calls.some(({ body }) => carriesResults(body)))
  await agent.kill()
  server.interfere = () => false
  server.calls.length = 0

  await runOnce()

  expect(requests().slice(0, 3)).toEqual(['work//result', 'work//result', 'contact'])
  expect(times('runs')).toBe(2)
  for (const workId of works) expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success' })
  expect(await journal()).toEqual([])
})

test('an agent killed before the contact with its results was answered reports them once more and removes them', async () => {
  const { server, start, runOnce, times, journal } = await openExchangingWorld()
  server.give({ commands: { install: counted('runs') } })
  server.interfere = ({ body }, answer) => {
    // The usual answer is given, to nobody.
    if ((body as { results?: unknown } | undefined)?.results) answer.end = () => answer
    return false
  }
  const agent = start('run')
  await until(() => server.results.length === 1)
  await agent.kill()
  server.interfere = () => false

  await runOnce()

  expect(times('runs')).toBe(1)
  expect(server.results.map(({ accepted }) => accepted)).toEqual([true, false])
  expect(await journal()).toEqual([])
})

test('a result does not wait for other work that takes long, which reports that it has begun', async () => {
  const { server, root, start } = await openExchangingWorld()
  const short = server.give({ commands: { install: counted('runs') } })
  const long = server.give({ commands: { install: waiting('true', 'true') } })

  const agent = start('run', '--once')
  await until(() => server.resultOf(short) && server.progress.some(({ workId }) => workId === long))
  await writeFile(join(root, 'go-on'), '')
  await agent.ended

  expect(server.contacts).toHaveLength(2)
  expect(server.resultOf(long)).toMatchObject({ status: 'Success' })
})

test('work that could not begin in time waits for another contact, and what that withdraws never begins', async () => {
  const { server, runOnce, requests, times } = await openExchangingWorld()
  server.beginWithinSeconds = 1
  const slow = server.give({ commands: { install: { shell: 'sleep 1.1' } } })
  const cancelled = server.give({ commands: { install: counted('cancelled') } })
  const confirmed = server.give({ commands: { install: counted('confirmed') } })
  server.interfere = ({ body }) => {
    if ((body as { results?: unknown } | undefined)?.results) server.cancel(cancelled)
    return false
  }

  await runOnce()

  const expected = [cancelled, confirmed].map((workId) => ({ workId, attempt: 1, percent: null }))
  expect(server.contacts[1]).toMatchObject({ results: [{ workId: slow }], inProgress: expected })
  expect([times('cancelled'), times('confirmed')]).toEqual([0, 1])
  expect(requests()).not.toContain('work//start')
})

test('a result with a long output is reported by a request of its own', async () => {
  const { server, runOnce, requests } = await openExchangingWorld()
  const workId = server.give({ commands: { install: { shell: 'head -c 5000 /dev/zero | tr "\\0" x' } } })

  await runOnce()

  expect(requests()).toEqual(['contact', 'work//result', 'contact'])
  expect(server.resultOf(workId)?.output).toHaveLength(5000)
})

test('results that do not fit into one contact are carried by the next one, and nothing is handed out again meanwhile', async () => {
  const { server, runOnce, times, journal } = await openExchangingWorld()
  const long = { shell: `echo run >> "$ROOT/runs" # ${'x'.repeat(7_000)}` }
  const works = Array.from({ length: 15 }, () => server.give({ commands: { install: long } }))

  await runOnce()

  expect(server.contacts.map(({ emptyHanded, results = [] }) => [emptyHanded, results.length])).toEqual([
    [true, 0],
    [false, 12],
    [true, 3],
  ])
  expect(times('runs')).toBe(15)
  for (const workId of works) expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success' })
  expect(await journal()).toEqual([])
})

test('with a server that refuses what it does not know, each work item is started and reported by requests', async () => {
  const { server, runOnce, times } = await openExchangingWorld()
  server.exchangesAtContact = false
  const works = [1, 2].map(() => server.give({ commands: { install: counted('runs') } }))
  server.interfere = ({ body }, answer) => {
    if (!('canStartAtContact' in ((body as object | undefined) ?? {}))) return false
    answer.writeHead(400, { 'content-type': 'application/json' }).end('{"code":"InvalidRequest"}')
    return true
  }

  await runOnce()

  expect(times('runs')).toBe(2)
  for (const workId of works) expect(server.resultOf(workId)).toMatchObject({ attempt: 1, status: 'Success' })
  expect(server.calls.filter(({ path }) => path.endsWith('/contact'))).toHaveLength(3)
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`

test('requests about work, and a contact with its result, carry the trace of the work, which is in the log', async () => {
  const { server, runOnce } = await openExchangingWorld()
  server.give({ commands: { install: counted('runs') }, files: { 'setup.txt': 'content' }, traceparent })

  const { output } = await runOnce()

  const traced = server.calls.filter((call) => call.traceparent !== undefined)
  expect(traced.map(({ path }) => path.replace(/[\da-f]{64}|\d+$/, ''))).toEqual([
    expect.stringContaining('/files/'),
    '/agent/v1/contact',
  ])
  expect(new Set(traced.map((call) => call.traceparent))).toEqual(new Set([traceparent]))
  expect(output).toContain(`Work 1 (Install) is part of the trace ${traceId}.`)
})

test('what a server sends instead of a trace reaches neither headers nor the log', async () => {
  const { server, runOnce, times } = await openExchangingWorld()
  server.give({ commands: { install: counted('runs') }, traceparent: `${traceparent}\r\nx-injected: 1` })

  const { output } = await runOnce()

  expect(times('runs')).toBe(1)
  expect(server.calls.every((call) => call.traceparent === undefined)).toBe(true)
  expect(output).not.toContain('injected')
})
