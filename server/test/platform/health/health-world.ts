import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { getReadiness } from '../../../src/features/service/api/health/get-readiness.ts'
import { type HealthCheck, openHealth } from '../../../src/platform/health/health.ts'
import { openWorld } from '../../world/open-world.ts'

export type LogLine = { level: number; msg: string; check?: string }

/** A service whose readiness depends on the checks that a test gives. */
export async function openHealthWorld() {
  const world = await openWorld()
  const { app, withToken } = world
  return {
    ...world,
    /** Starts the checks in place of all others, until the end of the test. */
    startChecks(...checks: HealthCheck[]) {
      const lines: LogLine[] = []
      const health = openHealth(checks)
      Object.assign(app.services, { health })
      health.start(pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) }))
      onTestFinished(() => health.stop())
      return { health, lines }
    },
    /** What everybody sees. */
    async readiness() {
      const { status, raw, headers } = await withToken(undefined).call(getReadiness)
      return { headers, ...(raw as { status: string; checks: unknown[] }), httpStatus: status }
    },
  }
}
