import { useParams } from 'react-router'
import { IssueOverview } from './issue-overview.tsx'
import { IssuePage } from './issue-page.tsx'

/** All issues of the fleet, or what is behind one of them. */
export function IssuesPage() {
  const { kind } = useParams()
  return kind ? <IssuePage key={kind} kind={kind} /> : <IssueOverview />
}
