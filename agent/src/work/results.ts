import { rm } from 'node:fs/promises'
import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import { longest, type WorkResult } from '../protocol.ts'
import { Refused, ServerAway } from '../server-client.ts'
import type { FinishedEntry } from '../state/journal.ts'

/** Makes a result durable and tells it to the server. What the server does not hear now, it hears later. */
export async function finish(agent: Agent, entry: Omit<FinishedEntry, 'phase'>, folder?: string): Promise<void> {
  const finished: FinishedEntry = { phase: 'finished', ...entry, result: fitted(entry.result) }
  const { status, errorText } = finished.result
  removeOrder(agent, entry.workId)
  log(`Work ${entry.workId}: ${status}${errorText ? `. ${errorText}` : ''}`)
  // Not even the room that was kept for it is enough: then at least the server is to know.
  await agent.journal
    .write(finished)
    .catch((error: unknown) => log(`Work ${entry.workId}: its result cannot be written. ${messageOf(error)}`))
  if (folder) await rm(folder, { recursive: true, force: true })
  await report(agent, finished)
}

/** Nothing is left to do for it, even if the server does not hear of that now. */
export function removeOrder({ orders }: Agent, workId: number): void {
  const at = orders.findIndex((order) => order.workId === workId)
  if (at >= 0) orders.splice(at, 1)
}

/** Everything that ended before and the server may not know, the oldest work first. */
export async function reportFinished(agent: Agent): Promise<void> {
  for (const entry of await agent.journal.entries()) if (entry.phase === 'finished') await report(agent, entry)
}

async function report(agent: Agent, entry: FinishedEntry): Promise<void> {
  const accepted = await told(agent, entry)
  if (accepted === undefined) return await agent.journal.setAside(entry.workId)
  // Without the consent of the server the computer stays on: it may have been called off.
  if (entry.power && accepted) await agent.journal.write({ phase: 'power', workId: entry.workId, ...entry.power })
  else await agent.journal.remove(entry.workId)
}

/** Whether the result counts; undefined if the server cannot take it at all. */
async function told(agent: Agent, { workId, result }: FinishedEntry): Promise<boolean | undefined> {
  try {
    return (await agent.client.result(workId, result)).accepted
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.code === 'WorkNotFound') return false
    if (![400, 413, 422].includes(error.status))
      throw new ServerAway(`The result of work ${workId} is kept. ${error.message}`, { cause: error })
    log(`Work ${workId}: its result is told without its texts. ${error.message}`)
    return toldBriefly(agent, workId, result)
  }
}

async function toldBriefly(agent: Agent, workId: number, result: WorkResult): Promise<boolean | undefined> {
  const errorText = result.status === 'Failed' ? 'The server has refused the texts of this result.' : null
  try {
    return (await agent.client.result(workId, { ...result, commandLine: null, output: '', errorText })).accepted
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    log(`Work ${workId}: its result stays in the journal as ${workId}.refused. ${error.message}`)
    return undefined
  }
}

/** Within the limits of the protocol; a NUL fits into no text of the server. */
function fitted(result: WorkResult): WorkResult {
  const clean = (text: string | null, limit: number) =>
    text === null ? null : text.replaceAll('\0', '\uFFFD').slice(0, limit).toWellFormed()
  return {
    ...result,
    commandLine: clean(result.commandLine, longest.commandLine),
    errorText: clean(result.errorText, longest.errorText),
  }
}
