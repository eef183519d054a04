import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { trustKey } from '../src/commands/trust-key.ts'
import { linux } from '../src/platform/linux/index.ts'
import { mayRunUnsigned, pinKeysOfSettings, readPinnedKeys } from '../src/signing/pinned-keys.ts'
import { stateFolder } from '../src/state/state-folder.ts'
import { sha256 } from './given-work.ts'
import { linuxKind } from './shared/linux-kind.ts'
import { testTrust } from './shared/trust.ts'
import { generateSecretKey, leaving, signedWork, signKeyList } from './signed.ts'
import { openWorld, type World } from './world.ts'

const [key, nextKey, foreignKey] = [generateSecretKey(), generateSecretKey(), generateSecretKey()]

/** Sends settings with the next contact and lists the ids of the keys that are pinned then. */
async function keyIdsAfter({ server, state, runOnce }: World, values: Record<string, string>) {
  server.settings = { hash: sha256(JSON.stringify(values)), values }
  await runOnce()
  const { keys } = JSON.parse(await readFile(join(state, 'trusted-keys.json'), 'utf8')) as { keys: string[] }
  const known = [key, nextKey, foreignKey].map(({ publicKey }) => publicKey)
  return keys.map((text) => known.find((one) => one.text === text)?.keyId)
}

testTrust(linuxKind)

const idsIn = (output: string) => [...output.matchAll(/^([\dA-F]{16}) /gm)].map(([, id]) => id)

test('keys that are given at enrolment are pinned before the server answers, and unknown ones are an error', async () => {
  const world = await openWorld({ isEnrolled: false })
  const file = join(world.root, 'key.pub')
  await writeFile(file, `untrusted comment: minisign public key\n${nextKey.publicKey.text}\n`)
  const enrol = (token: string, ...keys: string[]) =>
    world.agent('enrol', '--server', world.server.url, '--token', token, ...keys.flatMap((one) => ['--trust-key', one]))

  const refused = await enrol('wrong', key.publicKey.text, file)
  const pinned = await world.agent('trust-key')
  const nonsense = await enrol('token', 'RWnonsense')
  const status = await world.agent('status')

  expect(refused.code).toBe(1)
  expect(idsIn(pinned.output)).toEqual([key.publicKey.keyId, nextKey.publicKey.keyId])
  expect(nonsense).toMatchObject({ code: 1, output: expect.stringContaining('neither a public key') })
  expect(status.output).toContain(`trusted keys:`)
  expect(status.output).toContain(key.publicKey.keyId)
})

test('an agent without keys pins those of its template before it does any work', async () => {
  const world = await openWorld()
  const { server, runOnce, left } = world
  server.settings = { hash: 'h', values: { trustedKeys: `${key.publicKey.text}\n` } }
  const workId = server.give({ commands: { install: leaving('trace') } })

  await runOnce()

  expect(server.resultOf(workId)).toMatchObject({ status: 'Failed' })
  expect(left('trace')).toBeUndefined()
  expect(idsIn((await world.agent('trust-key')).output)).toEqual([key.publicKey.keyId])
})

test('keys that an earlier version of the agent stored with its settings are pinned when the agent starts', async () => {
  const { server, state, runOnce, left } = await openWorld()
  server.settings = { hash: 'h', values: { trustedKeys: key.publicKey.text } }
  await writeFile(join(state, 'settings.json'), JSON.stringify(server.settings))
  server.give({ commands: { install: leaving('trace') } })

  await runOnce()

  expect(left('trace')).toBeUndefined()
})

/** The state folder of an agent, without a process, and the ids of the keys that are pinned after settings arrive. */
async function openState() {
  const root = await mkdtemp(join(tmpdir(), 'muster-agent-test-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const state = stateFolder(linux, root)
  const receive = async (values: Record<string, string>) => {
    await pinKeysOfSettings(state, { trustedKeys: null, trustedKeysSignature: null, ...values })
    return (await readPinnedKeys(state))?.keys.map(({ keyId }) => keyId)
  }
  return { state, receive }
}

test('the server cannot change or remove pinned keys: only a list that a pinned key has signed replaces them', async () => {
  const { state, receive } = await openState()
  await trustKey(state, [key.publicKey.text], [])
  const own = [key.publicKey.keyId]
  const listOf = (signer: typeof key, serial: number) => signKeyList([nextKey.publicKey], serial, signer)
  const mixed = { ...listOf(key, 3), trustedKeys: listOf(key, 3).trustedKeys?.replace(' 3', ' 4') ?? '' }

  expect(await receive({})).toEqual(own)
  expect(await receive({ trustedKeys: '' })).toEqual(own)
  expect(await receive({ trustedKeys: foreignKey.publicKey.text })).toEqual(own)
  expect(await receive(listOf(foreignKey, 5))).toEqual(own)
  expect(await receive(listOf(nextKey, 5))).toEqual(own)
  expect(await receive(listOf(key, 0))).toEqual(own)
  expect(await receive(mixed)).toEqual(own)
  expect(await receive(signKeyList([], 9, key))).toEqual(own)

  expect(await receive(listOf(key, 3))).toEqual([nextKey.publicKey.keyId])
})

test('a list of keys that was replaced cannot be used again', async () => {
  const { state, receive } = await openState()
  await trustKey(state, [key.publicKey.text], [])
  const both = [key.publicKey, nextKey.publicKey]
  await receive(signKeyList(both, 1, key))
  await receive(signKeyList([nextKey.publicKey], 2, nextKey))

  expect(await receive(signKeyList(both, 1, key))).toEqual([nextKey.publicKey.keyId])
  expect(await receive(signKeyList(both, 2, nextKey))).toEqual([nextKey.publicKey.keyId])
})

test('a person at the computer can add and remove keys', async () => {
  const { agent } = await openWorld()
  await agent('trust-key', key.publicKey.text, nextKey.publicKey.text)

  const left = await agent('trust-key', '--remove', key.publicKey.keyId.toLowerCase())
  const unknown = await agent('trust-key', '--remove', '0'.repeat(16))
  const none = await agent('trust-key', '--remove', nextKey.publicKey.keyId)

  expect(idsIn(left.output)).toEqual([nextKey.publicKey.keyId])
  expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('No pinned key has the id') })
  expect(none.output).toContain('No key is pinned')
})

test('an agent whose file of pinned keys is gone runs nothing and pins nothing until a person names the keys again', async () => {
  const world = await openWorld()
  const { server, state, agent, runOnce, left } = world
  const file = join(state, 'trusted-keys.json')
  await agent('trust-key', key.publicKey.text)
  await keyIdsAfter(world, signKeyList([key.publicKey], 4, key))
  await rm(file)
  server.settings = { hash: 'foreign', values: { trustedKeys: foreignKey.publicKey.text } }
  const workIds = [server.give({ commands: { install: leaving('ran') } }), server.give(signedWork(key, 'ran'))]

  const { code } = await runOnce()
  const status = await agent('status')
  const shown = await agent('trust-key')

  expect(code).toBe(0)
  for (const workId of workIds)
    expect(server.resultOf(workId)).toMatchObject({
      status: 'Failed',
      errorText: expect.stringContaining(`${file} is missing`),
    })
  expect(left('ran')).toBeUndefined()
  await expect(readFile(file)).rejects.toThrow('ENOENT')
  for (const { output } of [status, shown]) expect(output).toContain("'muster-agent trust-key KEY...'")

  await agent('trust-key', key.publicKey.text)
  server.give(signedWork(key, 'ran'))
  await runOnce()

  expect(left('ran')).toBe('done\n')
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ serial: 4, keys: [key.publicKey.text] })
})

test('an agent of an earlier version, which has pinned keys already, notices their loss as well', async () => {
  const { server, state, runOnce, left } = await openWorld()
  const file = join(state, 'trusted-keys.json')
  await writeFile(file, JSON.stringify({ serial: 0, keys: [key.publicKey.text] }))
  await runOnce()
  await rm(file)
  server.give({ commands: { install: leaving('ran') } })

  await runOnce()

  expect(left('ran')).toBeUndefined()
})

test('an agent that enrols with another server still knows that it has pinned keys', async () => {
  const { server, state, agent, runOnce, left } = await openWorld()
  await agent('trust-key', key.publicKey.text)
  const other = server.url.replace('127.0.0.1', 'localhost')
  await agent('enrol', '--server', other, '--token', 'right', '--force', '--uuid', 'none', '--mac', 'none')
  await rm(join(state, 'trusted-keys.json'))
  server.give({ commands: { install: leaving('ran') } })

  await runOnce()

  expect(left('ran')).toBeUndefined()
})

test('a key that a person has removed does not come back with a list that was signed before', async () => {
  const { state, receive } = await openState()
  const both = [key.publicKey, nextKey.publicKey]
  await trustKey(
    state,
    both.map(({ text }) => text),
    [],
  )
  await trustKey(state, [], [nextKey.publicKey.keyId])

  expect(await receive(signKeyList(both, 7, key))).toEqual([key.publicKey.keyId])
  expect(await receive(signKeyList([nextKey.publicKey], 8, key))).toEqual([key.publicKey.keyId])

  await trustKey(state, [nextKey.publicKey.text], [])
  expect(await receive({})).toEqual([key.publicKey.keyId, nextKey.publicKey.keyId])
})

test('a key that a person has removed does not come back with the template, even if it was the last one', async () => {
  const { state, receive } = await openState()
  const template = { trustedKeys: key.publicKey.text }
  await receive(template)

  await trustKey(state, [], [key.publicKey.keyId])

  expect(await receive(template)).toBeUndefined()
  expect(await mayRunUnsigned(state)).toBe(true)
  expect(await receive({ trustedKeys: `${key.publicKey.text}\n${nextKey.publicKey.text}` })).toEqual([
    nextKey.publicKey.keyId,
  ])
})

test('a signed list that changes nothing still ends the lists before it', async () => {
  const { state, receive } = await openState()
  await trustKey(state, [key.publicKey.text], [])
  await receive(signKeyList([key.publicKey], 5, key))

  expect(await receive(signKeyList([nextKey.publicKey], 4, key))).toEqual([key.publicKey.keyId])
})
