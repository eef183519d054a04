import { visibleLine } from '@muster/text'
import { messageOf } from '../../expected-error.ts'
import { log } from '../../log.ts'
import type { Users } from '../machine.ts'
import { isUserPresenting, rememberFor } from './presentation.ts'
import { sessionCalls } from './session-calls.ts'
import { askInSession, listSessions, type Session, showMessage } from './win32/sessions.ts'

const answerMs = 20_000

/** What is asked of Windows. */
export type MessageCalls = {
  listSessions(): Session[]
  showMessage(session: number, title: string, text: string): void
  /** Returns whether the user has answered with yes within the time limit. */
  askInSession(session: number, title: string, text: string, limitSeconds: number): Promise<boolean>
}

const title = 'Muster'

export function messagesOver(calls: MessageCalls): Required<Pick<Users, 'loggedOn' | 'notify' | 'askToPostpone'>> {
  const active = () => calls.listSessions().filter(({ isActive }) => isActive)
  return {
    loggedOn: async () => calls.listSessions()[0]?.user ?? null,
    notify(message) {
      for (const { id } of active()) calls.showMessage(id, title, visibleLine(message))
    },
    async askToPostpone(question, limitMs) {
      const [only, ...others] = active()
      // One of several users must not decide for the others.
      if (!only || others.length > 0) return false
      return calls.askInSession(only.id, title, visibleLine(question), Math.ceil(limitMs / 1000))
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
}
