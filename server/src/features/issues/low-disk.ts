import { sql } from 'kysely'
import { closed, Int32, nullable, Type, text } from '../../platform/schema.ts'
import { issue } from './issue.ts'
import { fewOf, listOf } from './sql.ts'

const defaultPercent = 10

const number = (example: number) => nullable(Type.Number({ examples: [example] }))

const LowDiskDrive = closed(
  {
    volume: text(255, 'C:'),
    label: nullable(text(255, 'System')),
    totalSpaceGb: number(237.9),
    freeSpaceGb: number(11.3),
    freePercent: number(4.75),
  },
  { title: 'LowDiskDrive' },
)

/** Fixed drives only: an optical disc is always full. */
export const lowDisk = issue({
  name: 'low-disk',
  thresholds: {
    minFreePercent: Type.Optional({
      ...Int32,
      minimum: 0,
      examples: [defaultPercent],
      description: `Drives with less of their space free, in percent; ${defaultPercent} unless minFreeGb is given`,
    }),
    minFreeGb: Type.Optional({
      ...Int32,
      minimum: 0,
      examples: [20],
      description: 'Drives with less space free, in GB. With both, a drive below either is reported.',
    }),
  },
  findings({ minFreeGb, minFreePercent = minFreeGb === undefined ? defaultPercent : undefined }) {
    const limits = [
      ...(minFreePercent === undefined ? [] : [sql`disk.free_percent < ${minFreePercent}::double precision`]),
      ...(minFreeGb === undefined ? [] : [sql`disk.free_space_gb < ${minFreeGb}::double precision`]),
    ]
    return sql`
      select disk.computer_id, disk.position, disk.volume, disk.label, disk.total_space_gb, disk.free_space_gb,
        disk.free_percent
      from disk_drives disk
      where disk.drive_type_code = 3 and (${sql.join(limits, sql` or `)})`
  },
  shape: { lowDiskDrives: Type.Array(LowDiskDrive) },
  show: {
    lowDiskDrives: listOf(
      {
        volume: sql`found.volume`,
        label: sql`found.label`,
        totalSpaceGb: sql`found.total_space_gb`,
        freeSpaceGb: sql`found.free_space_gb`,
        freePercent: sql`round(found.free_percent::numeric, 2)`,
      },
      sql`found.position`,
    ),
  },
  detail: fewOf(
    sql`found.volume || ' ' || coalesce(round(found.free_space_gb::numeric, 1) || ' GB', 'nearly nothing') || ' free'`,
    sql`found.position`,
  ),
})
