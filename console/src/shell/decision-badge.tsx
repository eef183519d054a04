import { Badge, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { decisionEvents, decisionsKey, decisionsQuery, formatBadge, pageOfDecision } from '../api/decisions.ts'
import { useLive } from '../live/use-live.ts'
import { useTexts } from '../texts/texts.tsx'

/** Keeps what waits current while the navigation is shown. */
export function useLiveDecisions(): void {
  useLive({ types: decisionEvents, refreshes: [decisionsKey] })
}

/** How much waits for a decision on a page, next to the link to it. The same answer serves all pages. */
export function DecisionBadge({ page }: { page: string }) {
  const { decisions: texts } = useTexts()
  const { data } = useQuery(decisionsQuery)
  const ofPage = data?.filter(({ kind }) => pageOfDecision[kind] === page) ?? []
  const count = ofPage.reduce((sum, decision) => sum + decision.count, 0)
  if (count === 0) return null
  return (
    <Badge color="orange" size="sm" circle={count < 10}>
      <span aria-hidden>{formatBadge(count)}</span>
      <VisuallyHidden>{texts.waiting(count)}</VisuallyHidden>
    </Badge>
  )
}
