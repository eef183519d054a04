import { Page } from '../../components/page.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function IssuesPage() {
  const { issues } = useTexts()
  return <Page title={issues.title}>{null}</Page>
}
