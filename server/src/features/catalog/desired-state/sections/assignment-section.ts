import { type RawBuilder, sql } from 'kysely'
import { assignmentTables } from '../../../assignments/effective-assignments.ts'
import type { DesiredGroup } from '../../api/desired-state/document-schemas.ts'
import { groupEntry, groupReference, ofGroup, requireDifferent } from '../group-entries.ts'
import type { PackageNames } from '../package-names.ts'
import type { StateSectionName } from '../section-names.ts'
import type { ChangeContext, StateObject, StateReference, StateSection } from '../state-section.ts'

/** An object that is assigned to a group: its name and, for an operating system, the edition. */
export type AssignedObject = { name: string; edition?: string }

/** How objects of one kind are assigned to groups. */
export type AssignmentDeclaration = {
  section: StateSectionName
  kind: keyof typeof assignmentTables
  /** The name of an object, or its package, as an SQL expression on `assignment`. */
  object: RawBuilder<string>
  edition?: RawBuilder<string>
  /** Whether `object` is the id of a package. */
  isPackage?: boolean
  read(group: DesiredGroup, packages: PackageNames): AssignedObject[]
  write(group: DesiredGroup, objects: AssignedObject[], packages: PackageNames): void
  reference(name: string): StateReference
  assign: { operation: string; body(object: AssignedObject, context: ChangeContext): Record<string, unknown> }
  remove: { operation: string; params(object: AssignedObject, context: ChangeContext): Record<string, unknown> }
}

/** A section of what is assigned to groups. A group that can have only one object of the kind has one entry. */
export function assignmentSection(declaration: AssignmentDeclaration): StateSection {
  const { section, kind, object, edition, isPackage } = declaration
  const { table, single } = assignmentTables[kind]

  const toObject = (path: string, assigned: AssignedObject): StateObject => {
    const shown = formatAssigned(assigned)
    return {
      key: single ? path.toLowerCase() : ofGroup(path, shown),
      name: `${path} ← ${shown}`,
      fields: single ? { assigned: shown } : {},
      groups: [path],
      needs: [groupReference(path), declaration.reference(assigned.name)],
      details: { path, assigned },
    }
  }
  const detailsOf = (one: StateObject) => one.details as { path: string; assigned: AssignedObject }

  return {
    name: section,
    property: 'groups',
    readRole: 'group.read',
    async readCurrent(db, packages) {
      const { rows } = await sql<{ path: string; object: string; edition: string | null }>`
        select own.path, ${object} as object, ${edition ?? sql`null`} as edition
        from ${sql.table(table)} assignment join permanent_groups own on own.id = assignment.group_id
        order by lower(own.path), 2`.execute(db)
      return rows.flatMap((row) => {
        const name = isPackage ? packages.findById(row.object)?.label : row.object
        if (name === undefined) return []
        return [toObject(row.path, { name, ...(row.edition !== null && { edition: row.edition }) })]
      })
    },
    readDocument: ({ groups }, { packages }) =>
      groups &&
      requireDifferent(
        'groups',
        groups.flatMap((group) => declaration.read(group, packages).map((assigned) => toObject(group.path, assigned))),
      ),
    writeDocument(objects, document, packages) {
      for (const [path, ofPath] of Map.groupBy(objects, (one) => detailsOf(one).path))
        declaration.write(
          groupEntry(document, path),
          ofPath.map((one) => detailsOf(one).assigned),
          packages,
        )
    },
    toRequests: (changes, context) =>
      changes.map(({ action, object }) => {
        const { path, assigned } = detailsOf(object)
        const id = context.idOf('groups', path.toLowerCase())
        if (action !== 'remove')
          return {
            operation: declaration.assign.operation,
            params: { id },
            body: declaration.assign.body(assigned, context),
          }
        const params = { id, ...declaration.remove.params(assigned, context) }
        return { operation: declaration.remove.operation, params }
      }),
  }
}

/** The edition is what comes after the last comma: one that contains a comma is quoted. */
function formatAssigned({ name, edition }: AssignedObject): string {
  if (edition === undefined) return name
  return `${name}, ${/[",]/.test(edition) ? JSON.stringify(edition) : edition}`
}
