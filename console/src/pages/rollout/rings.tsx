import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { OutcomeBar } from '../../components/outcome-bar.tsx'
import { PathText } from '../../components/path-text.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useFormat } from '../../texts/format.ts'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import { hadNothingDue, hasEnded, kindOfRing, type Ring, type Rollout, ringParts } from './describe.ts'
import classes from './rollout.module.css'
import { describeWindow } from './windows.ts'

/** The rings in their order. Each number leads to the computers behind it. */
export function Rings({ rollout }: { rollout: Rollout }) {
  const rollouts = useRolloutTexts()
  return (
    <Section title={rollouts.rollout.rings}>
      <ol className={classes.rings}>
        {rollout.rings.map((ring) => (
          <RingRow key={ring.ring} ring={ring} rollout={rollout} />
        ))}
      </ol>
    </Section>
  )
}

type RingProps = { ring: Ring; rollout: Rollout }

function RingRow({ ring, rollout }: RingProps) {
  const rollouts = useRolloutTexts()
  const { size, computers } = ring
  const sizeText = rollouts.rollout.sizes[size.kind](size.size ?? 0)
  const { groupId, groupPath } = size
  const linkTo = (state: string) => `?ring=${ring.ring}&state=${state}#computers`
  return (
    <li className={classes.ring} data-state={ring.state}>
      <span className={classes.number} aria-hidden>
        {ring.ring}
      </span>
      <div>
        <Text fw={600} className="breakable">
          {ring.name === String(ring.ring) ? rollouts.ring(ring.ring) : ring.name}
        </Text>
        <Text size="sm" c="dimmed">
          {groupId && groupPath ? (
            <Anchor component={Link} to={`/groups/${groupId}`} inherit className="breakable">
              <PathText path={groupPath} />
            </Anchor>
          ) : (
            sizeText
          )}
        </Text>
      </div>
      <div>
        <OutcomeBar
          label={rollouts.rollout.ringComputers(computers.total)}
          parts={ringParts(ring, rollouts.results, linkTo)}
        />
        {computers.away > 0 && (
          <Text size="xs" c="dimmed" mt={4}>
            {rollouts.rollout.away(computers.away)}
          </Text>
        )}
      </div>
      <div>
        {hadNothingDue(ring) ? (
          <StatusBadge kind="neutral">{rollouts.rollout.nothingDue}</StatusBadge>
        ) : (
          <StatusBadge kind={kindOfRing[ring.state]}>{rollouts.rollout.ringStates[ring.state]}</StatusBadge>
        )}
        <RingTimes ring={ring} rollout={rollout} />
      </div>
    </li>
  )
}

function RingTimes({ ring, rollout }: RingProps) {
  const { rollout: texts } = useRolloutTexts()
  const format = useFormat()
  const { openedAtUtc, doneAtUtc, expectedEndUtc, releaseMinutes, windows } = ring
  const lines = [
    ...(doneAtUtc ? [texts.doneAt(format.dateTime(doneAtUtc))] : []),
    ...(openedAtUtc && !doneAtUtc ? [texts.openedAt(format.dateTime(openedAtUtc))] : []),
    ...(!doneAtUtc && !hasEnded(rollout) ? [texts.expectedAt(format.dateTime(expectedEndUtc))] : []),
    ...(releaseMinutes > 0 && !doneAtUtc ? [texts.releasedOver(releaseMinutes)] : []),
    ...(rollout.emergency || doneAtUtc ? [] : windows.map((window) => describeWindow(window, texts))),
  ]
  return lines.map((line) => (
    <Text key={line} size="xs" c="dimmed" mt={2}>
      {line}
    </Text>
  ))
}
