import { type RawBuilder, sql } from 'kysely'

/** How a device authenticates, in the form in which statements take it. */
export type DeviceCredentials = { deviceId: string; tokenId: number; isOpen: boolean; certificateHash: string | null }

/** The columns of a `jsonb_to_record` that takes `DeviceCredentials`. */
export const credentialColumns = sql`"deviceId" text, "tokenId" integer, "isOpen" boolean, "certificateHash" text`

type Presented = {
  tokenId: RawBuilder<number>
  isOpen: RawBuilder<boolean>
  certificateHash: RawBuilder<Buffer | null>
}

/**
 * Whether the row `device` of `fusion_devices` may connect: with its own token, or with any token that still admits new
 * devices; and with its own certificate, if it has one.
 */
export function canConnect(device: string, { tokenId, isOpen, certificateHash }: Presented): RawBuilder<boolean> {
  const [ownTokenId, ownHash] = [sql.ref(`${device}.enrolment_token_id`), sql.ref(`${device}.certificate_hash`)]
  return sql<boolean>`(${ownTokenId} = ${tokenId} or ${isOpen})
    and (${ownHash} is null or ${ownHash} is not distinct from ${certificateHash})`
}

/** The same for credentials in a record of `credentialColumns` with the alias `presented`. */
export function canConnectWith(device: string, presented: string): RawBuilder<boolean> {
  return canConnect(device, {
    tokenId: sql.ref(`${presented}.tokenId`),
    isOpen: sql.ref(`${presented}.isOpen`),
    certificateHash: sql`decode(${sql.ref(`${presented}.certificateHash`)}, 'hex')`,
  })
}
