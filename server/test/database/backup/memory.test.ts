import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../embedded-postgres/muster.ts'
import { databaseEnvironment, type RunningCommand, startBackup, startRestore, waitForSuccess } from './commands.ts'
import { emptyDatabase, fillAuditTrail, migratedDatabase } from './databases.ts'
import { fingerprint, removeRestoreEntry } from './fingerprint.ts'

const entries = 70_000
const smallHeap = { nodeArguments: ['--max-old-space-size=64'] }

/** The peak memory of the process in bytes, including buffers outside the heap. */
async function peakMemory({ child, ended }: RunningCommand): Promise<number> {
  let peak = 0
  const timer = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => {
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024)
      },
      () => undefined,
    )
  }, 50)
  await ended.finally(() => clearInterval(timer))
  return peak
}

test.runIf(process.platform === 'linux')(
  'the memory of a backup and of a restore does not grow with the data',
  { timeout: 180_000 },
  async () => {
    const source = await migratedDatabase()
    await fillAuditTrail(source, entries)
    const target = await emptyDatabase()
    const file = join(await temporaryFolder(), 'muster.backup')

    const backup = startBackup(file, databaseEnvironment(source), smallHeap)
    const ofBackup = await peakMemory(backup)
    const saved = await waitForSuccess(backup)
    const restore = startRestore(file, databaseEnvironment(target), [], smallHeap)
    const ofRestore = await peakMemory(restore)
    await waitForSuccess(restore)

    const data = Number(/([\d.]+) MB in/.exec(saved)?.[1]) * 1e6
    expect(data).toBeGreaterThan(120e6)
    expect((await stat(file)).size).toBeGreaterThan(30e6)
    expect(ofBackup).toBeLessThan(180e6)
    expect(ofRestore).toBeLessThan(180e6)
    await removeRestoreEntry(target.pool)
    const [restored, original] = await Promise.all([fingerprint(target.pool), fingerprint(source.pool)])
    expect(restored).toEqual(original)
  },
)
