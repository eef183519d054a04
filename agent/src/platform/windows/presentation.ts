/**
 * A full-screen program, one that has the screen for itself, the presentation settings of Windows, and its quiet time: the
 * first hour of a new user.
 */
const presentations = [2, 3, 4, 6]

/** The exit code of `is-presenting` if the user is presenting. All other codes mean no, or that it failed. */
export const presentingCode = 10

export const isPresentation = (notificationState: number) => presentations.includes(notificationState)

/** What is asked of Windows. */
export type SessionCalls = {
  ownSession(): number
  /** The session at the screen of this computer; undefined while there is none. */
  screenSession(): number | undefined
  /** The notification state of the session of this process. */
  readState(): number
  /** Runs a command of the agent in a session, as its user. Returns its exit code. */
  askInSession(session: number, command: 'is-presenting' | 'user-language'): Promise<number | null>
}

/**
 * Whether the user at the screen is presenting. Windows answers this only to programs in the session of the user, and a
 * service is in another one. Users of remote sessions are not asked: each of them could delay the work of a server.
 */
export async function isUserPresenting(calls: SessionCalls): Promise<boolean> {
  const session = calls.screenSession()
  if (session === undefined) return false
  if (session === calls.ownSession()) return isPresentation(calls.readState())
  return (await calls.askInSession(session, 'is-presenting')) === presentingCode
}
