import { statfs } from 'node:fs/promises'
import type { Configuration } from '../configuration.ts'
import type { HealthCheck, HealthFinding } from './health.ts'

const megabyte = 1_048_576
/** PostgreSQL needs room for a few segments of its log, of 16 MB each, or it stops. */
const minFreeForDatabase = 64 * megabyte

const full: HealthFinding = { code: 'DiskFull', status: 'failed', detail: 'The disk with the data directory is full.' }
const low: HealthFinding = { code: 'DiskLow', status: 'warning', detail: 'A disk of the service has little room left.' }
const unreadable: HealthFinding = {
  code: 'PackageStoreUnreadable',
  status: 'warning',
  detail: 'The package store cannot be read.',
}

export type DiskSettings = Pick<
  Configuration,
  'databaseUrl' | 'dataDirectory' | 'packageStore' | 'minFreeDiskMegabytes'
>

/**
 * A full disk is a failure only where the embedded database is: without room in the package store, imports fail, and
 * everything else works.
 */
export function diskCheck(settings: DiskSettings, readFreeBytes = freeBytesOf): HealthCheck {
  const minFree = settings.minFreeDiskMegabytes * megabyte
  return {
    name: 'disk',
    intervalMs: 2_000,
    async run() {
      if (!settings.databaseUrl) {
        const free = await readFreeBytes(settings.dataDirectory)
        if (free < minFreeForDatabase) return full
        if (free < minFree) return low
      }
      try {
        return (await readFreeBytes(settings.packageStore)) < minFree ? low : undefined
      } catch (cause) {
        return { ...unreadable, cause }
      }
    },
  }
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
