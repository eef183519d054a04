import { sql } from 'kysely'
import { analyzeGrownTables } from '../../../database/after-bulk-write.ts'
import type { Database } from '../../../database/connect.ts'
import { hasRole } from '../../../platform/authentication/authenticate.ts'
import { ok, operation } from '../../../platform/operation.ts'
import type { Static } from '../../../platform/schema.ts'
import { invalidPart } from '../../../platform/validation.ts'
import { groupNotFound, isComputerTree, isSpecial, pinGroup, specialGroup } from '../groups.ts'
import { pinComputers } from '../remove-members.ts'
import { applyRule } from '../rules/apply-rule.ts'
import { computersWith, evaluateFleet, groupWithRule, listRuleEffects } from '../rules/evaluate-rules.ts'
import { listInvalidNetworks, normaliseCriteria, readGroupRule } from '../rules/rule-rows.ts'
import { getGroupRule } from './get-group-rule.ts'
import { notEditableTree } from './problems.ts'
import { defaultMaxChangesPerHour, maxShownNames, SetGroupRuleRequest, SetGroupRuleResult } from './rule-schemas.ts'
import { GroupPath } from './schemas.ts'

export const setGroupRule = operation({
  id: 'setGroupRule',
  route: 'PUT /api/group/:id/rule',
  summary: 'Set the rule by which computers become members of a group',
  description:
    'Computers that match join at once, and those that an earlier rule has added and that no longer match leave. A dry run ' +
    'shows which. `warning` says if computers can choose by what they report whether they join. The change affects those that join or leave. Later, computers join and leave as they change, at most ' +
    '`maxChangesPerHour` of them: if there are more, the rule stops, until it is set again. Members that people have added ' +
    'stay, those that people have removed are not added again, and a computer in another configuration group is not moved.',
  extension: true,
  role: 'group.write',
  execution: { kind: 'LongChange' },
  massAction: {
    // Once the rule is set, nobody joins or leaves any more.
    lock: async (db, { params }) => {
      await pinGroup(db, params.id)
      await lockRule(db, params.id)
    },
    computers: ({ params, body }) => sql`
      select computer_id from (${evaluateFleet(groupWithRule(params.id, body.criteria))}) as changed
      where effect <> 'Blocked'`,
  },
  params: GroupPath,
  body: SetGroupRuleRequest,
  returns: ok(SetGroupRuleResult),
  problems: [groupNotFound, specialGroup, notEditableTree],
  changes: getGroupRule,
  shows: getGroupRule,
  async handle({ params, body, db, caller }) {
    const group = await pinGroup(db, params.id)
    if (!isComputerTree(group.tree)) throw notEditableTree({ groupId: group.id })
    if (isSpecial(group.kind)) throw specialGroup({ groupId: group.id })
    const [invalid] = await listInvalidNetworks(db, body.criteria)
    if (invalid !== undefined)
      throw invalidPart('body', 'criteria.networks', `contains '${invalid}', which is not a network`)
    await lockRule(db, group.id)
    await storeRule(db, group.id, body)
    const effects = await listRuleEffects(db, evaluateFleet(groupWithRule(group.id, body.criteria)))
    await pinComputers(db, [...computersWith('Join', effects), ...computersWith('Leave', effects)])
    const { joined, left } = await applyRule(db, group, effects)
    await analyzeGrownTables(db, ['group_computers'])
    const mayReadComputers = hasRole(caller.principal, 'computer.read')
    return {
      ...(await readGroupRule(db, group.id)),
      joined: joined.length,
      left: left.length,
      inOtherConfigurationGroup: computersWith('Blocked', effects).length,
      joinedNames: mayReadComputers ? await listNames(db, joined) : [],
      leftNames: mayReadComputers ? await listNames(db, left) : [],
    }
  },
})

async function lockRule(db: Database, groupId: string): Promise<void> {
  await sql`select from group_rules where group_id = ${groupId} for update`.execute(db)
}

/** The fleet is evaluated once more in the background, for computers that change at this moment. */
async function storeRule(
  db: Database,
  groupId: string,
  { criteria, maxChangesPerHour = defaultMaxChangesPerHour }: Static<typeof SetGroupRuleRequest>,
): Promise<void> {
  await sql`
    insert into group_rules (group_id, criteria, max_changes_per_hour)
    values (${groupId}, ${JSON.stringify(normaliseCriteria(criteria))}::jsonb, ${maxChangesPerHour}::integer)
    on conflict on constraint group_rules_pkey do update set
      criteria = excluded.criteria, max_changes_per_hour = excluded.max_changes_per_hour, hour_began_at = now(),
      changes_in_hour = 0, stopped_at = null, stopped_joining = null, stopped_leaving = null, swept_to = 0,
      swept_at = null`.execute(db)
}

async function listNames(db: Database, computerIds: readonly number[]): Promise<string[]> {
  if (computerIds.length === 0) return []
  const { rows } = await sql<{ name: string }>`
    select name from computers where id = any(${computerIds}::integer[])
    order by lower(name), id limit ${maxShownNames}`.execute(db)
  return rows.map(({ name }) => name)
}
