import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { insertLocalPrincipal, newSecret } from './principals.ts'

export type FirstAdministrator = {
  principalId: number
  clientId: string
  /** Set if the secret was generated. It is not stored, so this is the only chance to show it. */
  generatedSecret: string | undefined
}

export type BootstrapCredentials = { clientId: string | undefined; clientSecret: string | undefined }

/** Creates the first principal, once per installation. Later calls change nothing and return undefined. */
export async function seedFirstAdministrator(
  db: Database,
  keys: ServerKeys,
  credentials: BootstrapCredentials,
): Promise<FirstAdministrator | undefined> {
  return db.transaction().execute(async (tx) => {
    const first = await tx
      .updateTable('installation')
      .set({ bootstrapped_at: sql`now()` })
      .where('bootstrapped_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!first) return undefined
    const clientId = credentials.clientId ?? `admin-${randomBytes(4).toString('hex')}`
    const generatedSecret = credentials.clientSecret ? undefined : newSecret()
    const principalId = await insertLocalPrincipal(tx, keys, {
      clientId,
      secret: credentials.clientSecret ?? generatedSecret ?? '',
      description: 'First administrator, created when the service was installed',
      roles: ['admin.manage'],
      expiresAt: null,
      isProtected: true,
    })
    return { principalId, clientId, generatedSecret }
  })
}
