import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import type { Database } from '../../database/connect.ts'

export type ServerKeys = {
  /** Keyed hash of a client secret. One round is enough, because secrets are random. */
  hashSecret(secret: string): Buffer
  /** Derives a key for one purpose. Deriving it requires both the server's key and the text. */
  deriveKey(text: string): Buffer
  /** The key for secret values that the service must be able to decrypt. */
  valueKey(): Buffer
  /** Reads the keys again. Call it after a restore, which replaces them. */
  reload(): Promise<void>
}

/** Reads the keys of this installation, and creates them at the first start. */
export async function openServerKeys(db: Database): Promise<ServerKeys> {
  const load = async () => {
    const [secrets, answers, values] = await Promise.all([
      ensureServerKey(db, 'secret-hash'),
      ensureServerKey(db, 'idempotent-answers'),
      ensureServerKey(db, 'secret-values'),
    ])
    // Without a key object, Node would create one for each hash, which takes four times as long as the hash.
    return [createSecretKey(secrets), createSecretKey(answers), values] as const
  }
  let [secrets, answers, values] = await load()
  return {
    hashSecret: (secret) => createHmac('sha256', secrets).update(secret).digest(),
    deriveKey: (text) => createHmac('sha256', answers).update(text).digest(),
    valueKey: () => values,
    async reload() {
      ;[secrets, answers, values] = await load()
    },
  }
}

async function ensureServerKey(db: Database, purpose: string): Promise<Buffer> {
  await db
    .insertInto('server_keys')
    .values({ purpose, key: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { key } = await db
    .selectFrom('server_keys')
    .select('key')
    .where('purpose', '=', purpose)
    .executeTakeFirstOrThrow()
  return key
}
