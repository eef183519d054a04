import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../server/test/database/embedded-postgres/muster.ts'
import { type Muster, startMuster } from '../../server/test/world/start-muster.ts'
import { enrolAgent } from './agents.ts'
import { assignTemplate } from './deployments.ts'

type Counts = { packageName: string; total: number; ready: number }

const bytes = 2_400_000
const kilobytesPerSecond = 400
const waitMs = 90_000

/** A package with one large file, which its command copies. */
async function importLarge(muster: Muster, name: string, byte: string): Promise<string> {
  const install = { shell: `mkdir -p "$MUSTER_EXAMPLE_ROOT" && cp large.bin "$MUSTER_EXAMPLE_ROOT/${name}"` }
  const manifest = { name, version: '1', operatingSystems: ['Linux'], kind: 'software', commands: { install } }
  await muster.write(`${name}/muster-package.json`, JSON.stringify(manifest))
  await muster.write(`${name}/large.bin`, byte.repeat(bytes))
  return muster.importFolder(name)
}

/** The sizes of large files, or of parts of them, that the agent has stored. */
async function storedSizes(root: string, folder: 'cache' | 'incoming'): Promise<number[]> {
  const path = join(root, '../state', folder)
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => stat(join(entry.parentPath, entry.name)).catch(() => null)),
  )
  return sizes.flatMap((found) => (found && found.size > 100_000 ? [found.size] : []))
}

test('a real agent has the files before the window opens, within its limit and across a kill, and removes those of withdrawn work', async () => {
  const muster = await startMuster()
  const groupId = await muster.group('Office')
  await assignTemplate(muster, groupId, {
    contactIntervalMinutes: 0.02,
    maxDownloadKilobytesPerSecond: kilobytesPerSecond,
  })
  const [large, withdrawn] = [await importLarge(muster, 'large', 'a'), await importLarge(muster, 'withdrawn', 'b')]
  const server = muster.service.address
  const token = await muster.enrolmentToken(groupId)
  const agent = await enrolAgent({ server, token, name: 'alpha', env: { MUSTER_AGENT_INVENTORY: 'off' } })
  const deploy = async (packageId: string, opensInSeconds: number) => {
    const from = new Date(Date.now() + opensInSeconds * 1_000).toISOString()
    await muster.put(`/api/group/${groupId}/distribution-options?packageId=${packageId}`, {
      ...{ commands: ['Install'], schedule: { from }, preDownload: true },
    })
    await muster.post(`/api/group/${groupId}/activation`, { software: true })
  }
  const readyOf = async (packageId: string) => {
    const [counts] = await muster.get<Counts[]>(`/api/pre-downloads?groupId=${groupId}&packageId=${packageId}`)
    return counts?.ready === 1 && counts
  }
  await muster.post(`/api/group/${groupId}/packages`, { packageId: large })
  await deploy(large, 86_400)

  const first = agent.run()
  const partOf = async () => (await storedSizes(agent.root, 'incoming'))[0]
  await until(async () => ((await partOf()) ?? 0) > bytes / 4, waitMs)
  await first.kill('SIGKILL')
  const kept = (await partOf()) ?? 0
  const startedAt = performance.now()
  const second = agent.run()
  let smallest = kept
  const counts = await until(async () => {
    smallest = Math.min(smallest, (await partOf()) ?? smallest)
    return readyOf(large)
  }, waitMs)
  const seconds = (performance.now() - startedAt) / 1_000

  expect(kept).toBeGreaterThan(bytes / 4)
  expect(kept).toBeLessThan(bytes)
  // Nothing is downloaded twice.
  expect(smallest).toBe(kept)
  expect(counts).toMatchObject({ packageName: 'large', total: 1, ready: 1 })
  const expected = (bytes - kept) / 1_000 / kilobytesPerSecond
  expect(seconds).toBeGreaterThan(expected * 0.95)
  expect(await storedSizes(agent.root, 'cache')).toEqual([bytes])
  const installed = () => readFile(join(agent.root, 'large'), 'utf8').catch(() => undefined)
  expect(await installed()).toBeUndefined()

  // A second package, which is taken back before its window opens.
  await muster.post(`/api/group/${groupId}/packages`, { packageId: withdrawn })
  await deploy(withdrawn, 86_400)
  await until(async () => ((await partOf()) ?? 0) > 0, waitMs)
  await muster.delete(`/api/group/${groupId}/packages/${withdrawn}`)
  await muster.post(`/api/group/${groupId}/activation`, { software: true })
  await until(async () => (await storedSizes(agent.root, 'incoming')).length === 0, waitMs)
  expect(await storedSizes(agent.root, 'cache')).toEqual([bytes])

  // The window opens. Downloading the file again would take six seconds.
  await deploy(large, 2)
  await until(installed, waitMs)
  const log = second.output()
  expect(log).toContain('The files of large 1 were downloaded before their time.')
  expect(await muster.get<Counts[]>(`/api/pre-downloads?groupId=${groupId}`)).toEqual([])
  expect(await second.kill('SIGTERM')).toEqual({ code: 0, signal: null })
}, 300_000)
