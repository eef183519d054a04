import { sql } from 'kysely'
import { type ConvergenceSetting, convergenceDefaults, settingColumns } from '../../../convergence/settings.ts'
import { completeCriteria } from '../../../rollouts/criteria.ts'
import type { DesiredConvergence } from '../../api/desired-state/document-schemas.ts'
import { groupEntry, groupReference } from '../group-entries.ts'
import type { StateObject, StateSection } from '../state-section.ts'

type Ring = NonNullable<DesiredConvergence['rings']>[number]

const defaultRings: Ring[] = convergenceDefaults.rings.map(({ groupId: _, ...ring }) => ring)

/** Whether the members of a group are kept converged. What waits, and the waves, belong to the fleet, not to the state. */
export const groupConvergenceSection: StateSection = {
  name: 'groupConvergence',
  property: 'groups',
  readRole: 'group.read',
  async readCurrent(db) {
    const { rows } = await sql<ConvergenceSetting & { path: string; paths: Record<string, string> }>`
      select own.path, ${settingColumns('setting')}, (
        select coalesce(jsonb_object_agg(named.id, named.path), '{}')
        from jsonb_array_elements(setting.rings) as ring join groups named on named.id::text = lower(ring ->> 'groupId')
      ) as paths
      from group_convergence setting join groups own on own.id = setting.group_id
      order by lower(own.path)`.execute(db)
    return rows.map(({ path, paths, ...setting }) => toObject(path, toDesired(setting, new Map(Object.entries(paths)))))
  },
  readDocument: ({ groups }) =>
    groups?.flatMap(({ path, convergence }) => (convergence ? [toObject(path, convergence)] : [])),
  writeDocument(objects, document) {
    for (const { name, fields } of objects) groupEntry(document, name).convergence = fields as DesiredConvergence
  },
  toRequests: (changes, { idOf }) =>
    changes.map(({ object, after }) => {
      const params = { id: idOf('groups', object.key) }
      if (!after) return { operation: 'removeGroupConvergence', params }
      const { rings, ...others } = after.fields as DesiredConvergence
      const body = rings
        ? {
            ...others,
            rings: rings.map(({ group, ...ring }) => ({
              ...ring,
              ...(group !== undefined && { groupId: idOf('groups', group.toLowerCase()) }),
            })),
          }
        : others
      return { operation: 'setGroupConvergence', params, body }
    }),
}

/** A ring whose group was deleted has none in the document: it is empty. */
function toDesired({ isOn, groupId: _, rings, ...setting }: ConvergenceSetting, paths: ReadonlyMap<string, string>) {
  if (!isOn) return { state: 'Off' as const }
  const named = rings.map(({ groupId, ...ring }) => {
    const group = groupId === undefined ? undefined : paths.get(groupId.toLowerCase())
    return { ...ring, ...(group !== undefined && { group }) }
  })
  return { state: 'On' as const, rings: named, ...setting }
}

/** One form of equal settings: all values are given. */
function toObject(path: string, convergence: DesiredConvergence): StateObject {
  const { rings = defaultRings, criteria = {}, windows = [] } = convergence
  const complete: DesiredConvergence = {
    state: 'On',
    rings: rings.map((ring, index) => ({
      ...ring,
      name: ring.name ?? `${index + 1}`,
      windows: ring.windows ?? windows,
    })),
    criteria: completeCriteria({ awayHours: convergenceDefaults.awayHours, ...criteria }),
    timeZone: convergence.timeZone ?? null,
    expectedComputers: convergence.expectedComputers ?? convergenceDefaults.expectedComputers,
    expectedPercent: convergence.expectedPercent ?? null,
    maxRemovals: convergence.maxRemovals ?? convergenceDefaults.maxRemovals,
    maxRepairsPerDay: convergence.maxRepairsPerDay ?? convergenceDefaults.maxRepairsPerDay,
  }
  const isOn = convergence.state === 'On'
  const ringGroups = isOn ? rings.flatMap(({ group }) => group ?? []) : []
  return {
    key: path.toLowerCase(),
    name: path,
    fields: isOn ? complete : { state: 'Off' },
    groups: [path],
    needs: [groupReference(path), ...ringGroups.map(groupReference)],
  }
}
