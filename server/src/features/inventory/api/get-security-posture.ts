import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { closed, Int32 } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { isOfPreviousSystem } from '../bios-and-system.ts'
import { diskRows } from '../hardware.ts'
import { toSecurityReport } from '../stored-reports.ts'
import { SecurityPosture } from './schemas.ts'

const fixedDriveTypeCode = 3

export const getSecurityPosture = operation({
  id: 'getSecurityPosture',
  route: 'GET /api/computer/:id/security-posture',
  summary: 'Get the security posture of a computer',
  description:
    'Antivirus, firewall, Secure Boot, script policy and disk encryption, as the last inventory found them. Values that the computer cannot determine are null.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed({
    staleAfterDays: {
      ...Int32,
      minimum: 0,
      default: 3,
      examples: [3],
      description: 'An inventory older than this many days counts as stale',
    },
  }),
  returns: ok(SecurityPosture),
  problems: [computerNotFound],
  async handle({ params: { id }, query: { staleAfterDays }, db }) {
    const found = await findSecurityRecord(db, id, staleAfterDays)
    if (!found) throw computerNotFound({ clientId: id })
    return {
      clientId: id,
      inventoryDateUtc: found.inventory_at,
      inventoryAgeDays: found.age_days,
      isStale: found.is_stale,
      staleAfterDays,
      ...toSecurityReport(found),
      bitlocker: await readEncryption(db, id),
    }
  },
})

function findSecurityRecord(db: Database, id: number, staleAfterDays: number) {
  return db
    .selectFrom('computers')
    .leftJoin('security_records', 'security_records.computer_id', 'computers.id')
    .selectAll('security_records')
    .select([
      'computers.inventory_at',
      sql<number | null>`floor(extract(epoch from now() - inventory_at) / 86400)::integer`.as('age_days'),
      sql<boolean>`coalesce(
        extract(epoch from now() - inventory_at) > ${staleAfterDays}::double precision * 86400 or ${isOfPreviousSystem},
        true)`.as('is_stale'),
    ])
    .where('computers.id', '=', id)
    .executeTakeFirst()
}

async function readEncryption(db: Database, id: number) {
  const disks = await diskRows(db, id).where('drive_type_code', '=', fixedDriveTypeCode).orderBy('position').execute()
  const states = new Set(disks.map(({ bitlockerStatus }) => bitlockerStatus))
  const status = states.has('Unencrypted') ? 'Unencrypted' : states.has('Encrypted') ? 'Encrypted' : 'NotAvailable'
  const volumes = disks.map(({ volume, bitlockerStatus, bitlockerKeyProtectors }) => ({
    volume,
    status: bitlockerStatus,
    keyProtectors: bitlockerKeyProtectors,
  }))
  return { status, volumes } as const
}
