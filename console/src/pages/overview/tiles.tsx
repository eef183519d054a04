import { Link } from 'react-router'
import type { StatusKind } from '../../components/status-kinds.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { computersWith } from './addresses.ts'
import classes from './overview.module.css'
import { countWithIssue, type FleetCounts, type IssueName } from './use-overview.ts'

type TileProps = { label: string; value: number; hint: string; kind: StatusKind; to: string }

/**
 * The figures that people look at first. Each leads to the list of what it counts. A figure that is an issue has the name and
 * the number of the issue, here and everywhere else.
 */
export function Tiles({ counts }: { counts: FleetCounts }) {
  const { overview } = useTexts()
  const { tiles, ofComputers, issueNames } = overview
  const format = useFormat()
  const { computers, withIssues, agentStatus, missingSeverity } = counts
  const share = (value: number) => ofComputers(format.percent(computers === 0 ? 0 : value / computers))
  const countTile = (label: string, value: number, kind: StatusKind, filter: Record<string, readonly string[]>) => (
    <Tile label={label} value={value} hint={share(value)} kind={kind} to={computersWith(filter)} />
  )
  const issueTile = (issue: IssueName, kind: StatusKind) =>
    countTile(issueNames[issue], countWithIssue(counts, issue), kind, { issue: [issue] })
  return (
    <nav aria-label={tiles.title} className={classes.tiles}>
      <Tile
        label={tiles.computers}
        value={computers}
        hint={tiles.reporting(format.number(agentStatus.Reporting))}
        kind="running"
        to="/computers"
      />
      {issueTile('stale-agent', 'bad')}
      <Tile
        label={tiles.withIssues}
        value={withIssues}
        hint={tiles.seenRecently(share(withIssues))}
        kind="warning"
        to={computersWith({ issue: counts.issues.map(({ issue }) => issue), lastContact: ['Day', 'Week', 'Month'] })}
      />
      {issueTile('failed-deployment', 'bad')}
      {countTile(tiles.missingCritical, missingSeverity.Critical, 'bad', { missingSeverity: ['Critical'] })}
      {issueTile('pending-reboot', 'warning')}
    </nav>
  )
}

function Tile({ label, value, hint, kind, to }: TileProps) {
  const format = useFormat()
  return (
    <Link to={to} className={classes.tile} data-kind={value > 0 ? kind : 'neutral'}>
      <span className={classes.figure}>{format.number(value)}</span>
      <span className={classes.label}>{label}</span>
      <span className={classes.hint}>{hint}</span>
    </Link>
  )
}
