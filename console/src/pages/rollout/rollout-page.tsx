import { Anchor, Stack } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { Loading } from '../../components/loading.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { PreDownloads } from '../../components/pre-downloads.tsx'
import { ProblemView } from '../../components/problem-view.tsx'
import { Section } from '../../components/section.tsx'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import { Criteria } from './criteria.tsx'
import { hasEnded, type Rollout } from './describe.ts'
import { FailureGroups } from './failure-groups.tsx'
import { Rings } from './rings.tsx'
import { RolloutActions } from './rollout-actions.tsx'
import { RolloutComputers } from './rollout-computers.tsx'
import { RolloutStatus } from './rollout-status.tsx'
import { useRollout } from './use-rollout.ts'
import { WorkTrend } from './work-trend.tsx'

export function RolloutPage() {
  const { id = '' } = useParams()
  const rollouts = useRolloutTexts()
  const { data, error, refetch } = useRollout(id)
  if (!data)
    return (
      <Page title={rollouts.kinds.Rollout}>
        {error ? <ProblemView error={error} onRetry={refetch} /> : <Loading height={160} />}
      </Page>
    )
  const { value: rollout, etag } = data
  return (
    <Page
      title={rollout.name}
      intro={<Target rollout={rollout} />}
      actions={<RolloutActions rollout={rollout} etag={etag} />}
    >
      <RolloutStatus rollout={rollout} />
      <Rings rollout={rollout} />
      <PreDownloads of={{ rolloutId: id }} />
      {rollout.timeLine && (
        <Section title={rollouts.rollout.progressOverTime}>
          <WorkTrend
            points={rollout.timeLine.points}
            atUtc={rollout.evaluatedAtUtc}
            marks={{
              spans: rollout.pausedTimes,
              spanLabel: rollouts.rollout.states.Paused,
              nowUtc: hasEnded(rollout) ? undefined : (rollout.evaluatedAtUtc ?? undefined),
            }}
          />
        </Section>
      )}
      {rollout.timeLine && (
        <FailureGroups groups={rollout.timeLine.failureGroups} section="computers" countsAttempts={false} />
      )}
      <RolloutComputers rollout={rollout} />
      <Criteria rollout={rollout} etag={etag} />
    </Page>
  )
}

function Target({ rollout }: { rollout: Rollout }) {
  const rollouts = useRolloutTexts()
  const { groupId, groupPath, packageId, packageName, createdBy, createdAtUtc } = rollout
  return (
    <Stack gap={0}>
      <div className="breakable">
        <Anchor component={Link} to={`/groups/${groupId}`} size="sm">
          {groupPath ?? rollouts.rollout.group}
        </Anchor>
        {' · '}
        {packageId ? (
          <Anchor component={Link} to={`/packages/${packageId}`} size="sm">
            {packageName ?? rollouts.rollout.package}
          </Anchor>
        ) : (
          rollouts.rollout.allAssigned
        )}
      </div>
      <div>
        {rollouts.rollout.created(createdBy)}, <Moment at={createdAtUtc} />
      </div>
    </Stack>
  )
}
