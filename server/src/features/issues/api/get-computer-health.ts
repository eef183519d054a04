import { sql } from 'kysely'
import { preparedStatement } from '../../../database/prepared-statements.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { type SlowSchedule, slowSchedules } from '../../agents/agent-schedule.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { uuidOrEmpty } from '../../computers/computer-uuid.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { canonicalArchitecture } from '../../computers/spellings.ts'
import { healthOfComputer } from '../computer-health.ts'
import { EndpointHealth } from './health-schemas.ts'

export const getComputerHealth = operation({
  id: 'getComputerHealth',
  route: 'GET /api/computer/:id/health',
  summary: 'Get the health of a computer',
  description:
    'The health follows from the last contact of the agent and from the issues of the computer, by the default thresholds of the sweeps. The answer also identifies the computer, its hardware and its operating system.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(EndpointHealth),
  problems: [computerNotFound],
  async handle({ params, db }) {
    const [found] = await computerHealth(db, params.id)
    if (!found) throw computerNotFound({ clientId: params.id })
    return found
  },
})

const computerHealth = preparedStatement((db, id: number) => {
  const { agentStatus, healthStatus } = healthOfComputer()
  return db
    .selectFrom('computers')
    .leftJoin('computer_contacts as contact', 'contact.computer_id', 'computers.id')
    .leftJoin(sql<SlowSchedule>`(${slowSchedules()})`.as('schedule'), 'schedule.computer_id', 'computers.id')
    .leftJoin('agents', 'agents.computer_id', 'computers.id')
    .where('computers.id', '=', id)
    .select([
      'computers.id as clientId',
      'computers.name as hostname',
      'computers.domain',
      'computers.mac_address as macAddress',
      uuidOrEmpty('computers.uuid').as('uuid'),
      'contact.last_seen_at as lastSeenUtc',
      agentStatus.as('agentStatus'),
      healthStatus.as('healthStatus'),
      sql<string | null>`nullif(concat_ws(' ', computers.os_name, computers.os_edition), '')`.as('operatingSystem'),
      sql<string | null>`coalesce(computers.reported_ip_address, computers.ip_address)`.as('ipAddress'),
      'computers.manufacturer',
      'computers.model',
      canonicalArchitecture('computers.architecture').as('architecture'),
      'computers.inventory_at as inventoryDate',
      sql<boolean | null>`case
        when agents.computer_id is not null then true
        when contact.last_seen_at is null then false end`.as('agentInstalled'),
    ])
    .compile()
})
