import type { Agent } from '../agent.ts'
import { messageOf } from '../expected-error.ts'
import { log } from '../log.ts'
import type { WorkItem, WorkKind } from '../protocol.ts'
import { storePostponement } from '../state/postponement.ts'
import { knownSettings, readSettings } from '../state/settings.ts'

/** How long a user who is asked postpones work, and how long a user who does not want that is left alone. */
const hourMs = 60 * 60_000
const answerMs = 60_000
const maxNamed = 3

const verbs: Partial<Record<WorkKind, string>> = { Uninstall: 'remove', Update: 'update', Reinstall: 'reinstall' }

/**
 * Asks the user whether the leased packages that may be postponed are to wait for an hour. A yes counts like the command
 * `postpone`, for all of them.
 */
export async function askBeforeWork(agent: Agent): Promise<void> {
  const { platform, questions } = agent
  if (!platform.users.askToPostpone || performance.now() < questions.notBefore) return
  if (!knownSettings(await readSettings(agent.state)).showNotifications) return
  const subjects = agent.leasedItems.filter(({ package: subject, postponable }) => subject && postponable.remaining > 0)
  questions.notBefore = performance.now() + hourMs
  await ask(agent, `Muster is about to ${describeWork(subjects)}. Do you want to postpone this by an hour?`, answerMs)
}

/** Returns whether the user has postponed work. Users who cannot be asked have not. */
export async function ask(agent: Agent, question: string, limitMs: number): Promise<boolean> {
  const { platform, state, stopping, questions } = agent
  // Whatever the server asks for, the screen of the user does not fill with questions.
  if (questions.isOpen) return false
  questions.isOpen = true
  const answer = platform.users
    .askToPostpone?.(question, limitMs)
    .catch((error: unknown) => {
      log(`The user could not be asked: ${messageOf(error)}`)
      return false
    })
    .finally(() => {
      questions.isOpen = false
    })
  if (!answer) questions.isOpen = false
  if (!(await Promise.race([answer, aborted(stopping)]))) return false
  await storePostponement(state, new Date(Date.now() + hourMs))
  log('The user has postponed work by an hour.')
  return true
}

const aborted = (signal: AbortSignal) =>
  new Promise<false>((resolve) => {
    if (signal.aborted) resolve(false)
    else signal.addEventListener('abort', () => resolve(false), { once: true })
  })

const maxShownLength = 80

/** The agent does not trust the server: a name must not look like a line of its own, or like more than a name. */
function toShown(text = ''): string {
  const visible = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
  return visible.length > maxShownLength ? `${visible.slice(0, maxShownLength).toWellFormed()}…` : visible
}

/** What is about to happen, in words. */
export function describeWork(items: readonly Pick<WorkItem, 'kind' | 'package'>[]): string {
  const named = items
    .slice(0, maxNamed)
    .map((item) => `${verbs[item.kind] ?? 'install'} ${toShown(item.package?.name)} ${toShown(item.package?.version)}`)
  const others = items.length - named.length
  return [...named, ...(others > 0 ? [`${others} more`] : [])].join(', ')
}
