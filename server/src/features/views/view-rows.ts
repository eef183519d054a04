import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Principal } from '../../platform/authentication/principals.ts'
import { type Role, roleNames } from '../../platform/roles.ts'
import type { ComputerFilter } from '../fleet/computer-list/filter.ts'
import type { SortName } from '../fleet/computer-list/sort.ts'
import type { ViewColumn, ViewDensity, ViewPage } from './pages.ts'

/** An array of the views' table that TypeScript knows more about than the database does. */
const listOf = <T extends string>(column: string) => sql<T[]>`${sql.ref(column)}`

/** Whether the principal may change a row `saved_views` that it sees: its own, and, as an administrator, those that are shared. */
function mayChange({ id, roles }: Principal): RawBuilder<boolean> {
  return sql<boolean>`(saved_views.principal_id is not distinct from ${id}::integer
    or (${roles.has('admin.manage')}::boolean and saved_views.shared_with <> '{}'))`
}

/**
 * The views that the principal sees, as the API shows them: its own and those shared with one of its roles. Administrators see all
 * shared ones.
 */
export function viewRows(db: Database, principal: Principal) {
  const roles = roleNames.filter((role) => principal.roles.has(role))
  return db
    .selectFrom('saved_views')
    .leftJoin('local_principals as local', 'local.principal_id', 'saved_views.principal_id')
    .leftJoin('identity_principals as identity', 'identity.principal_id', 'saved_views.principal_id')
    .select([
      'saved_views.id',
      sql<ViewPage>`saved_views.page`.as('page'),
      'saved_views.name',
      sql<ComputerFilter>`saved_views.filters`.as('filters'),
      sql<SortName>`saved_views.sort`.as('sort'),
      'saved_views.descending',
      listOf<ViewColumn>('saved_views.columns').as('columns'),
      sql<ViewDensity | null>`saved_views.density`.as('density'),
      listOf<Role>('saved_views.shared_with').as('sharedWith'),
      sql<string | null>`coalesce(local.client_id, identity.display_name, identity.subject_id)`.as('savedBy'),
      sql<boolean>`saved_views.principal_id is not distinct from ${principal.id}::integer`.as('isOwn'),
      mayChange(principal).as('mayChange'),
      'saved_views.created_at as createdAtUtc',
      'saved_views.modified_at as modifiedAtUtc',
    ])
    .where(sql<boolean>`(${mayChange(principal)} or saved_views.shared_with && ${roles}::text[])`)
}
