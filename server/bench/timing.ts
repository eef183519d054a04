import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Database } from '../src/database/connect.ts'
import type { DB } from '../src/database/tables.ts'
import type { AnyOperation, Call } from '../src/platform/operation.ts'

export type Statement = { text: string; values: unknown[] }

/** The statements that the handler of a read runs, without anything of the frame. */
export async function statementsOf(pool: pg.Pool, operation: AnyOperation, input: object): Promise<Statement[]> {
  const statements: Statement[] = []
  const db: Database = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      statements.push({ text: query.sql, values: [...query.parameters] })
    },
  })
  await operation.handle({ query: {}, ...input, db, request: { url: '/' }, setHeader: () => {} } as unknown as Call)
  return statements
}

export type Timing = { request: number | undefined; statement: number; frame: number }

/**
 * Median milliseconds of the request, of its statements alone and, where it is given, of a request that does nothing.
 * They take turns for a while, so that each meets the same machine and caches that another has filled.
 */
export async function timed(
  request: (() => Promise<void>) | undefined,
  statement: () => Promise<void>,
  milliseconds: number,
  frame?: () => Promise<void>,
): Promise<Timing> {
  const times: Record<keyof Timing, number[]> = { request: [], statement: [], frame: [] }
  const measure = async (run: () => Promise<void>, into: number[]) => {
    const start = performance.now()
    await run()
    into.push(performance.now() - start)
  }
  // What is compiled, planned or read from disk for the first time is not counted.
  await request?.()
  await statement()
  for (const end = performance.now() + milliseconds; performance.now() < end || times.statement.length < 7; ) {
    if (request) await measure(request, times.request)
    await measure(statement, times.statement)
    if (frame) await measure(frame, times.frame)
  }
  return {
    request: request && median(times.request),
    statement: median(times.statement),
    frame: median(times.frame),
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
