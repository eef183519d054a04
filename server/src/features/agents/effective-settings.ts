import { type RawBuilder, sql } from 'kysely'
import { effectiveAssignments } from '../assignments/effective-assignments.ts'
import { settingsHash } from './settings.ts'

export type EffectiveSettings = {
  owner_id: number
  settings: Record<string, string | number | boolean>
  /** The agent names it when it runs with these settings. */
  settings_hash: string
}

/**
 * The settings of the agent template that holds for computers, one row each; without a template there are none.
 * `computers` selects `owner_id`.
 */
export function effectiveAgentSettings(computers: RawBuilder<{ owner_id: number }>): RawBuilder<EffectiveSettings> {
  return sql<EffectiveSettings>`
    select asked.owner_id, held.settings, ${settingsHash(sql`held.settings`)} as settings_hash
    from (${computers}) as asked
      left join (${effectiveAssignments('agentTemplate', 'computer', computers)}) as template
        on template.owner_id = asked.owner_id
      left join packages on packages.id = template.object_id
      cross join lateral (select coalesce(packages.manifest -> 'settings', '{}') as settings) as held`
}
