import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Sender } from './sender.ts'

/** Inserts a device that makes its first contact. */
export async function insertDevice(db: Database, sender: Sender): Promise<void> {
  await db
    .insertInto('fusion_devices')
    .values({
      device_id: sender.deviceId,
      enrolment_token_id: sender.token.tokenId,
      kind: sender.kind,
      version: sender.version,
      certificate_hash: sender.certificateHash,
      agent_id_hash: sender.agentIdHash,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Adds a certificate to a device that proves itself with a secret of its own, or an agent id to a device that was known
 * before agent ids were stored. Returns false when the sender is neither; to others, a known device adds nothing.
 */
export async function adoptProof(db: Database, sender: Sender): Promise<boolean> {
  const { deviceId, token, certificateHash, agentIdHash } = sender
  if (!certificateHash && !agentIdHash) return false
  const hasSecret = agentIdHash !== null || token.isForOneDevice
  const { numAffectedRows } = await sql`
    update fusion_devices set certificate_hash = ${certificateHash}, agent_id_hash = ${agentIdHash},
      adopts_agent_id = false, address_epoch = address_epoch + 1
    where device_id = ${deviceId} and enrolment_token_id = ${token.tokenId} and certificate_hash is null
      and (adopts_agent_id and agent_id_hash is null and ${agentIdHash !== null}
        or agent_id_hash is not distinct from ${agentIdHash}::bytea and ${hasSecret})`.execute(db)
  return numAffectedRows === 1n
}
