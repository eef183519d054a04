import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { credentialsOf, type DeviceCredentials } from './device-proof.ts'
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
 * before agent ids were stored. Returns what the device proves itself with from now on; undefined when the sender is neither:
 * to others, a known device adds nothing.
 *
 * No step adopts an agent id and adds a certificate. Anybody with a shared token could be the first to send an agent id, so an
 * adopted one never adds a certificate, which would open jobs: the device stays marked with `adopts_agent_id`, and a
 * sender with a certificate is another device, which a person confirms in quarantine. With a token for one device, that
 * token is the secret, and the next contact adds the certificate.
 */
export async function adoptProof(db: Database, sender: Sender): Promise<DeviceCredentials | undefined> {
  const { deviceId, token, certificateHash, agentIdHash } = sender
  if (!certificateHash && !agentIdHash) return undefined
  const adopts = sql`adopts_agent_id and agent_id_hash is null and ${agentIdHash !== null}`
  const isSameAgent = sql`agent_id_hash is not distinct from ${agentIdHash}::bytea`
  const { rows } = await sql<{ hasCertificate: boolean }>`
    update fusion_devices set certificate_hash = case when ${isSameAgent} then ${certificateHash}::bytea end, agent_id_hash = ${agentIdHash},
      address_epoch = address_epoch + 1
    where device_id = ${deviceId} and enrolment_token_id = ${token.tokenId} and certificate_hash is null
      and case when ${certificateHash === null} then ${adopts}
        when ${token.isForOneDevice} then ${isSameAgent} or ${adopts}
        else ${isSameAgent} and not adopts_agent_id and ${agentIdHash !== null} end
    returning certificate_hash is not null as "hasCertificate"`.execute(db)
  const [adopted] = rows
  return adopted && credentialsOf({ ...sender, certificateHash: adopted.hasCertificate ? certificateHash : null })
}
