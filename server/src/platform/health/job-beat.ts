import type { HealthCheck, HealthFinding } from './health.ts'

/** Signs of life of the process that runs jobs, which is the first one of a node with several workers. */
export type JobBeat = { record(): void; check: HealthCheck }

const maxAgeMs = 5_000
const missing: HealthFinding = { code: 'JobsNotRunning', status: 'failed', detail: 'Background jobs do not run.' }

export function openJobBeat(): JobBeat {
  let recordedAt = Number.NEGATIVE_INFINITY
  return {
    record() {
      recordedAt = performance.now()
    },
    check: {
      name: 'jobs',
      intervalMs: 1_000,
      run: async () => (performance.now() - recordedAt > maxAgeMs ? missing : undefined),
    },
  }
}
