import { type RawBuilder, sql } from 'kysely'
import { effectiveAssignments } from '../../assignments/effective-assignments.ts'
import { dueWork, isForPackage, type WorkBit } from './due-work.ts'
import { asIfPublished, type PlannedPublication } from './planned-removals.ts'
import { unscheduled } from './reachable-options.ts'

/** A kind of work with a package and its content, as a person who approves it reads it. Takes the alias of the package. */
export function contentLine(kind: RawBuilder<string>, ofPackage: string): RawBuilder<string> {
  const [name, version, hash] = ['name', 'version', 'content_hash'].map((column) => sql.ref(`${ofPackage}.${column}`))
  return sql`concat_ws(' ', ${kind}, ${name}, nullif(${version}, ''), 'sha256 ' || encode(${hash}, 'hex'))`
}

/** The line of a row of `due` with its package `p`. Of an operating system, the edition matters as well. */
export const dueLine = contentLine(
  sql`concat_ws(' ', due.kind, (select edition from os_image_skus where id = due.sku_id))`,
  'p',
)

const bootLine = contentLine(sql`'Boot'`, 'p')

/** The work with packages that this transaction has created; `condition` is one on `work`. */
export function createdContent(condition: RawBuilder<boolean>): RawBuilder<{ line: string }> {
  return sql`
    select ${contentLine(sql.ref('work.kind'), 'p')} as line
    from work join packages p on p.id = work.package_id
    where work.created_at = now() and work.state = 'Due' and ${condition}`
}

/** The work with the package, and with what it pulls in, that this transaction has created. */
export function createdContentOf(packageId: string): RawBuilder<{ line: string }> {
  return createdContent(
    sql`${packageId}::uuid in (select work.package_id union select package_id from package_pulls where pulled_id = work.package_id)`,
  )
}

/** What the computers get if the scope is published now: work with packages, and the images from which they boot. */
export function plannedContent({
  scope,
  software,
  pxe,
  packageId = null,
}: Omit<PlannedPublication, 'packageId'> & { packageId?: string | null }): RawBuilder<{ line: string }> {
  const ofBit = (bit: WorkBit) => sql`
    select ${dueLine} as line
    from (${dueWork(bit, scope.computers, unscheduled, asIfPublished(scope, bit))}) as due
      join packages p on p.id = due.package_id
    where ${packageId === null ? sql`true` : isForPackage(packageId)}`
  const bootImages = sql`
    select ${bootLine} as line
    from (${effectiveAssignments('pxeBootImage', 'computer', scope.computers)}) as boot
      join pxe_boot_images image on image.id = boot.object_id
      join packages p on p.id = image.package_id`
  const parts = [...(software ? [ofBit('software')] : []), ...(pxe ? [ofBit('pxe'), bootImages] : [])]
  return parts.length > 0 ? sql`${sql.join(parts, sql` union all `)}` : sql`select '' as line where false`
}

/** Whether a row of `due` brings nothing but approved lines. */
export function isContentOf(approved: RawBuilder<string[]>): RawBuilder<boolean> {
  return sql`exists (select from packages p where p.id = due.package_id and ${dueLine} = any(${approved}))
    and (due.boot_image_id is null or exists (
      select from pxe_boot_images image join packages p on p.id = image.package_id
      where image.id = due.boot_image_id and ${bootLine} = any(${approved})))`
}
