import { type Answer, answerOf, isProblem } from '@muster/client'
import { visibleLine } from '@muster/text'
import { type Call, type ChangeQuery, changeQuery } from './command.ts'
import { CommandFailure } from './errors.ts'
import { formatCount } from './output/counts.ts'

type Send<T> = (query: ChangeQuery) => Promise<Answer<T>>

export type ConfirmedChange<T> = { answer: T /** How many computers it affects. */; computers: number }

/**
 * Makes a change that takes something from computers. If it affects more than those that were named, a person types their number
 * and a script states it with `--expect`. The service refuses the change if it affects another number.
 */
export async function makeConfirmed<T>(
  { options, terminal }: Call,
  { what, named = 0 }: { /** The change, as the subject of a sentence. */ what: string; named?: number },
  send: Send<T>,
): Promise<ConfirmedChange<T>> {
  const query = changeQuery(options)
  if (query.dryRun) {
    const { data, response } = await send(query)
    return { answer: data as T, computers: readAffected(response) }
  }
  if (query.expectedCount !== undefined) return { answer: await answerOf(send(query)), computers: query.expectedCount }
  const computers = await countAffected(send)
  const affects = visibleLine(`${what} affects ${formatCount(computers, 'computer')}`)
  if (computers > named) {
    if (!terminal.ask) throw new CommandFailure(`${affects}: repeat with --expect ${computers}.`)
    const answer = await terminal.ask(`${affects}. Type ${computers} to continue: `)
    if (answer.trim() !== String(computers)) throw new CommandFailure('Nothing was changed.')
  }
  return { answer: await answerOf(send({ expectedCount: computers })), computers }
}

/** Asks the service. A change that needs the approval of a second administrator is refused with the number, even in a dry run. */
async function countAffected(send: Send<unknown>): Promise<number> {
  try {
    return readAffected((await send({ dryRun: true })).response)
  } catch (error) {
    const count = isProblem(error) && error.code === 'ApprovalRequired' ? error.details.computerCount : undefined
    if (typeof count === 'number') return count
    throw error
  }
}

function readAffected({ headers }: Response): number {
  const count = Number(headers.get('muster-affected-computers') ?? Number.NaN)
  if (!Number.isInteger(count))
    throw new CommandFailure('The service does not say how many computers the change affects. Nothing was changed.')
  return count
}
