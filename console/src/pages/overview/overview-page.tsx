import { Page } from '../../components/page.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function OverviewPage() {
  const { overview } = useTexts()
  return <Page title={overview.title}>{null}</Page>
}
