import { type RawBuilder, sql } from 'kysely'
import type { Sender } from './sender.ts'

type Secrets = { tokenId: number; certificateHash: Buffer | null; agentIdHash: Buffer | null }

/**
 * What a device proves itself with, as the generated column `proof` has it: its certificate; otherwise its token, with the
 * id of the agent if it sends one.
 */
export function buildProof({ tokenId, certificateHash, agentIdHash }: Secrets): Buffer {
  if (certificateHash) return certificateHash
  const token = Buffer.alloc(4)
  token.writeInt32BE(tokenId)
  return Buffer.concat([token, agentIdHash ?? Buffer.alloc(0)])
}

/** The id and the proof of a device, in the form in which statements take it. */
export type DeviceCredentials = { deviceId: string; proof: string }

/** The columns of a `jsonb_to_record` that takes `DeviceCredentials`. */
export const credentialColumns = sql`"deviceId" text, proof text`

export function credentialsOf({
  deviceId,
  token: { tokenId },
  certificateHash,
  agentIdHash,
}: Sender): DeviceCredentials {
  return { deviceId, proof: buildProof({ tokenId, certificateHash, agentIdHash }).toString('hex') }
}

/**
 * Whether the row `device` of `fusion_devices` is the device of a record of `credentialColumns` with the alias
 * `presented`. A device whose computer has no agent any more is locked out: its enrolment was revoked.
 */
export function isOwnDevice(device: string, presented: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${device}.device_id`)} = ${sql.ref(`${presented}.deviceId`)}
    and ${sql.ref(`${device}.proof`)} = decode(${sql.ref(`${presented}.proof`)}, 'hex') and ${isEnrolled(device)}`
}

/** Whether the row `device` of `fusion_devices` has an agent for its computer, or no computer yet. */
export function isEnrolled(device: string): RawBuilder<boolean> {
  const computerId = sql.ref(`${device}.computer_id`)
  return sql<boolean>`(${computerId} is null or exists (select from agents where computer_id = ${computerId}))`
}

/**
 * Whether nobody else knows the secrets that the sender presents with every request. Requests for jobs carry no agent id,
 * so only a certificate or a token for one device counts.
 */
export function hasOwnSecret({ token, certificateHash }: Pick<Sender, 'token' | 'certificateHash'>): boolean {
  return certificateHash !== null || token.isForOneDevice
}
