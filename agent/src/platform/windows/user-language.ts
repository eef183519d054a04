import type { SessionCalls } from './presentation.ts'

/** Of the languages that Windows numbers, those in which the agent speaks. */
const german = 0x07

/** The language of the user at the screen. Only a program in the session of the user knows it. */
export async function findUserLanguage(calls: Pick<SessionCalls, 'screenSession' | 'askInSession'>): Promise<string> {
  const session = calls.screenSession()
  if (session === undefined) return 'en'
  return (await calls.askInSession(session, 'user-language')) === german ? 'de' : 'en'
}
