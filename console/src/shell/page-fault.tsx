import { useMutation } from '@tanstack/react-query'
import { useRouteError } from 'react-router'
import { unreachable } from '../api/problem.ts'
import { readReadiness } from '../api/readiness.ts'
import { Page } from '../components/page.tsx'
import { ProblemView } from '../components/problem-view.tsx'
import { UnknownFilter } from '../components/unknown-filter.ts'
import { useTexts } from '../texts/texts.tsx'
import { UnknownFilterPage } from './unknown-filter-page.tsx'

/** The messages of the browsers and of the style loader when a chunk of the console cannot be loaded. */
function isMissingFile(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script|preload css/i.test(error.message)
}

/** Shown in place of a page that fails, including when its files are gone because a newer version was installed. */
export function PageFault() {
  const error = useRouteError()
  return error instanceof UnknownFilter ? <UnknownFilterPage error={error} /> : <FailedPage error={error} />
}

function FailedPage({ error }: { error: unknown }) {
  const { shell } = useTexts()
  const retry = useMutation({
    async mutationFn() {
      // While the service is away, a reload would replace the console with an error of the browser.
      await readReadiness()
      location.reload()
    },
  })
  const isMissing = isMissingFile(error)
  return (
    <Page title={shell.pageFault}>
      <ProblemView
        error={isMissing ? (retry.error ?? unreachable()) : error}
        onRetry={() => retry.mutate()}
        isRetrying={retry.isPending}
      />
    </Page>
  )
}
