import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FakeServer } from '../fake-server.ts'
import { type GivenWork, sha256 } from '../given-work.ts'
import { generateSecretKey, signedWork } from '../signed.ts'
import type { AgentKind } from './agent-kind.ts'

const [key, foreignKey] = [generateSecretKey(), generateSecretKey()]

/** Where files come from, and who must have signed them. The same list for each kind of agent. */
export function testTrust({ name, open, scripts }: AgentKind): void {
  const install = { shell: scripts.append('run', 'runs') }
  const unsigned = { commands: { install } }
  const signedBy = (signer: typeof key): GivenWork => ({
    ...signedWork(signer, 'runs', { operatingSystems: [name], commands: { install } }),
    // Signed commands have the default limit.
    commands: { install: { ...install, timeLimitMinutes: 60 } },
  })

  test('files are downloaded from a depot, without the credential of the agent', async () => {
    const { server, give, runOnce, left } = await open()
    const content = 'only the depot has it'
    const depot = await new FakeServer().open()
    onTestFinished(() => depot.close())
    depot.give({ files: { 'file.txt': content } })
    const workId = give({
      commands: { install: { shell: name === 'Windows' ? 'copy file.txt "%ROOT%\\got"' : 'cp file.txt "$ROOT/got"' } },
      fileList: [{ path: 'file.txt', size: content.length, sha256: sha256(content) }],
      depots: [{ url: depot.url }],
    })

    await runOnce()

    expect(server.resultOf(workId)).toMatchObject({ status: 'Success', exitCode: 0 })
    expect(left('got')).toBe(content)
    expect(depot.calls.map(({ path }) => path)).toEqual([`/files/${sha256(content)}`])
    expect(depot.calls.map(({ authorization }) => authorization)).toEqual([undefined])
  })

  test('an agent with a pinned key runs only what this key has signed', async () => {
    const { server, give, agent, runOnce, times } = await open()
    await agent('trust-key', key.publicKey.text)
    const workIds = [give(unsigned), give(signedBy(foreignKey)), give(signedBy(key))]

    await runOnce()

    expect(workIds.map((workId) => server.resultOf(workId)?.status)).toEqual(['Failed', 'Failed', 'Success'])
    expect(times('runs')).toBe(1)
  })

  test('an agent without keys pins those of its template before it does any work, and keeps them', async () => {
    const { server, give, runOnce, times } = await open()
    server.settings = { hash: 'h', values: { trustedKeys: `${key.publicKey.text}\n` } }
    const workIds = [give(unsigned), give(signedBy(key))]

    await runOnce()

    expect(workIds.map((workId) => server.resultOf(workId)?.status)).toEqual(['Failed', 'Success'])
    expect(times('runs')).toBe(1)
  })

  test('an agent whose pinned keys cannot be read runs nothing', async () => {
    const { state, give, runOnce, times } = await open()
    await writeFile(join(state, 'trusted-keys.json'), '{ "keys": []')
    give(unsigned)
    give(signedBy(key))

    await runOnce()

    expect(times('runs')).toBe(0)
  })
}
