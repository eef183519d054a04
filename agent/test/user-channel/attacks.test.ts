import { spawnSync } from 'node:child_process'
import { lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowances } from '../../src/user-channel/allowance.ts'
import { until } from '../world.ts'
import { type Computer, isRoot, mia, noah, openComputer } from './users.ts'

const readAs = (user: number, path: string) => spawnSync('cat', [path], { uid: user, gid: user, encoding: 'utf8' })

describe.runIf(isRoot)('the local socket', () => {
  let computer: Computer
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    computer = await openComputer((end) => void ends.unshift(end))
    await computer.run()
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  test('nobody but the claimed account can read the secret of a challenge', async () => {
    const { ask } = await computer.connect()
    const { challenge } = (await ask({ account: String(mia) })) as { challenge: string }

    const [own, others] = [readAs(mia, challenge), readAs(noah, challenge)]

    expect(own.stdout).toMatch(/^[\da-f]{64}$/)
    expect(others).toMatchObject({ stdout: '', stderr: expect.stringContaining('Permission denied') })
    expect(await ask({ proof: own.stdout })).toEqual({ user: `uid ${mia}` })
  })

  test('a wrong proof ends the connection, and the challenge with it', async () => {
    const { ask } = await computer.connect()
    const { challenge } = (await ask({ account: '0' })) as { challenge: string }

    expect(await ask({ proof: '0'.repeat(64) })).toMatchObject({ refused: 'NotProven' })
    await expect(lstat(challenge)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('the secret of one connection proves nothing on another', async () => {
    const [one, other] = [await computer.connect(), await computer.connect()]
    const { challenge } = (await one.ask({ account: String(mia) })) as { challenge: string }
    await other.ask({ account: String(noah) })

    expect(await other.ask({ proof: await readFile(challenge, 'utf8') })).toMatchObject({ refused: 'NotProven' })
  })

  test.each([
    ['nothing that is proven', { verb: 'view' }],
    ['an account that is no number', { account: '../../etc' }],
    ['an account beyond all numbers', { account: '4294967295' }],
    ['no object', 7],
  ])('%s gets no answer', async (_, message) => {
    const { ask } = await computer.connect()

    await expect(ask(message)).rejects.toThrow()
  })

  test('a line without an end is not kept', async () => {
    const { socket, read } = await computer.connect()
    socket.write('x'.repeat(10_000))

    await expect(read()).rejects.toThrow('closed')
  })

  test('users can neither list nor change the folders of the channel', async () => {
    const attempts = [
      `ls ${computer.folder}/challenges`,
      `ln -s /etc/passwd ${computer.folder}/challenges/x`,
      `rm -f ${computer.socket}`,
      `mv ${computer.socket} ${computer.folder}/x`,
    ]

    for (const line of attempts) expect(spawnSync('sh', ['-c', line], { uid: mia, gid: mia }).status, line).not.toBe(0)
  })

  test('users cannot do what is for administrators', async () => {
    const { ask } = await proven(computer, mia)

    for (const verb of ['suspend', 'settings', 'trust-key', 'constructor', '__proto__'])
      expect(await ask({ verb }), verb).toMatchObject({ refused: 'InvalidRequest' })
  })

  test.each([
    ['take', {}],
    ['take', { packageId: 'x'.repeat(101) }],
    ['postpone', { untilUtc: 'soon' }],
    ['request', { wish: '', reason: '' }],
    ['request', { wish: 'two\nlines', reason: '' }],
    ['request', { wish: 'x'.repeat(201), reason: '' }],
    ['request', { wish: 'x', reason: 'a\0b' }],
  ])('an invalid %s is refused', async (verb, own) => {
    const { ask } = await proven(computer, 42_000 + Math.floor(Math.random() * 10_000))

    expect(await ask({ verb, ...own })).toMatchObject({ refused: 'InvalidRequest' })
  })

  test('a user who floods the agent is slowed down, and others are not', async () => {
    const flooder = await proven(computer, noah)
    const answers: Record<string, unknown>[] = []
    for (let round = 0; round < 15; round++)
      answers.push(await flooder.ask({ verb: 'request', wish: `${round}`, reason: '' }))
    const other = await proven(computer, mia)

    expect(answers.filter(({ refused }) => refused === 'TooManyRequests').length).toBeGreaterThanOrEqual(4)
    expect(await other.ask({ verb: 'view' })).toMatchObject({ user: `uid ${mia}` })
  })

  test('connections that prove nothing, and too many of one user, keep no other user out', async () => {
    for (let count = 0; count < 40; count++) await computer.connect()
    const own = []
    for (let count = 0; count < 8; count++) own.push(await proven(computer, noah))

    await expect(proven(computer, noah)).rejects.toThrow()
    expect(await computer.as(mia, 'status')).toMatchObject({ code: 0 })
    for (const { socket } of own) socket.destroy()
  })

  test('no challenge is left when all connections are closed', async () => {
    await until(async () => (await readdir(join(computer.folder, 'challenges'))).length === 0, 'the end of challenges')
  })
})

test.runIf(isRoot)('the agent serves nobody in a folder that others can change', async () => {
  const computer = await openComputer()
  await symlink(await computer.homeOf(mia), computer.folder)
  const running = await computer.run()

  expect(running.output()).toContain('is not a folder that only the account of the agent can change')
})

test.runIf(isRoot)('what a killed agent has left does not keep the next one from listening', async () => {
  const computer = await openComputer()
  const killed = await computer.run()
  await killed.kill()
  await writeFile(join(computer.folder, 'challenges', 'old'), 'x')
  await computer.run()

  expect(await computer.as(mia, 'status')).toMatchObject({ code: 0 })
  expect(await readdir(join(computer.folder, 'challenges'))).toEqual([])
})

test('an allowance is spent at once and grows again with time', () => {
  let now = 0
  const { spend } = allowances({ burst: 2, perSecond: 1 }, () => now)

  expect([spend('a'), spend('a'), spend('a'), spend('b')]).toEqual([true, true, false, true])
  now = 1_000
  expect([spend('a'), spend('a')]).toEqual([true, false])
})

/** A connection of a user. The test runs as root, which can read every challenge. */
async function proven(computer: Computer, user: number) {
  const connection = await computer.connect()
  const { challenge } = (await connection.ask({ account: String(user) })) as { challenge: string }
  const welcome = await connection.ask({ proof: await readFile(challenge, 'utf8') })
  if (!('user' in welcome)) throw new Error('The proof was refused.')
  return connection
}
