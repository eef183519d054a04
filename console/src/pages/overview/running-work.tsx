import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { OutcomeBar, type OutcomePart } from '../../components/outcome-bar.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { StatusKind } from '../../components/status-kinds.ts'
import { useFormat } from '../../texts/format.ts'
import { textFor, useTexts } from '../../texts/texts.tsx'
import classes from './overview.module.css'
import type { Overview, RunningRollout, RunningSingles, RunningTask } from './use-overview.ts'

const maxRows = 6

/** Rollouts and tasks that run, with their progress. A paused rollout does not: it waits for a decision. */
export function RunningWork({ overview: { runningRollouts, runningTasks, runningSingles } }: { overview: Overview }) {
  const { overview } = useTexts()
  const { running } = overview
  const rollouts = runningRollouts.filter(({ state }) => state !== 'Paused')
  const all = (
    <Anchor component={Link} to="/rollouts" size="sm">
      {running.all}
    </Anchor>
  )
  return (
    <Section title={running.title} actions={all}>
      {rollouts.length + runningTasks.length + runningSingles.length === 0 ? (
        <Text size="sm" c="dimmed">
          {running.nothing}
        </Text>
      ) : (
        <ul className={classes.runningList}>
          {rollouts.slice(0, maxRows).map((rollout) => (
            <RolloutRow key={rollout.rolloutId} rollout={rollout} />
          ))}
          {runningTasks.slice(0, maxRows).map((running) => (
            <TaskRow key={running.task.trackingId} running={running} />
          ))}
          {runningSingles.map((singles) => (
            <SinglesRow key={singles.type} singles={singles} />
          ))}
        </ul>
      )}
    </Section>
  )
}

/** The tasks of single computers, which are many when the service patches the fleet. */
function SinglesRow({ singles: { type, tasks } }: { singles: RunningSingles }) {
  const { running } = useTexts().overview
  return (
    <li className={classes.running}>
      <div>
        <Anchor component={Link} to={`/rollouts?state=Running&kind=${type}&computers=single`} size="sm" fw={600}>
          {textFor(running.taskTypes, type) ?? type}
        </Anchor>
        <div className={classes.hint}>{running.onSingleComputers}</div>
      </div>
      <StatusBadge kind="running">{running.task}</StatusBadge>
      <span />
      <span className={classes.progress}>{running.tasks(tasks)}</span>
    </li>
  )
}

const rolloutKinds: Record<RunningRollout['state'], StatusKind> = {
  Running: 'running',
  Paused: 'warning',
  CatchingUp: 'neutral',
  Completed: 'good',
  Cancelled: 'neutral',
}

function RolloutRow({ rollout }: { rollout: RunningRollout }) {
  const { running } = useTexts().overview
  const { computerCount, succeededCount, failedCount, retryingCount, openRing, ringCount, state } = rollout
  const done = succeededCount + failedCount + rollout.cancelledCount + rollout.nothingDueCount
  return (
    <Row
      to={`/rollouts/${rollout.rolloutId}`}
      name={rollout.name}
      detail={openRing === null ? running.rings(ringCount) : running.ring(openRing, ringCount)}
      badge={<StatusBadge kind={rolloutKinds[state]}>{running.rolloutStates[state]}</StatusBadge>}
      done={done}
      total={computerCount}
      parts={[
        { kind: 'good', value: succeededCount, label: running.succeeded },
        { kind: 'bad', value: failedCount, label: running.failed },
        { kind: 'warning', value: retryingCount, label: running.retrying },
        { kind: 'warning', value: rollout.cancelledCount, label: running.cancelled },
        { kind: 'neutral', value: computerCount - done - retryingCount, label: running.open },
        { kind: 'neutral', value: rollout.nothingDueCount, label: running.nothingDue },
      ]}
    />
  )
}

function TaskRow({ running: { task, total, open, succeeded, failed, cancelled } }: { running: RunningTask }) {
  const { running } = useTexts().overview
  return (
    <Row
      to={`/tasks/${task.trackingId}`}
      name={textFor(running.taskTypes, task.type) ?? task.type}
      detail={[task.packageName, task.groupPath ?? task.hostname].filter(Boolean).join(' · ')}
      badge={<StatusBadge kind="running">{running.task}</StatusBadge>}
      done={total - open}
      total={total}
      parts={[
        { kind: 'good', value: succeeded, label: running.succeeded },
        { kind: 'bad', value: failed, label: running.failed },
        { kind: 'warning', value: cancelled, label: running.cancelled },
        { kind: 'neutral', value: open, label: running.open },
      ]}
    />
  )
}

type RowProps = {
  to: string
  name: string
  detail: string
  badge: ReactNode
  done: number
  total: number
  parts: readonly OutcomePart[]
}

function Row({ to, name, detail, badge, done, total, parts }: RowProps) {
  const { running } = useTexts().overview
  const format = useFormat()
  return (
    <li className={classes.running}>
      <div>
        <Anchor component={Link} to={to} size="sm" fw={600} className="breakable">
          {name}
        </Anchor>
        <div className={`${classes.hint} breakable`}>{detail}</div>
      </div>
      {badge}
      <OutcomeBar label={running.progressOf(name)} parts={parts} isCompact />
      <span className={classes.progress}>{running.progress(format.number(done), format.number(total))}</span>
    </li>
  )
}
