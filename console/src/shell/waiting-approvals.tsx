import { Badge, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { approvalEvents, approvalsKey, formatBadge, waitingApprovalsQuery } from '../api/blast-radius.ts'
import { useLive } from '../live/use-live.ts'
import { useTexts } from '../texts/texts.tsx'

/** How many requests wait for an approval, next to the link to their page. */
export function WaitingApprovals() {
  const { approvals } = useTexts()
  useLive({ types: approvalEvents, refreshes: [approvalsKey] })
  const { data: count = 0 } = useQuery(waitingApprovalsQuery)
  if (count === 0) return null
  return (
    <Badge color="orange" size="sm" circle={count < 10}>
      <span aria-hidden>{formatBadge(count)}</span>
      <VisuallyHidden>{approvals.waiting(count)}</VisuallyHidden>
    </Badge>
  )
}
