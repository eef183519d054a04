import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname, networkInterfaces } from 'node:os'
import { sql } from 'kysely'
import { lockTextForTransaction } from '../../database/advisory-locks.ts'
import type { Database } from '../../database/connect.ts'
import { formatMacAddress } from '../../platform/mac-address.ts'

export type HostMachine = { name: string; domain: string; macAddress: string | null; uuid: string }

/** Describes the machine on which this process runs. */
export async function describeThisMachine(): Promise<HostMachine> {
  const [name = '', ...domain] = hostname().split('.')
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const macAddress = interfaces.find(({ internal, mac }) => !internal && mac !== '00:00:00:00:00:00')?.mac ?? null
  // The machine ID is confidential, so only its hash is used.
  const machineId = await readFile('/etc/machine-id', 'utf8').catch(() => hostname())
  return { name, domain: domain.join('.') || 'localdomain', macAddress, uuid: deriveUuid(`muster ${machineId.trim()}`) }
}

/** Ensures that there is a master server: the given machine, unless a computer already has this role. */
export async function ensureMasterServer(db: Database, machine: HostMachine): Promise<void> {
  const { name, domain, macAddress, uuid } = machine
  await db.transaction().execute(async (transaction) => {
    await lockTextForTransaction(transaction, 'master server')
    await sql`
      with vacant as (select where not exists (select from computers where role = 'MasterServer')),
        promoted as (
          update computers set role = 'MasterServer', modified_at = now()
          where id = (
            select id from computers
            where mac_key = lower(regexp_replace(${macAddress}::text, '[^[:alnum:]]', '', 'g'))
              or (lower(name) = lower(${name}) and lower(domain) = lower(${domain}))
            order by (lower(name) = lower(${name})) desc, id
            limit 1
          ) and exists (select from vacant)
          returning id
        )
      insert into computers (name, domain, is_domain, role, mac_address, uuid)
      select ${name}, ${domain}, false, 'MasterServer', ${macAddress && formatMacAddress(macAddress)}, ${uuid}::uuid
      from vacant where not exists (select from promoted)`.execute(transaction)
  })
}

/** Derives a UUID (version 8) from a text. The same text always gives the same UUID. */
function deriveUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
