import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { type VariableCandidate, variableCandidates } from '../variable-resolution/effective-variables.ts'
import { hasVariableName, variableNotFound } from '../variables/definitions.ts'
import type { ExplainedSource, Explanation } from './api/schemas.ts'
import { formatVerdict } from './verdict-messages.ts'

const kinds = {
  forced: 'ForcedGroupValue',
  computer: 'ComputerValue',
  group: 'GroupValue',
  configuration: 'VariableConfiguration',
  package: 'PackageDefault',
  default: 'CatalogDefault',
} as const satisfies Record<VariableCandidate['source'], ExplainedSource['kind']>

type NamedCandidate = VariableCandidate & { object_name: string | null }

/** Why a variable has its value on a computer, or none. The values of secret variables are not shown. */
export async function explainVariable(
  db: Database,
  computerId: number,
  variable: { id: number } | { name: string },
): Promise<Explanation> {
  const { id, dotted_name, is_secret } = await getVariable(db, variable)
  const { rows } = await sql<NamedCandidate>`
    select candidate.*, coalesce(configuration.name, p.name) as object_name
    from (${variableCandidates(computerId, id)}) as candidate
      left join variable_configurations configuration on configuration.id = candidate.configuration_id
      left join packages p on p.id = candidate.package_id
    order by candidate.place`.execute(db)
  const [winner] = rows
  const verdict = winner ? 'Applied' : 'NotAssigned'
  const shown = (value: string | null) => (is_secret ? null : value)
  return {
    subject: { kind: 'Variable', id: String(id), name: dotted_name, version: null },
    verdict,
    message: winner ? formatVerdict(verdict, []) : 'Nobody sets the variable, and it has no default.',
    value: shown(winner?.value ?? null),
    earliestRun: null,
    blockers: [],
    sources: rows.map((row) => ({ ...toSource(row, winner), value: shown(row.value) })),
    options: null,
    work: null,
    failure: null,
    cancellation: null,
    otherVersions: [],
    rollouts: [],
    notices: [],
  }
}

async function getVariable(db: Database, variable: { id: number } | { name: string }) {
  const isWanted =
    'id' in variable ? sql<boolean>`definition.id = ${variable.id}` : hasVariableName('definition', variable.name)
  const found = await db
    .selectFrom('variable_definitions as definition')
    .select(['id', 'dotted_name', 'is_secret'])
    .where(isWanted)
    .orderBy('id')
    .executeTakeFirst()
  if (!found) throw variableNotFound('id' in variable ? { varId: variable.id } : { name: variable.name })
  return found
}

function toSource(row: NamedCandidate, winner: NamedCandidate | undefined): Omit<ExplainedSource, 'value'> {
  return {
    kind: kinds[row.source],
    objectId: row.source === 'configuration' ? String(row.configuration_id) : row.package_id,
    objectName: row.object_name,
    groupId: row.group_id,
    groupPath: row.group_path,
    through: row.group_path === null ? [] : [row.group_path],
    beatenBy: winner && winner !== row ? findAdvantage(winner, row) : null,
  }
}

/** Why the winner comes first. The order is that of `variableCandidates`. */
function findAdvantage(winner: VariableCandidate, other: VariableCandidate): ExplainedSource['beatenBy'] {
  if (winner.tier !== other.tier || winner.source !== other.source) return 'HigherPrecedence'
  if (winner.source === 'forced' ? winner.depth !== other.depth : winner.distance !== other.distance)
    return 'NearerGroup'
  if (winner.in_assignment_tree !== other.in_assignment_tree) return 'ConfigurationTree'
  return winner.group_id === other.group_id ? 'OtherPath' : 'PathOrder'
}
