import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { effectiveAgentSettings } from '../agents/effective-settings.ts'
import { type BlockerReason, blockersOf } from '../hand-out/blockers.ts'
import { getPlannedFacts } from '../hand-out/planned-work.ts'
import { getAgentFacts } from '../hand-out/waiting-work.ts'
import type { ComputerExplanation, ExplainedBlocker, Explanation } from './api/schemas.ts'
import { toExplainedBlocker } from './explained-blockers.ts'
import { listNotices } from './notices.ts'
import type { SubjectPackage } from './package-state.ts'
import { listReachedSources, type ReachedSource } from './reached-sources.ts'
import { formatVerdict } from './verdict-messages.ts'

/** An agent gets settings at every contact, even if it is suspended or the installation is frozen. */
const reasonsForSettings: readonly BlockerReason[] = [
  'NoAgent',
  'AgentQuarantined',
  'AgentSilent',
  'NotReleased',
  'HashMissing',
  'HashMismatch',
]

/** Why the agent of a computer runs with or without a setting. */
export async function explainSetting(db: Database, computerId: number, setting: string): Promise<Explanation> {
  const sources = await listTemplates(db, computerId, sql`true`)
  const values = await loadValues(db, sources, setting)
  const [winner] = sources
  const value = (winner && values.get(winner.objectId ?? '')) ?? null
  const { verdict, blockers } =
    value === null ? { verdict: 'NotAssigned' as const, blockers: [] } : await findTemplateState(db, computerId, winner)
  return toExplanation(db, computerId, {
    subject: { kind: 'AgentSetting', id: null, name: setting, version: null },
    verdict,
    message:
      verdict === 'NotAssigned'
        ? 'The effective template does not set it: the agent uses its default.'
        : formatVerdict(verdict, blockers),
    value,
    blockers,
    sources: sources.map(({ isSubject, ...source }) => ({
      ...source,
      value: values.get(source.objectId ?? '') ?? null,
    })),
  })
}

/** Why an agent follows a template or does not. */
export async function explainTemplate(
  db: Database,
  computerId: number,
  template: SubjectPackage,
): Promise<Explanation> {
  const sources = await listTemplates(db, computerId, sql`object_id = ${template.id}`)
  const [winner] = sources
  const { verdict, blockers } = winner?.isSubject
    ? await findTemplateState(db, computerId, winner)
    : { verdict: 'NotAssigned' as const, blockers: [] }
  return toExplanation(db, computerId, {
    subject: { kind: 'Package', id: template.id, name: template.name, version: template.version },
    verdict,
    message: formatVerdict(verdict, blockers),
    value: null,
    blockers,
    sources: sources.map(({ isSubject, ...source }) => source),
  })
}

const listTemplates = (db: Database, computerId: number, isSubject: ReturnType<typeof sql<boolean>>) =>
  listReachedSources(db, computerId, [{ kind: 'agentTemplate', isSubject }])

type TemplateState = { verdict: ComputerExplanation['verdict']; blockers: ExplainedBlocker[] }

/** Whether the agent runs with the settings of its effective template, and if not, what keeps it from that. */
async function findTemplateState(
  db: Database,
  computerId: number,
  winner: ReachedSource | undefined,
): Promise<TemplateState> {
  const { rows } = await sql<{ is_applied: boolean }>`
    select a.settings_hash is not distinct from effective.settings_hash as is_applied
    from (${effectiveAgentSettings(sql`select ${computerId}::integer as owner_id`)}) as effective
      left join agents a on a.computer_id = effective.owner_id`.execute(db)
  if (rows[0]?.is_applied) return { verdict: 'Applied', blockers: [] }
  const { row, agent } = await getAgentFacts(db, computerId)
  const options = { dist_commands: 0, schedule: '', optional_date: null }
  const facts = await getPlannedFacts(db, row, winner?.objectId ?? '', options)
  const blockers = blockersOf(facts, agent)
    .filter(({ reason }) => reasonsForSettings.includes(reason))
    .map(toExplainedBlocker)
  return { verdict: blockers.length > 0 ? 'Waiting' : 'Due', blockers }
}

/** The value of the setting in each template, as JSON text. */
async function loadValues(
  db: Database,
  sources: readonly ReachedSource[],
  setting: string,
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; value: string }>`
    select id, manifest #>> array['settings', ${setting}::text] as value from packages
    where id = any(${sources.map(({ objectId }) => objectId)}::uuid[])
      and manifest -> 'settings' ? ${setting}`.execute(db)
  return new Map(rows.map(({ id, value }) => [id, value]))
}

type Found = Pick<Explanation, 'subject' | 'verdict' | 'message' | 'value' | 'blockers' | 'sources'>

/** No work item, options or schedule belong to settings. */
async function toExplanation(db: Database, computerId: number, found: Found): Promise<Explanation> {
  const none = { options: null, work: null, failure: null, cancellation: null, otherVersions: [], earliestRun: null }
  return { ...found, ...none, rollouts: [], notices: await listNotices(db, computerId) }
}
