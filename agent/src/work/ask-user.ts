import type { Agent } from '../agent.ts'
import { describeWork, findUserTexts } from '../deadlines/texts.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import type { Answered } from '../platform/machine.ts'
import type { WorkItem } from '../protocol.ts'
import { storePostponement } from '../state/postponement.ts'
import { knownSettings, readSettings } from '../state/settings.ts'
import { storeChoice } from '../state/user-choices.ts'

/** How long a user who is asked postpones work, and how long a user who does not want that is left alone. */
const hourMs = 60 * 60_000
const answerMs = 60_000

/**
 * Asks the user whether the leased packages that may be postponed are to wait for an hour. A yes counts like the command
 * `postpone`, for all of them. Users who do not see notifications are asked only if the work itself wants that. Undefined: nobody
 * was asked.
 */
export async function askBeforeWork(agent: Agent, { isWanted = false } = {}): Promise<Answered | null | undefined> {
  const { platform, questions } = agent
  if (!platform.users.askToPostpone || performance.now() < questions.notBefore) return undefined
  if (!isWanted && !knownSettings(await readSettings(agent.state)).showNotifications) return undefined
  const subjects = agent.leasedItems.filter(({ package: subject, postponable }) => subject && postponable.remaining > 0)
  questions.notBefore = performance.now() + hourMs
  const texts = await findUserTexts(platform)
  return ask(agent, { text: texts.askBeforeWork(describeWork(subjects, texts)), items: subjects }, answerMs)
}

/** What a user is asked, and about which work items. */
type AskedQuestion = { text: string; items: readonly WorkItem[] }

/** Returns what the user has chosen; null if there is no answer. Later postpones work by an hour. */
export async function ask(agent: Agent, { text, items }: AskedQuestion, limitMs: number): Promise<Answered | null> {
  const { platform, state, stopping, questions } = agent
  // Whatever the server asks for, the screen of the user does not fill with questions.
  if (questions.isOpen) return null
  questions.isOpen = true
  const { later, now } = await findUserTexts(platform)
  const answer = platform.users
    .askToPostpone?.({ text, later, now }, limitMs)
    .catch((error: unknown) => {
      log(`The user could not be asked: ${messageOf(error)}`)
      return null
    })
    .finally(() => {
      questions.isOpen = false
    })
  if (!answer) questions.isOpen = false
  const answered = (await Promise.race([answer, aborted(stopping)])) ?? null
  if (answered?.answer !== 'Later') return answered
  const until = new Date(Date.now() + hourMs)
  await storePostponement(state, until, answered.user)
  // Work with a deadline reports the choice itself.
  if (items.some(({ userDeadline }) => !userDeadline))
    await storeChoice(state, answered.user, { kind: 'Postponed', untilUtc: until.toISOString() })
  log(`${answered.user} has postponed work by an hour.`)
  return answered
}

const aborted = (signal: AbortSignal) =>
  new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener('abort', () => resolve(null), { once: true })
  })
