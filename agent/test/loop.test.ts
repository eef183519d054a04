import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openWorld, until } from './world.ts'

test('a contact reports the actual state of this computer', async () => {
  const { server, runOnce } = await openWorld()
  const [, btime] = /^btime (\d+)$/m.exec(await readFile('/proc/stat', 'utf8')) ?? []

  await runOnce()

  expect(server.contacts).toMatchObject([
    {
      agentVersion: '0.1.0',
      platform: 'Linux',
      environment: 'OperatingSystem',
      bootTimeUtc: new Date(Number(btime) * 1000).toISOString(),
      suspension: null,
      settingsHash: null,
      sections: {},
      wants: [],
    },
  ])
  expect(server.contacts[0]?.runId).toMatch(/^[\da-f-]{36}$/)
})

test('after its work, the agent contacts the server again', async () => {
  const { server, runOnce } = await openWorld()
  server.give()

  await runOnce()

  expect(server.contacts).toHaveLength(2)
})

test('contacts are a second apart, however much work a server hands out', async () => {
  const { server, start } = await openWorld()
  const times: number[] = []
  server.interfere = ({ path }) => {
    if (!path.endsWith('/contact')) return false
    times.push(performance.now())
    if (times.length < 4) server.give({ commands: { install: { shell: 'true' } } })
    return false
  }

  start('run')
  await until(() => times.length >= 4)

  const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  // Timers of Node can be a millisecond early.
  expect(Math.min(...pauses)).toBeGreaterThan(990)
})

test('a running agent contacts the server again after the requested time', async () => {
  const { server, start } = await openWorld()
  server.nextContactSeconds = 0.05

  start('run')
  await until(() => server.contacts.length >= 3)

  expect(new Set(server.contacts.map(({ runId }) => runId)).size).toBe(1)
})

test('a result that could not be reported while the server was unavailable is reported later', async () => {
  const { server, root, start, left, times } = await openWorld()
  const install = { shell: 'echo run >> "$ROOT/runs"; while ! test -e "$ROOT/go-on"; do sleep 0.02; done' }
  const workId = server.give({ commands: { install } })
  const agent = start('run')
  await until(() => left('runs'))

  await server.close()
  await writeFile(join(root, 'go-on'), '')
  await until(() => agent.output().includes('Next attempt in'))
  await server.open()

  await until(() => server.resultOf(workId))
  expect(times('runs')).toBe(1)
})

test('a download continues when the server is available again', async () => {
  const { server, start } = await openWorld()
  const workId = server.give({ files: { big: Buffer.alloc(200_000, 'x') } })
  server.interfere = async ({ path }, answer) => {
    if (!path.includes('/files/')) return false
    answer.writeHead(200, { 'content-length': '200000' }).write(Buffer.alloc(50_000, 'x'))
    await sleep(50)
    server.interfere = () => false
    await server.close()
    setTimeout(() => void server.open(), 300)
    return true
  }

  start('run')

  expect(await until(() => server.resultOf(workId))).toMatchObject({ status: 'Success' })
  expect(server.calls.some(({ range }) => range === 'bytes=50000-')).toBe(true)
})

test('a response that does not come from a Muster server changes nothing, and the agent tries again', async () => {
  const { server, runOnce, state } = await openWorld()
  server.interfere = ({ path }, answer) => {
    if (path.endsWith('/contact')) answer.end('<html>Please log on to this network</html>')
    return path.endsWith('/contact')
  }

  const { code, output } = await runOnce()

  expect(code).toBe(1)
  expect(output).toContain('The response does not come from a Muster server')
  await expect(stat(join(state, 'contact.json'))).rejects.toThrow('ENOENT')
})

test('a refused result is reported again without its texts, and set aside if that is refused too', async () => {
  const { server, runOnce, journal, state } = await openWorld()
  const strange = server.give({ commands: { install: { shell: 'echo strange' } } })
  const hopeless = server.give({ commands: { install: { shell: 'echo hopeless' } } })
  server.interfere = ({ path, body }, answer) => {
    const isRefused = path.endsWith(`/${hopeless}/result`) || (body as { output?: string })?.output === 'strange\n'
    if (isRefused)
      answer.writeHead(400, { 'content-type': 'application/json' }).end('{"code":"BadRequest","message":""}')
    return isRefused
  }

  await runOnce()

  expect(server.resultOf(strange)).toMatchObject({ status: 'Success', output: '', commandLine: null })
  expect(await journal()).toEqual([])
  expect(await readFile(join(state, 'journal', `${hopeless}.refused`), 'utf8')).toContain('hopeless')
})

test('of the results that a server refuses, the last twenty are kept', async () => {
  const { server, runOnce, state } = await openWorld()
  const workIds = Array.from({ length: 23 }, () => server.give({ commands: { install: { shell: 'true' } } }))
  server.interfere = ({ path }, answer) => {
    if (path.endsWith('/result'))
      answer.writeHead(400, { 'content-type': 'application/json' }).end('{"code":"BadRequest","message":""}')
    return path.endsWith('/result')
  }

  await runOnce()

  const kept = (await readdir(join(state, 'journal'))).filter((name) => name.endsWith('.refused'))
  expect(kept.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b)).toEqual(workIds.slice(-20))
})

test('a refusal by something other than the server loses no result', async () => {
  const { server, runOnce, journal } = await openWorld()
  const workId = server.give()
  server.interfere = ({ path }, answer) => {
    if (path.endsWith('/result')) answer.writeHead(404).end('not here')
    return path.endsWith('/result')
  }
  await runOnce()
  const kept = await journal()
  server.interfere = () => false

  await runOnce()

  expect(kept).toEqual([`${workId}.json`])
  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
})

test('settings are stored, and the next contact reports which ones are in use', async () => {
  const { server, runOnce } = await openWorld()
  server.settings = { hash: 'hash-1', values: { contactIntervalMinutes: 30, unknown: 'ignored' } }

  await runOnce()
  await runOnce()

  expect(server.contacts.map(({ settingsHash }) => settingsHash)).toEqual([null, 'hash-1'])
})

test('a refresh requests the settings again', async () => {
  const { server, runOnce } = await openWorld()
  server.settings = { hash: 'hash-1', values: {} }
  const workId = server.give({ kind: 'Refresh' })

  await runOnce()
  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Success' })
  expect(server.contacts.map(({ settingsHash }) => settingsHash)).toEqual([null, null, 'hash-1'])
})

test('a suspended agent starts no work and starts it at once after resume', async () => {
  const { server, agent, start } = await openWorld()
  const workId = server.give()
  await agent('suspend', '--mode', 'presentationmode', '--until', '2h')
  start('run')
  await until(() => server.contacts.length === 1)

  const suspension = server.contacts[0]?.suspension
  const before = server.resultOf(workId)
  await agent('resume')

  await until(() => server.resultOf(workId))
  expect(before).toBeUndefined()
  expect(suspension?.mode).toBe('PresentationMode')
  expect(new Date(suspension?.untilUtc ?? 0).getTime()).toBeGreaterThan(Date.now() + 7_000_000)
})

test('work leased before the agent was suspended is not started', async () => {
  const { server, agent, runOnce, times } = await openWorld()
  const install = { shell: 'echo run >> "$ROOT/runs"' }
  server.give({ commands: { install } })
  server.interfere = async ({ path }) => {
    if (path.endsWith('/start')) await agent('suspend')
    return false
  }
  server.give({ commands: { install } })

  await runOnce()

  expect(times('runs')).toBe(1)
})

test('a suspension by the settings is reported', async () => {
  const { server, runOnce } = await openWorld()
  server.settings = { hash: 'h', values: { suspensionMode: 'MaintenanceMode' } }

  await runOnce()
  await runOnce()

  expect(server.contacts.at(-1)?.suspension).toEqual({ mode: 'MaintenanceMode', untilUtc: null })
})

test('a user lists the offers and takes one, and the server learns of it at once and only once', async () => {
  const { server, state, agent, start, runOnce } = await openWorld()
  server.offers = [
    { packageId: '42', name: 'editor', version: '3.1', untilUtc: null },
    { packageId: '44', name: 'gnp\u202e.exe\n45\tfalse', version: '\u001b[2J', untilUtc: null },
  ]
  const running = start('run')

  const offered = await until(async () => {
    const shown = await agent('offers')
    return shown.output.includes('42') ? shown : undefined
  })
  const refused = await agent('take', '43')
  const taken = await agent('take', '42')
  await until(async () => server.contacts.length === 2 && (await readdir(join(state, 'wants'))).length === 0)
  await running.kill()
  await runOnce()

  expect(offered.output).toContain('42\teditor 3.1')
  expect(offered.output).toContain('\n44\tgnp\\u202e.exe 45 false \\u001b[2J\n')
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('Package 43 is not offered') })
  expect(taken.output).toContain('editor 3.1 is requested')
  expect(server.contacts.map(({ wants }) => wants)).toEqual([[], ['42'], []])
})
