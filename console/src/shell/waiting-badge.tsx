import { Badge, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { approvalEvents, approvalsKey, formatBadge, waitingApprovalsQuery } from '../api/blast-radius.ts'
import { packageRequestEvents, packageRequestsKey, waitingPackageRequestsQuery } from '../api/package-requests.ts'
import { useLive } from '../live/use-live.ts'
import { useTexts } from '../texts/texts.tsx'

type Waiting = {
  /** The events that change the number, and what they refresh. */
  types: string[]
  refreshed: string[]
  query: { queryKey: string[]; queryFn: () => Promise<number> }
}

/** How many requests wait for a decision, next to the link to their page. */
function WaitingBadge({ types, refreshed, query }: Waiting) {
  const { approvals } = useTexts()
  useLive({ types, refreshes: [refreshed] })
  const { data: count = 0 } = useQuery(query)
  if (count === 0) return null
  return (
    <Badge color="orange" size="sm" circle={count < 10}>
      <span aria-hidden>{formatBadge(count)}</span>
      <VisuallyHidden>{approvals.waiting(count)}</VisuallyHidden>
    </Badge>
  )
}

export const WaitingApprovals = () => (
  <WaitingBadge types={approvalEvents} refreshed={approvalsKey} query={waitingApprovalsQuery} />
)

export const WaitingPackageRequests = () => (
  <WaitingBadge types={packageRequestEvents} refreshed={packageRequestsKey} query={waitingPackageRequestsQuery} />
)
