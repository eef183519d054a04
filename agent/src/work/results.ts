import type { Agent } from '../agent.ts'
import { takeChoices } from '../deadlines/choices.ts'
import { messageOf } from '../expected-error.ts'
import { removeUnlessUsed } from '../files/package-folder.ts'
import { log } from '../log.ts'
import {
  type ContactAnswer,
  type ContactResult,
  maxInContact,
  maxLength,
  type TrialReport,
  type WorkResult,
} from '../protocol.ts'
import { Refused, ServerUnavailable } from '../server-client.ts'
import type { FinishedEntry } from '../state/journal.ts'

/** Stores a result durably and reports it. If the server is unavailable, the journal keeps it for later. */
export async function finish(agent: Agent, entry: Omit<FinishedEntry, 'phase'>, folder?: string): Promise<void> {
  const workChoices = await takeChoices(agent, entry.workId)
  const result = { ...entry.result, ...(workChoices.length > 0 && { workChoices }) }
  const finished: FinishedEntry = { phase: 'finished', ...entry, result: fitToProtocol(result) }
  const { status, errorText } = finished.result
  removeLeasedItem(agent, entry.workId)
  const event = status === 'Failed' ? 'WorkFailed' : undefined
  log(`Work ${entry.workId}: ${status}${errorText ? `. ${errorText}` : ''}`, event)
  const isStored = await agent.journal.write(finished).then(
    () => true,
    (error: unknown) => {
      log(`Work ${entry.workId}: its result could not be stored. ${messageOf(error)}`)
      return false
    },
  )
  if (folder) await removeUnlessUsed(folder)
  const { terms, stopping, outbox } = agent
  // If even the reserved space is not enough, the server at least gets the result now.
  if (isStored && terms.takesResults && !stopping.aborted && fitsIntoContact(finished))
    outbox.sendSoon(() => reportWaiting(agent))
  else await report(agent, finished)
}

/**
 * A power command waits until its result is accepted, so its result is not part of a contact. That of a trial is too long for
 * one.
 */
function fitsIntoContact({ result, power }: FinishedEntry): boolean {
  return !power && !result.trial && result.output.length <= maxInContact.output
}

/** Reports the results that wait for a contact. The others are being reported by themselves. */
async function reportWaiting(agent: Agent): Promise<void> {
  for (const entry of await agent.journal.entries())
    if (entry.phase === 'finished' && fitsIntoContact(entry)) await report(agent, entry)
}

/** The results that a contact carries, and whether the server then has all of them. */
type ContactResults = { results: ContactResult[]; isComplete: boolean }

/**
 * Chooses the results that the next contact carries, oldest first. Results that do not fit into a contact are reported
 * before it.
 */
export async function takeContactResults(agent: Agent): Promise<ContactResults> {
  await agent.outbox.takeOver()
  const entries = (await agent.journal.entries()).filter((entry) => entry.phase === 'finished')
  for (const entry of entries) if (!fitsIntoContact(entry)) await report(agent, entry)
  const waiting = entries.filter(fitsIntoContact)
  const results: ContactResult[] = []
  let bytes = 0
  for (const { workId, result } of waiting) {
    bytes += Buffer.byteLength(JSON.stringify(result))
    if (results.length === maxInContact.results || bytes > maxInContact.bytes) break
    results.push({ workId, ...result })
  }
  return { results, isComplete: results.length === waiting.length }
}

/** Removes from the journal what the server has recorded of the sent results. It gets the others again at the next contact. */
export async function acknowledgeResults(
  { journal }: Agent,
  sent: readonly ContactResult[],
  { results = [] }: ContactAnswer,
): Promise<void> {
  const recorded = new Set(results.map(({ workId }) => workId))
  for (const { workId } of sent) if (recorded.has(workId)) await journal.remove(workId)
}

/** Removes the work item from the list, even if its result is not reported yet. */
export function removeLeasedItem({ leasedItems }: Agent, workId: number): void {
  const at = leasedItems.findIndex((item) => item.workId === workId)
  if (at >= 0) leasedItems.splice(at, 1)
}

/** Reports all results that the server may not know yet, oldest first. */
export async function reportFinished(agent: Agent): Promise<void> {
  for (const entry of await agent.journal.entries()) if (entry.phase === 'finished') await report(agent, entry)
}

async function report(agent: Agent, entry: FinishedEntry): Promise<void> {
  const accepted = await sendResult(agent, entry)
  if (accepted === undefined) return await agent.journal.setAside(entry.workId)
  // The power command needs the acceptance of the server: the work may have been cancelled.
  if (entry.power && accepted) await agent.journal.write({ phase: 'power', workId: entry.workId, ...entry.power })
  else await agent.journal.remove(entry.workId)
}

/** Returns whether the server accepted the result; undefined if it refuses it altogether. */
async function sendResult(agent: Agent, { workId, result }: FinishedEntry): Promise<boolean | undefined> {
  try {
    return (await agent.client.result(workId, result)).accepted
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.code === 'WorkNotFound') return false
    if (![400, 413, 422].includes(error.status))
      throw new ServerUnavailable(`The result of work ${workId} is kept. ${error.message}`, { cause: error })
    log(`Work ${workId}: the result is sent again without its texts. ${error.message}`)
    return sendResultWithoutTexts(agent, workId, result)
  }
}

async function sendResultWithoutTexts(agent: Agent, workId: number, result: WorkResult): Promise<boolean | undefined> {
  const errorText = result.status === 'Failed' ? 'The server refused the texts of this result.' : null
  // An earlier server does not know the choices of users. The report of a trial consists of texts.
  const { workChoices: _, trial: __, ...known } = result
  try {
    return (await agent.client.result(workId, { ...known, commandLine: null, output: '', errorText })).accepted
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    log(`Work ${workId}: the result is kept in the journal as ${workId}.refused. ${error.message}`)
    return undefined
  }
}

/** Truncates texts to the limits of the protocol and replaces NUL characters, which the server cannot store. */
function fitToProtocol(result: WorkResult): WorkResult {
  return {
    ...result,
    ...fitTexts(result),
    ...(result.trial && { trial: fitTrial(result.trial) }),
  }
}

function fitTexts({ commandLine, errorText }: Pick<WorkResult, 'commandLine' | 'errorText'>) {
  const clean = (text: string | null, limit: number) =>
    text === null ? null : text.replaceAll('\0', '\uFFFD').slice(0, limit).toWellFormed()
  return {
    commandLine: clean(commandLine, maxLength.commandLine),
    errorText: clean(errorText, maxLength.errorText),
  }
}

/** Anybody who may write files can choose the names of leftovers. */
function fitTrial({ steps, leftovers, ...counts }: TrialReport): TrialReport {
  return {
    ...counts,
    steps: steps.map((step) => ({
      ...step,
      ...fitTexts(step),
      output: step.output.slice(-maxLength.trialOutput).toWellFormed(),
    })),
    leftovers: leftovers.map(({ kind, name }) => ({
      kind,
      name: name
        .replaceAll(/\p{Cc}/gu, '\uFFFD')
        .toWellFormed()
        .slice(0, maxLength.leftover)
        .toWellFormed(),
    })),
  }
}
