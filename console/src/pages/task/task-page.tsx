import { Anchor, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { answerOf, api } from '../../api/client.ts'
import type { components } from '../../api/types.ts'
import { Loading } from '../../components/loading.tsx'
import { Moment } from '../../components/moment.tsx'
import { OutcomeBar } from '../../components/outcome-bar.tsx'
import { Page } from '../../components/page.tsx'
import { PreDownloads } from '../../components/pre-downloads.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useLive } from '../../live/use-live.ts'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import { FailureGroups } from '../rollout/failure-groups.tsx'
import { WorkTrend } from '../rollout/work-trend.tsx'
import { outcomeParts } from '../rollouts/timeline-states.ts'
import { TaskActions } from './task-actions.tsx'
import { TaskWork } from './task-work.tsx'

type TaskDetails = components['schemas']['TaskDetails']

const kinds = { 1: 'running', 2: 'good', 3: 'bad' } as const

export function TaskPage() {
  const { id = '' } = useParams()
  const rollouts = useRolloutTexts()
  useLive({ types: ['muster.task.*', 'muster.work.*'], refreshes: [['task', id]] })
  const { data, error, refetch } = useQuery({
    queryKey: ['task', id],
    queryFn: () =>
      answerOf(
        api.GET('/api/tasks/{trackingId}', {
          params: { path: { trackingId: id }, query: { include: 'timeLine', top: 1 } },
        }),
      ),
  })
  if (!data)
    return (
      <Page title={rollouts.kinds.Activation}>
        {error ? <ProblemView error={error} onRetry={refetch} /> : <Loading height={160} />}
      </Page>
    )
  const target = data.packageName ?? data.hostname ?? data.groupPath
  return (
    <Page
      title={rollouts.taskTitle(rollouts.kinds[data.type], target)}
      intro={<Target task={data} />}
      actions={<TaskActions task={data} />}
    >
      <TaskStatus task={data} />
      <PreDownloads of={{ trackingId: id }} />
      {data.timeLine && (
        <Section title={rollouts.rollout.progressOverTime}>
          <WorkTrend points={data.timeLine.points} atUtc={null} />
        </Section>
      )}
      {data.timeLine && <FailureGroups groups={data.timeLine.failureGroups} section="work" countsAttempts />}
      <TaskWork task={data} />
    </Page>
  )
}

function Target({ task }: { task: TaskDetails }) {
  const rollouts = useRolloutTexts()
  const { clientId, hostname, groupId, groupPath, packageId, packageName, rolloutId, rolloutName } = task
  const links = [
    ...(clientId === null ? [] : [{ to: `/computers/${clientId}`, text: hostname ?? String(clientId) }]),
    ...(groupId === null ? [] : [{ to: `/groups/${groupId}`, text: groupPath ?? groupId }]),
    ...(packageId === null ? [] : [{ to: `/packages/${packageId}`, text: packageName ?? packageId }]),
  ]
  return (
    <Stack gap={0}>
      <div className="breakable">
        {links.map(({ to, text }, index) => (
          <span key={to}>
            {index > 0 && ' · '}
            <Anchor component={Link} to={to} size="sm">
              {text}
            </Anchor>
          </span>
        ))}
      </div>
      <div>
        {task.createdBy ? rollouts.by(task.createdBy) : rollouts.byService}, <Moment at={task.createdAtUtc} />
      </div>
      {rolloutId && (
        <div>
          {rollouts.task.partOf}{' '}
          <Anchor component={Link} to={`/rollouts/${rolloutId}`} size="sm">
            {rolloutName ?? rolloutId}
          </Anchor>
        </div>
      )}
    </Stack>
  )
}

function TaskStatus({ task }: { task: TaskDetails }) {
  const rollouts = useRolloutTexts()
  const { preparation, total, open } = task
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <div role="status">
          <StatusBadge kind={kinds[task.status]}>{rollouts.task.states[task.status]}</StatusBadge>{' '}
          <Text span size="sm">
            {rollouts.ofTotal(total - open, total)}
          </Text>
          {preparation?.state === 'Running' && (
            <Text size="sm" mt={4}>
              {rollouts.task.preparing(preparation.completed, preparation.computers)}
            </Text>
          )}
        </div>
        <OutcomeBar label={rollouts.task.workItems} parts={outcomeParts(task, rollouts.results)} />
      </Stack>
    </Paper>
  )
}
