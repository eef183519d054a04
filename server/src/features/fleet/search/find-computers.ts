import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { containing } from '../../../platform/like-pattern.ts'
import type { HealthStatus } from '../../issues/computer-health.ts'
import { userPatterns, userWithoutDomain } from './find-users.ts'
import { maxCandidates, qualityOf, type SearchedText } from './searched-text.ts'

/** At least as many as a caller can ask for. */
const maxNames = 20

/** The values by which a computer is found. Of equally good matches, the first kind counts. */
export const computerMatches = ['Name', 'SerialNumber', 'User', 'MacAddress', 'IpAddress', 'Id'] as const

export type ComputerMatch = (typeof computerMatches)[number]

export type FoundComputer = {
  id: number
  hostname: string
  domain: string | null
  operatingSystem: string | null
  loggedOnUser: string | null
  serialNumber: string | null
  healthStatus: HealthStatus
  matchedBy: ComputerMatch
  matchedText: string
}

/** A computer that matches by a value: its id, the value and how well it matches. */
type Candidate = { computer_id: number; matched: string; quality: number }

/**
 * Finds computers by name, serial number, user, address or id. Every source is searched by an index and yields a limited number
 * of candidates, so a text that all computers match costs as little as one that few match. What equals the text is always
 * among the candidates.
 */
export async function findComputers(db: Database, searched: SearchedText, top: number): Promise<FoundComputer[]> {
  const candidates = listSources(searched, top).map(
    ({ kind, found }) => sql`(
      select computer_id, ${computerMatches.indexOf(kind)}::integer as kind, matched, quality from (${found}) as found)`,
  )
  const { rows } = await sql<Omit<FoundComputer, 'matchedBy'> & { kind: number }>`
    with names as materialized (${namesFrom(searched)}),
    candidates as materialized (${sql.join(candidates, sql` union all `)}),
    best as (
      select distinct on (computer_id) computer_id, kind, matched, quality
      from candidates order by computer_id, quality, kind
    ), first as materialized (
      select best.*, summary.name_key, summary.operating_system, summary.health_status
      from best join computer_summaries summary using (computer_id)
      order by best.quality, best.kind, summary.name_key, best.computer_id limit ${top}
    )
    select computers.id, computers.name as hostname, computers.domain, first.operating_system as "operatingSystem",
      agents.logged_on_user as "loggedOnUser", bios.serial_number as "serialNumber",
      first.health_status as "healthStatus", first.kind, first.matched as "matchedText"
    from first join computers on computers.id = first.computer_id
      left join agents on agents.computer_id = first.computer_id
      left join bios_records bios on bios.computer_id = first.computer_id
    order by first.quality, first.kind, first.name_key, first.computer_id`.execute(db)
  return rows.map(({ kind, matchedText, ...computer }) => ({
    ...computer,
    matchedBy: computerMatches[kind] ?? 'Name',
    matchedText: computerMatches[kind] === 'Name' ? computer.hostname : matchedText,
  }))
}

type Source = { kind: ComputerMatch; found: RawBuilder<Candidate> }

/** A source is left out if nothing in it can match: an address is only compared with what looks like one. */
function listSources(searched: SearchedText, top: number): Source[] {
  const { text, isContainable } = searched
  const sources: Source[] = [{ kind: 'Name', found: sql`select * from names` }]
  if (isContainable) {
    sources.push({ kind: 'Name', found: otherNames(searched, top) })
    for (const pattern of [searched.itself, searched.pattern])
      sources.push({ kind: 'SerialNumber', found: whereLike(columns.serialNumber, pattern, searched) })
    for (const pattern of userPatterns(searched))
      sources.push({ kind: 'User', found: whereLike(columns.user, pattern, searched) })
  }
  const macDigits = text.replace(/[:.-]/g, '').toLowerCase()
  if (/^[0-9a-f]{6,12}$/.test(macDigits))
    sources.push({ kind: 'MacAddress', found: whereLike(columns.macKey, containing(macDigits), searched) })
  if (/^[0-9]+\.[0-9.]+$|^[0-9a-f]+:[0-9a-f:.]+$/i.test(text))
    for (const column of [columns.reportedAddress, columns.address])
      sources.push({ kind: 'IpAddress', found: whereLike(column, `${searched.itself}%`, searched) })
  if (/^[1-9]\d{0,8}$/.test(text)) sources.push({ kind: 'Id', found: withId(Number(text)) })
  return sources
}

const columns = {
  name: ['computers', 'id', 'name'],
  serialNumber: ['bios_records', 'computer_id', 'serial_number'],
  user: ['agents', 'computer_id', 'logged_on_user'],
  macKey: ['computers', 'id', 'mac_key'],
  address: ['computers', 'id', 'ip_address'],
  reportedAddress: ['computers', 'id', 'reported_ip_address'],
} as const

/** The first names from the text on, in the order of the index. As long as there are names that begin with it, they do. */
function namesFrom({ text }: SearchedText): RawBuilder<Candidate> {
  return sql`
    select computer_id, name_key as matched, case when name_key = lower(${text}) then 0 else 1 end as quality
    from (
      select computer_id, name_key from computer_summaries
      where name_key ~>=~ lower(${text}) order by name_key using ~<~ limit ${maxNames}
    ) as following where starts_with(name_key, lower(${text}))`
}

/** If enough names begin with the text, those that only contain it are not looked for: there may be as many as computers. */
function otherNames(searched: SearchedText, top: number): RawBuilder<Candidate> {
  return sql`
    select * from (${whereLike(columns.name, searched.pattern, searched)}) as others
    where (select count(*) from names) < ${top}`
}

function whereLike(
  [table, id, column]: (typeof columns)[keyof typeof columns],
  pattern: string,
  searched: SearchedText,
): RawBuilder<Candidate> {
  const value = sql.ref<string | null>(column)
  const compared = column === 'logged_on_user' ? userWithoutDomain : value
  return sql`
    select ${sql.ref(id)} as computer_id, ${value} as matched, ${qualityOf(compared, searched)} as quality
    from ${sql.table(table)} where ${value} ilike ${pattern} limit ${maxCandidates}`
}

/** An id is seldom what a number means. */
function withId(id: number): RawBuilder<Candidate> {
  return sql`select id as computer_id, id::text as matched, 2 as quality from computers where id = ${id}`
}
