import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { packageNotApplicable } from '../deployments/problems.ts'
import { type Creator, insertTask } from '../deployments/tasks.ts'
import { toCommandMask } from '../distribution/commands.ts'
import { isDistributable, requireRemovable } from '../packages/distributable.ts'
import { packageNotFound, packageNotReleased } from '../packages/problems.ts'
import { isApplicable, isInstallable } from '../work-states/applicability.ts'
import { eventSource, insertDistributionEvents } from '../work-states/distribution-events.ts'
import { isAssigned, memberships } from '../work-states/justified-work.ts'
import {
  computerCannotTry,
  packageAssignedToComputer,
  packageInstalledOnComputer,
  packageNotTriable,
} from './problems.ts'

export type NewTrial = { packageId: string; computerId: number; expiresInMinutes: number; createdBy: Creator }

/** Creates the trial and its work item. The caller has locked the group trees (shared) and the computer. */
export async function startTrial(db: Database, trial: NewTrial): Promise<string> {
  const { packageId, computerId, createdBy } = trial
  await requireTriable(db, trial)
  const taskId = await insertTask(db, { kind: 'Trial', computerId, packageId, createdBy })
  const { id: workId } = await db
    .insertInto('work')
    .values({
      ...{ computer_id: computerId, package_id: packageId, task_id: taskId, kind: 'Trial' },
      commands: toCommandMask(['Install']),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertDistributionEvents({
    from: eventSource(computerId, packageId),
    ...{ result: 'Pending', classification: 'Request', installMode: 'Trial' },
  }).execute(db)
  const { rows } = await sql<{ id: string }>`
    insert into package_trials (package_id, computer_id, computer_name, work_id, task_id, started_by, expires_at)
    select ${packageId}, id, name, ${workId}, ${taskId}, ${createdBy.name},
      now() + ${trial.expiresInMinutes}::integer * interval '1 minute'
    from computers where id = ${computerId}
    returning id`.execute(db)
  const [inserted] = rows
  if (!inserted) throw new Error('The caller has locked the computer.')
  return inserted.id
}

type TrialFacts = {
  is_software: boolean
  is_distributable: boolean
  is_applicable: boolean
  has_own_agent: boolean
  is_assigned: boolean
  is_installed: boolean
}

/** Refuses what cannot be tried, and what a trial would take away from the computer. */
async function requireTriable(db: Database, { packageId, computerId }: NewTrial): Promise<void> {
  const facts = await findTrialFacts(db, packageId, computerId)
  if (!facts) throw packageNotFound({ packageId })
  if (!facts.is_software) throw packageNotTriable({ packageId })
  if (!facts.is_distributable) throw packageNotReleased({ packageId })
  await requireRemovable(db, packageId)
  if (!facts.has_own_agent) throw computerCannotTry({ clientId: computerId })
  if (!facts.is_applicable) throw packageNotApplicable({ clientId: computerId, packageId })
  if (facts.is_assigned) throw packageAssignedToComputer({ clientId: computerId, packageId })
  if (facts.is_installed) throw packageInstalledOnComputer({ clientId: computerId, packageId })
}

/**
 * Another version counts, too, and so does what the package supersedes: the installation would replace it, and the removal take it
 * away. Work that comes later does not begin before the trial has ended, or keeps it waiting (`packages_in_way_of_trial`).
 */
async function findTrialFacts(db: Database, packageId: string, computerId: number): Promise<TrialFacts | undefined> {
  const { rows } = await sql<TrialFacts>`
    with versions as materialized (
      select version.id as package_id, platform.computer_id, ${isApplicable('version', 'platform')} as is_applicable
      from packages version join computer_platforms platform on platform.computer_id = ${computerId}
      where version.id in (select id from trial_versions(${packageId}))
    )
    select packages.kind = 'Software' and not packages.is_pre_os
        and not exists (select from agent_packages agent where agent.package_id = packages.id) as is_software,
      ${isDistributable('packages')} as is_distributable, ${isInstallable('packages', 'platform')} as is_applicable,
      exists (select from agents where agents.computer_id = ${computerId} and agents.kind = 'Muster') as has_own_agent,
      exists (select from versions as subject where is_applicable and ${isAssigned('subject', memberships)}) as is_assigned,
      exists (
        select from versions join deployments using (computer_id, package_id)
        where deployments.installation_state = 'Installed') as is_installed
    from packages join computer_platforms platform on platform.computer_id = ${computerId}
    where packages.id = ${packageId}
    for share of packages`.execute(db)
  return rows[0]
}
