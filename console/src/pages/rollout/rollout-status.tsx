import { Alert, Group, Paper, Stack, Text } from '@mantine/core'
import { DataAge } from '../../components/data-age.tsx'
import { Figure, Figures } from '../../components/figures.tsx'
import { IconAlertTriangle } from '../../components/icons.ts'
import { OutcomeBar } from '../../components/outcome-bar.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useFormat } from '../../texts/format.ts'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import {
  countFailures,
  describeContinuation,
  describeNext,
  describePause,
  kindOfRollout,
  overallParts,
  type Rollout,
} from './describe.ts'

/** The state of the rollout, what happens next, and the results of all rings. */
export function RolloutStatus({ rollout }: { rollout: Rollout }) {
  const rollouts = useRolloutTexts()
  const format = useFormat()
  const { state, pause, endedAtUtc, evaluatedAtUtc } = rollout
  const continues = describeContinuation(rollout, rollouts.continues, format.dateTime)
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        {pause && (
          <Alert
            color="orange"
            icon={<IconAlertTriangle aria-hidden />}
            title={pause.atUtc ? rollouts.pause.titleAt(format.dateTime(pause.atUtc)) : rollouts.pause.title}
          >
            <span className="breakable">{describePause(pause, rollouts.pause, format.dateTime)}</span>
          </Alert>
        )}
        <Group gap="sm" align="flex-start" justify="space-between">
          <Group gap="sm" role="status">
            <StatusBadge kind={kindOfRollout[state]}>{rollouts.rollout.states[state]}</StatusBadge>
            {/* A pause is explained above, and what ends it below. */}
            {!pause && (
              <Text size="sm">
                {endedAtUtc ? rollouts.next.ended(format.dateTime(endedAtUtc)) : describeNext(rollout, rollouts.next)}
              </Text>
            )}
          </Group>
          {evaluatedAtUtc && <DataAge atUtc={evaluatedAtUtc} />}
        </Group>
        {continues && (
          <Text size="sm">
            {`${rollouts.continues.title}: `}
            <b>{continues}</b>
          </Text>
        )}
        <RolloutFigures rollout={rollout} />
        <OutcomeBar label={rollouts.rollout.overall} parts={overallParts(rollout, rollouts.results)} />
      </Stack>
    </Paper>
  )
}

function RolloutFigures({ rollout }: { rollout: Rollout }) {
  const texts = useRolloutTexts().rollout
  const format = useFormat()
  const { computerCount, releasedCount, succeededCount, failedCount, retryingCount } = rollout
  const failures = countFailures(rollout)
  return (
    <Figures>
      <Figure name={texts.computers}>{format.number(computerCount)}</Figure>
      <Figure name={texts.released}>{format.number(releasedCount)}</Figure>
      <Figure name={texts.succeeded}>{format.number(succeededCount)}</Figure>
      <Figure
        name={texts.failed}
        isBad={failures > 0}
        hint={failures > 0 ? texts.failedParts(failedCount, retryingCount) : texts.failedMeaning}
      >
        {format.number(failures)}
      </Figure>
    </Figures>
  )
}
