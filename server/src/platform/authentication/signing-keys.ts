import { randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { KeyFile } from '../keys/key-file.ts'
import { listSigningKeys, lockAndProtectKeys, unwrapSigningKey, wrapSigningKey } from '../keys/protect-keys.ts'

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

export async function openSigningKeys(db: Database, keyFile: KeyFile | undefined): Promise<SigningKeys> {
  let keys: SigningKey[] = []
  let reloadedAt = 0
  let reloading: Promise<void> | undefined

  async function reload(): Promise<void> {
    reloading ??= loadSigningKeys(db, keyFile).then((loaded) => {
      keys = loaded
      reloadedAt = Date.now()
    })
    await reloading.finally(() => {
      reloading = undefined
    })
  }

  async function rotate(): Promise<void> {
    await rotateSigningKeys(db, keyFile)
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

async function loadSigningKeys(db: Database, keyFile: KeyFile | undefined): Promise<SigningKey[]> {
  // With a key file, a key without it was not stored by this service: its tokens must not be valid.
  const rows = (await listSigningKeys(db)).filter(({ key_file_id }) => key_file_id === (keyFile?.id ?? null))
  return Promise.all(
    rows.map(async (row) => {
      const jwk = unwrapSigningKey(row, keyFile) as JWK
      const { d: _, ...publicJwk } = jwk
      const [privateKey, publicKey] = await Promise.all([
        importJWK(jwk, signatureAlgorithm),
        importJWK(publicJwk, signatureAlgorithm),
      ])
      return { id: row.id, privateKey: privateKey as CryptoKey, publicKey: publicKey as CryptoKey }
    }),
  )
}

async function rotateSigningKeys(db: Database, keyFile: KeyFile | undefined): Promise<void> {
  const newest = sql<boolean>`exists (select from signing_keys where created_at > now() - interval '30 days'
    and key_file_id is not distinct from ${keyFile?.id ?? null})`
  await db.transaction().execute(async (tx) => {
    await lockAndProtectKeys(tx, keyFile)
    const { rows } = await sql<{ isRecent: boolean }>`select ${newest} as "isRecent"`.execute(tx)
    if (!rows[0]?.isRecent) await insertSigningKey(tx, keyFile)
    // Two days exceed the lifetime of tokens (one day at most) plus the hour until every node has read the new key.
    await sql`
      delete from signing_keys expired
      where exists (select from signing_keys newer
        where newer.created_at > expired.created_at and newer.created_at < now() - interval '2 days')`.execute(tx)
  })
}

/** Creates the key that signs from now on. The keys must be locked. */
export async function insertSigningKey(tx: Database, keyFile: KeyFile | undefined): Promise<string> {
  const { privateKey } = await generateKeyPair(signatureAlgorithm, { extractable: true })
  const id = randomUUID()
  await tx
    .insertInto('signing_keys')
    .values({ id, ...wrapSigningKey(id, await exportJWK(privateKey), keyFile) })
    .execute()
  return id
}
