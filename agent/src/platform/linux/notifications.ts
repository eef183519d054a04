import { visibleLine } from '@muster/text'
import type { Question, UserAnswer } from '../machine.ts'
import type { GraphicalSession } from './graphical-sessions.ts'
import { findTool, runInSession } from './run-in-session.ts'

const title = 'Muster'
const limitMs = 5_000
/** The process that asks ends by itself when the notification does. */
const graceMs = 2_000

/** Desktops read a part of HTML in the body of a notification. Names of packages must not become links or pictures. */
export function toBody(text: string): string {
  return visibleLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Shows a notification. Returns whether the desktop has taken it. */
export async function showNotification(session: GraphicalSession, text: string): Promise<boolean> {
  const body = toBody(text)
  const sent = ['notify-send', '--app-name=Muster', '--urgency=critical', '--', title, body]
  if ((await runInSession(session, sent, limitMs)) !== null) return true
  return (await runInSession(session, toGdbusCall(body), limitMs)) !== null
}

/** Where libnotify is missing. Its quotation keeps the text one argument of the call. */
function toGdbusCall(body: string): string[] {
  const [service, path] = ['org.freedesktop.Notifications', '/org/freedesktop/Notifications']
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  return [
    ...['gdbus', 'call', '--session', '--timeout', '4', '--dest', service, '--object-path', path],
    ...['--method', `${service}.Notify`, quoted('Muster'), '0', quoted(''), quoted(title), quoted(body)],
    ...['[]', "{'urgency': <byte 2>}", '0'],
  ]
}

/** Whether questions can have answers: only libnotify stays connected to the desktop until there is one. */
export async function canAsk(): Promise<boolean> {
  return (await findTool('notify-send')) !== undefined
}

/** Asks with two buttons. Null: no answer within the time limit, or the notification was closed. */
export async function askInNotification(
  session: GraphicalSession,
  question: Question,
  answerMs: number,
): Promise<UserAnswer | null> {
  const actions = [`--action=later=${visibleLine(question.later)}`, `--action=now=${visibleLine(question.now)}`]
  const sent = ['notify-send', '--app-name=Muster', '--urgency=critical', `--expire-time=${Math.ceil(answerMs)}`]
  const answer = await runInSession(
    session,
    [...sent, ...actions, '--', title, toBody(question.text)],
    answerMs + graceMs,
  )
  const chosen = answer?.trim()
  if (chosen === 'later') return 'Later'
  return chosen === 'now' ? 'Now' : null
}
