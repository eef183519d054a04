import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Moment } from '../../components/moment.tsx'
import { OutcomeBar } from '../../components/outcome-bar.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useFormat } from '../../texts/format.ts'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import { describePause } from '../rollout/describe.ts'
import classes from './timeline.module.css'
import { addressOf, kindOfState, outcomeParts, type TimelineEntry, titleOf } from './timeline-states.ts'

/** Rollouts and tasks below each other, each with its progress. */
export function TimelineList({ entries, label }: { entries: readonly TimelineEntry[]; label: string }) {
  return (
    <ol className={classes.list} aria-label={label}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ol>
  )
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const rollouts = useRolloutTexts()
  const format = useFormat()
  return (
    <li className={classes.entry}>
      <div>
        <StatusBadge kind={kindOfState[entry.state]}>{rollouts.states[entry.state]}</StatusBadge>
      </div>
      <div>
        <Anchor component={Link} to={addressOf(entry)} fw={600} className="breakable">
          {titleOf(entry, rollouts)}
        </Anchor>
        <Meta entry={entry} />
        {entry.pause && (
          <Text size="sm" className="breakable">
            {describePause(entry.pause, rollouts.pause, format.dateTime)}
          </Text>
        )}
      </div>
      <Progress entry={entry} />
    </li>
  )
}

function Meta({ entry }: { entry: TimelineEntry }) {
  const rollouts = useRolloutTexts()
  const { kind, groupPath, hostname, packageName, createdBy, createdAtUtc, openRing, ringCount } = entry
  return (
    <div className={classes.meta}>
      {kind === 'Rollout' && <span>{rollouts.kinds.Rollout}</span>}
      {kind === 'Rollout' && packageName && <span>{packageName}</span>}
      {hostname && packageName && <span>{hostname}</span>}
      {/* Without a package, the title names the group. */}
      {groupPath && (kind === 'Rollout' || packageName || hostname) && <span>{groupPath}</span>}
      {openRing !== null && ringCount !== null && <span>{rollouts.ringOf(openRing, ringCount)}</span>}
      <span>{createdBy ? rollouts.by(createdBy) : rollouts.byService}</span>
      <Moment at={createdAtUtc} />
    </div>
  )
}

function Progress({ entry }: { entry: TimelineEntry }) {
  const rollouts = useRolloutTexts()
  const format = useFormat()
  const done = entry.total - entry.open
  return (
    <div className={classes.progress}>
      <OutcomeBar isCompact label={rollouts.progress} parts={outcomeParts(entry, rollouts.results)} />
      <div className={classes.counts}>
        <span>{rollouts.ofTotal(done, entry.total)}</span>
        {entry.failed > 0 && (
          <Text span inherit c="red" fw={600}>
            {format.number(entry.failed)} {rollouts.results.failed}
          </Text>
        )}
      </div>
    </div>
  )
}
