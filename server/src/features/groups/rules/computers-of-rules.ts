import { type RawBuilder, sql } from 'kysely'
import type { RuleCriteria } from '../api/rule-schemas.ts'

/** A rule whose criteria are known before the statement is planned. `key` identifies it in the result. */
export type KnownRule = { key: string; criteria: RuleCriteria }

/**
 * Selects the computers of the whole fleet that match: one row per rule and computer. Each rule is a select of its own with
 * its patterns as constants so that names, domains and tags are found by their indexes. Rules that only name operating
 * systems and models have no index: all of them share one pass, in which each pair of a system and a model is compared with
 * each rule once.
 */
export function computersOfRules(rules: readonly KnownRule[]): RawBuilder<{ key: string; computer_id: number }> {
  const isBySystem = ({ criteria }: KnownRule) =>
    Object.keys(criteria).every((name) => name === 'operatingSystems' || name === 'models')
  const bySystem = rules.filter(isBySystem)
  const selects =
    bySystem.length < minForSharedPass
      ? rules.map(selectMatching)
      : [...rules.filter((rule) => !isBySystem(rule)).map(selectMatching), selectBySystem(bySystem)]
  return sql`with ${domainValues}, ${systemPairs} ${sql.join(selects, sql` union all `)}`
}

/** The shared pass reads the fleet twice. */
const minForSharedPass = 3

/**
 * Begins with one criterion that has an index, and looks up the others for each computer that it finds, by its key. A join
 * would leave the order to the planner, which compares each computer with each other one if its statistics say that there
 * are none. Tags are most often set for few computers, and domains most often have many.
 */
function selectMatching({ key, criteria: { domains, tags, ...others } }: KnownRule): RawBuilder<unknown> {
  const conditions = Object.entries(others).map(([name, values]) => conditionOn[name as keyof typeof others](values))
  const summary = conditions.length > 0 ? [hasSummary(conditions)] : []
  const select = sql`select ${key}::text as key, found.id as computer_id`
  if (tags) {
    const tagged = sql`(select distinct computer_id as id from computer_tags where ${isOneOf(tags)}) as found`
    return sql`${select} from ${tagged} where ${allOf([...summary, ...(domains ? [hasDomain(domains)] : [])])}`
  }
  if (domains && !others.names?.every(isFoundByIndex))
    return sql`${select} from computers found where ${allOf([isInDomain('found.domain', domains), ...summary])}`
  const named = sql`(select computer_id as id from computer_summaries summary where ${allOf(conditions)}) as found`
  return sql`${select} from ${named} where ${allOf(domains ? [hasDomain(domains)] : [])}`
}

/** Whether the pattern has a beginning, which an index can find. */
const isFoundByIndex = (pattern: string) => !/^[*?]/.test(pattern)

const allOf = (conditions: readonly RawBuilder<boolean>[]) =>
  sql<boolean>`${sql.join([sql`true`, ...conditions], sql` and `)}`

// Without the offset, the planner would make a join of it.
const hasSummary = (conditions: readonly RawBuilder<boolean>[]) => sql<boolean>`
  exists (select from computer_summaries summary where summary.computer_id = found.id and ${allOf(conditions)} offset 0)`

const hasDomain = (domains: readonly string[]) => sql<boolean>`
  exists (select from computers where computers.id = found.id and ${isInDomain('computers.domain', domains)} offset 0)`

const isInDomain = (column: string, domains: readonly string[]) => sql<boolean>`
  lower(${sql.ref(column)}) = any (array(select value from domain_values where value like any (${patterns(domains)})))`

const isOneOf = (tags: readonly string[]) => sql<boolean>`
  tag_id = any (array(select id from tags where lower(designation) like any (${patterns(tags)})))`

/** They mean the same as `matchesRule`, which compares one computer with one rule. */
const conditionOn: Record<
  keyof Omit<RuleCriteria, 'domains' | 'tags'>,
  (values: readonly string[]) => RawBuilder<boolean>
> = {
  // One comparison for each name: only single patterns are looked up in the index.
  names: (values) =>
    sql`(${sql.join(
      values.map((value) => sql`summary.name_key like (like_patterns(array[${value}::text]))[1]`),
      sql` or `,
    )})`,
  operatingSystems: (values) => sql`${systemOf} like any (${patterns(values)})`,
  models: (values) => sql`${modelOf} like any (${patterns(values)})`,
  networks: (values) => sql`coalesce(summary.address_key <<= any (valid_networks(${values}::text[])), false)`,
}

const systemOf = sql`lower(coalesce(summary.operating_system, ''))`
const modelOf = sql`lower(coalesce(summary.model, ''))`

const patterns = (values: readonly string[]) => sql`like_patterns(${values}::text[])`

/** There are far fewer domains than computers. */
const domainValues = sql`domain_values as materialized (select value from computer_domains() as value)`

const systemPairs = sql`system_pairs as materialized (
  select distinct ${systemOf} as operating_system, ${modelOf} as model from computer_summaries summary)`

function selectBySystem(rules: readonly KnownRule[]): RawBuilder<unknown> {
  return sql`
    select chosen.key, summary.computer_id
    from (
      select rule.key, pair.operating_system, pair.model
      from jsonb_to_recordset(${JSON.stringify(rules.map(({ key, criteria }) => ({ key, ...criteria })))}::jsonb)
          as rule (key text, "operatingSystems" text[], models text[])
        cross join system_pairs pair
      where (rule."operatingSystems" is null or pair.operating_system like any (like_patterns(rule."operatingSystems")))
        and (rule.models is null or pair.model like any (like_patterns(rule.models)))
    ) as chosen
    join computer_summaries summary on ${systemOf} = chosen.operating_system and ${modelOf} = chosen.model`
}
