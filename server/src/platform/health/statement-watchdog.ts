import type { FastifyBaseLogger } from 'fastify'
import type { ConnectedDatabase } from '../../database/connect.ts'
import type { HealthCheck, HealthFinding } from './health.ts'

const maxSilenceMs = 5_000

const silence: HealthFinding = {
  code: 'StatementsUnanswered',
  status: 'failed',
  detail: 'The database has not answered any statement for several seconds.',
}

/**
 * Notices when statements or connections are awaited and no statement is answered, in any lane. Other checks send
 * statements all the time, so a single statement that takes long is not mistaken for silence.
 */
export function statementWatchdog(database: ConnectedDatabase, logger: FastifyBaseLogger): HealthCheck {
  let isSilent = false
  return {
    name: 'statements',
    intervalMs: 1_000,
    async run() {
      const silenceMs = database.millisecondsWithoutAnswer()
      const wasSilent = isSilent
      isSilent = silenceMs > maxSilenceMs
      if (!isSilent) return undefined
      if (!wasSilent)
        logger.error({ silenceMs: Math.round(silenceMs), lanes: usageOf(database) }, 'No statement has been answered.')
      return silence
    },
  }
}

function usageOf({ lanes }: ConnectedDatabase): Record<string, string> {
  const usage = Object.entries(lanes).map(([name, { pool }]) => {
    const inUse = pool.totalCount - pool.idleCount
    return [name, `${inUse} of ${pool.options.max} connections in use, ${pool.waitingCount} waiting`]
  })
  return Object.fromEntries(usage)
}
