import { type RawBuilder, sql } from 'kysely'
import { packageOf } from '../found-packages.ts'

/** Whether an exception, an alias of the query, has not expired. */
export const isInForce = (exception: string): RawBuilder<boolean> => {
  const expiresAt = sql.ref(`${exception}.expires_at`)
  return sql<boolean>`(${expiresAt} is null or ${expiresAt} > now())`
}

/**
 * Whether an exception in force covers a vulnerability of an installed component on a computer. The first two arguments are columns of
 * the surrounding query, the last one is an alias of `installed_components` in it.
 */
export function isCovered(vulnerabilityId: string, computerId: string, component: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from vulnerability_exceptions exception
    where exception.vulnerability_id = ${sql.ref(vulnerabilityId)} and ${isInForce('exception')}
      and (exception.package_name is null or ${isForComponent('exception', component)})
      and (exception.group_id is null and exception.computer_id is null
        or exception.computer_id = ${sql.ref(computerId)}
        or exception.group_id is not null and exists (
          select from effective_memberships member
            join group_ancestors above on above.descendant_id = member.group_id
          where member.computer_id = ${sql.ref(computerId)} and above.ancestor_id = exception.group_id)))`
}

/** Whether the package of an exception is the component, by the name of the package that advisories name or of the installed product. */
function isForComponent(exception: string, component: string): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${exception}.${column}`)
  const on = (column: string) => sql.ref(`${component}.${column}`)
  return sql<boolean>`(split_part(${on('component')}, '/', 1) = ${of('package_type')}
    and (${on('platform')} = ${of('package_platform')}
      or regexp_replace(${on('platform')}, '-[0-9.]+$', '') = ${of('package_platform')})
    and (${of('package_version_key')} is null or ${of('package_version_key')} = ${on('version_key')})
    and (${packageOf(`${component}.component`)} = ${of('package_name')} or exists (
      select from software_products product
      where product.id = ${on('product_id')} and lower(product.name) = ${of('package_name')})))`
}
