import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { sql } from 'kysely'
import { lockForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'

export const signatureAlgorithm = 'EdDSA'

export type SigningKey = { id: string; privateKey: CryptoKey; publicKey: CryptoKey }

export type SigningKeys = {
  /** The newest key. */
  current(): SigningKey
  /** Any key that may still have signed a valid token, also one that another node made a moment ago. */
  find(id: string): Promise<SigningKey | undefined>
  /** Makes a new key when the newest has served its time, and forgets those that signed no valid token. */
  rotate(): Promise<void>
  reload(): Promise<void>
}

const minimumMsBetweenReloads = 1_000

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
      if (!newest) throw new Error('There is no signing key.')
      return newest
    },
    async find(id) {
      const known = keys.find((key) => key.id === id)
      // Garbage must not cost a statement each: an unknown key is looked for at most once a second.
      if (known || Date.now() - reloadedAt < minimumMsBetweenReloads) return known
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
  await db.transaction().execute(async (transaction) => {
    await lockForTransaction(transaction, 'signingKeyRotation')
    await sql`
      insert into signing_keys (private_key)
      select ${jwk}::jsonb
      where not exists (select from signing_keys where created_at > now() - interval '30 days')`.execute(transaction)
    // Two days are far more than the life of a token and the hour within which every node learns of a new key.
    await sql`
      delete from signing_keys old
      where exists (select from signing_keys new
        where new.created_at > old.created_at and new.created_at < now() - interval '2 days')`.execute(transaction)
  })
}
