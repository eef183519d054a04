import { Badge, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatBadge } from '../api/blast-radius.ts'
import { packageRequestEvents, packageRequestsKey, waitingPackageRequestsQuery } from '../api/package-requests.ts'
import { useLive } from '../live/use-live.ts'
import { useTexts } from '../texts/texts.tsx'

/** How many package requests wait for a decision, next to the link to their page. */
export function WaitingPackageRequests() {
  const { packageRequests } = useTexts()
  useLive({ types: packageRequestEvents, refreshes: [packageRequestsKey] })
  const { data: count = 0 } = useQuery(waitingPackageRequestsQuery)
  if (count === 0) return null
  return (
    <Badge color="orange" size="sm" circle={count < 10}>
      <span aria-hidden>{formatBadge(count)}</span>
      <VisuallyHidden>{packageRequests.waiting(count)}</VisuallyHidden>
    </Badge>
  )
}
