import { Link } from 'react-router'
import type { StatusKind } from '../../components/status-kinds.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.tsx'
import { computersWith } from './addresses.ts'
import classes from './overview.module.css'
import type { FleetCounts } from './use-overview.ts'

type TileProps = { label: string; value: number; hint: string; kind: StatusKind; to: string }

/** The figures that people look at first. Each leads to the list of what it counts. */
export function Tiles({ counts }: { counts: FleetCounts }) {
  const { overview } = useTexts()
  const { tiles, ofComputers } = overview
  const format = useFormat()
  const { computers, agentStatus, health, missingSeverity } = counts
  const withIssue = (name: string) => counts.issues.find(({ issue }) => issue === name)?.count ?? 0
  const share = (value: number) => ofComputers(format.percent(computers === 0 ? 0 : value / computers))
  const countTile = (label: string, value: number, kind: StatusKind, filter: Record<string, readonly string[]>) => (
    <Tile label={label} value={value} hint={share(value)} kind={kind} to={computersWith(filter)} />
  )
  return (
    <nav aria-label={tiles.title} className={classes.tiles}>
      <Tile
        label={tiles.computers}
        value={computers}
        hint={tiles.reporting(format.number(agentStatus.Reporting))}
        kind="running"
        to="/computers"
      />
      {countTile(tiles.notReporting, computers - agentStatus.Reporting, 'bad', {
        agentStatus: ['Stale', 'Silent', 'Unknown'],
      })}
      {countTile(tiles.withIssues, health.Warning, 'warning', { healthStatus: ['Warning'] })}
      {countTile(tiles.failedDeployments, withIssue('failed-deployment'), 'bad', { issue: ['failed-deployment'] })}
      {countTile(tiles.missingCritical, missingSeverity.Critical, 'bad', { missingSeverity: ['Critical'] })}
      {countTile(tiles.waitingForRestart, withIssue('pending-reboot'), 'warning', { issue: ['pending-reboot'] })}
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
