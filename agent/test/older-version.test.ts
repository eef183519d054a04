import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { selfUpdate } from '../src/commands/self-update.ts'
import { linux } from '../src/platform/linux/index.ts'
import { writePinnedKeys } from '../src/signing/pinned-keys.ts'
import { writeIdentity } from '../src/state/identity.ts'
import { stateFolder } from '../src/state/state-folder.ts'
import { isOlderVersion } from '../src/update/older-version.ts'
import { generateSecretKey } from './signed.ts'

const { publicKey } = generateSecretKey()

/** A computer with a launcher, and updates that are scripts of a given version. */
async function openComputer({ isPinned }: { isPinned: boolean }) {
  const root = await mkdtemp(join(tmpdir(), 'muster-agent-test-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('MUSTER_AGENT_VERSIONS', join(root, 'versions'))
  vi.stubEnv('MUSTER_WORK_ID', '7')
  const program = {
    ...linux.program,
    async extract(version: string, folder: string) {
      const path = join(folder, 'bin', 'muster-agent')
      await mkdir(join(folder, 'bin'))
      await writeFile(path, `#!/bin/sh\necho ${version.split('/').at(-1)}\n`)
      await chmod(path, 0o755)
      return path
    },
  }
  const state = stateFolder({ ...linux, program }, root)
  const identity = { server: 'https://muster.example.org', enrolmentKey: 'k', clientId: 7, credential: 'agent-7.x' }
  await writeIdentity(state, { ...identity, hasCertificates: false })
  if (isPinned) await writePinnedKeys(state, { serial: 0, keys: [publicKey], removedIds: [] })
  return {
    root,
    async update(version: string, allowOlder = false): Promise<string> {
      await writeFile(join(root, version), '')
      return selfUpdate(state, join(root, version), allowOlder).then(
        () => 'staged',
        (error: Error) => error.message,
      )
    },
    versions: () => readdir(join(root, 'versions')),
  }
}

test('an agent with pinned keys refuses an older version of itself, and leaves nothing of it', async () => {
  const { update, versions } = await openComputer({ isPinned: true })

  expect(await update('0.0.9')).toContain('older than')
  expect(await versions()).toEqual([])
  expect(await update('9.0.0')).toBe('staged')
})

test('an agent without pinned keys takes the version that the server gives it', async () => {
  expect(await (await openComputer({ isPinned: false })).update('0.0.9')).toBe('staged')
})

test('a person at the computer can return to an older version, and the command of a package cannot', async () => {
  const { update } = await openComputer({ isPinned: true })

  expect(await update('0.0.9', true)).toContain('older than')
  vi.stubEnv('MUSTER_WORK_ID', '')
  expect(await update('0.0.9')).toContain('older than')
  expect(await update('0.0.9', true)).toBe('staged')
})

test('an agent that has lost its pinned keys refuses every version', async () => {
  const { root, update } = await openComputer({ isPinned: true })
  await rm(join(root, 'trusted-keys.json'))

  expect(await update('9.0.0')).toContain('trusted-keys.json is missing')
})

test.each([
  ['1.2.0', '1.10.0', true],
  ['1.10.0', '1.2.0', false],
  ['1.2.0', '1.2.0', false],
  ['1.2.0-rc1', '1.2.0', true],
  ['1.2.0', '1.2.0-rc1', false],
  ['1.2.0-rc1', '1.2.0-rc2', true],
  ['1.2.0~beta', '1.2.0', true],
  ['1.2.0+build5', '1.2.0', false],
  ['1.2', '1.2.1', true],
])('whether %s is older than %s: %s', (version, than, isOlder) => {
  expect(isOlderVersion(version, than)).toBe(isOlder)
})
