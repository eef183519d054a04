import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Static } from '../../platform/schema.ts'
import { isFrozen } from '../blast-radius/freeze.ts'
import type { GroupConvergence } from './api/schemas.ts'
import { type ConvergenceSetting, settingColumns } from './settings.ts'
import { listOpenWaves } from './start-waves.ts'

type Row = Omit<ConvergenceSetting, 'groupId'> & {
  groupId: string
  sourceGroupPath: string
  changedAtUtc: Date
  changedBy: string
  lastWaveAtUtc: Date | null
  comparedAtUtc: Date | null
  markedAt: Date | null
  hasMarkedComputers: boolean
  problemCode: string | null
  isFrozen: boolean
}

/** The setting that a group has, its own or that of a group above it, with the properties of the API. */
export async function readConvergence(db: Database, groupId: string): Promise<Static<typeof GroupConvergence>> {
  const { rows } = await sql<Row>`
    select ${settingColumns('source')}, groups.path as "sourceGroupPath", source.changed_at as "changedAtUtc",
      source.changed_by as "changedBy", source.wave_at as "lastWaveAtUtc", source.compared_at as "comparedAtUtc",
      source.marked_at as "markedAt", source.problem_code as "problemCode", ${isFrozen} as "isFrozen",
      exists (select from convergence_computers listed where listed.group_id = source.group_id) as "hasMarkedComputers"
    from group_ancestors above
      join group_convergence source on source.group_id = above.ancestor_id
      join groups on groups.id = source.group_id
    where above.descendant_id = ${groupId}
    order by above.distance limit 1`.execute(db)
  const [source] = rows
  if (!source?.isOn) return offAnswer(groupId, source)
  const {
    groupId: sourceGroupId,
    isOn: _,
    markedAt,
    hasMarkedComputers,
    problemCode,
    isFrozen: frozen,
    ...shown
  } = source
  const waves = await listOpenWaves(db, sourceGroupId)
  return {
    groupId,
    state: 'On',
    isInherited: sourceGroupId !== groupId,
    sourceGroupId,
    ...shown,
    openWaves: waves.length,
    waiting:
      markedAt || hasMarkedComputers || problemCode !== null
        ? { ...toWait(waves, frozen, problemCode), sinceUtc: markedAt, problemCode }
        : null,
  }
}

function toWait(waves: Awaited<ReturnType<typeof listOpenWaves>>, frozen: boolean, problemCode: string | null) {
  const waitingWave = waves.find(({ isWaiting }) => isWaiting)
  if (frozen) return { code: 'Frozen' as const, rolloutId: null }
  if (waitingWave) return { code: 'WaveNeedsPerson' as const, rolloutId: waitingWave.id }
  return { code: problemCode === null ? ('Comparing' as const) : ('Refused' as const), rolloutId: null }
}

const offAnswer = (groupId: string, source: Row | undefined): Static<typeof GroupConvergence> => ({
  groupId,
  state: 'Off',
  isInherited: source?.groupId !== groupId,
  sourceGroupId: source?.groupId ?? null,
  sourceGroupPath: source?.sourceGroupPath ?? null,
  ...{ rings: null, criteria: null, timeZone: null, expectedComputers: null, expectedPercent: null },
  ...{ maxRemovals: null, maxRepairsPerDay: null },
  changedAtUtc: source?.changedAtUtc ?? null,
  changedBy: source?.changedBy ?? null,
  ...{ openWaves: 0, lastWaveAtUtc: null, comparedAtUtc: null, waiting: null },
})
