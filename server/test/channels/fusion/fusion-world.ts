import { deflateSync, inflateSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Database } from '../../../src/database/connect.ts'
import { confirmQuarantinedAgent } from '../../../src/features/enrolment/api/confirm-quarantined-agent.ts'
import { listQuarantinedAgents } from '../../../src/features/enrolment/api/list-quarantined-agents.ts'
import type { Configuration } from '../../../src/platform/configuration.ts'
import { openAgentWorld } from '../agent/agent-world.ts'
import { sample } from './recorded-computer.ts'

export { deviceIdOf, fromComputer, sample } from './recorded-computer.ts'

export const samples = {
  prolog: sample('fi-prolog-request.xml').toString(),
  fusionInventory: sample('fi-inventory-request.xml').toString(),
  ocsProlog: sample('ocs-prolog-request.xml').toString(),
  contact: sample('glpi-contact-request.json').toString(),
  full: sample('glpi-inventory-full-request.json').toString(),
  partial: sample('glpi-inventory-partial-request.json').toString(),
  glpiXml: sample('glpi-xml-inventory-request.xml').toString(),
}

export const agents = {
  fusionInventory: { 'user-agent': 'FusionInventory-Agent_v2.6-3' },
  glpi: { 'user-agent': 'GLPI-Agent_v1.12-dev', 'glpi-agent-id': 'a994f3a4-e087-11f1-91be-a7280202bb80' },
  ocs: { 'user-agent': 'OCS-NG_unified_unix_agent_v2.10.0', 'content-type': 'application/x-compress' },
} satisfies Record<string, Record<string, string>>

export type Sent = { headers?: Record<string, string>; secret?: string; pack?: (body: string | Buffer) => Buffer }

/** A world with a secret for inventory agents. */
export async function openFusionWorld(configuration: Partial<Configuration> = {}) {
  const world = await openAgentWorld(configuration)
  const { app, db } = world
  const { token: secret, id: tokenId } = await world.enrolmentToken()

  /** Sends a message as an agent does: packed, with a content type that names only the packing. */
  async function post(
    body: string | Buffer,
    { headers = {}, secret: ownSecret = secret, pack = deflateSync }: Sent = {},
  ) {
    const answer = await app.http.inject({
      method: 'POST',
      url: `/agent/fusion/${ownSecret}`,
      headers: { 'content-type': 'application/x-compress-zlib', ...headers },
      payload: pack(Buffer.from(body)),
    })
    const isPacked = answer.rawPayload[0] === 0x78
    return {
      status: answer.statusCode,
      headers: answer.headers,
      raw: answer.rawPayload,
      text: (isPacked ? inflateSync(answer.rawPayload) : answer.rawPayload).toString(),
    }
  }

  const computerOf = (deviceId: string) => computerOfDevice(db, deviceId)

  /** Confirms the agents in quarantine that claim the computer. */
  async function allowTakeOver({ id }: { id: number }): Promise<void> {
    const administrator = world.as('admin.manage')
    const { items } = (await administrator.call(listQuarantinedAgents, { query: { top: 1000 } })).body
    for (const claim of items.filter(({ clientId }) => clientId === id))
      await administrator.call(confirmQuarantinedAgent, { params: { id: claim.id } })
  }

  return { ...world, secret, tokenId, post, computerOf, allowTakeOver }
}

/** The status for an agent that claims a computer which has another agent: it is in quarantine. */
export const takeOverRefused = 403

/** The computer of the device with this id. No operation shows which device a computer has. */
export async function computerOfDevice(db: Database, deviceId: string): Promise<{ id: number }> {
  const { rows } = await sql<{ id: number }>`
    select computer_id as id from fusion_devices where device_id = ${deviceId}
    order by computer_id is null limit 1`.execute(db)
  const [found] = rows
  if (!found) throw new Error(`No device has the id ${deviceId}.`)
  return found
}
