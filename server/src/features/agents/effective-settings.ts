import { type RawBuilder, sql } from 'kysely'
import { effectiveAssignments } from '../assignments/effective-assignments.ts'
import { isDistributable } from '../packages/distributable.ts'
import { settingsHash, templateSettings } from './settings.ts'

export type EffectiveSettings = {
  owner_id: number
  settings: Record<string, string | number | boolean>
  /** An agent reports this hash while it runs with these settings. */
  settings_hash: string
  /** False if the template may not be distributed. Agents that already run with its settings keep them. */
  is_distributable: boolean
}

/**
 * The settings of the effective agent template, one row for each computer. A computer without a template gets empty
 * settings. `computers` selects `owner_id`.
 */
export function effectiveAgentSettings(computers: RawBuilder<{ owner_id: number }>): RawBuilder<EffectiveSettings> {
  return sql<EffectiveSettings>`
    select owner.owner_id, resolved.settings, ${settingsHash(sql`resolved.settings`)} as settings_hash,
      packages.id is null or ${isDistributable('packages')} as is_distributable
    from (${computers}) as owner
      left join (${effectiveAssignments('agentTemplate', 'computer', computers)}) as template
        on template.owner_id = owner.owner_id
      left join packages on packages.id = template.object_id
      cross join lateral (select ${templateSettings('packages')} as settings) as resolved`
}
