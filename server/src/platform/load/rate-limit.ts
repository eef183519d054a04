import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database, Lane } from '../../database/connect.ts'
import { machineOf } from './networks.ts'

export type RateLimit = {
  /** Counts a request under each of the keys. The limit is exceeded if one of them has used up its minute. */
  count(keys: readonly [string, ...string[]]): Promise<Count>
  /**
   * Counts a request that presents the credentials of a client. A client is limited at each address on its own so that
   * failures lock nobody out who has the right secret: neither the same client at another address nor other clients at the
   * same one. An address is limited in the number of different clients.
   */
  countClient(address: string, client: string): Promise<Count>
}

/** Whether the limit is exceeded, and the headers that show the caller its state. */
export type Count = { exceeded: boolean; headers: Record<string, string> }

/** Sends the statements of the limiters to the database. */
export type RateLimitStore = { query(statement: pg.QueryConfig): Promise<pg.QueryResult> }

/** The key under which the requests of an address are counted. A machine must not have a limit for each of its addresses. */
export const addressKey = (address: string): string => `address ${machineOf(address)}`

const queryTimeout = 2_000
const pauseAfterFailure = 5_000
const windowSeconds = 60
/** The clocks of the nodes need not be equal to the second. */
const clockToleranceSeconds = 60

/**
 * Gives the database two seconds for a count. After a failure it is not asked again for some seconds, and each process
 * counts in its own memory: requests must not queue for a database that does not answer only to be counted.
 */
export function openRateLimitStore(signIn: Lane, logger?: FastifyBaseLogger): RateLimitStore {
  let pausedUntil = 0
  return {
    async query(statement) {
      if (Date.now() < pausedUntil) throw new Error('The database is not asked for counts at the moment.')
      try {
        return await signIn.query({ ...statement, query_timeout: queryTimeout })
      } catch (error) {
        if (Date.now() >= pausedUntil)
          logger?.warn({ err: error }, 'The database cannot count requests. Each process counts its own for a while.')
        pausedUntil = Date.now() + pauseAfterFailure
        throw error
      }
    },
  }
}

/** Opens the limit with this name. All nodes and workers that share a database count together. 0 switches it off. */
export function openRateLimit(store: RateLimitStore, name: string, requestsPerMinute: number): RateLimit {
  if (requestsPerMinute === 0) {
    const unlimited = async () => ({ exceeded: false, headers: {} })
    return { count: unlimited, countClient: unlimited }
  }
  const limits = { keyPrefix: name, points: requestsPerMinute, duration: windowSeconds }
  const limiter = new Limiter({
    ...limits,
    storeClient: store,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    // A key without requests left is refused from memory so that a flood of requests does not become one of statements.
    inMemoryBlockOnConsumed: requestsPerMinute,
    insuranceLimiter: new RateLimiterMemory(limits),
  })
  const toCount = (consumed: Consumed) => ({
    exceeded: consumed.exceeded,
    headers: rateLimitHeaders({ name, requestsPerMinute }, consumed),
  })
  return {
    async count([first, ...others]) {
      let tightest = await consume(limiter, first)
      for (const key of others) {
        // A request that one key refuses does not count against the keys after it.
        if (tightest.exceeded) break
        const next = await consume(limiter, key)
        if (next.exceeded || next.remaining < tightest.remaining) tightest = next
      }
      return toCount(tightest)
    },
    async countClient(address, client) {
      const ofMachine = addressKey(address)
      // A flood of invented clients must not become one of statements.
      const msUntilFree = limiter.msUntilFree(hashKey(ofMachine))
      if (msUntilFree > 0) return toCount(refusedFor(msUntilFree))
      const ofClient = await consume(limiter, `${ofMachine} client ${client}`)
      if (ofClient.exceeded || ofClient.consumed > 1) return toCount(ofClient)
      const ofAddress = await consume(limiter, ofMachine)
      return toCount(ofAddress)
    },
  }
}

class Limiter extends RateLimiterPostgres {
  // A method of the library that its types leave out.
  declare getInMemoryBlockMsBeforeExpire: (internalKey: string) => number

  /** How long this process refuses the key without asking the database; 0 if it does not. */
  msUntilFree(key: string): number {
    return this.getInMemoryBlockMsBeforeExpire(this.getKey(key))
  }
}

type Consumed = { exceeded: boolean; consumed: number; remaining: number; msBeforeReset: number }

const refusedFor = (msBeforeReset: number): Consumed => ({ exceeded: true, consumed: 0, remaining: 0, msBeforeReset })

async function consume(limiter: Limiter, key: string): Promise<Consumed> {
  const toConsumed = (exceeded: boolean) => (result: unknown) => {
    // A limiter rejects with its result if the limit is exceeded, and with an error if it failed.
    if (!(result instanceof RateLimiterRes)) throw result
    const { consumedPoints: consumed, remainingPoints: remaining, msBeforeNext: msBeforeReset } = result
    return { exceeded, consumed, remaining, msBeforeReset }
  }
  return limiter.consume(hashKey(key)).then(toConsumed(false), toConsumed(true))
}

/** As draft-ietf-httpapi-ratelimit-headers defines them: structured fields, with the name of the limit as its policy. */
function rateLimitHeaders(
  { name, requestsPerMinute }: { name: string; requestsPerMinute: number },
  { exceeded, remaining, msBeforeReset }: Consumed,
): Record<string, string> {
  const reset = String(Math.max(1, Math.ceil(msBeforeReset / 1000)))
  return {
    'ratelimit-policy': `"${name}";q=${requestsPerMinute};w=${windowSeconds}`,
    ratelimit: `"${name}";r=${remaining};t=${reset}`,
    ...(exceeded && { 'retry-after': reset }),
  }
}

/** Keys contain what clients send, of any length and with any character. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}

/** Deletes counts of past minutes and returns their number. Rows that are being counted are left to the next run. */
export async function purgeRateLimits(db: Database): Promise<number> {
  const expiredBefore = Date.now() - clockToleranceSeconds * 1000
  const { numAffectedRows } = await sql`
    delete from rate_limits where key in (
      select key from rate_limits where expire < ${expiredBefore} for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0)
}
