import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { visibleLine } from '@muster/text'
import { messageOf } from '../../expected-error.ts'
import { log } from '../../log.ts'
import { rememberFor } from '../common/remember-for.ts'
import type { Users } from '../machine.ts'
import { isBusy } from './full-screen.ts'
import { type GraphicalSession, listGraphicalSessions } from './graphical-sessions.ts'
import { askInNotification, canAsk, showNotification } from './notifications.ts'

const run = promisify(execFile)
const answerMs = 20_000

/** The users of desktops, and of terminals where there is none. */
export function usersOver(listSessions: () => Promise<GraphicalSession[]>): Required<Users> {
  const sessionsOrNone = () =>
    listSessions().catch((error: unknown) => {
      log(`The sessions of users cannot be listed: ${messageOf(error)}`)
      return []
    })

  /** Desktops get notifications. Without one, the message goes to the terminals; work continues even if `wall` is missing. */
  async function notifyAll(message: string): Promise<void> {
    const taken = await Promise.all((await sessionsOrNone()).map((session) => showNotification(session, message)))
    if (!taken.includes(true)) execFile('wall', [visibleLine(message)], () => undefined)
  }

  return {
    async loggedOn() {
      const { stdout } = await run('who', [], { timeout: 5_000 }).catch(() => ({ stdout: '' }))
      const named = /^\S+/.exec(stdout)?.[0]
      if (named !== undefined) return named
      // A desktop without an entry in utmp, which newer systems do not have.
      const [session] = await sessionsOrNone()
      return session ? findUserName(session.uid) : null
    },
    notify: (message) => void notifyAll(message).catch((error: unknown) => log(messageOf(error))),
    async askToPostpone(question, limitMs) {
      const [only, ...others] = await sessionsOrNone()
      // One of several users must not decide for the others, but all of them are notified.
      const isAsked = only && others.length === 0 && (await canAsk())
      if (isAsked) {
        const answer = await askInNotification(only, question, limitMs)
        return answer && { answer, user: await findUserName(only.uid) }
      }
      await notifyAll(question.text)
      return null
    },
    isPresenting: rememberFor(answerMs, async () =>
      (await Promise.all((await sessionsOrNone()).map((session) => isBusy(session)))).includes(true),
    ),
    async language() {
      const [session] = await sessionsOrNone()
      return toLanguage(session?.environment ?? process.env)
    },
  }
}

export const users = usersOver(() => listGraphicalSessions())

async function findUserName(uid: number): Promise<string> {
  const { stdout } = await run('id', ['-nu', '--', String(uid)], { timeout: 5_000 }).catch(() => ({ stdout: '' }))
  return stdout.trim() || String(uid)
}

/** The language of messages, in the order in which programs look for it: LANGUAGE counts wherever the locale has a language. */
function toLanguage({ LANGUAGE, LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): string {
  const locale = LC_ALL || LC_MESSAGES || LANG || ''
  const hasLanguage = !/^(C|POSIX)?(\.|$)/.test(locale)
  const name = (hasLanguage && LANGUAGE?.split(':')[0]) || locale
  return /^[a-z]{2,3}(?=[_.@]|$)/.exec(name)?.[0] ?? 'en'
}
