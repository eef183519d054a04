import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { ok, operation } from '../../../platform/operation.ts'
import { closed, Int32 } from '../../../platform/schema.ts'
import { ComputerPath } from '../../computers/api/schemas.ts'
import { computerNotFound } from '../../computers/computers.ts'
import { diskRows } from '../hardware.ts'
import { SecurityPosture } from './schemas.ts'

const fixedDrive = 3

export const getSecurityPosture = operation({
  id: 'getSecurityPosture',
  route: 'GET /api/computer/:id/security-posture',
  summary: 'Read how a computer is protected, as the last inventory found it',
  description: 'What the computer cannot tell is null.',
  role: 'computer.read',
  params: ComputerPath,
  query: closed({
    staleAfterDays: {
      ...Int32,
      minimum: 0,
      default: 3,
      examples: [3],
      description: 'An inventory that is older counts as stale',
    },
  }),
  returns: ok(SecurityPosture),
  problems: [computerNotFound],
  async handle({ params: { id }, query: { staleAfterDays }, db }) {
    const found = await recordOf(db, id, staleAfterDays)
    if (!found) throw computerNotFound({ clientId: id })
    return {
      clientId: id,
      inventoryDateUtc: found.inventory_at,
      inventoryAgeDays: found.age_days,
      isStale: found.is_stale,
      staleAfterDays,
      antivirus: {
        name: found.antivirus_name,
        version: found.antivirus_version,
        isEnabled: found.antivirus_enabled,
        isUpToDate: found.antivirus_up_to_date,
        definitionsDateUtc: found.antivirus_definitions_at,
      },
      firewall: {
        name: found.firewall_name,
        isEnabled: found.firewall_enabled,
        domainProfileEnabled: found.firewall_domain_enabled,
        privateProfileEnabled: found.firewall_private_enabled,
        publicProfileEnabled: found.firewall_public_enabled,
      },
      secureBoot: { isSupported: found.secure_boot_supported, isEnabled: found.secure_boot_enabled },
      scriptPolicy: { name: found.script_policy_name, policy: found.script_policy },
      bitlocker: await encryptionOf(db, id),
    }
  },
})

function recordOf(db: Database, id: number, staleAfterDays: number) {
  return db
    .selectFrom('computers')
    .leftJoin('security_records', 'security_records.computer_id', 'computers.id')
    .selectAll('security_records')
    .select([
      'computers.inventory_at',
      sql<number | null>`floor(extract(epoch from now() - inventory_at) / 86400)::integer`.as('age_days'),
      sql<boolean>`coalesce(
        extract(epoch from now() - inventory_at) > ${staleAfterDays}::double precision * 86400, true)`.as('is_stale'),
    ])
    .where('computers.id', '=', id)
    .executeTakeFirst()
}

async function encryptionOf(db: Database, id: number) {
  const disks = await diskRows(db, id).where('drive_type_code', '=', fixedDrive).orderBy('position').execute()
  const states = new Set(disks.map(({ bitlockerStatus }) => bitlockerStatus))
  const status = states.has('Unencrypted') ? 'Unencrypted' : states.has('Encrypted') ? 'Encrypted' : 'NotAvailable'
  const volumes = disks.map(({ volume, bitlockerStatus, bitlockerKeyProtectors }) => ({
    volume,
    status: bitlockerStatus,
    keyProtectors: bitlockerKeyProtectors,
  }))
  return { status, volumes } as const
}
