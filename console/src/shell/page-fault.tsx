import { Center } from '@mantine/core'
import { useRouteError } from 'react-router'
import { unreachable } from '../api/problem.ts'
import { ProblemView } from '../components/problem-view.tsx'

/** The messages of the browsers and of the style loader when a chunk of the console cannot be loaded. */
function isMissingFile(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script|preload css/i.test(error.message)
}

/** Shown when a page fails, including when its files are gone because a newer version was installed. */
export function PageFault() {
  const error = useRouteError()
  return (
    <Center mih="60vh" p="md">
      <ProblemView error={isMissingFile(error) ? unreachable() : error} onRetry={() => location.reload()} />
    </Center>
  )
}
