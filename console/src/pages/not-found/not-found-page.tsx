import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { Page } from '../../components/page.tsx'
import { useTexts } from '../../texts/texts.tsx'

export function NotFoundPage() {
  const { shell } = useTexts()
  return (
    <Page title={shell.notFound} intro={shell.notFoundHint}>
      <div>
        <Button component={Link} to="/" variant="default">
          {shell.toStart}
        </Button>
      </div>
    </Page>
  )
}
