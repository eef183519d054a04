import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { vi } from 'vitest'

/**
 * When the service looks after connections that were idle, or whose plans are old, and when it records the first use of a
 * principal, depends on the machine.
 */
const upkeep = /^(select 1|discard plans)$|\binto principal_uses\b/

export type SentStatement = { statement: unknown; client: pg.Client }

/** Whose statements are listed: not those of earlier work that goes on, and not what the service does by itself meanwhile. */
const listOfCaller = new AsyncLocalStorage<SentStatement[]>()

type Send = (...statement: unknown[]) => unknown

/** Runs the work, and lists the statements that are sent because of it. `onSend` may delay the sending of the last one. */
export async function watchStatements<T>(
  run: () => Promise<T>,
  onSend?: (sent: readonly SentStatement[]) => Promise<void> | undefined,
): Promise<{ result: T; sent: readonly SentStatement[] }> {
  const sent: SentStatement[] = []
  const query = pg.Client.prototype.query as Send
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...statement) {
    const send = () => query.apply(this, statement)
    if (listOfCaller.getStore() !== sent) return send()
    sent.push({ statement: statement[0], client: this })
    const delay = listOfCaller.exit(() => onSend?.(sent))
    return (delay ? delay.then(send) : send()) as never
  })
  try {
    return { result: await listOfCaller.run(sent, run), sent }
  } finally {
    spy.mockRestore()
  }
}

/** The statements that are sent because of the given work, in their order. */
export async function listStatements(run: () => Promise<unknown>): Promise<string[]> {
  const { sent } = await watchStatements(run)
  return sent
    .filter((one, at) => !sent.slice(0, at).some((earlier) => isRepetition(earlier, one)))
    .map(({ statement }) => textOf(statement))
    .filter((text) => !upkeep.test(text))
}

export async function countStatements(run: () => Promise<unknown>): Promise<number> {
  return (await listStatements(run)).length
}

/** Each request has a trace of its own. */
const trace = /(?<=muster\.traceparent = ')[^']+/

function textOf(statement: unknown): string {
  const text = typeof statement === 'string' ? statement : (statement as { text: string }).text
  return text.replace(trace, '…')
}

/** A prepared read that is slow, as on a busy machine, is sent again, mostly on another connection. It is the same read. */
function isRepetition(earlier: SentStatement, { statement, client }: SentStatement): boolean {
  return (
    (earlier.client !== client || isPrepared(statement)) &&
    JSON.stringify(earlier.statement) === JSON.stringify(statement)
  )
}

const isPrepared = (statement: unknown) => typeof statement === 'object' && statement !== null && 'name' in statement
