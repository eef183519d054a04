import { Alert, Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { asProblem } from '../api/problem.ts'
import { ProblemAlert } from '../components/problem-view.tsx'
import { useTexts } from '../texts/texts.tsx'

/** Why an action was not carried out. A changed count or version has already been reviewed again. */
export function ActionProblem({ error }: { error: unknown }) {
  const { actions, approvals } = useTexts()
  if (!error) return null
  const { code, status, details } = asProblem(error)
  if (code === 'ApprovalRequired')
    return (
      <Alert color="blue" role="alert" title={actions.approvalTitle}>
        {/* Only the quota of a caller has a used part. */}
        <Text size="sm">{details.usedInLastHour === null ? actions.approvalOfWaveText : actions.approvalText}</Text>
        <Anchor component={Link} to="/admin/approvals" size="sm">
          {approvals.title}
        </Anchor>
      </Alert>
    )
  if (code === 'UnexpectedCount' || status === 412)
    return (
      <Alert color="orange" role="alert">
        {code === 'UnexpectedCount' ? actions.otherCount : actions.changedMeanwhile}
      </Alert>
    )
  return <ProblemAlert error={error} />
}
