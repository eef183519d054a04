import { sql } from 'kysely'
import { addGroupComputers } from '../../src/features/groups/api/add-group-computers.ts'
import { getGroupRule } from '../../src/features/groups/api/get-group-rule.ts'
import { removeGroupComputers } from '../../src/features/groups/api/remove-group-computers.ts'
import type { RuleCriteria } from '../../src/features/groups/api/rule-schemas.ts'
import { setGroupRule } from '../../src/features/groups/api/set-group-rule.ts'
import { followRules } from '../../src/features/groups/rules/follow-rules.ts'
import { openWorld } from '../world/open-world.ts'

type Group = { id: string }
type Options = { maxChangesPerHour?: number; query?: object; headers?: Record<string, string> }

/** A service with the calls that change rules and members. */
export async function openRuleWorld() {
  const world = await openWorld()
  const { as, db, given } = world
  const writer = as('group.read', 'group.write', 'computer.read', 'computer.write')
  return {
    ...world,
    writer,
    setRule: (group: Group, criteria: RuleCriteria, { query = {}, headers = {}, ...rest }: Options = {}) =>
      writer.call(setGroupRule, { params: { id: group.id }, body: { criteria, ...rest }, query, headers }),
    ruleOf: (group: Group) => writer.call(getGroupRule, { params: { id: group.id } }),
    add: (group: Group, computer: { id: number }) =>
      writer.call(addGroupComputers, { params: { id: group.id }, body: { computerIds: [computer.id] } }),
    remove: (group: Group, computer: { id: number }) =>
      writer.call(removeGroupComputers, { params: { id: group.id }, query: { computerIds: [computer.id] } }),
    rename: (computer: { id: number }, name: string) =>
      db.updateTable('computers').set({ name }).where('id', '=', computer.id).execute(),
    assignmentGroup: () => given.group({ tree: 'AssignmentGroups' }),

    /** The members with what says whether the rule has added them. */
    async membersOf(group: Group): Promise<string[]> {
      const { rows } = await sql<{ name: string; is_by_rule: boolean }>`
        select computers.name, is_by_rule from group_computers join computers on computers.id = computer_id
        where group_id = ${group.id} order by computers.id`.execute(db)
      return rows.map(({ name, is_by_rule }) => (is_by_rule ? `${name} by rule` : name))
    },

    /** Does everything that is due, as the background task does it. Returns how many computers have joined or left. */
    async follow(): Promise<number> {
      let changed = 0
      for (let changes = await followRules(db); changes !== undefined; changes = await followRules(db))
        changed += changes
      return changed
    },

    /** A rule of one test must not add the computers of another. */
    async removeAll(): Promise<void> {
      await sql`delete from group_rules`.execute(db)
      await sql`delete from rule_candidates`.execute(db)
      await sql`delete from computers`.execute(db)
    },
  }
}
