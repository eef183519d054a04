import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../embedded-postgres/muster.ts'
import { onDatabaseOf, type RunningCommand, startBackup, startRestore, succeeded } from './commands.ts'
import { emptyDatabase, fillAuditTrail, migratedDatabase } from './databases.ts'
import { fingerprint } from './fingerprint.ts'

const entries = 110_000
const smallHeap = { nodeArguments: ['--max-old-space-size=64'] }

/** The most memory the process ever had, in bytes, with the buffers that no limit of the heap covers. */
async function peakMemory({ child, ended }: RunningCommand): Promise<number> {
  let peak = 0
  const watch = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => {
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024)
      },
      () => undefined,
    )
  }, 50)
  await ended.finally(() => clearInterval(watch))
  return peak
}

test.runIf(process.platform === 'linux')('memory does not grow with the data', { timeout: 180_000 }, async () => {
  const source = await migratedDatabase()
  await fillAuditTrail(source, entries)
  const target = await emptyDatabase()
  const file = join(await temporaryFolder(), 'muster.backup')

  const backup = startBackup(file, onDatabaseOf(source), smallHeap)
  const ofBackup = await peakMemory(backup)
  const saved = await succeeded(backup)
  const restore = startRestore(file, onDatabaseOf(target), [], smallHeap)
  const ofRestore = await peakMemory(restore)
  await succeeded(restore)

  const data = Number(/([\d.]+) MB in/.exec(saved)?.[1]) * 1e6
  expect(data).toBeGreaterThan(190e6)
  expect((await stat(file)).size).toBeGreaterThan(50e6)
  expect(ofBackup).toBeLessThan(180e6)
  expect(ofRestore).toBeLessThan(180e6)
  const [restored, original] = await Promise.all([fingerprint(target.pool), fingerprint(source.pool)])
  expect(restored).toEqual(original)
})
