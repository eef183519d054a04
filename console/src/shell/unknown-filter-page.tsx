import { Alert, Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { IconAlertTriangle } from '../components/icons.ts'
import { Page } from '../components/page.tsx'
import type { UnknownFilter } from '../components/unknown-filter.ts'
import { useTexts } from '../texts/texts.tsx'

/** In place of a list that would show more than the address asks for. */
export function UnknownFilterPage({ error: { filter, value } }: { error: UnknownFilter }) {
  const { shell } = useTexts()
  const { pathname, search } = useLocation()
  const others = new URLSearchParams(search)
  others.delete(filter)
  return (
    <Page title={shell.unknownFilter}>
      <Alert color="red" role="alert" maw={640} icon={<IconAlertTriangle aria-hidden />}>
        {shell.unknownFilterText(value === '' ? filter : `${filter}=${value}`)}
      </Alert>
      <div>
        <Button component={Link} to={{ pathname, search: others.toString() }} variant="default">
          {shell.withoutFilter}
        </Button>
      </div>
    </Page>
  )
}
