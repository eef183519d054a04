import { sql } from 'kysely'
import { closed, nullable, Type, text } from '../../platform/schema.ts'
import { BitlockerState } from '../inventory/items.ts'
import { issue } from './issue.ts'
import { fewOf, listOf } from './sql.ts'

const BitlockerOffDisk = closed(
  {
    volume: text(255, 'C:'),
    label: nullable(text(255, 'System')),
    totalSpaceGb: nullable(Type.Number({ examples: [237.9] })),
    bitlockerStatus: BitlockerState,
  },
  { title: 'BitlockerOffDisk' },
)

export const bitlockerOff = issue({
  name: 'bitlocker-off',
  thresholds: {},
  findings: () => sql`
    select disk.computer_id, disk.position, disk.volume, disk.label, disk.total_space_gb, disk.bitlocker_status
    from disk_drives disk join computers windows on windows.id = disk.computer_id
    where disk.drive_type_code = 3 and disk.bitlocker_status = 'Unencrypted'
      and (windows.platform ilike '%windows%' or windows.os_name ilike '%windows%')`,
  shape: { unencryptedDisks: Type.Array(BitlockerOffDisk) },
  show: {
    unencryptedDisks: listOf(
      {
        volume: sql`found.volume`,
        label: sql`found.label`,
        totalSpaceGb: sql`found.total_space_gb`,
        bitlockerStatus: sql`found.bitlocker_status`,
      },
      sql`found.position`,
    ),
  },
  detail: fewOf(sql`found.volume`, sql`found.position`),
})
