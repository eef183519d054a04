import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { DB } from '../../database/tables.ts'
import { containing } from '../../platform/like-pattern.ts'
import type { Matching } from '../../platform/paging.ts'
import type { ComputerCriteria } from './api/schemas.ts'
import { computerIdsModifiedAfter } from './computer-changes.ts'
import { isPxeActive } from './computer-rows.ts'
import { emptyUuid } from './computer-uuid.ts'
import { computerIdsWithOu } from './organizational-unit.ts'
import { computerIdsByNameMatch } from './reported-name.ts'
import { architecturePatterns, manufacturerPatterns, operatingSystemPatterns } from './spellings.ts'

type Matches = SelectQueryBuilder<DB, 'computers', { id: number }>

const partOf = (searched: string) => [containing(searched)]

/** The column of each text, and the patterns by which it is searched: sources spell some of them differently. */
const texts = {
  hostname: ['computers.name', partOf],
  domain: ['computers.domain', partOf],
  manufacturer: ['computers.manufacturer', manufacturerPatterns],
  osName: ['computers.os_name', operatingSystemPatterns],
  osEdition: ['computers.os_edition', partOf],
  osVersion: ['computers.os_version', partOf],
  osBuild: ['computers.os_build', partOf],
  platform: ['computers.platform', partOf],
  language: ['computers.language', partOf],
  architecture: ['computers.architecture', architecturePatterns],
} as const

/**
 * Matches the computers that meet all criteria. Null and the empty text are ignored; `neverSeen` and
 * `neverInventoried` exclude nothing when false.
 */
export async function matchComputers(db: Database, criteria: ComputerCriteria): Promise<Matching<DB, 'computers'>> {
  const isFiltered = Object.values(criteria).some((value) => value !== null && value !== '')
  const all: Matches = db.selectFrom('computers').select('computers.id')
  const matches = whereTimes(whereHardware(whereTexts(all, criteria), criteria), criteria)
  const query = criteria.ou ? matches.where('computers.id', 'in', await computerIdsWithOu(db, criteria.ou)) : matches
  return { query, once: isFiltered }
}

function whereTexts(matches: Matches, criteria: ComputerCriteria): Matches {
  for (const [name, [column, patternsOf]] of Object.entries(texts)) {
    const searched = criteria[name as keyof typeof texts]
    if (searched)
      matches = matches.where(({ eb, or }) => or(patternsOf(searched).map((pattern) => eb(column, 'ilike', pattern))))
  }
  const { serialNumber, macAddress, ipAddress } = criteria
  if (serialNumber)
    matches = matches.where('computers.id', 'in', ({ selectFrom }) =>
      selectFrom('bios_records').select('computer_id').where('serial_number', 'ilike', containing(serialNumber)),
    )
  if (macAddress) {
    const digits = macAddress.replace(/[:.-]/g, '').toLowerCase()
    matches = matches.where('computers.mac_key', 'like', containing(digits))
  }
  if (ipAddress)
    matches = matches.where(({ eb, or }) =>
      or([
        eb('computers.ip_address', 'ilike', containing(ipAddress)),
        eb('computers.reported_ip_address', 'ilike', containing(ipAddress)),
      ]),
    )
  return matches
}

function whereHardware(matches: Matches, criteria: ComputerCriteria): Matches {
  const { clientId, uuid, minRamGb, pxeSupport } = criteria
  if (typeof clientId === 'number') matches = matches.where('computers.id', '=', clientId)
  if (uuid)
    matches =
      uuid === emptyUuid ? matches.where('computers.uuid', 'is', null) : matches.where('computers.uuid', '=', uuid)
  if (typeof minRamGb === 'number')
    matches = matches.where('computers.memory_mb', '>=', sql<number>`${minRamGb * 1024}::bigint`)
  if (typeof pxeSupport === 'boolean') matches = matches.where('computers.pxe_support', '=', pxeSupport)
  if (typeof criteria.isPxeActive === 'boolean')
    matches = matches.where(criteria.isPxeActive ? isPxeActive : sql<boolean>`not ${isPxeActive}`)
  if (typeof criteria.nameMatches === 'boolean')
    matches = matches.where('computers.id', 'in', computerIdsByNameMatch(criteria.nameMatches))
  return matches
}

function whereTimes(matches: Matches, criteria: ComputerCriteria): Matches {
  const { lastSeenAfter, modifiedAfter, inventoryAfter, inventoryBefore, neverSeen, neverInventoried } = criteria
  if (lastSeenAfter)
    matches = matches.where('computers.id', 'in', ({ selectFrom }) =>
      selectFrom('computer_contacts').select('computer_id').where('last_seen_at', '>=', lastSeenAfter),
    )
  if (modifiedAfter) matches = matches.where('computers.id', 'in', computerIdsModifiedAfter(modifiedAfter))
  if (inventoryAfter) matches = matches.where('computers.inventory_at', '>=', inventoryAfter)
  // The API shows milliseconds, the database stores microseconds: a time shown as equal to the bound must match.
  if (inventoryBefore)
    matches = matches.where(
      'computers.inventory_at',
      '<',
      sql<Date>`${inventoryBefore}::timestamptz + interval '1 millisecond'`,
    )
  if (neverSeen)
    matches = matches.where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('computer_contacts').whereRef('computer_id', '=', 'computers.id'))),
    )
  if (neverInventoried) matches = matches.where('computers.inventory_at', 'is', null)
  return matches
}

/** Matches the computers whose ids a statement selects. The ids refer to `computers`, so no join with it is needed. */
export function matchComputerIds(db: Database, ids: RawBuilder<{ computer_id: number }>) {
  const rows = db.selectFrom(sql<{ computer_id: number }>`(${ids})`.as('match')).select('match.computer_id as id')
  return { query: rows as unknown as SelectQueryBuilder<DB, 'computers', { id: number }>, once: true }
}
