import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { AgentStatus } from '../../agents/agent-status.ts'
import { isConnectedNow } from '../../computers/connected-now.ts'
import type { HealthStatus } from '../../issues/computer-health.ts'
import type { IssueName } from '../../issues/issues.ts'
import { groupsOf } from './groups-of-computer.ts'
import { type ComputerSort, sortKeyOfRow } from './sort.ts'

/** What the computer is for Muster. */
export type ComputerRole = 'Client' | 'DepotServer' | 'MasterServer'

/** Computers with what people see of them in the list, and the key by which they are sorted. */
export function fleetComputerRows(db: Database, sort: ComputerSort) {
  return db
    .selectFrom('computer_summaries as summary')
    .innerJoin('computers', 'computers.id', 'summary.computer_id')
    .leftJoin('computer_contacts', 'computer_contacts.computer_id', 'summary.computer_id')
    .leftJoin('agents', 'agents.computer_id', 'summary.computer_id')
    .leftJoin('bios_records', 'bios_records.computer_id', 'summary.computer_id')
    .select([
      'summary.computer_id as id',
      sortKeyOfRow(sort).as('sortKey'),
      'computers.name as hostname',
      'computers.domain',
      sql<ComputerRole>`computers.role`.as('role'),
      'summary.operating_system as operatingSystem',
      'summary.os_version as osVersion',
      'agents.logged_on_user as loggedOnUser',
      sql<string | null>`coalesce(computers.reported_ip_address, computers.ip_address)`.as('ipAddress'),
      'bios_records.serial_number as serialNumber',
      'computers.manufacturer',
      'summary.model',
      sql<HealthStatus>`summary.health_status`.as('healthStatus'),
      sql<AgentStatus>`summary.agent_status`.as('agentStatus'),
      'computer_contacts.last_seen_at as lastSeenUtc',
      isConnectedNow('summary.computer_id').as('connectedNow'),
      sql<IssueName[]>`summary.issues`.as('issues'),
      groupsOf('summary.computer_id').as('groups'),
    ])
}
