import type { Database } from '../../database/connect.ts'
import type { AgentKind } from '../agents/agent-kinds.ts'
import { quarantinedAgentNotFound } from './api/problems.ts'
import { deleteAgent, insertAgent, lockDevices } from './enrolled-agents.ts'
import { joinGroup, pinGroupOfToken } from './enrolment-tokens.ts'
import { completeIdentity } from './matching-computer.ts'
import { deleteClaims } from './quarantine.ts'

/** Makes an agent in quarantine the agent of the computer that it claims to run on, in place of the one it may have. */
export async function confirmClaim(db: Database, id: number): Promise<void> {
  const claim = await claimWithId(db, id).executeTakeFirst()
  if (!claim) throw quarantinedAgentNotFound({ id })
  const { computer_id: clientId, group_id: groupId } = claim
  await pinGroupOfToken(db, groupId)
  await lockDevices(db, clientId)
  await db.selectFrom('computers').select('id').where('id', '=', clientId).forNoKeyUpdate().execute()
  // Rejected or confirmed in the meantime.
  if (!(await claimWithId(db, id).executeTakeFirst())) throw quarantinedAgentNotFound({ id })
  await completeIdentity(db, clientId, { uuid: claim.uuid, macAddress: claim.mac_address })
  await joinGroup(db, groupId, clientId)
  await deleteClaims(db, clientId)
  await deleteAgent(db, clientId)
  await insertAgent(db, clientId, {
    keyHash: claim.enrolment_key_hash,
    secretHash: claim.secret_hash,
    tokenId: claim.enrolment_token_id,
    version: claim.version,
    platform: claim.platform,
    kind: claim.kind as AgentKind,
  })
}

function claimWithId(db: Database, id: number) {
  return db
    .selectFrom('quarantined_agents')
    .leftJoin('enrolment_tokens', 'enrolment_tokens.id', 'enrolment_token_id')
    .selectAll('quarantined_agents')
    .select('enrolment_tokens.group_id')
    .where('quarantined_agents.id', '=', id)
}
