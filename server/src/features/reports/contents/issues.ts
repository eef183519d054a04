import { sql } from 'kysely'
import { columnsOf, configurationGroupOf, type Issue } from '../../issues/issue.ts'
import { issues } from '../../issues/issues.ts'
import type { ReadContent } from './report-content.ts'

type Finding = {
  issue: string
  severity: string | null
  group: string | null
  hostname: string
  domain: string | null
  occurrences: number
  detail: string
  lastSeen: Date | null
  total: number
  counts: Record<string, number>
}

/** What is wrong with which computers, by issue, severity and group, as the sweeps of the issues find it. */
export const readIssues: ReadContent = async (db, { computers }, maxRows) => {
  const column = columnsOf('occurrence')
  const findings = (issues as readonly Issue[]).map(
    ({ name, occurrences, minOccurrences, detail }, position) => sql`
      select ${sql.lit(position)} as position, ${sql.lit(name)} as issue, occurrence.computer_id,
        count(*)::integer as occurrences, ${detail(column)} as detail
      from (${occurrences({})}) as occurrence
      ${computers ? sql`where occurrence.computer_id in (select computer_id from scope)` : sql``}
      group by occurrence.computer_id having count(*) >= ${minOccurrences?.({}) ?? 1}`,
  )
  const { rows } = await sql<Finding>`
    with ${computers ? sql`scope as materialized (${computers}),` : sql``}
      findings as materialized (${sql.join(findings, sql` union all `)}),
      counts as (
        select jsonb_object_agg(issue, computers) as counts, sum(computers)::integer as total
        from (select issue, count(*) as computers from findings group by issue) as counted
      )
    select finding.issue, case finding.issue when 'missing-patch' then summary.missing_severity end as severity,
      groups.path as "group", computers.name as hostname, computers.domain, finding.occurrences, finding.detail,
      contact.last_seen_at as "lastSeen", counts.total, counts.counts
    from findings finding
      cross join counts
      join computers on computers.id = finding.computer_id
      left join computer_summaries summary on summary.computer_id = finding.computer_id
      left join computer_contacts contact on contact.computer_id = finding.computer_id
      left join groups on groups.id = ${configurationGroupOf(sql.ref('finding.computer_id'))}
    order by finding.position, array_position(array['Critical', 'Important', 'Moderate', 'Low'],
        case finding.issue when 'missing-patch' then summary.missing_severity end),
      groups.path, lower(computers.name), computers.id
    limit ${maxRows}`.execute(db)
  const counts = rows[0]?.counts ?? {}
  const summary = issues.flatMap(({ name }) => (counts[name] === undefined ? [] : [[name, counts[name]]]))
  return [
    {
      title: 'Computers by issue',
      columns: [
        { name: 'issue', title: 'Issue', width: 4 },
        { name: 'computers', title: 'Computers', width: 1 },
      ],
      rows: summary,
      total: summary.length,
      isSummary: true,
    },
    {
      title: 'Open issues',
      columns: [
        { name: 'issue', title: 'Issue', width: 2 },
        { name: 'severity', title: 'Severity', width: 1.2 },
        { name: 'group', title: 'Group', width: 3 },
        { name: 'hostname', title: 'Computer', width: 2 },
        { name: 'domain', title: 'Domain', width: 2 },
        { name: 'occurrences', title: 'Count', width: 0.8 },
        { name: 'detail', title: 'Detail', width: 4 },
        { name: 'lastSeenUtc', title: 'Last contact (UTC)', width: 2 },
      ],
      rows: rows.map((row) => [
        row.issue,
        row.severity,
        row.group,
        row.hostname,
        row.domain,
        row.occurrences,
        row.detail,
        row.lastSeen,
      ]),
      total: rows[0]?.total ?? 0,
    },
  ]
}
