import { open } from 'node:fs/promises'
import type { HealthCheck } from './health.ts'

/** A process that has used up its file descriptors cannot accept connections, read packages or replace connections. */
export const openFileCheck: HealthCheck = {
  name: 'files',
  intervalMs: 2_000,
  async run() {
    try {
      const file = await open(import.meta.filename)
      await file.close()
      return undefined
    } catch (cause) {
      return {
        code: 'FilesUnavailable',
        status: 'failed',
        detail: 'The service cannot open files or connections.',
        cause,
      }
    }
  },
}
