import type { FastifyBaseLogger } from 'fastify'

const hour = 3_600_000

export type HourlyJob = {
  /** What it does, as a sentence for the log when it has failed. */
  name: string
  /** Returns how much it has done. Every node does it, so that it must not matter if two do. */
  run(signal: AbortSignal): Promise<number>
}

/** Does the jobs once an hour until it is stopped, which waits for those under way. */
export function startHourly(jobs: readonly HourlyJob[], logger: FastifyBaseLogger): () => Promise<void> {
  const stopping = new AbortController()
  let round = Promise.resolve()
  async function runAll(): Promise<void> {
    for (const { name, run } of jobs) {
      if (stopping.signal.aborted) return
      try {
        const done = await run(stopping.signal)
        if (done > 0) logger.info({ job: name, done }, 'An hourly job has done something.')
      } catch (error) {
        logger.error({ err: error, job: name }, 'An hourly job has failed.')
      }
    }
  }
  const timer = setInterval(() => {
    round = round.then(runAll)
  }, hour)
  timer.unref()
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await round
  }
}
