import { type Selectable, sql } from 'kysely'
import type { DiskDrives } from '../../database/tables.ts'
import { closed, nullable, Type, text } from '../../platform/schema.ts'
import { BitlockerState } from '../inventory/items.ts'
import { issue } from './issue.ts'
import { jsonList, textList } from './occurrence-aggregates.ts'

const BitlockerOffDisk = closed(
  {
    volume: text(255, 'C:'),
    label: nullable(text(255, 'System')),
    totalSpaceGb: nullable(Type.Number({ examples: [237.9] })),
    bitlockerStatus: BitlockerState,
  },
  { title: 'BitlockerOffDisk' },
)

type UnencryptedDisk = Pick<
  Selectable<DiskDrives>,
  'computer_id' | 'position' | 'volume' | 'label' | 'total_space_gb' | 'bitlocker_status'
>

/** Only fixed drives (type 3) of Windows computers count. */
export const bitlockerOff = issue({
  name: 'bitlocker-off',
  thresholds: {},
  occurrences: () => sql<UnencryptedDisk>`
    select disk.computer_id, disk.position, disk.volume, disk.label, disk.total_space_gb, disk.bitlocker_status
    from disk_drives disk join computers windows on windows.id = disk.computer_id
    where disk.drive_type_code = 3 and disk.bitlocker_status = 'Unencrypted'
      and (windows.platform ilike '%windows%' or windows.os_name ilike '%windows%')`,
  properties: { unencryptedDisks: Type.Array(BitlockerOffDisk) },
  values: (column) => ({
    unencryptedDisks: jsonList(
      {
        volume: column.volume,
        label: column.label,
        totalSpaceGb: column.total_space_gb,
        bitlockerStatus: column.bitlocker_status,
      },
      column.position,
    ),
  }),
  detail: (column) => textList(column.volume, column.position),
  cause: { kind: 'Volume', id: (column) => column.volume },
})
