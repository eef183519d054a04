import { type RawBuilder, sql } from 'kysely'
import { ok, operation } from '../../../platform/operation.ts'
import { pageOf, paging } from '../../../platform/paging.ts'
import { closed, enumOf, nullable, pagedResultOf, text } from '../../../platform/schema.ts'

type NamedRow = { id: string; name: string; place: string | null; scope: string }

/** Names that must differ within a `scope`, and the `place` by which people find what has them. */
const namedThings = {
  Computer: sql`select id::text, name, domain as place, lower(normal_name(domain)) as scope from computers`,
  CustomField: sql`select slot, designation, null, '' from custom_fields`,
  Group: sql`select id::text, name, path, parent_id::text from groups where parent_id is not null`,
  Package: sql`
    select id::text, package_name, version,
      concat_ws(E'\n', lower(version), lower(coalesce(revision, '')), operating_systems::text)
    from packages where package_name is not null`,
  PatchGroup: sql`select id::text, name, null, '' from pm_groups`,
  SoftwareClass: sql`select id::text, name, null, '' from software_classes`,
  Tag: sql`select id::text, designation, null, '' from tags`,
  VariableConfiguration: sql`select id::text, name, null, '' from variable_configurations`,
  VariableDefinition: sql`select id::text, dotted_name, null, '' from variable_definitions`,
  Webhook: sql`select id::text, name, null, '' from webhooks`,
} satisfies Record<string, RawBuilder<unknown>>

const kinds = Object.keys(namedThings) as (keyof typeof namedThings)[]

const DuplicateName = closed(
  {
    kind: enumOf(kinds, { title: 'NamedKind', description: 'What has the name' }),
    shownName: text(800, 'Werkstätten', 'The name in the form that new names get, which is the same for all of them'),
    id: text(100, '3f0c9a52-7c1e-4f0a-9d55-0b8f6f8c1b11', 'Id or slot of one of them'),
    name: text(800, 'Werkstätten ', 'Its name as it is stored'),
    place: nullable(
      text(4_000, 'Configuration/Werkstätten', 'Path of a group, domain of a computer, version of a package'),
    ),
  },
  { title: 'DuplicateName' },
)

type Row = NamedRow & { kind: (typeof kinds)[number]; shownName: string }

export const listDuplicateNames = operation({
  id: 'listDuplicateNames',
  route: 'GET /api/fleet/duplicate-names',
  summary: 'List names that look the same',
  description:
    'New names are stored with composed characters (Unicode NFC), without line breaks and without blanks around them, and must ' +
    'differ in this form. Earlier names may differ only in their form: rename or delete all but one of each. Ordered by ' +
    'kind, name and id.',
  role: 'admin.manage',
  execution: { kind: 'FleetRead' },
  extension: true,
  query: closed(paging),
  returns: ok(pagedResultOf(DuplicateName)),
  handle: (call) =>
    pageOf(
      call,
      call.db
        .selectFrom(sql<Row>`(${duplicates})`.as('duplicate'))
        .select(['duplicate.kind', 'duplicate.shownName', 'duplicate.id', 'duplicate.name', 'duplicate.place']),
      { columns: ['kind', 'shownName', 'id'] },
    ),
})

/** What every normal form leaves as it is: printable ASCII characters without blanks around them. */
const plainName = sql.lit('^[!-~]([ -~]*[!-~])?$')

/**
 * Two names that look the same are stored in different forms, so one of them, or the place of it, is not plain. Without such a one,
 * nothing is compared: in most fleets, all names of computers are plain.
 */
const duplicates = sql<Row>`
  with things as not materialized (${sql.join(
    kinds.map(
      (kind) =>
        sql`select ${sql.lit(kind)} as kind, of_kind.* from (${namedThings[kind]}) as of_kind (id, name, place, scope)`,
    ),
    sql` union all `,
  )}), suspects as materialized (
    select distinct kind, scope, lower(normal_name(name)) as key
    from things where name !~ ${plainName} or place !~ ${plainName}
  )
  select kind, normal as "shownName", id, name, place
  from (
    select thing.*, normal_name(thing.name) as normal,
      count(*) over (partition by thing.kind, thing.scope, lower(normal_name(thing.name))) as same
    from things as thing
      join suspects suspect on suspect.kind = thing.kind and suspect.scope = thing.scope
        and suspect.key = lower(normal_name(thing.name))
  ) as counted
  where same > 1`
