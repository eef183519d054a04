import { sql } from 'kysely'
import { defaultMaxChangesPerHour, type RuleCriteria } from '../../../groups/api/rule-schemas.ts'
import { normaliseCriteria } from '../../../groups/rules/rule-rows.ts'
import { groupEntry, groupReference } from '../group-entries.ts'
import type { StateObject, StateSection } from '../state-section.ts'

type Fields = { criteria: RuleCriteria; maxChangesPerHour: number }

/** The rules by which computers become members. Which computers these are belongs to the fleet, not to the state. */
export const groupRulesSection: StateSection = {
  name: 'groupRules',
  property: 'groups',
  readRole: 'group.read',
  async readCurrent(db) {
    const { rows } = await sql<Fields & { path: string }>`
      select own.path, rule.criteria, rule.max_changes_per_hour as "maxChangesPerHour"
      from group_rules rule join groups own on own.id = rule.group_id order by lower(own.path)`.execute(db)
    return rows.map(({ path, ...fields }) => toObject(path, fields))
  },
  readDocument: ({ groups }) =>
    groups?.flatMap(({ path, rule }) =>
      rule
        ? [
            toObject(path, {
              criteria: rule.criteria,
              maxChangesPerHour: rule.maxChangesPerHour ?? defaultMaxChangesPerHour,
            }),
          ]
        : [],
    ),
  writeDocument(objects, document) {
    for (const { name, fields } of objects) {
      const { criteria, maxChangesPerHour } = fields as Fields
      groupEntry(document, name).rule = {
        criteria,
        ...(maxChangesPerHour !== defaultMaxChangesPerHour && { maxChangesPerHour }),
      }
    }
  },
  toRequests: (changes, { idOf }) =>
    changes.map(({ object, after }) => {
      const params = { id: idOf('groups', object.key) }
      return after
        ? { operation: 'setGroupRule', params, body: after.fields }
        : { operation: 'removeGroupRule', params }
    }),
}

const toObject = (path: string, { criteria, maxChangesPerHour }: Fields): StateObject => ({
  key: path.toLowerCase(),
  name: path,
  fields: { criteria: normaliseCriteria(criteria), maxChangesPerHour } satisfies Fields,
  groups: [path],
  needs: [groupReference(path)],
})
