import { visibleLine } from '@muster/text'
import { messageOf } from '../../expected-error.ts'
import { log } from '../../log.ts'
import { rememberFor } from '../common/remember-for.ts'
import type { UserAnswer, Users } from '../machine.ts'
import { isUserPresenting } from './presentation.ts'
import { sessionCalls } from './session-calls.ts'
import { findUserLanguage } from './user-language.ts'
import { askInSession, listSessions, type Session, showMessage } from './win32/sessions.ts'

const answerMs = 20_000
const languageMs = 10 * 60_000

/** What is asked of Windows. */
export type MessageCalls = {
  listSessions(): Session[]
  showMessage(session: number, title: string, text: string): void
  /** Yes means later, no means now. Null: no answer within the time limit. */
  askInSession(session: number, title: string, text: string, limitSeconds: number): Promise<UserAnswer | null>
}

const title = 'Muster'

export function messagesOver(calls: MessageCalls): Required<Pick<Users, 'loggedOn' | 'notify' | 'askToPostpone'>> {
  const active = () => calls.listSessions().filter(({ isActive }) => isActive)
  const notify = (message: string) => {
    for (const { id } of active()) calls.showMessage(id, title, visibleLine(message))
  }
  return {
    loggedOn: async () => calls.listSessions()[0]?.user ?? null,
    notify,
    async askToPostpone(question, limitMs) {
      const [only, ...others] = active()
      // One of several users must not decide for the others, but all of them are notified.
      if (!only || others.length > 0) {
        notify(question.text)
        return null
      }
      const seconds = Math.ceil(limitMs / 1000)
      const answer = await calls.askInSession(only.id, title, visibleLine(question.text), seconds)
      return answer && { answer, user: only.user }
    },
  }
}

export const users: Users = {
  ...messagesOver({ listSessions, showMessage, askInSession }),
  isPresenting: rememberFor(answerMs, () =>
    isUserPresenting(sessionCalls).catch((error: unknown) => {
      log(`Whether the user is presenting is unknown: ${messageOf(error)}`)
      return false
    }),
  ),
  language: rememberFor(languageMs, () =>
    findUserLanguage(sessionCalls).catch((error: unknown) => {
      log(`The language of the user is unknown: ${messageOf(error)}`)
      return 'en'
    }),
  ),
}
