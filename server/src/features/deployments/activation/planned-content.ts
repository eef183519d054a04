import { type RawBuilder, sql } from 'kysely'
import { effectiveAssignments } from '../../assignments/effective-assignments.ts'
import { dueWork, type WorkBit } from './due-work.ts'
import { asIfPublished, noWindows, type PlannedPublication } from './planned-removals.ts'

/** A kind of work with a package and its content, as a person who approves it reads it. Takes the alias of the package. */
export function contentLine(kind: RawBuilder<string>, ofPackage: string): RawBuilder<string> {
  const [name, version, hash] = ['name', 'version', 'content_hash'].map((column) => sql.ref(`${ofPackage}.${column}`))
  return sql`concat_ws(' ', ${kind}, ${name}, nullif(${version}, ''), 'sha256 ' || encode(${hash}, 'hex'))`
}

/** What the computers get if the scope is published now: work with packages, and the images from which they boot. */
export function plannedContent({
  scope,
  software,
  pxe,
  packageId = null,
}: Omit<PlannedPublication, 'packageId'> & { packageId?: string | null }): RawBuilder<{ line: string }> {
  const ofBit = (bit: WorkBit) => sql`
    select ${contentLine(sql.ref('due.kind'), 'p')} as line
    from (${dueWork(bit, scope.computers, noWindows, asIfPublished(scope, bit))}) as due
      join packages p on p.id = due.package_id
    where ${packageId}::uuid is null or due.package_id = ${packageId}::uuid`
  const bootImages = sql`
    select ${contentLine(sql`'Boot'`, 'p')} as line
    from (${effectiveAssignments('pxeBootImage', 'computer', scope.computers)}) as boot
      join pxe_boot_images image on image.id = boot.object_id
      join packages p on p.id = image.package_id`
  const parts = [...(software ? [ofBit('software')] : []), ...(pxe ? [ofBit('pxe'), bootImages] : [])]
  return parts.length > 0 ? sql`${sql.join(parts, sql` union all `)}` : sql`select '' as line where false`
}

/** Allows nothing but approved content, as a condition on `due`. Null allows all. */
export function onlyContentOf(approved: RawBuilder<string[] | null>): RawBuilder<boolean> {
  const lines = sql`${approved}::text[]`
  return sql`(${lines} is null or exists (
    select from packages p where p.id = due.package_id and ${contentLine(sql.ref('due.kind'), 'p')} = any(${lines})))`
}
