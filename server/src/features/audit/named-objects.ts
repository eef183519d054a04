import { compositeKey } from '@muster/text'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Role } from '../../platform/roles.ts'

type ObjectKindDeclaration = {
  /** The path of an object of this kind is this prefix, a slash and its id. The first one is where it was created. */
  prefixes: readonly [string, ...string[]]
  /** Properties of a body that contain ids of this kind. */
  properties: readonly string[]
  /** The role that may read the name. */
  role: Role
  isId: RegExp
  /** Selects the `id`, as text, and the `name` of those among the ids that exist. */
  select(ids: readonly string[]): RawBuilder<unknown>
}

const number = /^[1-9]\d{0,8}$/
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const declarations = {
  Computer: {
    prefixes: ['/api/computer', '/api/depots'],
    properties: ['clientId', 'computerId', 'computerIds'],
    role: 'computer.read',
    isId: number,
    select: (ids) => sql`select id::text, name from computers where id = any (${ids}::integer[])`,
  },
  Group: {
    prefixes: ['/api/group', '/api/fleet/groups'],
    properties: ['groupId', 'groupIds', 'parentId', 'treeId'],
    role: 'group.read',
    isId: uuid,
    select: (ids) => sql`select id::text, path from groups where id = any (${ids}::uuid[])`,
  },
  Package: {
    prefixes: ['/api/packages'],
    properties: ['packageId', 'packageIds', 'softwareId', 'oldPackageId', 'newPackageId'],
    role: 'package.read',
    isId: uuid,
    select: (ids) => sql`select id::text, concat_ws(' ', name, version) from packages where id = any (${ids}::uuid[])`,
  },
  PmGroup: {
    prefixes: ['/api/pmgroup'],
    properties: ['pmGroupId'],
    role: 'pm.read',
    isId: number,
    select: (ids) => sql`select id::text, name from pm_groups where id = any (${ids}::integer[])`,
  },
  PatchPolicy: {
    prefixes: ['/api/patch-policies'],
    properties: [],
    role: 'pm.read',
    isId: number,
    select: (ids) => sql`select id::text, name from patch_policies where id = any (${ids}::integer[])`,
  },
  Patch: {
    prefixes: ['/api/patches'],
    properties: ['patchId'],
    role: 'pm.read',
    isId: number,
    select: (ids) => sql`select id::text, name from patches where id = any (${ids}::integer[])`,
  },
  Rollout: {
    prefixes: ['/api/rollouts'],
    properties: [],
    role: 'computer.read',
    isId: uuid,
    select: (ids) => sql`select id::text, name from rollouts where id = any (${ids}::uuid[])`,
  },
  SoftwareClass: {
    prefixes: ['/api/softwareclasses'],
    properties: ['classId'],
    role: 'package.read',
    isId: number,
    select: (ids) => sql`select id::text, name from software_classes where id = any (${ids}::integer[])`,
  },
  Variable: {
    prefixes: ['/api/variable-definitions'],
    properties: [],
    role: 'package.read',
    isId: number,
    select: (ids) => sql`select id::text, dotted_name from variable_definitions where id = any (${ids}::integer[])`,
  },
  Webhook: {
    prefixes: ['/api/webhooks'],
    properties: [],
    role: 'admin.manage',
    isId: uuid,
    select: (ids) => sql`select id::text, name from webhooks where id = any (${ids}::uuid[])`,
  },
  Report: {
    prefixes: ['/api/reports'],
    properties: [],
    role: 'computer.read',
    isId: uuid,
    select: (ids) => sql`select id::text, name from reports where id = any (${ids}::uuid[])`,
  },
  Licence: {
    prefixes: ['/api/licences'],
    properties: [],
    role: 'computer.read',
    isId: uuid,
    select: (ids) => sql`select id::text, name from licences where id = any (${ids}::uuid[])`,
  },
  Tag: {
    prefixes: ['/api/tags'],
    properties: ['tagId', 'tagIds'],
    role: 'package.read',
    isId: number,
    select: (ids) => sql`select id::text, designation from tags where id = any (${ids}::integer[])`,
  },
  LocalPrincipal: {
    prefixes: ['/api/admin/local-principals'],
    properties: [],
    role: 'admin.manage',
    isId: number,
    select: (ids) => sql`
      select principal_id::text, coalesce(description, client_id) from local_principals
      where principal_id = any (${ids}::integer[])`,
  },
  Principal: {
    prefixes: ['/api/admin/principals'],
    properties: [],
    role: 'admin.manage',
    isId: number,
    select: (ids) => sql`
      select principal_id::text, coalesce(display_name, subject_id) from identity_principals
      where principal_id = any (${ids}::integer[])`,
  },
  EnrolmentToken: {
    prefixes: ['/api/enrolment-tokens'],
    properties: [],
    role: 'admin.manage',
    isId: number,
    select: (ids) => sql`
      select id::text, description from enrolment_tokens where id = any (${ids}::integer[]) and description is not null`,
  },
} satisfies Record<string, ObjectKindDeclaration>

export type NamedKind = keyof typeof declarations

export const namedKinds = Object.keys(declarations) as NamedKind[]

const kinds = Object.entries(declarations) as [NamedKind, ObjectKindDeclaration][]

export type ObjectReference = { kind: NamedKind; id: string }
export type NamedObject = ObjectReference & { name: string }

/** The objects that a path and a body name by their ids, those of the path first. */
export function findReferences(target: string, request: unknown): ObjectReference[] {
  const { body } = (request ?? {}) as { body?: unknown }
  const found = [...referencesInPath(target), ...referencesInBody(body)]
  return [...new Map(found.map((one) => [keyOf(one), one])).values()]
}

export const keyOf = ({ kind, id }: ObjectReference) => compositeKey(kind, id)

/** What is assigned to or set on the object at the beginning of a path. */
const belowGroupOrComputer: readonly { kind: NamedKind; path: RegExp }[] = [
  { kind: 'Package', path: /^\/api\/group\/[^/]+\/(?:packages|agent-template|language-pack-imports)\/([^/]+)$/ },
  { kind: 'SoftwareClass', path: /^\/api\/group\/[^/]+\/software-classes\/([^/]+)$/ },
  { kind: 'Variable', path: /^\/api\/(?:group|computer)\/[^/]+\/variables\/([^/]+)/ },
  { kind: 'Group', path: /^\/api\/patch-policies\/[^/]+\/assignments\/([^/]+)$/ },
  { kind: 'Patch', path: /^\/api\/patch-policies\/[^/]+\/progress\/([^/]+)\// },
  { kind: 'Tag', path: /^\/api\/depots\/[^/]+\/tags\/([^/]+)$/ },
]

/** For example the group and the package of /api/group/{id}/packages/{packageId}. */
function referencesInPath(target: string): ObjectReference[] {
  const found = kinds.flatMap(([kind, { prefixes, isId }]) =>
    prefixes.flatMap((prefix) => {
      const id = target.startsWith(`${prefix}/`) ? target.slice(prefix.length + 1).split('/')[0] : undefined
      return id !== undefined && isId.test(id) ? [{ kind, id }] : []
    }),
  )
  const below = belowGroupOrComputer.flatMap(({ kind, path }) => {
    const [, id = ''] = path.exec(target) ?? []
    return declarations[kind].isId.test(id) ? [{ kind, id }] : []
  })
  return [...found, ...below]
}

function referencesInBody(body: unknown): ObjectReference[] {
  if (typeof body !== 'object' || body === null) return []
  return kinds.flatMap(([kind, { properties, isId }]) =>
    properties.flatMap((property) =>
      [(body as Record<string, unknown>)[property]]
        .flat()
        .map(String)
        .filter((id) => isId.test(id))
        .map((id) => ({ kind, id })),
    ),
  )
}

/**
 * The names of the objects, by `keyOf`: the current one if the caller may read it, otherwise the last one that the audit
 * trail knows. An object that is neither has no entry. Two statements at most.
 */
export async function resolveNames(
  db: Database,
  references: readonly ObjectReference[],
  roles: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  const readable = kinds.flatMap(([kind, { role, select }]) => {
    const ids = references.filter((one) => one.kind === kind).map(({ id }) => id)
    return ids.length > 0 && roles.has(role)
      ? [sql`select ${kind}::text as kind, id, name from (${select(ids)}) as found (id, name)`]
      : []
  })
  if (readable.length > 0) {
    const { rows } = await sql<NamedObject>`${sql.join(readable, sql` union all `)}`.execute(db)
    for (const row of rows) names.set(keyOf(row), row.name)
  }
  const unknown = references.filter((one) => !names.has(keyOf(one)))
  for (const [key, name] of await findAuditedNames(db, unknown)) names.set(key, name)
  return names
}

/** The names in the latest requests that created or renamed the objects. They survive the deletion of the objects. */
async function findAuditedNames(
  db: Database,
  references: readonly ObjectReference[],
): Promise<readonly (readonly [string, string])[]> {
  if (references.length === 0) return []
  const paths = references.map(({ kind, id }) => `${declarations[kind].prefixes[0]}/${id}`)
  const { rows } = await sql<{ position: number; name: string }>`
    select wanted.position::integer, entry.name
    from unnest(${paths}::text[]) with ordinality as wanted (path, position)
      cross join lateral (
        select audited.name
        from audit_entries entry cross join lateral (select coalesce(entry.request #>> '{body,name}',
          entry.request #>> '{body,designation}', entry.request #>> '{body,displayName}',
          entry.request #>> '{body,computer,name}', entry.request #>> '{body,description}') as name) as audited
        -- An agent that enrols creates its computer.
        where entry.target = any (array[wanted.path, wanted.path || '/agent']) and audited.name is not null
        order by entry.id desc limit 1
      ) as entry`.execute(db)
  return rows.flatMap(({ position, name }) => {
    const reference = references[position - 1]
    return reference ? [[keyOf(reference), name] as const] : []
  })
}
