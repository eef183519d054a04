import { Page } from '../../components/page.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function GroupsPage() {
  const { groups } = useTexts()
  return <Page title={groups.title}>{null}</Page>
}
