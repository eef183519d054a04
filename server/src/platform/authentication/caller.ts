import type { Principal } from './principals.ts'
import type { Session } from './sessions.ts'

export type Caller = {
  principal: Principal
  /** When the token or the session ends. */
  expiresAt: Date
  /** Set if the caller is signed in to the console. */
  session?: Session
  /**
   * The principal as it is now; undefined if it is deleted, revoked or expired, or if the session has ended. For what
   * lives longer than the check at the beginning of its request.
   */
  findPrincipal(): Promise<Principal | undefined>
}
