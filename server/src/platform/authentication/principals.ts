import type { Database } from '../../database/connect.ts'

export type Principal = {
  id: number
  kind: 'local' | 'client' | 'user'
  /** Client id of a local principal; display name or subject id of a principal of an identity provider. */
  name: string
  roles: ReadonlySet<string>
}

export type PrincipalDirectory = {
  /** The principal as it is now; undefined if it is deleted, revoked or expired. */
  find(id: number): Promise<Principal | undefined>
  /** The same for a subject of an identity provider. If several kinds match, a user takes precedence. */
  findSubject(subject: Subject, tx?: Database): Promise<Principal | undefined>
}

export type Subject = { kinds: readonly Principal['kind'][]; subjectId: string; issuer: string }

export type LastUse = {
  /** Records that the principal makes a request. Returns at once; most calls write nothing. */
  record(principalId: number): void
}
