import fc from 'fast-check'
import { sql } from 'kysely'
import type { Database } from '../../src/database/connect.ts'
import {
  at,
  type Membership,
  makeGroups,
  makeMemberships,
  many,
  pick,
  plannedGroups,
  plannedMemberships,
  type RandomGroup,
  unique,
} from '../world/random-groups.ts'

export type Value = { varId: number; value: string; schedule: string | null }

/** Everything that the values of variables depend on, as stored. */
export type Variables = {
  groups: RandomGroup[]
  computers: number[]
  memberships: Membership[]
  variables: { id: number; dottedName: string; designation: string; defaultValue: string | null; isSecret: boolean }[]
  collection: { id: number; children: { id: number; isSecret: boolean }[] }
  computerValues: (Value & { computer: number })[]
  groupValues: (Value & { group: string; forced: boolean })[]
  configurations: { id: number; groups: string[]; values: Value[] }[]
  packages: { id: string; isTemplate: boolean; groups: string[]; values: Value[] }[]
  entries: { id: number; computer: number | null; group: string | null; values: Map<number, string> }[]
}

const value = fc.constantFrom('', 'a', 'b', 'c', 'd', 'e')
export const laterSchedule = '2999-01-01T00:00:00Z'
const schedule = fc.option(fc.constantFrom('2001-01-01', '2001-01-01T00:00:00Z', laterSchedule))
const valueAt = fc.record({ variable: at, value, schedule })
const setOfValues = fc.record({ groups: many(at, 3), values: many(valueAt, 3) })

/** Random plans of groups, computers, definitions and values. */
export const plans = fc.record({
  groups: plannedGroups(9),
  variables: many(
    fc.record({
      category: fc.constantFrom(null, 0, 1),
      designation: fc.constantFrom('Host', 'Port', 'Token'),
      defaultValue: fc.option(value),
      isSecret: fc.constantFrom(false, false, false, true),
    }),
    4,
  ),
  memberships: plannedMemberships(8),
  computerValues: many(fc.record({ computer: at, at: valueAt }), 3),
  groupValues: many(fc.record({ group: at, forced: fc.boolean(), at: valueAt }), 8),
  configurations: many(setOfValues, 4),
  packages: many(setOfValues, 4),
  templates: many(setOfValues, 3),
  entries: many(fc.record({ owner: at, first: value, second: fc.option(value) }), 3),
})

type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never

/** Deletes what an earlier plan left behind and stores the plan by SQL, which is much faster than by operations. */
export async function storePlan(db: Database, plan: Plan): Promise<Variables> {
  await sql`truncate computers, packages, variable_configurations cascade`.execute(db)
  await sql`truncate group_variables, variable_collection_entries cascade`.execute(db)
  await sql`delete from variable_definitions where not is_system and parent_id is not null`.execute(db)
  await sql`delete from variable_definitions where not is_system`.execute(db)

  const groups = await makeGroups(db, plan.groups)
  const computers = await insertComputers(db)
  const { variables, collection } = await insertDefinitions(db, plan)
  const stored = (planned: { variable: number; value: string; schedule: string | null }): Value => {
    const { variable, ...rest } = planned
    return { ...rest, varId: pick(variables, variable).id }
  }
  const computerValues = unique(
    plan.computerValues.map((one) => ({ ...stored(one.at), computer: pick(computers, one.computer) })),
    (one) => `${one.computer} ${one.varId}`,
  )
  const groupValues = unique(
    plan.groupValues.map((one) => ({ ...stored(one.at), group: pick(groups, one.group).id, forced: one.forced })),
    (one) => `${one.group} ${one.varId}`,
  )
  const secret = (varId: number) => variables.some(({ id, isSecret }) => id === varId && isSecret)
  const content = (one: Value) => ({
    variable_id: one.varId,
    value: secret(one.varId) ? null : one.value,
    sealed_value: secret(one.varId) ? Buffer.from('sealed') : null,
    schedule: one.schedule,
  })
  if (computerValues.length > 0)
    await db
      .insertInto('computer_variables')
      .values(computerValues.map((one) => ({ computer_id: one.computer, ...content(one) })))
      .execute()
  if (groupValues.length > 0)
    await db
      .insertInto('group_variables')
      .values(groupValues.map((one) => ({ group_id: one.group, is_forced: one.forced, ...content(one) })))
      .execute()
  const sets = (planned: Plan['packages']) =>
    planned.map((one) => ({
      groups: unique(
        one.groups.map((group) => pick(groups, group).id),
        (id) => id,
      ),
      values: unique(one.values.map(stored), ({ varId }) => String(varId)),
    }))
  return {
    groups,
    computers,
    variables,
    collection,
    computerValues,
    groupValues,
    memberships: await makeMemberships(db, plan.memberships, computers, groups),
    configurations: await insertConfigurations(db, sets(plan.configurations)),
    packages: [
      ...(await insertPackages(db, 'group_packages', sets(plan.packages))),
      ...(await insertPackages(db, 'group_agent_templates', sets(plan.templates))),
    ],
    entries: await insertEntries(db, plan, collection, computers, groups),
  }
}

async function insertComputers(db: Database): Promise<number[]> {
  const rows = ['x', 'y'].map((name) => ({ name, domain: 'd', is_domain: true, mac_address: `${name}1` }))
  return (await db.insertInto('computers').values(rows).returning('id').execute()).map(({ id }) => id)
}

async function insertDefinitions(db: Database, plan: Plan): Promise<Pick<Variables, 'variables' | 'collection'>> {
  const above = await db
    .insertInto('variable_definitions')
    .values([
      { designation: 'One', dotted_name: 'One', kind: 'Category' },
      { designation: 'Two', dotted_name: 'Two', kind: 'Category' },
      { designation: 'Free', dotted_name: 'Free', kind: 'UserDefined' },
      { designation: 'Printers', dotted_name: 'Printers', kind: 'Collection' },
    ])
    .returning(['id', 'dotted_name'])
    .execute()
  const collection = pick(above, 3).id
  const children = await db
    .insertInto('variable_definitions')
    .values([
      { designation: 'Host', dotted_name: 'Printers.Host', kind: 'Scalar', parent_id: collection },
      { designation: 'Token', dotted_name: 'Printers.Token', kind: 'Scalar', parent_id: collection, is_secret: true },
    ])
    .returning(['id', 'is_secret as isSecret'])
    .execute()
  const planned = plan.variables.map(({ category, designation, defaultValue, isSecret }) => ({
    designation,
    dotted_name: category === null ? designation : `${pick(above, category).dotted_name}.${designation}`,
    parent_id: category === null ? null : pick(above, category).id,
    kind: 'Scalar',
    is_secret: isSecret,
    default_value: isSecret ? null : defaultValue,
  }))
  const distinct = unique(planned, ({ dotted_name }) => dotted_name)
  if (distinct.length > 0) await db.insertInto('variable_definitions').values(distinct).execute()
  const variables = await db
    .selectFrom('variable_definitions')
    .select([
      'id',
      'dotted_name as dottedName',
      'designation',
      'default_value as defaultValue',
      'is_secret as isSecret',
    ])
    .where('kind', '=', 'Scalar')
    .where((eb) => eb.or([eb('parent_id', 'is', null), eb('parent_id', '<>', collection)]))
    .orderBy('id')
    .execute()
  return { variables, collection: { id: collection, children } }
}

type PlannedSet = { groups: string[]; values: Value[] }

async function insertConfigurations(db: Database, planned: PlannedSet[]): Promise<Variables['configurations']> {
  const inserted: Variables['configurations'] = []
  for (const [index, { groups, values }] of planned.entries()) {
    const { id } = await db
      .insertInto('variable_configurations')
      .values({ name: `configuration ${index}` })
      .returning('id')
      .executeTakeFirstOrThrow()
    const rows = values.map(({ varId, ...rest }) => ({ configuration_id: id, variable_id: varId, ...rest }))
    if (rows.length > 0) await db.insertInto('variable_configuration_values').values(rows).execute()
    const assigned = groups.map((group_id) => ({ group_id, configuration_id: id }))
    if (assigned.length > 0) await db.insertInto('group_variable_configurations').values(assigned).execute()
    inserted.push({ id, groups, values })
  }
  return inserted
}

async function insertPackages(
  db: Database,
  table: 'group_packages' | 'group_agent_templates',
  planned: PlannedSet[],
): Promise<Variables['packages']> {
  const inserted: Variables['packages'] = []
  const isTemplate = table === 'group_agent_templates'
  const kind = isTemplate ? 'AgentTemplate' : 'Software'
  for (const [index, { groups, values }] of planned.entries()) {
    const { id } = await db
      .insertInto('packages')
      .values({ id: sql<string>`gen_random_uuid()`, name: `package ${index}`, kind })
      .returning('id')
      .executeTakeFirstOrThrow()
    const rows = values.map(({ varId, value: text }) => ({ package_id: id, variable_id: varId, value: text }))
    if (rows.length > 0) await db.insertInto('package_variables').values(rows).execute()
    // A group has at most one agent template; the first one stays.
    const { rows: assigned } = await sql<{ group_id: string }>`
      insert into ${sql.table(table)} (group_id, package_id) select unnest(${groups}::uuid[]), ${id}::uuid
      on conflict do nothing returning group_id`.execute(db)
    inserted.push({ id, isTemplate, groups: assigned.map(({ group_id }) => group_id), values })
  }
  return inserted
}

async function insertEntries(
  db: Database,
  plan: Plan,
  { id: varId, children }: Variables['collection'],
  computers: number[],
  groups: Variables['groups'],
): Promise<Variables['entries']> {
  const inserted: Variables['entries'] = []
  for (const { owner, first, second } of plan.entries) {
    const computer = owner % 2 === 0 ? pick(computers, owner) : null
    const group = owner % 2 === 0 ? null : pick(groups, owner).id
    const { id } = await db
      .insertInto('variable_collection_entries')
      .values({ variable_id: varId, computer_id: computer, group_id: group })
      .returning('id')
      .executeTakeFirstOrThrow()
    const values = new Map<number, string>([[pick(children, 0).id, first]])
    if (second !== null) values.set(pick(children, 1).id, second)
    const rows = [...values].map(([child, text]) => ({
      entry_id: id,
      variable_id: child,
      ...(child === pick(children, 1).id ? { sealed_value: Buffer.from(text) } : { value: text }),
    }))
    for (const row of rows) await db.insertInto('variable_collection_values').values(row).execute()
    inserted.push({ id, computer, group, values })
  }
  return inserted
}
