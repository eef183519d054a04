import { Alert, Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { answerOf, api } from '../../api/client.ts'
import type { PackageJob } from '../../api/packages.ts'
import { IconAlertTriangle } from '../../components/icons.ts'
import { ProblemAlert } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useFormat } from '../../texts/format.ts'
import { usePackageTrialTexts } from '../../texts/package-trial-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './job-progress.module.css'

const statusKinds = { Pending: 'neutral', Running: 'running', Success: 'good', Failed: 'bad' } as const
const pollMilliseconds = 1_000

const isOver = (job: PackageJob | undefined) => job?.status === 'Success' || job?.status === 'Failed'

type JobProgressProps = {
  trackingId: string
  title?: string
  onHide: () => void
  /** Opens the form again, with what was typed. */
  onRepeat?: () => void
}

/** An import or a check of files: how far it is, what it has done, and how it ended. */
export function JobProgress({ trackingId, title, onHide, onRepeat }: JobProgressProps) {
  const { importing } = useTexts().packages
  const { data: job, error } = useJob(trackingId)
  return (
    <Section
      title={title ?? importing.ofImport}
      actions={
        <>
          {job && <StatusBadge kind={statusKinds[job.status]}>{importing.statuses[job.status]}</StatusBadge>}
          <Button size="compact-sm" variant="default" onClick={onHide}>
            {importing.hide}
          </Button>
        </>
      }
    >
      <Stack gap="sm">
        {!job && <ProblemAlert error={error} />}
        {job && !isOver(job) && <Completed job={job} />}
        {job && <Log job={job} />}
        {job && isOver(job) && <Result job={job} onRepeat={onRepeat} />}
      </Stack>
    </Section>
  )
}

function useJob(trackingId: string) {
  const queryClient = useQueryClient()
  const job = useQuery({
    queryKey: ['package-job', trackingId],
    queryFn: () => answerOf(api.GET('/api/packages/import/{trackingId}', { params: { path: { trackingId } } })),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : pollMilliseconds),
  })
  const hasEnded = isOver(job.data)
  useEffect(() => {
    if (!hasEnded) return
    for (const queryKey of [['packages'], ['package']]) void queryClient.invalidateQueries({ queryKey })
  }, [hasEnded, queryClient])
  return job
}

function Completed({ job }: { job: PackageJob }) {
  const { importing } = useTexts().packages
  const format = useFormat()
  const share = (job.progress ?? 0) / 100
  return (
    <Progress.Root size="lg">
      <Progress.Section value={share * 100} animated aria-label={importing.progress(format.percent(share))} />
    </Progress.Root>
  )
}

function Log({ job }: { job: PackageJob }) {
  const { importing } = useTexts().packages
  const format = useFormat()
  return (
    <ol className={classes.log} aria-label={importing.log} aria-live="polite">
      {job.log.length === 0 && <li>{importing.noLog}</li>}
      {job.log.map(({ atUtc, text }) => (
        <li key={`${atUtc} ${text}`}>
          <time dateTime={atUtc}>{format.exactDateTime(atUtc)}</time> {text}
        </li>
      ))}
    </ol>
  )
}

function Result({ job, onRepeat }: { job: PackageJob; onRepeat: (() => void) | undefined }) {
  const { importing } = useTexts().packages
  const trialTexts = usePackageTrialTexts()
  if (job.status === 'Failed')
    return (
      <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />}>
        <Text size="sm" className="breakable">
          {job.message}
        </Text>
        {onRepeat && (
          <Button size="compact-sm" variant="default" mt="xs" onClick={onRepeat}>
            {importing.again}
          </Button>
        )}
      </Alert>
    )
  return (
    <Group gap="md">
      <Text size="sm" role="status">
        {job.message}
      </Text>
      {job.packageId && (
        <>
          <Anchor component={Link} to={`/packages/${job.packageId}`} size="sm">
            {importing.open}
          </Anchor>
          <Anchor component={Link} to={`/packages/${job.packageId}?try=1#trial`} size="sm">
            {trialTexts.title}
          </Anchor>
        </>
      )}
    </Group>
  )
}
