import { type RawBuilder, sql } from 'kysely'
import { effectiveAssignments } from '../assignments/effective-assignments.ts'
import { settingsHash } from './settings.ts'

export type EffectiveSettings = {
  owner_id: number
  settings: Record<string, string | number | boolean>
  /** An agent reports this hash while it runs with these settings. */
  settings_hash: string
}

/**
 * The settings of the effective agent template, one row for each computer. A computer without a template gets empty
 * settings. `computers` selects `owner_id`.
 */
export function effectiveAgentSettings(computers: RawBuilder<{ owner_id: number }>): RawBuilder<EffectiveSettings> {
  return sql<EffectiveSettings>`
    select owner.owner_id, resolved.settings, ${settingsHash(sql`resolved.settings`)} as settings_hash
    from (${computers}) as owner
      left join (${effectiveAssignments('agentTemplate', 'computer', computers)}) as template
        on template.owner_id = owner.owner_id
      left join packages on packages.id = template.object_id
      cross join lateral (select coalesce(packages.manifest -> 'settings', '{}') as settings) as resolved`
}
