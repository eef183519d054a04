import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { sql } from 'kysely'
import { lockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'

export const signatureAlgorithm = 'EdDSA'

export type SigningKey = { id: string; privateKey: CryptoKey; publicKey: CryptoKey }

export type SigningKeys = {
  /** The newest key. */
  current(): SigningKey
  /** Finds a key that may have signed a valid token, including one that another node has just created. */
  find(id: string): Promise<SigningKey | undefined>
  /** Creates a new key if the newest is too old, and deletes keys whose tokens have all expired. */
  rotate(): Promise<void>
  /** Reads the keys again. Call it after a restore, which replaces them. */
  reload(): Promise<void>
}

const minMsBetweenReloads = 1_000

export async function openSigningKeys(db: Database): Promise<SigningKeys> {
  let keys: SigningKey[] = []
  let reloadedAt = 0
  let reloading: Promise<void> | undefined

  async function reload(): Promise<void> {
    reloading ??= loadSigningKeys(db).then((loaded) => {
      keys = loaded
      reloadedAt = Date.now()
    })
    await reloading.finally(() => {
      reloading = undefined
    })
  }

  async function rotate(): Promise<void> {
    await rotateSigningKeys(db)
    await reload()
  }

  await rotate()
  return {
    current() {
      const [newest] = keys
      if (!newest) throw new Error('No signing key exists.')
      return newest
    },
    async find(id) {
      const known = keys.find((key) => key.id === id)
      // Invalid tokens must not cost a statement each: unknown keys cause at most one read per second.
      if (known || Date.now() - reloadedAt < minMsBetweenReloads) return known
      await reload()
      return keys.find((key) => key.id === id)
    },
    rotate,
    reload,
  }
}

async function loadSigningKeys(db: Database): Promise<SigningKey[]> {
  const rows = await db.selectFrom('signing_keys').select(['id', 'private_key']).orderBy('created_at', 'desc').execute()
  return Promise.all(
    rows.map(async ({ id, private_key }) => {
      const { d: _, ...publicJwk } = private_key as JWK
      const [privateKey, publicKey] = await Promise.all([
        importJWK(private_key as JWK, signatureAlgorithm),
        importJWK(publicJwk, signatureAlgorithm),
      ])
      return { id, privateKey: privateKey as CryptoKey, publicKey: publicKey as CryptoKey }
    }),
  )
}

async function rotateSigningKeys(db: Database): Promise<void> {
  const { privateKey } = await generateKeyPair(signatureAlgorithm, { extractable: true })
  const jwk = JSON.stringify(await exportJWK(privateKey))
  await db.transaction().execute(async (tx) => {
    await lockForTransaction(tx, 'signingKeyRotation')
    await sql`
      insert into signing_keys (private_key)
      select ${jwk}::jsonb
      where not exists (select from signing_keys where created_at > now() - interval '30 days')`.execute(tx)
    // Two days exceed the lifetime of tokens (one day at most) plus the hour until every node has read the new key.
    await sql`
      delete from signing_keys expired
      where exists (select from signing_keys newer
        where newer.created_at > expired.created_at and newer.created_at < now() - interval '2 days')`.execute(tx)
  })
}
