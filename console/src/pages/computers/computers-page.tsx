import { Page } from '../../components/page.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function ComputersPage() {
  const { computers } = useTexts()
  return <Page title={computers.title}>{null}</Page>
}
