import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { RuleCriteria } from '../api/rule-schemas.ts'
import { type RuleWarning, warningOf } from './rule-warning.ts'

/** The criteria about properties that an agent reports of its computer, at any time and as it likes. */
export const reportedCriteria = ['operatingSystems', 'models', 'networks'] as const satisfies (keyof RuleCriteria)[]

export function warnAboutRule(criteria: RuleCriteria | null, hasSecrets: boolean): RuleWarning {
  if (!criteria || !reportedCriteria.some((name) => criteria[name] !== undefined)) return null
  return warningOf(hasSecrets ? 'ReportedPropertiesGiveSecrets' : 'ReportedProperties')
}

/** The same for a secret value of the group: of the rules of this group and of those below it, which inherit the value. */
export async function warnAboutSecret(db: Database, groupId: string): Promise<RuleWarning> {
  const { rows } = await sql`
    select from group_ancestors below join group_rules rule on rule.group_id = below.descendant_id
    where below.ancestor_id = ${groupId} and rule.criteria ?| ${[...reportedCriteria]}::text[] limit 1`.execute(db)
  return rows.length > 0 ? warningOf('SecretForReportedProperties') : null
}

/** Whether members of the group get secret values because they are: its own, and those of the groups above it. */
export function givesSecrets(groupId: string): RawBuilder<boolean> {
  return sql`exists (
    select from group_ancestors above
    where above.descendant_id = ${groupId} and (
      exists (
        select from group_variables own where own.group_id = above.ancestor_id and own.sealed_value is not null)
      or exists (
        select from variable_collection_entries entry
          join variable_collection_values own on own.entry_id = entry.id
        where entry.group_id = above.ancestor_id and own.sealed_value is not null)
      or exists (
        select from group_variable_configurations assigned
          join variable_configuration_values own on own.configuration_id = assigned.configuration_id
          join variable_definitions definition on definition.id = own.variable_id
        where assigned.group_id = above.ancestor_id and definition.is_secret)))`
}
