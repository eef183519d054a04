import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { ServerKeys } from '../../platform/authentication/server-keys.ts'
import { insertLocalPrincipal, newSecret } from './principals.ts'

export type FirstAdministrator = {
  clientId: string
  /** Only where it was generated: it can be shown once and never read again. */
  generatedSecret: string | undefined
}

export type Wishes = { clientId: string | undefined; clientSecret: string | undefined }

/** Seeds the first principal, once in the life of an installation. Later calls change nothing and return undefined. */
export async function seedFirstAdministrator(
  db: Database,
  keys: ServerKeys,
  wishes: Wishes,
): Promise<FirstAdministrator | undefined> {
  return db.transaction().execute(async (transaction) => {
    const first = await transaction
      .updateTable('installation')
      .set({ bootstrapped_at: sql`now()` })
      .where('bootstrapped_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!first) return undefined
    const clientId = wishes.clientId ?? `admin-${randomBytes(4).toString('hex')}`
    const generatedSecret = wishes.clientSecret ? undefined : newSecret()
    await insertLocalPrincipal(transaction, keys, {
      clientId,
      secret: wishes.clientSecret ?? generatedSecret ?? '',
      description: 'First administrator, made when the service was installed',
      roles: ['admin.manage'],
      expiresAt: null,
      isProtected: true,
    })
    return { clientId, generatedSecret }
  })
}
