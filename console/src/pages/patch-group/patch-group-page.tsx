import { Page } from '../../components/page.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function PatchGroupPage() {
  const { patches } = useTexts()
  return <Page title={patches.title}>{null}</Page>
}
