import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import {
  type AssignmentKind,
  assignmentTables,
  computerAsOwner,
  nearestFirst,
  reachedAssignments,
} from '../assignments/effective-assignments.ts'
import type { ExplainedSource } from './api/schemas.ts'

/** Patch policies are explained by their rulings, because several of them may decide about one patch. */
type ExplainedKind = Exclude<AssignmentKind, 'patchPolicy'>

/** A kind of assignment that matters for the subject, and which of its objects, `object_id`, are the subject. */
export type SubjectAssignment = { kind: ExplainedKind; isSubject: RawBuilder<boolean> }

/** The name of each kind of assignment in the API, and where the names of its objects are. */
const kinds: Record<ExplainedKind, { source: ExplainedSource['kind']; table: string; name: RawBuilder<string> }> = {
  package: { source: 'Package', table: 'packages', name: sql`object.name` },
  languagePack: { source: 'LanguagePack', table: 'packages', name: sql`object.name` },
  softwareClass: { source: 'SoftwareClass', table: 'software_classes', name: sql`object.name` },
  variableConfiguration: { source: 'VariableConfiguration', table: 'variable_configurations', name: sql`object.name` },
  agentTemplate: { source: 'AgentTemplate', table: 'packages', name: sql`object.name` },
  osImageSku: { source: 'OsImageSku', table: 'os_image_skus', name: sql`object.edition` },
  pxeBootImage: {
    source: 'PxeBootImage',
    table: 'pxe_boot_images',
    name: sql`(select name from packages where packages.id = object.package_id)`,
  },
  pmGroup: { source: 'PmGroup', table: 'pm_groups', name: sql`object.name` },
}

type Row = Pick<ExplainedSource, 'kind' | 'objectId' | 'objectName' | 'groupId' | 'groupPath' | 'through'> & {
  distance: number
  in_assignment_tree: boolean
  is_subject: boolean
}

export type ReachedSource = ExplainedSource & { isSubject: boolean }

/**
 * The assignments of a computer that bring the subject, or that compete with it, in the order of precedence: the first
 * one wins. Each shows the groups through which the computer reaches it.
 */
export async function listReachedSources(
  db: Database,
  computerId: number,
  assignments: readonly SubjectAssignment[],
): Promise<ReachedSource[]> {
  const reached = assignments.map(({ kind, isSubject }, place) => {
    const { source, table, name } = kinds[kind]
    return sql`
      select ${source} as kind, reached.object_id::text, ${name} as object_name, reached.group_id,
        reached.group_path, reached.distance, reached.in_assignment_tree, reached.member_group_id,
        ${place}::integer as place, reached.is_subject
      from (
        select *, ${isSubject} as is_subject
        from (${reachedAssignments(kind, 'computer', computerAsOwner(computerId))}) as every
      ) as reached join ${sql.table(table)} object on object.id = reached.object_id
      where ${assignmentTables[kind].single ? sql`true` : sql`reached.is_subject`}`
  })
  const { rows } = await sql<Row>`
    select kind, object_id as "objectId", object_name as "objectName", group_id as "groupId", group_path as "groupPath",
      distance, in_assignment_tree, is_subject, array(
        select between.path from group_ancestors above join groups between on between.id = above.ancestor_id
        where above.descendant_id = reached.member_group_id and above.distance <= reached.distance
        order by above.distance) as through
    from (${sql.join(reached, sql` union all `)}) as reached
    order by ${nearestFirst('reached')}, place, object_id, through`.execute(db)
  return rows.map((row) => toSource(row, rows[0]))
}

function toSource(row: Row, winner: Row | undefined): ReachedSource {
  const { kind, objectId, objectName, groupId, groupPath, through, is_subject } = row
  const beatenBy = winner && winner !== row ? findAdvantage(winner, row) : null
  return { kind, objectId, objectName, groupId, groupPath, through, value: null, beatenBy, isSubject: is_subject }
}

/** Why the winner comes first. The order is that of `nearestFirst`. */
function findAdvantage(winner: Row, other: Row): ExplainedSource['beatenBy'] {
  if (winner.distance !== other.distance) return 'NearerGroup'
  if (winner.in_assignment_tree !== other.in_assignment_tree) return 'ConfigurationTree'
  if (winner.groupId !== other.groupId) return 'PathOrder'
  return winner.kind === other.kind ? 'OtherPath' : 'PackageItself'
}
