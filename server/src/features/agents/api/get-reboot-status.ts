import { sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { formatIsoDuration } from '../iso-duration.ts'
import { RebootStatus } from './schemas.ts'

export const getRebootStatus = operation({
  id: 'getRebootStatus',
  route: 'GET /api/computer/:id/reboot-status',
  summary: 'Get the reboot status of a computer',
  description:
    'When the computer last started and whether its operating system needs a reboot, as of the last contact of its agent. A reboot that an operator has requested is not included.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(RebootStatus),
  problems: [computerNotFound],
  async handle({ params, db }) {
    const found = await db
      .selectFrom('computers')
      .leftJoin('agents', 'agents.computer_id', 'computers.id')
      .leftJoin('computer_contacts as contact', 'contact.computer_id', 'agents.computer_id')
      .where('computers.id', '=', params.id)
      .select([
        'computers.id as clientId',
        'agents.boot_at as lastReboot',
        // Never negative: the clock of a computer that has just started may be ahead of ours.
        sql<number | null>`greatest(0, floor(extract(epoch from contact.last_seen_at - agents.boot_at)))::bigint`.as(
          'uptime',
        ),
        sql<boolean>`coalesce(agents.is_reboot_required, false)`.as('rebootRequired'),
        'agents.reboot_required_source as rebootRequiredSource',
        'contact.last_seen_at as lastUpdated',
      ])
      .executeTakeFirst()
    if (!found) throw computerNotFound({ clientId: params.id })
    const isKnown = found.lastReboot !== null && found.lastUpdated !== null
    return { ...found, uptime: isKnown ? formatIsoDuration(found.uptime ?? 0) : null }
  },
})
