import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { effectiveForComputer } from '../../assignments/effective-for-computer.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { isOpenWork } from '../../work-states/work-states.ts'
import type { AgentKind } from '../agent-kinds.ts'
import { findExpectedContact } from '../expected-contacts.ts'
import { contactMinutes, isFollowed, settingsHash, templateSettings } from '../settings.ts'
import { UemAgentInfo } from './uem-agent-schemas.ts'

export const getUemAgent = operation({
  id: 'getUemAgent',
  route: 'GET /api/computer/:id/uem-agent',
  summary: 'Get the desired and the actual state of the agent of a computer',
  description:
    'Compares the effective agent template with the settings that the agent runs with, and summarises its work of the last 24 ' +
    'hours. A template that is not released counts only for agents that already run with it. Without a template, no agent is ' +
    'out of sync.',
  role: 'computer.read',
  params: ComputerPath,
  returns: ok(UemAgentInfo),
  problems: [computerNotFound],
  async handle({ params: { id: clientId }, db }) {
    const [found, work] = [await findAgent(db, clientId), await countWork(db, clientId)]
    if (!found) throw computerNotFound({ clientId })
    const { enrolledAtUtc, lastContactUtc } = found
    const { templateId, templateName, templateVersion, settingsHash } = found
    const { nextWorkNotBeforeUtc, ...counts } = work
    const { agentKind, agentVersion, platform, runsWithSettingsHash, loggedOnUser, stateChangedUtc } = found
    const contactIntervalMinutes = contactMinutes(found.settings.contactIntervalMinutes)
    const { duplicateIdentitySeenUtc, suspensionMode, suspendedUntilUtc } = found
    return {
      clientId,
      outOfSync: enrolledAtUtc && templateId !== null && runsWithSettingsHash !== settingsHash,
      desiredState: {
        templateId,
        templateName,
        templateVersion,
        settingsHash,
        contactIntervalMinutes,
      },
      inventory: enrolledAtUtc && {
        agentKind: agentKind ?? 'Muster',
        agentVersion,
        platform,
        enrolledAtUtc,
        runsWithSettingsHash,
        loggedOnUser,
        stateChangedUtc,
        duplicateIdentitySeenUtc,
      },
      dailyStatus: lastContactUtc && { lastContactUtc, suspensionMode, suspendedUntilUtc, ...counts },
      pollingWindows: {
        intervalMinutes: contactIntervalMinutes,
        nextContactExpectedUtc: (await findExpectedContact(db, clientId))?.at ?? null,
        nextWorkNotBeforeUtc,
      },
    }
  },
})

/** The computer with its agent and the effective template that it follows, either of which may be missing. */
async function findAgent(db: Database, computerId: number) {
  const settings = templateSettings('template')
  return db
    .selectFrom('computers')
    .leftJoin('agents', 'agents.computer_id', 'computers.id')
    .leftJoin('computer_contacts as contact', 'contact.computer_id', 'agents.computer_id')
    .leftJoin(effectiveForComputer('agentTemplate', computerId), 'effective.owner_id', 'computers.id')
    .leftJoin('packages as template', (join) =>
      join.onRef('template.id', '=', 'effective.object_id').on(isFollowed('template', 'agents')),
    )
    .where('computers.id', '=', computerId)
    .select([
      'template.id as templateId',
      'template.name as templateName',
      'template.version as templateVersion',
      settings.as('settings'),
      settingsHash(settings).as('settingsHash'),
      sql<AgentKind | null>`agents.kind`.as('agentKind'),
      'agents.version as agentVersion',
      'agents.platform',
      'agents.enrolled_at as enrolledAtUtc',
      'agents.settings_hash as runsWithSettingsHash',
      'agents.logged_on_user as loggedOnUser',
      'agents.state_changed_at as stateChangedUtc',
      'agents.duplicate_seen_at as duplicateIdentitySeenUtc',
      sql<'Suspended' | 'PresentationMode' | 'MaintenanceMode' | null>`agents.suspension_mode`.as('suspensionMode'),
      'agents.suspended_until as suspendedUntilUtc',
      'contact.last_seen_at as lastContactUtc',
    ])
    .executeTakeFirst()
}

async function countWork(db: Database, computerId: number) {
  const { rows } = await sql<{
    openWork: number
    succeededWork24h: number
    failedWork24h: number
    nextWorkNotBeforeUtc: Date | null
  }>`
    select count(*) filter (where ${isOpenWork('state')}) as "openWork",
      count(*) filter (where state = 'Success' and closed_at >= now() - interval '24 hours') as "succeededWork24h",
      count(*) filter (where state = 'Failed' and closed_at >= now() - interval '24 hours'
        or state <> 'Success' and failures > 0 and exists (
          select from setup_errors failure
          where failure.computer_id = work.computer_id and failure.work_id = work.id
            and failure.logged_at >= now() - interval '24 hours')) as "failedWork24h",
      min(not_before) filter (where state = 'Due' and isfinite(not_before)) as "nextWorkNotBeforeUtc"
    from work where computer_id = ${computerId}`.execute(db)
  const [work] = rows
  if (!work) throw new Error('An aggregate without a group by returns one row.')
  return work
}
