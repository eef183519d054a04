import type { Database } from '../../database/connect.ts'
import type { Principal } from './principals.ts'

export type Session = {
  /** Client id of a local principal, subject id of one of an identity provider. */
  subjectId: string
  /** Name of the identity provider, or null for a sign-in with client id and secret. */
  provider: string | null
  csrfToken: string
  idleExpiresAt: Date
  expiresAt: Date
}

export type NewSession = { principalId: number; provider: string | null; idToken?: string | undefined }

export type FoundSession = { principal: Principal; session: Session }

export type EndedSession = { provider: string | null; idToken: string | undefined }

/** Every method runs on the database handle that it is given: the pool, or the transaction of the caller. */
export type Sessions = {
  /** Stores a new session and returns the token for its cookie. */
  open(db: Database, session: NewSession): Promise<string>
  /** Finds a valid session of an active principal with a role, and records that it is in use. */
  find(db: Database, token: string): Promise<FoundSession | undefined>
  /**
   * The same for several tokens, in their order and in one statement. What an open page follows by itself is no use: it must
   * not keep the session of an absent person alive.
   */
  findAll(
    db: Database,
    tokens: readonly string[],
    options?: { recordsUse?: boolean },
  ): Promise<(FoundSession | undefined)[]>
  /** Deletes the session and returns what was stored about it. */
  end(db: Database, token: string): Promise<EndedSession | undefined>
  /** Deletes expired sessions and returns their number. */
  purgeExpired(db: Database): Promise<number>
}
