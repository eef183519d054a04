import { type Selectable, sql } from 'kysely'
import type { DiskDrives } from '../../database/tables.ts'
import { closed, Int32, nullable, Type, text } from '../../platform/schema.ts'
import { issue } from './issue.ts'
import { jsonList, textList } from './occurrence-aggregates.ts'

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

type FullDrive = Pick<
  Selectable<DiskDrives>,
  'computer_id' | 'position' | 'volume' | 'label' | 'total_space_gb' | 'free_space_gb' | 'free_percent'
>

/** Only fixed drives (type 3) count: an optical disc is always full. */
export const lowDisk = issue({
  name: 'low-disk',
  thresholds: {
    minFreePercent: Type.Optional({
      ...Int32,
      minimum: 0,
      examples: [defaultPercent],
      description: `Report drives with less free space than this, in percent. The default is ${defaultPercent} unless \`minFreeGb\` is set.`,
    }),
    minFreeGb: Type.Optional({
      ...Int32,
      minimum: 0,
      examples: [20],
      description:
        'Report drives with less free space than this, in GB. With both thresholds, a drive below either is reported.',
    }),
  },
  occurrences({ minFreeGb, minFreePercent = minFreeGb === undefined ? defaultPercent : undefined }) {
    const limits = [
      ...(minFreePercent === undefined ? [] : [sql<boolean>`disk.free_percent < ${minFreePercent}::double precision`]),
      ...(minFreeGb === undefined ? [] : [sql<boolean>`disk.free_space_gb < ${minFreeGb}::double precision`]),
    ]
    return sql<FullDrive>`
      select disk.computer_id, disk.position, disk.volume, disk.label, disk.total_space_gb, disk.free_space_gb,
        disk.free_percent
      from disk_drives disk
      where disk.drive_type_code = 3 and (${sql.join(limits, sql` or `)})`
  },
  properties: { lowDiskDrives: Type.Array(LowDiskDrive) },
  values: (column) => ({
    lowDiskDrives: jsonList(
      {
        volume: column.volume,
        label: column.label,
        totalSpaceGb: column.total_space_gb,
        freeSpaceGb: column.free_space_gb,
        freePercent: sql<number>`round(${column.free_percent}::numeric, 2)`,
      },
      column.position,
    ),
  }),
  detail: (column) => {
    const freeSpace = sql<string>`coalesce(round(${column.free_space_gb}::numeric, 1) || ' GB', 'nearly nothing')`
    return textList(sql<string>`${column.volume} || ' ' || ${freeSpace} || ' free'`, column.position)
  },
  cause: { kind: 'Volume', id: (column) => column.volume },
})
