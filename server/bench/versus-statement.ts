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

export type Timing = { request: number | undefined; statement: number }

/** Median milliseconds of the request and of its statements alone, which take turns for a while. */
export async function timed(
  request: (() => Promise<void>) | undefined,
  statement: () => Promise<void>,
  milliseconds: number,
): Promise<Timing> {
  const times: { request: number[]; statement: number[] } = { request: [], statement: [] }
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
  }
  return { request: request && median(times.request), statement: median(times.statement) }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
