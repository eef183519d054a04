import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import type { Database } from '../../database/connect.ts'

export type ServerKeys = {
  /** Keyed hash of a client secret. The secrets are random, so that one round is enough. */
  hashSecret(secret: string): Buffer
  /** A key for one use, which nobody can derive without both the server's key and the given text. */
  deriveKey(text: string): Buffer
  /** Seals secret values that the service must be able to read again. */
  valueKey(): Buffer
  /** To be called when the database was replaced by another one. */
  reload(): Promise<void>
}

/** Reads the keys of this installation, making them at the first start. */
export async function openServerKeys(db: Database): Promise<ServerKeys> {
  const load = async () => {
    const [secrets, answers, values] = await Promise.all([
      serverKey(db, 'secret-hash'),
      serverKey(db, 'idempotent-answers'),
      serverKey(db, 'secret-values'),
    ])
    // Node makes one of these for each hash otherwise, which takes four times as long as the hash.
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

async function serverKey(db: Database, purpose: string): Promise<Buffer> {
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
