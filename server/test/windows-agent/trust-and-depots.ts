import { expect, test } from 'vitest'
import { FakeServer } from '../../../agent/test/fake-server.ts'
import { sha256 } from '../../../agent/test/given-work.ts'
import { generateSecretKey, signedWork } from '../../../agent/test/signed.ts'
import type { Wine } from '../../../agent/test/windows/wine.ts'
import { detectThere, openFakeServerWorld, quickInstall } from './fake-server-world.ts'

const [key, foreignKey] = [generateSecretKey(), generateSecretKey()]

/** Where files come from, and who must have signed them: the agent for Windows follows the rules of all agents. */
export function testTrustAndDepots(wine: Wine, executable: string): void {
  test('the agent for Windows downloads from a depot, without its credential', async () => {
    const { server, give, runOnce } = await openFakeServerWorld(wine, executable)
    const content = 'only the depot has it'
    const depot = await new FakeServer().open()
    depot.give({ files: { 'file.txt': content } })
    const workId = give({
      commands: { install: { shell: 'findstr depot file.txt' } },
      fileList: [{ path: 'file.txt', size: content.length, sha256: sha256(content) }],
      depots: [{ url: depot.url }],
    })

    await runOnce()
    await depot.close()

    expect(server.resultOf(workId)).toMatchObject({ status: 'Success', exitCode: 0 })
    expect(depot.calls.map(({ path }) => path)).toEqual([`/files/${sha256(content)}`])
  })

  test('the agent for Windows runs only what its pinned key has signed', async () => {
    const { server, give, start, runOnce, times } = await openFakeServerWorld(wine, executable)
    const manifest = { operatingSystems: ['Windows'], commands: { install: quickInstall, detect: detectThere } }
    const signed = (signer: typeof key) => ({
      ...signedWork(signer, 'runs', manifest),
      commands: {
        install: { ...quickInstall, timeLimitMinutes: 60 },
        detect: { ...detectThere, timeLimitMinutes: 60 },
      },
    })
    await start('trust-key', key.publicKey.text).ended
    const [unsigned, foreign, own] = [
      give({ commands: { install: quickInstall } }),
      give(signed(foreignKey)),
      give(signed(key)),
    ]

    await runOnce()

    const statuses = [unsigned, foreign, own].map((workId) => server.resultOf(workId)?.status)
    expect(statuses).toEqual(['Failed', 'Failed', 'Success'])
    expect(times('runs')).toBe(1)
  })
}
