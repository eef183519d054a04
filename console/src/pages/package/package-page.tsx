import { Page } from '../../components/page.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function PackagePage() {
  const { packages } = useTexts()
  return <Page title={packages.title}>{null}</Page>
}
