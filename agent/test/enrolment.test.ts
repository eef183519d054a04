import { existsSync } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { expect, onTestFinished, test } from 'vitest'
import { FakeServer } from './fake-server.ts'
import { openWorld } from './world.ts'

test('enrolment stores a credential that no other user can read', async () => {
  const { server, agent, state, runOnce } = await openWorld({ isEnrolled: false })
  const mac = ['--mac', '02:00:00:00:00:01', '--uuid', 'none', '--domain', 'example.org']

  const { output } = await agent('enrol', '--server', `${server.url}/`, '--token', 'right', '--name', 'pc1', ...mac)

  expect(output).toBe(`pc1 is enrolled with ${server.url} as computer 7.\n`)
  expect(server.enrolments).toMatchObject([
    {
      token: 'right',
      computer: { name: 'pc1', domain: 'example.org', isDomain: true, uuid: null, macAddress: '02:00:00:00:00:01' },
      agent: { version: '0.1.0', platform: 'Linux' },
    },
  ])
  expect(server.enrolments[0]?.enrolmentKey.length).toBeGreaterThanOrEqual(32)
  expect((await stat(state)).mode & 0o777).toBe(0o700)
  expect((await stat(join(state, 'identity.json'))).mode & 0o777).toBe(0o600)
  expect((await runOnce()).code).toBe(0)
})

test('after a lost response, the agent enrols again with the same key', async () => {
  const { server, agent } = await openWorld({ isEnrolled: false })
  server.interfere = (_, answer) => {
    answer.destroy()
    return true
  }
  const lost = await agent('enrol', '--server', server.url, '--token', 'right')
  server.interfere = () => false

  const again = await agent('enrol', '--server', server.url, '--token', 'right')

  const keys = server.calls.map(({ body }) => (body as { enrolmentKey: string }).enrolmentKey)
  expect(lost).toMatchObject({ code: 1, output: expect.stringContaining('cannot be reached') })
  expect(again.code).toBe(0)
  expect(new Set(keys).size).toBe(1)
})

test('an enrolment that is refused or reaches no server is explained, and leaves no identity', async () => {
  const { server, agent, state } = await openWorld({ isEnrolled: false })

  const wrong = await agent('enrol', '--server', server.url, '--token', 'wrong')
  const taken = await agent('enrol', '--server', server.url, '--token', 'taken')
  const goneServer = await new FakeServer().open()
  await goneServer.close()
  const unreachable = await agent('enrol', '--server', goneServer.url, '--token', 'right')

  expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('for a new one') })
  expect(taken).toMatchObject({
    code: 1,
    output: expect.stringContaining('Ask an administrator for a re-enrolment code'),
  })
  expect(unreachable).toMatchObject({ code: 1, output: expect.stringContaining('ECONNREFUSED') })
  expect(existsSync(join(state, 'identity.json'))).toBe(false)
})

test('a computer does not leave its server by mistake', async () => {
  const { server, agent, state } = await openWorld()
  const before = await readFile(join(state, 'identity.json'), 'utf8')

  const { code, output } = await agent('enrol', '--server', `${server.url}/other`, '--token', 'right')

  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringContaining('Use --force to enrol it with another server'),
  })
  expect(await readFile(join(state, 'identity.json'), 'utf8')).toBe(before)
})

test('plain http to another host and invalid server URLs are refused', async () => {
  const { agent } = await openWorld({ isEnrolled: false })

  const plain = await agent('enrol', '--server', 'http://muster.example.org', '--token', 't')
  const none = await agent('enrol', '--server', 'muster', '--token', 't')

  expect(plain).toMatchObject({ code: 1, output: expect.stringContaining('Plain http exposes the credential') })
  expect(none).toMatchObject({ code: 1, output: expect.stringContaining('begins with https://') })
})

test('a server with a private certificate authority is trusted only with --ca, and from then on', async () => {
  const { agent, root, runOnce } = await openWorld({ isEnrolled: false })
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'muster' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  const server = await new FakeServer({ key, cert }).open()
  onTestFinished(() => server.close())
  await writeFile(join(root, 'ca.pem'), cert)

  const doubted = await agent('enrol', '--server', server.url, '--token', 'right')
  const trusted = await agent('enrol', '--server', server.url, '--token', 'right', '--ca', join(root, 'ca.pem'))
  await rm(join(root, 'ca.pem'))

  expect(doubted).toMatchObject({ code: 1, output: expect.stringContaining('certificate') })
  expect(trusted.code).toBe(0)
  expect(server.enrolments).toHaveLength(1)
  expect((await runOnce()).code).toBe(0)
})

test('a server is not trusted with a certificate of another authority when --ca pins one, although the system trusts it', async () => {
  const { agent, environment, root } = await openWorld({ isEnrolled: false })
  // With different names: of two authorities with one name, only one would be tried.
  const certificate = (name: string) =>
    generate([{ name: 'commonName', value: name }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    })
  const [own, other] = [await certificate('own'), await certificate('other')]
  const server = await new FakeServer({ key: own.private, cert: own.cert }).open()
  onTestFinished(() => server.close())
  await writeFile(join(root, 'system.pem'), own.cert)
  await writeFile(join(root, 'pinned.pem'), other.cert)
  await writeFile(join(root, 'both.pem'), `${other.cert}\n${own.cert}`)
  environment.SSL_CERT_FILE = join(root, 'system.pem')
  const enrol = (...options: string[]) => agent('enrol', '--server', server.url, '--token', 'right', ...options)

  const withoutPin = await enrol()
  const pinned = await enrol('--ca', join(root, 'pinned.pem'))
  const withBoth = await enrol('--ca', join(root, 'both.pem'))

  expect(pinned).toMatchObject({ code: 1, output: expect.stringContaining('certificate') })
  expect([withoutPin.code, withBoth.code]).toEqual([0, 0])
  expect(server.enrolments).toHaveLength(2)
})

test('an installer passes the token of the boot script, alone or as an address', async () => {
  const { server, agent } = await openWorld({ isEnrolled: false })
  const address = 'https://muster.example.org/boot/installation/the.boot.token'

  await agent('enrol', '--server', server.url, '--token', 'right', '--installation', address)
  await agent('enrol', '--server', server.url, '--token', 'right', '--installation', 'the.boot.token')
  await agent('enrol', '--server', server.url, '--token', 'right')

  expect(server.enrolments.map(({ installation }) => installation)).toEqual([
    'the.boot.token',
    'the.boot.token',
    undefined,
  ])
})

test('an agent in quarantine says that it must be confirmed', async () => {
  const { server, agent } = await openWorld({ isEnrolled: false })

  const { code, output } = await agent('enrol', '--server', server.url, '--token', 'doubted')

  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('an administrator must confirm') })
})

test('an agent that is not enrolled explains how to enrol', async () => {
  const { runOnce } = await openWorld({ isEnrolled: false })

  expect(await runOnce()).toMatchObject({ code: 1, output: expect.stringContaining('is not enrolled') })
})

test('a rejected credential is logged, and no work is lost', async () => {
  const { agent, state, server } = await openWorld()
  const identity = JSON.parse(await readFile(join(state, 'identity.json'), 'utf8'))
  await writeFile(join(state, 'identity.json'), JSON.stringify({ ...identity, credential: 'agent-7.revoked' }))

  const ended = await agent('run', '--once')

  expect(ended).toMatchObject({ code: 1, output: expect.stringContaining('401') })
  expect(server.contacts).toEqual([])
})

test('every command has --help, and mistakes are explained without a stack trace', async () => {
  const { agent, start } = await openWorld()

  const help = await Promise.all(
    ['enrol', 'run', 'status', 'offers', 'take', 'suspend', 'resume'].map((name) => agent(name, '--help')),
  )
  const mistakes = await Promise.all([
    start('fly').ended,
    agent('run', '--fast'),
    agent('take'),
    agent('suspend', '--mode', 'x'),
  ])

  for (const { code, output } of help) expect({ code, lines: output.length > 10 }).toEqual({ code: 0, lines: true })
  for (const { code, output } of mistakes) {
    expect(code).toBe(1)
    expect(output).not.toContain('    at ')
  }
})
