import { Page } from '../../components/page.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function InfrastructurePage() {
  const { infrastructure } = useTexts()
  return <Page title={infrastructure.title}>{null}</Page>
}
