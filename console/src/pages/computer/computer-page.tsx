import { Page } from '../../components/page.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function ComputerPage() {
  const { computer } = useTexts()
  return <Page title={computer.title}>{null}</Page>
}
