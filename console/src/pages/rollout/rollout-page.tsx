import { Page } from '../../components/page.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function RolloutPage() {
  const { rollouts } = useTexts()
  return <Page title={rollouts.title}>{null}</Page>
}
